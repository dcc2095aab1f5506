//! What is wrong with the arguments of a call, as far as the definition tells beyond doubt.

use frankly_contract::ToolDef;
use serde_json::{Map, Value};

use crate::schema::{self, Document};

/// How an argument breaks the schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A required one is missing.
    Missing,
    /// It has another type.
    Type,
    /// It is none of the values allowed.
    Enum,
    /// It is below the minimum or above the maximum, too short or too long.
    Bound,
    /// The schema is closed and does not have it.
    Unknown,
}

/// One argument that breaks the schema at its top level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mistake<'a> {
    pub name: &'a str,
    pub kind: Kind,
}

/// The mistakes in these arguments, those that are missing first. A schema that says nothing forbids nothing.
pub(super) fn mistakes<'a>(tool: &'a ToolDef, arguments: Option<&'a Map<String, Value>>) -> Vec<Mistake<'a>> {
    let Some(root) = tool.input_schema() else { return Vec::new() };
    let document = Document::new(root);
    let given = |name: &str| arguments.and_then(|arguments| arguments.get(name));
    let missing = tool.required().filter(|name| given(name).is_none());
    let missing = missing.map(|name| Mistake { name, kind: Kind::Missing });
    let closed = root.get("additionalProperties") == Some(&Value::Bool(false));
    let wrong = arguments.into_iter().flatten().filter_map(|(name, value)| {
        let Some(parameter) = root.get("properties").and_then(|properties| properties.get(name)) else {
            let open = !closed || root.get("patternProperties").is_some();
            return (!open).then_some(Mistake { name, kind: Kind::Unknown });
        };
        wrong(&document, parameter, value).map(|kind| Mistake { name, kind })
    });
    missing.chain(wrong).collect()
}

fn wrong<'a>(document: &Document<'a>, parameter: &'a Value, value: &Value) -> Option<Kind> {
    let branches = document.branches(parameter);
    // A choice between schemas is judged by its types alone.
    let types: Vec<&str> = branches.iter().flat_map(|branch| schema::types(branch)).collect();
    let actual = schema::type_name(value);
    let fits = |name: &str| name == actual || (name == "number" && actual == "integer");
    let is_typed =
        branches.iter().skip(usize::from(branches.len() > 1)).all(|b| !schema::types(b).is_empty());
    if !types.is_empty() && is_typed && !types.iter().any(|name| fits(name)) {
        return Some(Kind::Type);
    }
    let [single] = branches[..] else { return None };
    let allowed = single.get("enum").and_then(Value::as_array);
    let is_one = |one: &Value| one == value || (one.is_number() && one.as_f64() == value.as_f64());
    if allowed.is_some_and(|allowed| !allowed.iter().any(is_one)) {
        return Some(Kind::Enum);
    }
    is_out_of_bounds(single, value).then_some(Kind::Bound)
}

fn is_out_of_bounds(schema: &Value, value: &Value) -> bool {
    let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let (least, most, size) = match value {
        Value::String(text) => ("minLength", "maxLength", text.chars().count() as f64),
        Value::Array(items) => ("minItems", "maxItems", items.len() as f64),
        Value::Number(number) => ("minimum", "maximum", number.as_f64().unwrap_or_default()),
        _ => return false,
    };
    let outside =
        bound(least).is_some_and(|least| size < least) || bound(most).is_some_and(|most| size > most);
    let is_excluded = value.is_number()
        && (bound("exclusiveMinimum").is_some_and(|least| size <= least)
            || bound("exclusiveMaximum").is_some_and(|most| size >= most));
    outside || is_excluded
}

/// The arguments that a schema does not declare, where it says nothing of others: neither that they are welcome nor that
/// they are not.
pub(super) fn undeclared<'a>(tool: &'a ToolDef, arguments: Option<&'a Map<String, Value>>) -> Vec<&'a str> {
    const SAYING: &[&str] = &[
        "additionalProperties", "dependentSchemas", "else", "if", "patternProperties", "propertyNames",
        "then", "unevaluatedProperties",
    ];
    let Some(root) = tool.input_schema() else { return Vec::new() };
    let document = Document::new(root);
    let branches = document.branches(root);
    let declares = |branch: &&'a Value| branch.get("properties").and_then(Value::as_object).is_some();
    let says_more =
        |branch: &&Value| SAYING.iter().any(|keyword| branch.get(keyword).is_some()) || branch.is_boolean();
    let properties = || branches.iter().filter_map(|branch| branch.get("properties")?.as_object());
    if branches.iter().any(says_more)
        || !branches.iter().skip(usize::from(branches.len() > 1)).all(declares)
        || properties().all(Map::is_empty)
    {
        return Vec::new();
    }
    let is_declared = |name: &str| properties().any(|declared| declared.contains_key(name));
    let sent = arguments.into_iter().flatten().filter(|(_, value)| !value.is_null());
    sent.map(|(name, _)| name.as_str()).filter(|name| !name.starts_with('_') && !is_declared(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_breaks_the_schema_is_named_and_what_may_fit_is_not() {
        let tool = ToolDef::new(
            "t",
            "",
            json!({"type": "object", "required": ["key"], "additionalProperties": false, "properties": {
                "key": {"type": "string"},
                "n": {"type": "integer", "minimum": 1, "maximum": 9},
                "kind": {"enum": ["a", "b"]},
                "code": {"type": "string", "maxLength": 2},
                "any": {},
                "opt": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
                "loose": {"anyOf": [{"type": "integer"}, {"description": "anything"}]}
            }}),
        );
        let of = |arguments: Value| {
            let arguments = arguments.as_object().cloned();
            let found = mistakes(&tool, arguments.as_ref());
            found.iter().map(|mistake| (mistake.name.to_owned(), mistake.kind)).collect::<Vec<_>>()
        };
        let one = |name: &str, kind| vec![(name.to_owned(), kind)];
        assert_eq!(of(json!({})), one("key", Kind::Missing));
        assert_eq!(of(json!(null)), one("key", Kind::Missing));
        assert_eq!(of(json!({"key": 5})), one("key", Kind::Type));
        assert_eq!(of(json!({"key": "k", "n": 0})), one("n", Kind::Bound));
        assert_eq!(of(json!({"key": "k", "n": 10})), one("n", Kind::Bound));
        assert_eq!(of(json!({"key": "k", "code": "äöü"})), one("code", Kind::Bound));
        assert_eq!(of(json!({"key": "k", "n": 1.5})), one("n", Kind::Type));
        assert_eq!(of(json!({"key": "k", "kind": "c"})), one("kind", Kind::Enum));
        assert_eq!(of(json!({"key": "k", "kye": 1})), one("kye", Kind::Unknown));
        assert_eq!(of(json!({"key": "k", "opt": "x"})), one("opt", Kind::Type));
        for fine in [
            json!({"key": "k", "n": 9, "kind": "a", "any": []}),
            json!({"key": "", "opt": null, "loose": "x", "code": "äö"}),
        ] {
            assert_eq!(of(fine), []);
        }
    }

    #[test]
    fn undeclared_is_what_a_schema_without_a_word_about_others_does_not_have() {
        let of = |schema: Value| {
            let tool = ToolDef::new("t", "", schema);
            let arguments = json!({"a": 1, "b": 2, "c": null, "_d": 3});
            undeclared(&tool, arguments.as_object()).into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(of(json!({"properties": {"a": {}}})), ["b"]);
        assert_eq!(of(json!({"anyOf": [{"properties": {"a": {}}}, {"properties": {"x": {}}}]})), ["b"]);
        for free in [
            json!({"type": "object"}),
            json!({"properties": {}}),
            json!({"properties": {"a": {}}, "additionalProperties": true}),
            json!({"properties": {"a": {}}, "patternProperties": {"^b": {}}}),
            json!({"properties": {"a": {}}, "anyOf": [{"properties": {"b": {}}}]}),
            json!({"properties": {"a": {}}, "allOf": [{"required": ["a"]}]}),
        ] {
            assert_eq!(of(free.clone()), [""; 0], "{free}");
        }
    }
}
