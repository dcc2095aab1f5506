//! Walking JSON Schemas: pointers, subschemas, local references. Judges nothing.

use serde_json::Value;

/// Keywords whose value is one schema.
const ONE: &[&str] = &[
    "additionalItems",
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// Keywords whose value is an array of schemas (`items` in older drafts).
const MANY: &[&str] = &["allOf", "anyOf", "items", "oneOf", "prefixItems"];
/// Keywords whose value maps names to schemas.
const NAMED: &[&str] = &["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"];

/// A JSON pointer with one more token.
pub fn join(pointer: &str, token: impl std::fmt::Display) -> String {
    format!("{pointer}/{}", token.to_string().replace('~', "~0").replace('/', "~1"))
}

/// How a schema hangs in its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place<'a> {
    /// The schema itself.
    Root,
    /// A value of `properties`, with its name.
    Property(&'a str),
    /// Anywhere else, under this keyword.
    Keyword(&'a str),
}

/// Visits a schema and everything in it that is a schema too, parents first.
pub fn walk<'a>(schema: &'a Value, pointer: &str, visit: &mut impl FnMut(&'a Value, &str, Place<'a>)) {
    visit(schema, pointer, Place::Root);
    walk_children(schema, pointer, visit);
}

fn walk_children<'a>(schema: &'a Value, pointer: &str, visit: &mut impl FnMut(&'a Value, &str, Place<'a>)) {
    let Some(members) = schema.as_object() else { return };
    for (keyword, value) in members {
        let keyword = keyword.as_str();
        let at = join(pointer, keyword);
        let mut descend = |child: &'a Value, at: &str, place: Place<'a>| {
            visit(child, at, place);
            walk_children(child, at, visit);
        };
        match value {
            Value::Object(named) if NAMED.contains(&keyword) => {
                for (name, child) in named {
                    let place =
                        if keyword == "properties" { Place::Property(name) } else { Place::Keyword(keyword) };
                    descend(child, &join(&at, name), place);
                }
            }
            Value::Array(children) if MANY.contains(&keyword) => {
                for (index, child) in children.iter().enumerate() {
                    descend(child, &join(&at, index), Place::Keyword(keyword));
                }
            }
            Value::Object(_) | Value::Bool(_) if ONE.contains(&keyword) => {
                descend(value, &at, Place::Keyword(keyword));
            }
            _ => {}
        }
    }
}

/// Whether a keyword holds one schema, an array of schemas, or schemas by name.
pub fn holds_schemas(keyword: &str) -> (bool, bool, bool) {
    (ONE.contains(&keyword), MANY.contains(&keyword), NAMED.contains(&keyword))
}

/// Where a `$ref` leads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target<'a> {
    /// To this part of the same document.
    Here(&'a Value),
    /// To a part of the same document that is not there.
    Nowhere,
    /// To another document.
    Elsewhere,
}

/// Follows one `$ref` within its document.
pub fn resolve<'a>(root: &'a Value, reference: &str) -> Target<'a> {
    let Some(fragment) = reference.strip_prefix('#') else {
        return find_by(root, &["$id", "id"], reference).map_or(Target::Elsewhere, Target::Here);
    };
    let fragment = percent_encoding::percent_decode_str(fragment).decode_utf8_lossy();
    let found = if fragment.is_empty() || fragment.starts_with('/') {
        root.pointer(&fragment)
    } else {
        find_by(root, &["$anchor", "$dynamicAnchor"], &fragment)
            .or_else(|| find_by(root, &["$id", "id"], reference))
    };
    found.map_or(Target::Nowhere, Target::Here)
}

/// Follows a chain of local `$ref`s to its end; a circle ends where it closes.
pub fn dereference<'a>(root: &'a Value, mut schema: &'a Value) -> &'a Value {
    const LONGEST_CHAIN: usize = 16;
    for _ in 0..LONGEST_CHAIN {
        match schema.get("$ref").and_then(Value::as_str).map(|reference| resolve(root, reference)) {
            Some(Target::Here(target)) => schema = target,
            _ => break,
        }
    }
    schema
}

fn find_by<'a>(root: &'a Value, keys: &[&str], name: &str) -> Option<&'a Value> {
    let mut found = None;
    walk(root, "", &mut |schema, _, _| {
        if found.is_none() && keys.iter().any(|key| schema.get(key).and_then(Value::as_str) == Some(name)) {
            found = Some(schema);
        }
    });
    found
}

/// The JSON Schema name of a value's type.
pub fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() && number.as_f64().is_some_and(|n| n.fract() != 0.0) => {
            "number"
        }
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// The type names under `type`, whether it is one or a list.
pub fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn references_lead_to_pointers_anchors_and_ids() {
        let root = json!({
            "$defs": {"a/b": {"type": "string"}, "c": {"$anchor": "sea", "type": "null"}, "d": {"$id": "urn:d"}},
            "properties": {"x": {"$ref": "#/$defs/a~1b"}}
        });
        assert_eq!(resolve(&root, "#"), Target::Here(&root));
        assert_eq!(resolve(&root, "#/$defs/a~1b"), Target::Here(&json!({"type": "string"})));
        assert_eq!(resolve(&root, "#/%24defs/a~1b"), Target::Here(&json!({"type": "string"})));
        assert!(matches!(resolve(&root, "#sea"), Target::Here(_)));
        assert!(matches!(resolve(&root, "urn:d"), Target::Here(_)));
        assert_eq!(resolve(&root, "#/$defs/none"), Target::Nowhere);
        assert_eq!(resolve(&root, "other.json"), Target::Elsewhere);
        assert_eq!(dereference(&root, &root["properties"]["x"]), &json!({"type": "string"}));
    }

    #[test]
    fn a_circle_of_references_ends() {
        let root = json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}});
        dereference(&root, &root["$defs"]["a"]);
    }

    #[test]
    fn a_property_named_like_a_keyword_is_a_property() {
        let root =
            json!({"properties": {"anyOf": {"type": "string"}}, "default": {"properties": {"no": {}}}});
        let mut seen = Vec::new();
        walk(&root, "", &mut |_, pointer, _| seen.push(pointer.to_owned()));
        assert_eq!(seen, ["", "/properties/anyOf"]);
    }
}
