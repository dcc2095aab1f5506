//! What a schema asks for, in words. What may not enter: what was sent.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::NAMES;
use crate::clause::clause;
use crate::shown::{cut, known_name, named};

/// So many choices are listed in a message.
const CHOICES: usize = 20;

/// The longest choice that is listed, in characters.
const CHOICE: usize = 60;

/// So deep inside a schema its parts are described too.
const DEPTH: usize = 3;

/// The longest description repeated in a message, in characters.
const DESCRIPTION: usize = 240;

/// What a value must be to fit, such as "an integer from 1 to 200".
pub(super) fn expected(root: &Value, schema: &Value) -> String {
    words(root, schema, DEPTH).unwrap_or_else(unsaid)
}

/// The same for a schema none of whose alternatives fits.
pub(super) fn expected_alternative(root: &Value, schema: &Value) -> String {
    let alternatives = resolve(root, schema).and_then(|members| words_of_alternatives(root, members, DEPTH));
    choices(root, schema).map(|choices| listed(&choices)).or(alternatives).unwrap_or_else(unsaid)
}

fn unsaid() -> String {
    "what its schema allows".to_owned()
}

/// The values that a schema allows, if it lists them.
pub(super) fn choices<'a>(root: &'a Value, schema: &'a Value) -> Option<Vec<&'a Value>> {
    choices_within(root, schema, DEPTH)
}

fn choices_within<'a>(root: &'a Value, schema: &'a Value, depth: usize) -> Option<Vec<&'a Value>> {
    let members = resolve(root, schema)?;
    if let Some(choices) = members.get("enum").and_then(Value::as_array) {
        return Some(choices.iter().collect());
    }
    if let Some(only) = members.get("const") {
        return Some(vec![only]);
    }
    let depth = depth.checked_sub(1)?;
    let all = alternatives(members)?
        .iter()
        .map(|schema| choices_or_null(root, schema, depth))
        .collect::<Option<Vec<_>>>()?;
    Some(all.concat()).filter(|choices| !choices.is_empty())
}

fn choices_or_null<'a>(root: &'a Value, schema: &'a Value, depth: usize) -> Option<Vec<&'a Value>> {
    static NULL: Value = Value::Null;
    match schema.get("type").and_then(Value::as_str) {
        Some("null") => Some(vec![&NULL]),
        _ => choices_within(root, schema, depth),
    }
}

/// What a value should look like according to the author: the description, cut.
pub(super) fn description(root: &Value, schema: &Value) -> Option<String> {
    let own = schema.get("description").and_then(Value::as_str);
    let text = own.or_else(|| resolve(root, schema)?.get("description")?.as_str())?;
    let text = cut(&text.split_whitespace().collect::<Vec<_>>().join(" "), DESCRIPTION);
    Some(clause(&text).to_owned()).filter(|text| !text.is_empty())
}

/// A value that fits according to the author.
pub(super) fn example<'a>(root: &'a Value, schema: &'a Value) -> Option<&'a Value> {
    let members = resolve(root, schema)?;
    let examples = members.get("examples").and_then(Value::as_array);
    examples
        .and_then(|examples| examples.first())
        .or_else(|| members.get("default"))
        .filter(|value| !value.is_null())
}

/// The names of the members that a schema knows, those of schemas beside it included.
pub(super) fn properties<'a>(root: &'a Value, schema: &'a Value) -> Vec<&'a str> {
    let (mut names, mut seen) = (Vec::new(), HashSet::new());
    collect_properties(root, schema, DEPTH, &mut |name| {
        if seen.insert(name) {
            names.push(name);
        }
    });
    names
}

fn collect_properties<'a>(root: &'a Value, schema: &'a Value, depth: usize, found: &mut impl FnMut(&'a str)) {
    let Some(members) = schema.as_object() else { return };
    for name in members.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys) {
        found(name);
    }
    let Some(depth) = depth.checked_sub(1) else { return };
    let lists =
        ["allOf", "anyOf", "oneOf"].iter().filter_map(|keyword| members.get(*keyword)?.as_array()).flatten();
    let single = ["then", "else"].iter().filter_map(|keyword| members.get(*keyword));
    let dependent =
        members.get("dependentSchemas").and_then(Value::as_object).into_iter().flat_map(Map::values);
    for inner in lists.chain(single).chain(dependent).chain(target(root, members)) {
        collect_properties(root, inner, depth, found);
    }
}

/// The schema itself, or what it refers to when it says nothing else.
fn resolve<'a>(root: &'a Value, schema: &'a Value) -> Option<&'a Map<String, Value>> {
    let mut members = schema.as_object()?;
    for _ in 0..8 {
        if ["type", "enum", "const", "anyOf", "oneOf"].iter().any(|keyword| members.contains_key(*keyword)) {
            break;
        }
        match target(root, members).and_then(Value::as_object) {
            Some(target) => members = target,
            None => break,
        }
    }
    Some(members)
}

fn target<'a>(root: &'a Value, members: &Map<String, Value>) -> Option<&'a Value> {
    root.pointer(members.get("$ref")?.as_str()?.strip_prefix('#')?)
}

fn alternatives(members: &Map<String, Value>) -> Option<&Vec<Value>> {
    members.get("anyOf").or_else(|| members.get("oneOf"))?.as_array()
}

fn words(root: &Value, schema: &Value, depth: usize) -> Option<String> {
    if let Some(choices) = choices(root, schema) {
        return Some(listed(&choices));
    }
    let members = resolve(root, schema)?;
    let types: Vec<&str> = match members.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => return words_of_alternatives(root, members, depth),
    };
    let words: Vec<String> = types.iter().map(|kind| of_type(root, members, kind, depth)).collect();
    Some(words.join(" or "))
}

fn words_of_alternatives(root: &Value, members: &Map<String, Value>, depth: usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    let mut forms: Vec<String> = Vec::new();
    for schema in alternatives(members)? {
        let form = words(root, schema, depth)?;
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    Some(forms.join(" or ")).filter(|words| !words.is_empty())
}

/// The alternatives of a schema, as far as words tell them apart.
pub(super) fn forms(root: &Value, schema: &Value) -> Vec<String> {
    let alternatives = resolve(root, schema).and_then(alternatives).into_iter().flatten();
    let mut forms: Vec<String> = alternatives.filter_map(|schema| words(root, schema, DEPTH)).collect();
    forms.sort();
    forms.dedup();
    forms
}

fn of_type(root: &Value, members: &Map<String, Value>, kind: &str, depth: usize) -> String {
    match kind {
        "integer" => format!("an integer{}", range(members)),
        "number" => format!("a number{}", range(members)),
        "boolean" => "true or false".to_owned(),
        "string" => string(members),
        "array" => {
            let items = members.get("items").zip(depth.checked_sub(1));
            let each = items.and_then(|(items, depth)| words(root, items, depth));
            let each = each.map(|each| format!(", each {each}")).unwrap_or_default();
            format!("an array{}{each}", size(members, "minItems", "maxItems", "item"))
        }
        "object" => {
            let required: Vec<String> = members
                .get("required")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .map(known_name)
                .collect();
            if required.is_empty() {
                "an object".to_owned()
            } else {
                format!("an object with {}", few(required, "and"))
            }
        }
        other => other.to_owned(),
    }
}

fn string(members: &Map<String, Value>) -> String {
    let known = match members.get("format").and_then(Value::as_str) {
        Some("date") => "a date as YYYY-MM-DD",
        Some("date-time") => "a date and time such as 2025-03-31T12:00:00Z",
        Some("time") => "a time such as 12:00:00Z",
        Some("duration") => "a duration such as P3DT4H",
        Some("email") => "an e-mail address",
        Some("uri") => "a URI",
        Some("uuid") => "a UUID",
        Some(other) => return format!("a string in the format {}", named(other)),
        None => {
            let not_empty = members.get("minLength").and_then(Value::as_u64) == Some(1);
            if not_empty && !members.contains_key("maxLength") {
                return "a string that is not empty".to_owned();
            }
            return format!("a string{}", size(members, "minLength", "maxLength", "character"));
        }
    };
    known.to_owned()
}

/// The bounds of a number, such as " from 1 to 200".
fn range(members: &Map<String, Value>) -> String {
    let bound = |keyword: &str| members.get(keyword).filter(|bound| bound.is_number()).map(Value::to_string);
    let mut words = match (bound("minimum"), bound("maximum")) {
        (Some(least), Some(most)) => format!(" from {least} to {most}"),
        (Some(least), None) => format!(" of at least {least}"),
        (None, Some(most)) => format!(" of at most {most}"),
        (None, None) => String::new(),
    };
    for (keyword, word) in [("exclusiveMinimum", "above"), ("exclusiveMaximum", "below")] {
        if let Some(bound) = bound(keyword) {
            words += &format!(" {word} {bound}");
        }
    }
    if let Some(step) = bound("multipleOf") {
        words += &format!(" that is a multiple of {step}");
    }
    words
}

/// How much of something, such as " of 1 to 5 items".
fn size(members: &Map<String, Value>, least: &str, most: &str, unit: &str) -> String {
    let bound = |keyword: &str| members.get(keyword).and_then(Value::as_f64);
    let plural = |count: f64| if count == 1.0 { "" } else { "s" };
    match (bound(least), bound(most)) {
        (Some(least), Some(most)) if least == most => format!(" of {least} {unit}{}", plural(least)),
        (Some(least), Some(most)) => format!(" of {least} to {most} {unit}s"),
        (Some(least), None) => format!(" of at least {least} {unit}{}", plural(least)),
        (None, Some(most)) => format!(" of at most {most} {unit}{}", plural(most)),
        (None, None) => String::new(),
    }
}

/// Choices as a list to be read aloud, cut where there are many.
pub(super) fn listed(choices: &[&Value]) -> String {
    // Half of a choice would be one that does not exist.
    let whole = choices.iter().map(|choice| choice.to_string()).filter(|text| text.chars().count() <= CHOICE);
    let mut words: Vec<String> = whole.take(CHOICES).collect();
    match choices.len() - words.len() {
        0 => {}
        more if words.is_empty() => return format!("one of the {more} that its schema lists"),
        more => words.push(format!("{more} more that its schema lists")),
    }
    match words.len() {
        1 | 2 => words.join(" or "),
        _ => format!("one of {}", joined(&words, "or")),
    }
}

/// The first words as a list to be read aloud, and how many more there are.
pub(super) fn few(mut words: Vec<String>, last: &str) -> String {
    let more = words.len().saturating_sub(NAMES);
    if more > 0 {
        words.truncate(NAMES);
        words.push(format!("{more} more"));
    }
    joined(&words, last)
}

/// The words as a list to be read aloud.
pub(super) fn joined(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}
