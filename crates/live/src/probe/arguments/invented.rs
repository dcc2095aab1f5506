//! Values that nobody named: by type, by format, and by what a parameter is called.

use frankly_contract::ToolDef;
use serde_json::{Map, Value, json};

use super::super::consent::words;
use super::super::parameter::resolved;
use super::offered;

/// How deep objects and arrays are filled.
const DEPTH: usize = 4;
/// A longer text than this is not made up, whatever the schema asks for.
const LONGEST: u64 = 10_000;

/// A value for a parameter of this name; `depth` objects and arrays are around it.
pub(super) fn value(tool: &ToolDef, name: &str, schema: &Value, depth: usize) -> Value {
    let schema = resolved(tool, schema);
    if let Some(value) = offered(schema) {
        return value;
    }
    let first_of = |keyword: &str| schema.get(keyword).and_then(Value::as_array).and_then(|all| all.first());
    if let Some(branch) = first_of("anyOf").or_else(|| first_of("oneOf")).filter(|_| depth < DEPTH) {
        return value(tool, name, branch, depth + 1);
    }
    let types = schema.get("type");
    match types.and_then(Value::as_str).or_else(|| types?.as_array()?.first()?.as_str()) {
        Some(kind @ ("integer" | "number")) => number(name, schema, kind == "integer"),
        Some("boolean") => json!(false),
        Some("array") => array(tool, name, schema, depth),
        Some("object") => object(tool, schema, depth),
        Some("null") => Value::Null,
        _ => text(name, schema),
    }
}

fn number(name: &str, schema: &Value, whole: bool) -> Value {
    if let Some(least) = schema.get("minimum") {
        return least.clone();
    }
    if let Some(below) = schema.get("exclusiveMinimum").and_then(Value::as_f64) {
        #[expect(clippy::cast_possible_truncation, reason = "a bound beyond i64 is no bound of a tool")]
        return if whole { json!(below.floor() as i64 + 1) } else { json!(below + 1.0) };
    }
    if words(name).iter().any(|word| word == "year") { json!(2025) } else { json!(1) }
}

fn array(tool: &ToolDef, name: &str, schema: &Value, depth: usize) -> Value {
    let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or_default();
    match schema.get("items").filter(|_| least > 0 && depth < DEPTH) {
        Some(items) => json!([value(tool, name, items, depth + 1)]),
        None => json!([]),
    }
}

fn object(tool: &ToolDef, schema: &Value, depth: usize) -> Value {
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let properties = schema.get("properties");
    let members: Map<String, Value> = required
        .filter_map(Value::as_str)
        .filter(|_| depth < DEPTH)
        .filter_map(|name| Some((name.to_owned(), value(tool, name, properties?.get(name)?, depth + 1))))
        .collect();
    Value::Object(members)
}

fn text(name: &str, schema: &Value) -> Value {
    let text = match schema.get("format").and_then(Value::as_str) {
        Some("date") => "2026-01-31",
        Some("date-time") => "2026-01-31T12:00:00Z",
        Some("time") => "12:00:00Z",
        Some("email") => "someone@example.org",
        Some("uri" | "url") => "https://example.org/",
        Some("uuid") => "00000000-0000-4000-8000-000000000000",
        _ => named(name),
    };
    let length = text.chars().count() as u64;
    let least = schema.get("minLength").and_then(Value::as_u64).unwrap_or_default().min(LONGEST);
    if length >= least {
        return json!(text);
    }
    // A bound that `min` has just kept small.
    json!(text.to_owned() + &"a".repeat(usize::try_from(least - length).unwrap_or_default()))
}

/// A text that fits what the parameter is called.
fn named(name: &str) -> &'static str {
    let words = words(name);
    let has = |word: &str| words.iter().any(|known| known == word);
    match words.last().map(String::as_str) {
        Some("date" | "day" | "since" | "until") => "2025-01-31",
        Some("month") => "2025-01",
        Some("timezone" | "tz") => "UTC",
        Some("currency") => "USD",
        Some("country") => "US",
        Some("language" | "lang" | "locale") => "en",
        Some("email") => "someone@example.org",
        Some("url" | "uri") => "https://example.org/",
        Some("path" | "dir" | "directory" | "folder") => ".",
        _ if has("sql") => "SELECT 1",
        _ => "a",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_and_arrays_hold_what_they_must() {
        let tool = ToolDef::new(
            "t",
            "",
            json!({"type": "object", "$defs": {"Line": {"type": "object", "required": ["day", "n"],
                "properties": {"day": {"type": "string"}, "n": {"type": "integer", "exclusiveMinimum": 2}}}}}),
        );
        let made = |schema: Value| value(&tool, "x", &schema, 0);
        let line = json!({"day": "2025-01-31", "n": 3});
        assert_eq!(made(json!({"$ref": "#/$defs/Line"})), line);
        assert_eq!(
            made(json!({"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/Line"}})),
            json!([line])
        );
        assert_eq!(made(json!({"type": "array", "items": {"type": "string"}})), json!([]));
        let endless = json!({"anyOf": [{"type": "object", "required": ["x"], "properties": {"x": {}}}]});
        assert_eq!(made(endless), json!({"x": "a"}));
    }

    #[test]
    fn a_name_says_what_fits() {
        let tool = ToolDef::new("t", "", json!({}));
        for (name, expected) in [("start_date", "2025-01-31"), ("tz", "UTC"), ("file_path", "."), ("q", "a")]
        {
            assert_eq!(value(&tool, name, &json!({"type": "string"}), 0), json!(expected), "{name}");
        }
    }
}
