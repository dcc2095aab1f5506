//! Parameters that choose an action: one tool that lists and deletes is no reader, whatever its name.

use frankly_contract::ToolDef;
use frankly_verdict::report::shorten;
use serde_json::{Map, Value};

use super::names::{words, writing_verb};
use super::verbs::{Kind, among, is_reading, kind};

/// Words by which the name of a parameter says that it chooses what to do.
const ACTIONS: &str = "action cmd command do method mode op operation verb";
/// Last words by which the name of a parameter says that it filters or sorts.
const FILTERS: &str = "\
    category event events field fields filter filters format kind kinds order permission permissions \
    role roles scope scopes sort state states status topic trigger type types";
/// Members of a schema that hold values, not schemas.
const VALUES: &str = "const default enum example examples";

/// The parameter by which a tool can be told to change something, and the choice that does.
pub(super) fn writing_choice(tool: &ToolDef) -> Option<(String, String)> {
    walk("", tool.input_schema()?)
}

/// A value that would be sent and that begins with a command to change something: `DROP TABLE users`, `DELETE`.
pub(super) fn writing_value(arguments: &Map<String, Value>) -> Option<(String, String)> {
    const COMMANDS: &str =
        "alter create delete drop insert merge patch post put replace truncate update upsert";
    let writes = |value: &Value| {
        let first =
            value.as_str()?.split(|c: char| !c.is_ascii_alphabetic()).find(|word| !word.is_empty())?;
        among(&first.to_ascii_lowercase(), COMMANDS).then(|| shorten(value.as_str().unwrap_or_default(), 40))
    };
    arguments.iter().find_map(|(name, value)| Some((name.clone(), writes(value)?)))
}

fn walk(name: &str, schema: &Value) -> Option<(String, String)> {
    match schema {
        Value::Object(members) => {
            let offered = choices(schema);
            if let Some(choice) = writing_among(name, &offered) {
                return Some((name.to_owned(), choice));
            }
            members.iter().filter(|(key, _)| !among(key.as_str(), VALUES)).find_map(|(key, value)| {
                match (key.as_str(), value) {
                    ("properties" | "$defs" | "definitions", Value::Object(named)) => {
                        named.iter().find_map(|(name, schema)| walk(name, schema))
                    }
                    _ => walk(name, value),
                }
            })
        }
        Value::Array(schemas) => schemas.iter().find_map(|schema| walk(name, schema)),
        _ => None,
    }
}

/// The texts a schema lets choose from: its `enum`, its `const`, or the `const` of each branch.
fn choices(schema: &Value) -> Vec<&str> {
    let listed = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    let branches = ["anyOf", "oneOf"].into_iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
    let constants = branches.filter_map(|branch| branch.get("const")).chain(schema.get("const"));
    listed.chain(constants).filter_map(Value::as_str).collect()
}

fn writing_among(name: &str, choices: &[&str]) -> Option<String> {
    let name = words(name);
    let named_action = name.iter().any(|word| among(word.as_str(), ACTIONS));
    let first_reads = |choice: &&str| words(choice).first().is_some_and(|word| is_reading(word));
    let is_action = named_action || choices.iter().any(first_reads);
    if !named_action && name.last().is_some_and(|last| among(last.as_str(), FILTERS)) {
        return None;
    }
    let writes = |choice: &&&str| {
        let verb = writing_verb(choice);
        match verb.as_deref().map(|verb| kind(verb).unwrap_or(Kind::Verb)) {
            Some(Kind::Verb) => true,
            Some(Kind::Either) => is_action,
            Some(Kind::Noun) => named_action,
            None => false,
        }
    };
    choices.iter().find(writes).map(|choice| (*choice).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(properties: Value) -> Option<String> {
        let schema = json!({"type": "object", "properties": properties});
        writing_choice(&ToolDef::new("t", "", schema)).map(|(_, choice)| choice)
    }

    #[test]
    fn a_choice_that_writes_is_found_at_any_depth() {
        for properties in [
            json!({"what": {"enum": ["list", "delete"]}}),
            json!({"operation": {"enum": ["start", "stop"]}}),
            json!({"method": {"enum": ["GET", "POST"]}}),
            json!({"x": {"items": {"properties": {"action": {"enum": ["view", "delete_order"]}}}}}),
            json!({"x": {"oneOf": [{"const": "list"}, {"const": "remove"}]}}),
            json!({"x": {"anyOf": [{"type": "null"}, {"enum": ["add", "remove"]}]}}),
        ] {
            assert!(found(properties.clone()).is_some(), "{properties}");
        }
    }

    #[test]
    fn states_kinds_and_the_weather_are_no_actions() {
        for properties in [
            json!({"state": {"enum": ["open", "deleted"]}}),
            json!({"filter": {"enum": ["open", "closed", "merged", "archived"]}}),
            json!({"weather": {"enum": ["clear", "rain"]}}),
            json!({"content": {"enum": ["post", "page"]}}),
            json!({"event_type": {"enum": ["create", "update", "delete"]}}),
            json!({"sort": {"enum": ["created", "updated"]}}),
            json!({"x": {"default": {"enum": ["list", "delete"]}}}),
            json!({"delete": {"enum": ["a", "b"]}}),
        ] {
            assert_eq!(found(properties.clone()), None, "{properties}");
        }
    }
}
