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
    /// It is below the minimum or above the maximum.
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
    let bound = |keyword: &str| single.get(keyword).and_then(Value::as_f64);
    let number = value.as_f64()?;
    let below = bound("minimum").is_some_and(|least| number < least)
        || bound("exclusiveMinimum").is_some_and(|least| number <= least);
    let above = bound("maximum").is_some_and(|most| number > most)
        || bound("exclusiveMaximum").is_some_and(|most| number >= most);
    (below || above).then_some(Kind::Bound)
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
        assert_eq!(of(json!({"key": "k", "n": 1.5})), one("n", Kind::Type));
        assert_eq!(of(json!({"key": "k", "kind": "c"})), one("kind", Kind::Enum));
        assert_eq!(of(json!({"key": "k", "kye": 1})), one("kye", Kind::Unknown));
        assert_eq!(of(json!({"key": "k", "opt": "x"})), one("opt", Kind::Type));
        for fine in [
            json!({"key": "k", "n": 9, "kind": "a", "any": []}),
            json!({"key": "", "opt": null, "loose": "x"}),
        ] {
            assert_eq!(of(fine), []);
        }
    }
}
