//! A default or a bound that only the description states. The description keeps it: models read both.

use std::collections::HashSet;

use frankly_contract::ToolDef;

use super::super::rules::only_in_prose;
use super::plain::plain_parts;
use super::{Edit, Repair};

pub(super) struct StateInSchema;

impl Repair for StateInSchema {
    fn rule(&self) -> &'static str {
        "default-drift"
    }

    fn edits(&self, tool: &ToolDef) -> Vec<Edit> {
        let edit = |(pointer, keyword, value): (String, &str, _)| Edit {
            pointer,
            member: keyword.to_owned(),
            value,
        };
        let Some(root) = tool.input_schema() else { return Vec::new() };
        let parts: HashSet<String> = plain_parts(root).into_iter().map(|(_, pointer)| pointer).collect();
        let found = only_in_prose(tool).into_iter().filter(|(pointer, ..)| parts.contains(pointer));
        found.map(edit).collect()
    }
}
