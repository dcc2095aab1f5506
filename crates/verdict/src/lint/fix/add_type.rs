//! An input schema without a type at its root, which can only be that of an object.

use frankly_contract::ToolDef;
use serde_json::Value;

use super::{Edit, Repair};

pub(super) struct AddType;

impl Repair for AddType {
    fn rule(&self) -> &'static str {
        "bad-schema"
    }

    fn edits(&self, tool: &ToolDef) -> Vec<Edit> {
        let schema = tool.input_schema().and_then(Value::as_object);
        let is_missing = schema.is_some_and(|schema| !schema.contains_key("type"));
        let edit = Edit {
            pointer: "/inputSchema".to_owned(),
            member: "type".to_owned(),
            value: Value::from("object"),
        };
        is_missing.then_some(edit).into_iter().collect()
    }
}
