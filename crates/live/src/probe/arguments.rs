//! Arguments for a call of which nobody gave an example: only what is required, as the schema offers it.

use frankly_contract::ToolDef;
use serde_json::{Map, Value, json};

/// Arguments that the schema allows, as far as it tells.
pub(super) fn generate(tool: &ToolDef) -> Map<String, Value> {
    let properties = tool.input_schema().and_then(|schema| schema.get("properties"));
    tool.required()
        .filter_map(|name| {
            let schema = properties?.get(name)?;
            let value = if spares(name) { json!(true) } else { value(schema) };
            Some((name.to_owned(), value))
        })
        .collect()
}

/// Whether a flag of this name keeps a call from doing what it says.
fn spares(name: &str) -> bool {
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    matches!(
        name.to_ascii_lowercase().as_str(),
        "dryrun" | "noop" | "preview" | "readonly" | "simulate" | "validateonly"
    )
}

fn value(schema: &Value) -> Value {
    let first_of =
        |keyword: &str| schema.get(keyword).and_then(Value::as_array).and_then(|values| values.first());
    let offered = first_of("examples")
        .or_else(|| schema.get("example"))
        .or_else(|| schema.get("default"))
        .or_else(|| schema.get("const"))
        .or_else(|| first_of("enum"));
    if let Some(value) = offered {
        return value.clone();
    }
    if let Some(branch) = first_of("anyOf").or_else(|| first_of("oneOf")) {
        return value(branch);
    }
    let types = schema.get("type");
    let name = types.and_then(Value::as_str).or_else(|| types?.as_array()?.first()?.as_str());
    match name {
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or_else(|| json!(1)),
        Some("boolean") => json!(false),
        Some("array") => json!([]),
        Some("object") => json!({}),
        Some("null") => Value::Null,
        _ => text(schema.get("format").and_then(Value::as_str)),
    }
}

fn text(format: Option<&str>) -> Value {
    json!(match format {
        Some("date") => "2026-01-31",
        Some("date-time") => "2026-01-31T12:00:00Z",
        Some("time") => "12:00:00Z",
        Some("email") => "someone@example.org",
        Some("uri" | "url") => "https://example.org/",
        Some("uuid") => "00000000-0000-4000-8000-000000000000",
        _ => "a",
    })
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
}
