//! Objects that say nothing of what they do not declare. One that says `true` says so on purpose, and one that is combined
//! with others declares only a part: closed by itself it would refuse the rest.

use frankly_contract::ToolDef;
use serde_json::Value;

use super::super::rules::is_open;
use super::{Edit, Repair};
use crate::schema;

/// Under these a schema declares only a part of an object, and so does the schema that has them.
const COMBINE: &[&str] = &["allOf", "anyOf", "dependentSchemas", "else", "if", "not", "oneOf", "then"];
/// Under these it may be used as a part.
const DEFINE: &[&str] = &["$defs", "definitions"];

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
            let is_part = at.passes(COMBINE)
                || at.passes(DEFINE)
                || COMBINE.iter().any(|keyword| node.get(keyword).is_some());
            if is_open(node) && node.get(MEMBER).is_none() && !is_part {
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
