//! Objects that say nothing of what they do not declare. One that says `true` says so on purpose.

use frankly_contract::ToolDef;
use serde_json::Value;

use super::super::rules::is_open;
use super::{Edit, Repair};
use crate::schema;

pub(super) struct CloseObject;

impl Repair for CloseObject {
    fn rule(&self) -> &'static str {
        "open-object"
    }

    fn edits(&self, tool: &ToolDef) -> Vec<Edit> {
        const MEMBER: &str = "additionalProperties";
        let mut edits = Vec::new();
        let Some(root) = tool.input_schema() else { return edits };
        schema::walk(root, "/inputSchema", &mut |node, at, _| {
            if is_open(node) && node.get(MEMBER).is_none() {
                edits.push(Edit {
                    pointer: at.to_string(),
                    member: MEMBER.to_owned(),
                    value: Value::Bool(false),
                });
            }
        });
        edits
    }
}
