//! Which parts of a schema stand for themselves: what nobody else refers to, adds to or excludes can be changed by itself.

use serde_json::Value;

use super::super::prose::{has_any, readable};
use crate::schema;

/// Beside or above a schema these say more of the same value than the schema itself does.
const COMBINE: &[&str] = &[
    "$anchor", "$dynamicAnchor", "$dynamicRef", "$id", "$ref", "allOf", "anyOf", "contains", "dependencies",
    "dependentRequired", "dependentSchemas", "else", "if", "minProperties", "not", "oneOf",
    "patternProperties", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
];
/// What is defined under these is used elsewhere, perhaps as a part.
const DEFINE: &[&str] = &["$defs", "definitions"];

/// The schemas in an input schema that stand for themselves, with their pointers.
pub(super) fn plain_parts(root: &Value) -> Vec<(&Value, String)> {
    let mut parts = Vec::new();
    let mut taken: Vec<String> = Vec::new();
    let mut is_referred_to = false;
    schema::walk(root, "/inputSchema", &mut |node, at, _| {
        let reference = node.get("$ref").and_then(Value::as_str);
        is_referred_to |= reference.is_some_and(|reference| !is_to_a_definition(reference));
        let pointer = at.to_string();
        let is_within = taken.iter().any(|outer| is_within(&pointer, outer));
        if is_within || at.passes(DEFINE) {
            return;
        }
        if COMBINE.iter().any(|keyword| node.get(keyword).is_some()) {
            taken.push(pointer);
        } else {
            // Its values show members of what is in it, too.
            if ["const", "default", "enum", "example", "examples"]
                .iter()
                .any(|keyword| holds_objects(node.get(*keyword)))
            {
                taken.extend(["items", "properties"].iter().map(|inner| format!("{pointer}/{inner}")));
            }
            parts.push((node, pointer));
        }
    });
    if is_referred_to { Vec::new() } else { parts }
}

fn holds_objects(value: Option<&Value>) -> bool {
    match value {
        Some(Value::Object(_)) => true,
        Some(Value::Array(items)) => items.iter().any(|item| holds_objects(Some(item))),
        _ => false,
    }
}

fn is_to_a_definition(reference: &str) -> bool {
    reference.starts_with("#/$defs/") || reference.starts_with("#/definitions/")
}

fn is_within(pointer: &str, outer: &str) -> bool {
    pointer.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a schema shows values of its own that have members which it does not declare.
pub(super) fn shows_more(node: &Value) -> bool {
    let declared = node.get("properties").and_then(Value::as_object);
    let is_more = |value: &Value| {
        value.as_object().is_some_and(|members| {
            members.keys().any(|name| !declared.is_some_and(|declared| declared.contains_key(name)))
        })
    };
    let one = ["const", "default", "example"].iter().filter_map(|keyword| node.get(*keyword));
    let many = ["enum", "examples"].iter().filter_map(|keyword| node.get(*keyword)?.as_array()).flatten();
    let required =
        node.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    one.chain(many).any(is_more)
        || required.into_iter().any(|name| !declared.is_some_and(|declared| declared.contains_key(name)))
}

/// Whether a text may say that more is taken than is declared. It need not be sure: where it may, nothing is closed.
pub(super) fn may_take_more(text: &str) -> bool {
    const MORE: &[&str] = &[
        "accept*", "additional*", "any", "arbitrary", "by name", "custom*", "extra*", "forward*", "free*",
        "key-value", "keyed", "keys", "labels", "map*", "metadata", "more", "optionally", "other*", "pass*",
        "such as", "e.g", "options", "specific", "unknown*", "variables", "headers", "whatever",
    ];
    text.contains("...") || text.contains('…') || has_any(readable(text), MORE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_others_say_more_of_is_no_part_by_itself() {
        let pointers = |schema: Value| -> Vec<String> {
            let parts = plain_parts(&schema);
            parts.into_iter().map(|(_, at)| at.trim_start_matches("/inputSchema").to_owned()).collect()
        };
        let plain = json!({"properties": {"a": {"properties": {"b": {}}}, "c": {"anyOf": [{}], "properties": {"d": {}}}}});
        assert_eq!(pointers(plain), ["", "/properties/a", "/properties/a/properties/b"]);
        assert_eq!(pointers(json!({"properties": {"a": {}}, "if": {}})), [""; 0]);
        assert_eq!(
            pointers(json!({"properties": {"a": {}, "b": {"items": {"$ref": "#/properties/a"}}}})),
            [""; 0]
        );
        assert_eq!(pointers(json!({"$defs": {"x": {"properties": {"y": {}}}}})), [""]);
    }

    #[test]
    fn what_a_schema_shows_of_itself_is_taken_seriously() {
        assert!(shows_more(&json!({"properties": {"a": {}}, "default": {"b": 1}})));
        assert!(shows_more(&json!({"properties": {"a": {}}, "required": ["b"]})));
        assert!(!shows_more(&json!({"properties": {"a": {}}, "examples": [{"a": 1}], "required": ["a"]})));
        assert!(may_take_more("Environment variables by name.") && !may_take_more("The order."));
    }
}
