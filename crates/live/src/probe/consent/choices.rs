//! Parameters that choose an action: one tool that lists and deletes is no reader, whatever its name.

use frankly_contract::ToolDef;
use frankly_verdict::report::shorten;
use serde_json::{Map, Value};

use super::names::{words, writing_verb};
use super::prose::writing_word;
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

/// A value that would be sent and that tells to change something: `DROP TABLE users`, `rm -rf build`, `DELETE`.
pub(crate) fn writing_value(arguments: &Map<String, Value>) -> Option<(String, String)> {
    arguments.iter().find_map(|(name, value)| Some((name.clone(), shorten(command_in(value)?, 40))))
}

/// The text in a value that is such a command.
fn command_in(value: &Value) -> Option<&str> {
    /// What is a command where it comes first.
    const FIRST: &str = "\
        call chmod chown create dd del exec expire git import kill kubectl merge mkfs move mv patch post pull push put \
        reboot rename replace set shutdown update upsert";
    /// What is one wherever it stands: after a comment, another statement, or the name of a module.
    const ANYWHERE: &str = "\
        alter delete drop flushall flushdb grant insert mutation purge remove revoke rm rmdir shutdown truncate unlink vacuum";
    match value {
        Value::String(text) => {
            let lower = text.to_ascii_lowercase();
            let mut words = lower.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty());
            let first = words.next()?;
            let writes =
                among(first, FIRST) || among(first, ANYWHERE) || words.any(|word| among(word, ANYWHERE));
            writes.then_some(text.as_str())
        }
        Value::Array(items) => items.iter().find_map(command_in),
        Value::Object(members) => members.values().find_map(command_in),
        _ => None,
    }
}

/// A flag by which the tool changes something unless it is turned off.
pub(super) fn writing_default(tool: &ToolDef) -> Option<&str> {
    let is_on = |schema: &Value| schema.get("default") == Some(&Value::Bool(true));
    tool.parameters().find(|(name, schema)| is_on(schema) && flag_writes(name, schema)).map(|(name, _)| name)
}

/// Whether by its name or its description a flag makes the tool change something.
pub(crate) fn flag_writes(name: &str, schema: &Value) -> bool {
    let description = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let named = words(name).iter().any(|word| writing_verb(word).is_some());
    named || writing_word(description).is_some()
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

    #[test]
    fn a_command_is_told_wherever_it_stands_and_a_question_is_none() {
        let writes = |value: Value| writing_value(json!({ "x": value }).as_object().unwrap()).is_some();
        for value in [
            json!("DROP TABLE users"),
            json!("SELECT 1; DROP TABLE users"),
            json!("/* note */ DELETE FROM users"),
            json!("WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x"),
            json!("rm -rf build"),
            json!("git push --force"),
            json!("FLUSHALL"),
            json!("mutation { deleteUser(id: 1) { id } }"),
            json!("import os; os.remove('x')"),
            json!(["DELETE", "/x"]),
            json!({"command": "shutdown -h now"}),
        ] {
            assert!(writes(value.clone()), "{value}");
        }
        for value in
            [json!("SELECT * FROM posts"), json!("blog posts to put online"), json!(3), json!(["a", "b"])]
        {
            assert!(!writes(value.clone()), "{value}");
        }
    }

    #[test]
    fn a_flag_that_changes_something_is_told_by_its_name_or_its_description() {
        let flag =
            |description: &str| json!({"type": "boolean", "description": description, "default": true});
        assert!(flag_writes("include_delete", &flag("")));
        assert!(flag_writes("full", &flag("Rebuilds everything and deletes the old report.")));
        assert!(!flag_writes("include_deleted", &flag("Also list deleted orders.")));
        assert!(!flag_writes("verbose", &flag("Show all columns.")));
        let tool = ToolDef::new("get_item", "Gets it.", json!({"properties": {"delete_after": flag("")}}));
        assert_eq!(writing_default(&tool), Some("delete_after"));
    }
}
