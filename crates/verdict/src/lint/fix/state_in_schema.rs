//! A default or a bound that only the description states. The description keeps it: models read both.

use frankly_contract::ToolDef;

use super::super::rules::only_in_prose;
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
        only_in_prose(tool).into_iter().map(edit).collect()
    }
}
