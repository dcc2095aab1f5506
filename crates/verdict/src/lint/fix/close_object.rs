//! Objects that say nothing of what they do not declare. One that says `true` says so on purpose, one that is combined
//! with others declares only a part, and one whose description speaks of more takes more: closed, they would refuse it.

use frankly_contract::ToolDef;
use serde_json::Value;

use super::super::rules::is_open;
use super::plain::{may_take_more, plain_parts, shows_more};
use super::{Edit, Repair};

pub(super) struct CloseObject;

impl Repair for CloseObject {
    fn rule(&self) -> &'static str {
        "open-object"
    }

    fn edits(&self, tool: &ToolDef) -> Vec<Edit> {
        const MEMBER: &str = "additionalProperties";
        let Some(root) = tool.input_schema() else { return Vec::new() };
        let parts = plain_parts(root).into_iter();
        let closed = parts.filter(|(node, at)| {
            let is_root = at == "/inputSchema";
            let said = ["$comment", "description", "title"].iter().filter_map(|of| node.get(*of)?.as_str());
            let mut said = said.chain(is_root.then(|| tool.description()));
            is_open(node) && node.get(MEMBER).is_none() && !shows_more(node) && !said.any(may_take_more)
        });
        let edit = |(_, pointer)| Edit { pointer, member: MEMBER.to_owned(), value: Value::Bool(false) };
        closed.map(edit).collect()
    }
}
