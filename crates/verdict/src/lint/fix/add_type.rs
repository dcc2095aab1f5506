//! An input schema without a type at its root, which can only be that of an object.

use frankly_contract::ToolDef;
use serde_json::{Map, Value};

use super::{Edit, Repair};

pub(super) struct AddType;

impl Repair for AddType {
    fn rule(&self) -> &'static str {
        "bad-schema"
    }

    fn edits(&self, tool: &ToolDef) -> Vec<Edit> {
        let schema = tool.input_schema().and_then(Value::as_object);
        // Beside these it may be the type of something else.
        const MAY_SAY_IT: &[&str] =
            &["$ref", "allOf", "anyOf", "const", "default", "enum", "items", "not", "oneOf"];
        let says_it =
            |schema: &Map<String, Value>| MAY_SAY_IT.iter().any(|keyword| schema.contains_key(*keyword));
        let is_missing = schema.is_some_and(|schema| !schema.contains_key("type") && !says_it(schema));
        let edit = Edit {
            pointer: "/inputSchema".to_owned(),
            member: "type".to_owned(),
            value: Value::from("object"),
        };
        is_missing.then_some(edit).into_iter().collect()
    }
}
