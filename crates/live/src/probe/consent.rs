//! Which tools may be called. The hint that a tool is read-only is one of the things under test, so it counts
//! only where nothing else speaks against it.

mod choices;
mod clauses;
mod names;
mod nature;
mod permission;
#[cfg(test)]
mod phrases;
mod prose;
mod sentences;
mod siblings;
mod verbs;

use std::collections::BTreeMap;

use frankly_contract::ToolDef;

use super::arguments;
use crate::config::Consent;
pub(crate) use choices::{flag_writes, writing_value};
pub(super) use names::{words, writing_verb};
pub(crate) use nature::{Nature, makes};
pub(super) use permission::{Permission, permission};
pub(super) use siblings::Siblings;
pub(super) use verbs::among;

/// What the user granted for this run beyond `frankly.toml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grants {
    /// How far probes may go with a tool: [`Consent::Mutate`], in a sandbox also [`Consent::Writes`].
    pub tools: BTreeMap<String, Consent>,
    /// The same for all tools that `frankly.toml` does not forbid. Counts only in a sandbox.
    pub all: Option<Consent>,
    /// How many calls may be made to the server in all.
    pub max_calls: usize,
    /// What every random choice starts from: the same seed sends the same calls. Without one, what is written is another
    /// text in each run, since a server that keeps it may not take it twice.
    pub seed: Option<u64>,
}

impl Grants {
    /// How many calls may be made where nothing else is said.
    pub const MAX_CALLS: usize = 1000;
}

impl Default for Grants {
    fn default() -> Self {
        Self { tools: BTreeMap::new(), all: None, max_calls: Self::MAX_CALLS, seed: None }
    }
}

/// What speaks against calling the tool unasked.
fn dispute(tool: &ToolDef, siblings: &Siblings) -> Option<String> {
    match tool.annotation("readOnlyHint") {
        None => return Some("it is not annotated as read-only".to_owned()),
        Some(false) => return Some("it is annotated as writing".to_owned()),
        Some(true) => {}
    }
    if tool.annotation("destructiveHint") == Some(true) {
        return Some("it is annotated as read-only and destructive at once".to_owned());
    }
    if let Some(what) = against(tool) {
        return Some(format!("it is annotated as read-only, but {what}"));
    }
    let spoken_against = siblings.speak_against(tool.name());
    spoken_against.then(|| "it is annotated as read-only, but another tool speaks against it".to_owned())
}

/// What the tool itself says that is not said of one that only reads.
fn against(tool: &ToolDef) -> Option<String> {
    if let Some(verb) = writing_verb(tool.name()) {
        return Some(format!("its name says `{verb}`"));
    }
    if !name_is_plain(tool.name()) {
        return Some("its name has letters that are not read here".to_owned());
    }
    if let Some(word) = prose::writing_word(tool.description()) {
        return Some(format!("its description says `{word}`"));
    }
    let titles =
        ["/title", "/annotations/title"].into_iter().filter_map(|at| tool.raw().pointer(at)?.as_str());
    if let Some(verb) =
        titles.into_iter().find_map(|title| prose::writing_word(title).or_else(|| writing_verb(title)))
    {
        return Some(format!("its title says `{verb}`"));
    }
    if prose::is_unreadable(tool.description()) {
        return Some("its description is in a script that is not read here".to_owned());
    }
    if let Some((parameter, value)) = choices::writing_value(&arguments::generate(tool)) {
        return Some(format!("its parameter `{parameter}` would be {value:?}"));
    }
    if let Some(parameter) = choices::writing_default(tool) {
        return Some(format!("its parameter `{parameter}` changes something unless it is turned off"));
    }
    let (parameter, choice) = choices::writing_choice(tool)?;
    Some(format!("its parameter `{parameter}` offers `{choice}`"))
}

/// Whether a name can be read: others look like it, and are not.
fn name_is_plain(name: &str) -> bool {
    name.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Server;
    use serde_json::json;

    fn tool(name: &str, description: &str, annotations: serde_json::Value) -> ToolDef {
        ToolDef::from_raw(json!({"name": name, "description": description, "annotations": annotations}))
    }

    fn consent(tool: &ToolDef, siblings: &[ToolDef]) -> Consent {
        permission(tool, &Siblings::of(siblings), &Server::default(), &Grants::default()).consent
    }

    #[test]
    fn an_undisputed_hint_allows_and_a_disputed_one_does_not() {
        let read_only = json!({"readOnlyHint": true});
        let orders = "Lists orders. To change one use another tool.";
        assert_eq!(consent(&tool("list_orders", orders, read_only.clone()), &[]), Consent::Mutate);
        for (name, description) in
            [("delete_order", "Looks."), ("drain_it", "Looks."), ("tidy", "Remove what is old.")]
        {
            assert_eq!(consent(&tool(name, description, read_only.clone()), &[]), Consent::Never, "{name}");
        }
        let choosing = ToolDef::from_raw(json!({"name": "orders", "annotations": read_only, "inputSchema":
            {"properties": {"do": {"enum": ["list", "delete"]}}}}));
        assert_eq!(consent(&choosing, &[]), Consent::Never);
    }

    #[test]
    fn without_a_hint_or_against_a_sibling_nothing_is_called() {
        assert_eq!(consent(&tool("list", "Lists.", json!({})), &[]), Consent::Never);
        assert_eq!(consent(&tool("list", "Lists.", json!({"readOnlyHint": false})), &[]), Consent::Never);
        let both = json!({"readOnlyHint": true, "destructiveHint": true});
        assert_eq!(consent(&tool("list", "Lists.", both), &[]), Consent::Never);
        let sync = tool("sync", "Compares the two sides.", json!({"readOnlyHint": true}));
        let undo = tool("undo", "Brings back what `sync` deleted.", json!({}));
        assert_eq!(consent(&sync, std::slice::from_ref(&undo)), Consent::Never);
        let other = tool("other", "Use `sync` before it.", json!({}));
        assert_eq!(consent(&sync, &[other]), Consent::Mutate);
    }

    #[test]
    fn titles_scripts_and_what_would_be_sent_count_too() {
        let with = |member: &str, value: serde_json::Value| {
            let mut raw = tool("items", "Items of the account.", json!({"readOnlyHint": true})).raw().clone();
            raw[member] = value;
            consent(&ToolDef::from_raw(raw), &[])
        };
        assert_eq!(with("title", json!("All items")), Consent::Mutate);
        assert_eq!(with("title", json!("Delete all items")), Consent::Never);
        assert_eq!(with("description", json!("すべての注文を返します")), Consent::Never);
        assert_eq!(with("description", json!("Renvoie les éléments du compte.")), Consent::Mutate);
        let sends = |sql: &str| {
            with("inputSchema", json!({"required": ["sql"], "properties": {"sql": {"default": sql}}}))
        };
        assert_eq!(sends("SELECT 1"), Consent::Mutate);
        assert_eq!(sends("DROP TABLE users"), Consent::Never);
    }
}
