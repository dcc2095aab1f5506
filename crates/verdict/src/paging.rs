//! Which parameter of a tool bounds how many items come back.
//!
//! Shared by the probes, which vary it, and the checks, which compare what it did.

use frankly_contract::ToolDef;
use serde_json::Value;

use crate::names::normalise;
use crate::schema;

/// Names that bound the number of items, normalised; the first is the most telling.
const LIMIT_NAMES: &[&str] = &[
    "limit",
    "maxresults",
    "pagesize",
    "perpage",
    "maxitems",
    "maxrows",
    "rowlimit",
    "resultlimit",
    "maxcount",
    "numresults",
    "numberofresults",
    "numitems",
    "maxentries",
    "maxrecords",
    "topk",
    "topn",
    "top",
    "take",
    "first",
    "count",
    "size",
    "max",
    "n",
    "k",
];

/// A parameter that bounds the number of items, with what its schema states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// The parameter's name.
    pub name: String,
    /// The stated default.
    pub default: Option<u64>,
    /// The stated minimum.
    pub minimum: Option<u64>,
    /// The stated maximum.
    pub maximum: Option<u64>,
    /// Whether the parameter is required.
    pub required: bool,
}

/// The parameter that bounds the number of items this tool returns, if it has one.
#[must_use]
pub fn limit_of(tool: &ToolDef) -> Option<Limit> {
    let root = tool.input_schema()?;
    let (_, name, parameter) = tool
        .parameters()
        .filter_map(|(name, schema)| Some((rank(name)?, name, schema)))
        .min_by_key(|(rank, ..)| *rank)?;
    let schema = whole_number(root, parameter)?;
    let stated = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
    Some(Limit {
        name: name.to_owned(),
        default: parameter.get("default").and_then(Value::as_u64),
        minimum: stated("minimum").or_else(|| stated("exclusiveMinimum").map(|n| n + 1)),
        maximum: stated("maximum").or_else(|| stated("exclusiveMaximum").map(|n| n.saturating_sub(1))),
        required: tool.required().any(|required| required == name),
    })
}

/// Whether a parameter of this name bounds the number of items.
#[must_use]
pub fn is_limit_name(name: &str) -> bool {
    rank(name).is_some()
}

fn rank(name: &str) -> Option<usize> {
    let normalised = normalise(name);
    LIMIT_NAMES.iter().position(|known| *known == normalised)
}

/// The schema that admits whole numbers: this one, or the branch of an optional.
fn whole_number<'a>(root: &'a Value, schema: &'a Value) -> Option<&'a Value> {
    let schema = schema::dereference(root, schema);
    if schema::types(schema).iter().any(|name| matches!(*name, "integer" | "number")) {
        return Some(schema);
    }
    let branches =
        ["anyOf", "oneOf"].into_iter().filter_map(|keyword| schema.get(keyword)?.as_array()).flatten();
    branches
        .map(|branch| schema::dereference(root, branch))
        .find(|branch| schema::types(branch).iter().any(|name| matches!(*name, "integer" | "number")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn limit(properties: Value) -> Option<Limit> {
        limit_of(&ToolDef::new(
            "t",
            "",
            json!({"type": "object", "properties": properties, "required": ["top"]}),
        ))
    }

    #[test]
    fn the_most_telling_name_wins_and_its_bounds_are_read() {
        let found = limit(json!({
            "count": {"type": "integer"},
            "max-Results": {"anyOf": [{"type": "integer", "minimum": 1, "maximum": 200}, {"type": "null"}], "default": 50}
        }));
        assert_eq!(
            found,
            Some(Limit {
                name: "max-Results".into(),
                default: Some(50),
                minimum: Some(1),
                maximum: Some(200),
                required: false
            })
        );
    }

    #[test]
    fn a_text_or_another_number_is_no_limit() {
        assert_eq!(limit(json!({"limit": {"type": "string"}, "year": {"type": "integer"}})), None);
        assert!(limit(json!({"top": {"type": "integer"}})).unwrap().required);
    }
}
