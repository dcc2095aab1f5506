//! Arguments for a call of which nobody gave an example: only what is required. First what the schema offers, then
//! what other tools returned, then what type, format and name suggest.

mod invented;

use frankly_contract::ToolDef;
use serde_json::{Map, Value, json};

use super::parameter::resolved;

/// Arguments that the schema allows, as far as it tells.
pub(super) fn generate(tool: &ToolDef) -> Map<String, Value> {
    fill(tool, |_, schema| offered(schema))
}

/// The same, with `first` asked before anything is invented: what it gives for a name and its schema is taken.
pub(super) fn fill(tool: &ToolDef, first: impl Fn(&str, &Value) -> Option<Value>) -> Map<String, Value> {
    let properties = tool.input_schema().and_then(|schema| schema.get("properties"));
    let value = |name: &str| {
        let schema = resolved(tool, properties?.get(name)?);
        let value = if spares(name) {
            json!(true)
        } else {
            first(name, schema).unwrap_or_else(|| invented::value(tool, name, schema, 0))
        };
        Some((name.to_owned(), value))
    };
    tool.required().filter_map(value).collect()
}

/// Whether a flag of this name keeps a call from doing what it says.
fn spares(name: &str) -> bool {
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    matches!(
        name.to_ascii_lowercase().as_str(),
        "dryrun" | "noop" | "preview" | "readonly" | "simulate" | "validateonly"
    )
}

/// A value that the schema itself names.
pub(super) fn offered(schema: &Value) -> Option<Value> {
    let first_of =
        |keyword: &str| schema.get(keyword).and_then(Value::as_array).and_then(|values| values.first());
    first_of("examples")
        .or_else(|| schema.get("example"))
        .or_else(|| schema.get("default"))
        .or_else(|| schema.get("const"))
        .or_else(|| first_of("enum"))
        .cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_required_is_given_and_what_the_schema_offers_comes_first() {
        let tool = ToolDef::new(
            "t",
            "",
            json!({"type": "object", "required": ["a", "b", "c", "d", "dry_run", "e"], "properties": {
                "dry_run": {"type": "boolean", "default": false},
                "a": {"type": "string", "examples": ["x"], "enum": ["y"]},
                "b": {"type": "string", "enum": ["y", "z"]},
                "c": {"anyOf": [{"type": "integer", "minimum": 3}, {"type": "null"}]},
                "d": {"type": "string", "format": "date"},
                "e": {"type": ["array", "null"]},
                "f": {"type": "string"}
            }}),
        );
        assert_eq!(
            Value::Object(generate(&tool)),
            json!({"a": "x", "b": "y", "c": 3, "d": "2026-01-31", "dry_run": true, "e": []})
        );
    }

    #[test]
    fn what_is_asked_first_is_taken_and_the_rest_is_invented() {
        let tool = ToolDef::new(
            "t",
            "",
            json!({"type": "object", "required": ["id", "note"], "properties": {
                "id": {"type": "string"}, "note": {"type": "string", "minLength": 3}
            }}),
        );
        let given = fill(&tool, |name, _| (name == "id").then(|| json!("acc-1")));
        assert_eq!(Value::Object(given), json!({"id": "acc-1", "note": "aaa"}));
    }
}
