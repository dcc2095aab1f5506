//! The default and the maximum that a description states.
//!
//! Only what is written as a value is read: a number, `true` or `false`, or a text in quotes. `defaults to the current
//! directory` states something too, and nothing that a schema could.

use serde_json::Value;

use super::super::super::prose::has_any;

/// What a description states, as far as it is one thing.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Stated {
    pub default: Option<Value>,
    pub maximum: Option<f64>,
}

/// Reads a description; what is stated twice, and differently, is stated under conditions and not read.
pub(super) fn stated(description: &str) -> Stated {
    let text = super::super::super::prose::readable(description);
    if !has_any(text, &["at most", "default", "max"]) {
        return Stated::default();
    }
    let lower = text.to_ascii_lowercase();
    let mut defaults: Vec<Value> = Vec::new();
    let mut is_conditional = false;
    for (at, word) in lower.match_indices("default") {
        let is_word = lower[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '_');
        if !is_word {
            continue;
        }
        let rest = &text[at + word.len()..];
        match after_default(rest) {
            Some((value, after)) => {
                is_conditional |= is_condition(after);
                defaults.push(value);
            }
            None => is_conditional |= rest.starts_with("s to") || rest.starts_with(": "),
        }
    }
    defaults.dedup();
    let default = (defaults.len() == 1 && !is_conditional).then(|| defaults.remove(0));
    Stated { default, maximum: maximum(text, &lower) }
}

/// The value after `default`: `s to 50`, `: "x"`, ` is true`, ` 5`, ` value: 5`.
fn after_default(rest: &str) -> Option<(Value, &str)> {
    let mut rest = rest;
    for glue in ["s", " value", " is", " to", " of"] {
        rest = rest.strip_prefix(glue).unwrap_or(rest);
    }
    let trimmed = rest.trim_start_matches([' ', ':', '=', '*']);
    // `by default 5`, `default value`: something has to part the word from the value.
    (trimmed.len() < rest.len() || rest.starts_with(['"', '\'', '`'])).then(|| value(trimmed))?
}

/// A value at the beginning of a text, and what follows it.
fn value(text: &str) -> Option<(Value, &str)> {
    if let Some(quote) = text.chars().next().filter(|c| matches!(c, '"' | '\'' | '`')) {
        let inner = &text[1..];
        let end = inner.find(quote)?;
        let (inner, after) = (&inner[..end], &inner[end + 1..]);
        let unquoted = (quote == '`').then(|| scalar(inner)).flatten();
        return (!inner.is_empty()).then(|| (unquoted.unwrap_or_else(|| Value::from(inner)), after));
    }
    let end = text
        .find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '-' | '_'))
        .unwrap_or(text.len());
    let (word, after) = text.split_at(end);
    Some((scalar(word.trim_end_matches('.'))?, after))
}

fn scalar(word: &str) -> Option<Value> {
    match word.to_ascii_lowercase().as_str() {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        word if word.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
            serde_json::from_str(word).ok().filter(Value::is_number)
        }
        _ => None,
    }
}

/// Whether what follows a value makes it one of several, or of another unit: `5 if …`, `10 for …`, `30 seconds`, `1,000`.
fn is_condition(after: &str) -> bool {
    const CONDITIONS: &str = "and else except for if in on or otherwise per to unless when where with";
    let after = after.trim_start_matches(['"', '\'', '`', ')']);
    let next = after.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let is_grouped = after.starts_with(',') && after[1..].starts_with(|c: char| c.is_ascii_digit());
    is_grouped
        || after.starts_with(['%', '/', '*', '^'])
        || one_of!(&next.to_lowercase(), CONDITIONS)
        || is_unit(next)
}

/// Units, in which a number in prose and one in the schema may differ and mean the same.
fn is_unit(word: &str) -> bool {
    const UNITS: &str =
        "b bytes d days gb h hours k kb m mb min mins minutes mo months ms s sec secs seconds w weeks years";
    one_of!(&word.to_lowercase(), UNITS)
}

/// The one maximum: `max 200`, `maximum: 200`, `up to 200`, `at most 200`.
fn maximum(text: &str, lower: &str) -> Option<f64> {
    let mut found: Vec<f64> = Vec::new();
    for phrase in ["max", "maximum", "at most", "maximum is", "max is", "maximum value"] {
        for (at, _) in lower.match_indices(phrase) {
            let is_word = lower[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '_');
            let rest = &text[at + phrase.len()..];
            let parted = rest.trim_start_matches([' ', ':', '=']);
            if !is_word || parted.len() == rest.len() {
                continue;
            }
            let Some((number, after)) =
                value(parted).and_then(|(value, after)| Some((value.as_f64()?, after)))
            else {
                continue;
            };
            let next = after.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            if is_condition(after) || one_of!(next, "characters chars tokens") {
                return None;
            }
            found.push(number);
        }
    }
    found.dedup();
    match found.as_slice() {
        [one] => Some(*one),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_read_and_conditions_are_not() {
        for (text, expected) in [
            ("How many (default 50).", Some(json!(50))),
            ("How many (default: 50, max: 200)", Some(json!(50))),
            ("Defaults to 'asc'.", Some(json!("asc"))),
            ("Default is true.", Some(json!(true))),
            ("Optional, default=0.5", Some(json!(0.5))),
            ("Default: `10`", Some(json!(10))),
            ("Defaults to the current directory.", None),
            ("Defaults to 10 for lists and 20 for searches.", None),
            ("Default 5, or by default: 7", None),
            ("default 30 seconds", None),
            ("Default: 1,000", None),
            ("By default 3 columns are shown.", Some(json!(3))),
            ("The default_branch is main.", None),
            ("", None),
        ] {
            assert_eq!(stated(text).default, expected, "{text}");
        }
    }

    #[test]
    fn a_maximum_is_a_number_on_its_own() {
        for (text, expected) in [
            ("How many (1-100, max 100)", Some(100.0)),
            ("Maximum: 25", Some(25.0)),
            ("at most 10", Some(10.0)),
            ("max 200 characters", None),
            ("max 5 for guests, max 10 for others", None),
            ("max_results 5", None),
            ("climax 5", None),
        ] {
            assert_eq!(stated(text).maximum, expected, "{text}");
        }
    }
}
