//! Whether a tool reads or writes, as far as its hints and its name say so.

use frankly_contract::ToolDef;

use crate::names::words;

/// Verbs of tools that only look.
const READING: &[&str] = &[
    "browse", "check", "compare", "count", "describe", "display", "echo", "explain", "fetch", "find", "get",
    "inspect", "list", "lookup", "peek", "ping", "query", "read", "retrieve", "search", "show", "stat",
    "tail", "tree", "view", "whoami",
];
/// Verbs of tools that change something.
const WRITING: &[&str] = &[
    "add", "append", "apply", "archive", "assign", "book", "buy", "cancel", "change", "charge", "clear",
    "close", "commit", "configure", "copy", "create", "deduct", "delete", "deploy", "deposit", "disable",
    "drop", "edit", "enable", "erase", "import", "insert", "install", "kill", "log", "mark", "merge", "move",
    "new", "order", "patch", "pay", "place", "post", "publish", "purchase", "purge", "push", "put", "record",
    "refund", "register", "remove", "rename", "replace", "reply", "reset", "restart", "save", "schedule",
    "send", "set", "share", "start", "stop", "store", "submit", "transfer", "trigger", "update", "upload",
    "upsert", "withdraw", "write",
];

/// Whether a tool only looks, by its hint or its verb.
pub(super) fn reads(name: &str, tool: Option<&ToolDef>) -> bool {
    match tool.and_then(|tool| tool.annotation("readOnlyHint")) {
        Some(says) => says,
        None => !writes(name, tool) && has_verb(name, READING),
    }
}

/// Whether a tool changes something, by its verb; one that says it only reads is believed.
pub(super) fn writes(name: &str, tool: Option<&ToolDef>) -> bool {
    let denies = tool.and_then(|tool| tool.annotation("readOnlyHint")) == Some(true);
    !denies
        && has_verb(name, WRITING)
        && !words(name).first().is_some_and(|verb| READING.contains(&verb.as_str()))
}

/// Whether the first word is one of these, or the second behind the name of a service: `ledger_list_accounts`.
fn has_verb(name: &str, verbs: &[&str]) -> bool {
    words(name).iter().take(2).any(|word| verbs.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn hints_are_believed_and_names_are_guessed_at() {
        assert!(reads("list_accounts", None) && reads("github_search_code", None) && !reads("sync", None));
        assert!(
            writes("log_expense", None) && writes("notion-create-page", None) && !writes("get_log", None)
        );
        let says = |hint: bool| ToolDef::from_raw(json!({"annotations": {"readOnlyHint": hint}}));
        assert!(reads("sync", Some(&says(true))) && !reads("list_accounts", Some(&says(false))));
        assert!(!writes("log_expense", Some(&says(true))));
    }
}
