//! What can be told of whether a tool changes anything: whether a good call may be sent to it again.

use frankly_contract::ToolDef;
use serde_json::{Map, Value};

use super::{Siblings, against, among, choices, writing_verb};

/// What can be told of whether a tool changes anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nature {
    /// It is annotated as read-only, and nothing speaks against that.
    Reads,
    /// It is not annotated as read-only, and nothing says that it writes.
    Unmarked,
    /// Something says that it writes.
    Writes,
}

impl Nature {
    /// What a tool is, listed together with `siblings`, when it is called with these arguments.
    pub fn of(tool: &ToolDef, siblings: &Siblings, arguments: &Map<String, Value>) -> Self {
        let hint = tool.annotation("readOnlyHint");
        let annotated = hint == Some(false) || tool.annotation("destructiveHint") == Some(true);
        let told = siblings.tell_of(tool.name());
        if annotated || told || against(tool).is_some() || choices::writing_value(arguments).is_some() {
            Self::Writes
        } else if hint == Some(true) && !siblings.speak_against(tool.name()) {
            Self::Reads
        } else {
            Self::Unmarked
        }
    }
}

/// Verbs of tools that make something: what they work on is theirs to name, and they change nothing else.
const MAKING: &str =
    "add append create insert log make post put record register save send store submit upload write";

/// Whether by its name a tool only makes something, if it writes at all. One whose name has no such verb may do anything.
pub(crate) fn makes(tool: &ToolDef) -> bool {
    tool.annotation("destructiveHint") != Some(true)
        && writing_verb(tool.name()).is_some_and(|verb| among(&verb, MAKING))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_is_annotated_and_undisputed_reads_for_sure() {
        let nature = |name: &str, annotations: Value, arguments: Value| {
            let tool = ToolDef::from_raw(json!({"name": name, "annotations": annotations}));
            let siblings = Siblings::of(std::slice::from_ref(&tool));
            Nature::of(&tool, &siblings, arguments.as_object().unwrap())
        };
        assert_eq!(nature("list_orders", json!({"readOnlyHint": true}), json!({})), Nature::Reads);
        assert_eq!(nature("list_orders", json!({}), json!({})), Nature::Unmarked);
        assert_eq!(nature("list_orders", json!({"readOnlyHint": false}), json!({})), Nature::Writes);
        assert_eq!(nature("list_orders", json!({"destructiveHint": true}), json!({})), Nature::Writes);
        assert_eq!(nature("delete_order", json!({"readOnlyHint": true}), json!({})), Nature::Writes);
        assert_eq!(nature("delete_order", json!({}), json!({})), Nature::Writes);
        assert_eq!(nature("query", json!({}), json!({"sql": "SELECT 1"})), Nature::Unmarked);
        assert_eq!(nature("query", json!({}), json!({"sql": "DELETE FROM t"})), Nature::Writes);
    }
}
