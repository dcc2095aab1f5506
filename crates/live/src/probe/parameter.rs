//! A parameter as its schema states it, with references followed: what may be varied, and which values break it.

use frankly_contract::ToolDef;
use serde_json::Value;

/// How many references are followed one after the other.
const LONGEST_CHAIN: usize = 8;
/// A schema that takes more text than this is not compiled.
const LONGEST_SCHEMA: usize = 20_000;

/// A parameter of a tool, of one kind of value beside `null`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parameter<'t> {
    pub name: &'t str,
    /// The schema of its values, where `null` is not looked at.
    pub schema: &'t Value,
    pub required: bool,
}

/// The parameters of a tool, each with the one schema of its values; one that admits several is left as it is written.
pub(super) fn parameters(tool: &ToolDef) -> impl Iterator<Item = Parameter<'_>> {
    tool.parameters().map(|(name, schema)| Parameter {
        name,
        schema: only_branch(tool, resolved(tool, schema)),
        required: tool.required().any(|required| required == name),
    })
}

impl<'t> Parameter<'t> {
    /// The type of its values, where it is one beside `null`.
    pub fn kind(&self) -> Option<&'t str> {
        match self.schema.get("type")? {
            Value::String(name) => Some(name),
            Value::Array(names) => {
                let mut names = names.iter().filter_map(Value::as_str).filter(|name| *name != "null");
                names.next().filter(|_| names.next().is_none())
            }
            _ => None,
        }
    }

    /// Whether its values are texts that the schema does not close to a few.
    pub fn is_open_text(&self) -> bool {
        self.kind() == Some("string") && self.schema.get("enum").or(self.schema.get("const")).is_none()
    }

    /// What stands under a keyword, as a whole number.
    pub fn bound(&self, keyword: &str) -> Option<u64> {
        self.schema.get(keyword).and_then(Value::as_u64)
    }

    /// Whether a schema admits a value; one that cannot be told does.
    pub fn admits(&self, value: &Value) -> bool {
        self.schema.to_string().len() > LONGEST_SCHEMA
            || jsonschema::validator_for(self.schema).map_or(true, |validator| validator.is_valid(value))
    }
}

/// A schema with its references within the tool's own schema followed.
pub(super) fn resolved<'t>(tool: &'t ToolDef, mut schema: &'t Value) -> &'t Value {
    for _ in 0..LONGEST_CHAIN {
        let target =
            schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
        match target.and_then(|pointer| tool.input_schema()?.pointer(pointer)) {
            Some(target) => schema = target,
            None => break,
        }
    }
    schema
}

/// The branch of an optional; a real choice stays as it is.
fn only_branch<'t>(tool: &'t ToolDef, schema: &'t Value) -> &'t Value {
    let branches = ["anyOf", "oneOf"].into_iter().find_map(|keyword| schema.get(keyword)?.as_array());
    let holds_values = |branch: &&Value| branch.get("type").is_none_or(|name| name != "null");
    let mut values = branches.into_iter().flatten().filter(holds_values);
    match (values.next(), values.next()) {
        (Some(only), None) => resolved(tool, only),
        _ => schema,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn references_and_optionals_are_looked_through() {
        let tool = ToolDef::new(
            "t",
            "",
            json!({"type": "object", "required": ["b"], "$defs": {"N": {"type": "integer", "maximum": 9}},
            "properties": {
                "a": {"anyOf": [{"$ref": "#/$defs/N"}, {"type": "null"}]},
                "b": {"type": ["string", "null"]},
                "c": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
                "d": {"$ref": "#/$defs/Missing"}
            }}),
        );
        let seen: Vec<_> = parameters(&tool).map(|p| (p.name, p.kind(), p.required)).collect();
        let expected = [
            ("a", Some("integer"), false),
            ("b", Some("string"), true),
            ("c", None, false),
            ("d", None, false),
        ];
        assert_eq!(seen, expected);
        let a = parameters(&tool).next().unwrap();
        assert!(a.admits(&json!(9)) && !a.admits(&json!(10)) && a.bound("maximum") == Some(9));
    }
}
