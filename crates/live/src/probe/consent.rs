//! Which tools may be called. The hint that a tool is read-only is one of the things under test, so it counts
//! only where nothing else speaks against it.

use std::collections::BTreeSet;

use frankly_contract::ToolDef;

use crate::config::{Consent, Server};

/// Verbs that change something, wherever they stand in a name.
const VERBS: &[&str] = &[
    "add",
    "append",
    "apply",
    "approve",
    "archive",
    "assign",
    "cancel",
    "clear",
    "commit",
    "create",
    "delete",
    "deploy",
    "destroy",
    "disable",
    "drop",
    "edit",
    "enable",
    "erase",
    "execute",
    "insert",
    "install",
    "invoke",
    "kill",
    "merge",
    "modify",
    "move",
    "overwrite",
    "patch",
    "pay",
    "publish",
    "purge",
    "push",
    "remove",
    "rename",
    "replace",
    "reset",
    "restart",
    "revoke",
    "rotate",
    "save",
    "send",
    "submit",
    "terminate",
    "transfer",
    "truncate",
    "update",
    "upload",
    "upsert",
    "write",
];
/// Verbs that are as often nouns: they count only at the start of a name.
const VERBS_AT_THE_START: &[&str] =
    &["log", "post", "put", "record", "register", "set", "start", "stop", "store"];
/// Stems of verbs that change something, for descriptions: `delet` covers deletes, deleted and deleting.
const STEMS: &[&str] = &[
    "archiv", "cancel", "clear", "creat", "delet", "destroy", "drop", "eras", "insert", "modif", "overwrit",
    "publish", "purg", "remov", "renam", "reset", "send", "truncat", "updat", "upload", "writ",
];
const ENDINGS: &[&str] = &["", "e", "ed", "es", "ied", "ies", "ify", "s", "y"];
const NEGATIONS: &[&str] = &["cannot", "can't", "doesn't", "never", "no", "not", "nothing", "without"];

/// What the user granted for this run beyond `frankly.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grants {
    /// Tools that may be called with generated and changed arguments.
    pub tools: BTreeSet<String>,
    /// Whether that goes for all tools.
    pub all: bool,
}

/// How far probes may go with a tool, and why not further.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permission {
    /// How far.
    pub consent: Consent,
    /// Why not further, and how to change that.
    pub why: String,
}

/// How far probes may go with this tool, which is listed together with `siblings`.
#[must_use]
pub fn permission(tool: &ToolDef, siblings: &[ToolDef], server: &Server, grants: &Grants) -> Permission {
    let name = tool.name();
    let configured = server.tools.get(name).and_then(|policy| policy.probe);
    if grants.all || grants.tools.contains(name) {
        let consent = configured.map_or(Consent::Mutate, |configured| configured.max(Consent::Mutate));
        return Permission { consent, why: "no more was granted".to_owned() };
    }
    if let Some(consent) = configured {
        return Permission { consent, why: format!("tools.{name}.probe in frankly.toml allows no more") };
    }
    let allow = format!("allow it with --call {name}");
    match dispute(tool, siblings) {
        None => Permission { consent: Consent::Mutate, why: "no more was granted".to_owned() },
        Some(reason) => Permission { consent: Consent::Never, why: format!("{reason}; {allow}") },
    }
}

/// What speaks against calling the tool unasked.
fn dispute(tool: &ToolDef, siblings: &[ToolDef]) -> Option<String> {
    match tool.annotation("readOnlyHint") {
        None => return Some("it is not annotated as read-only".to_owned()),
        Some(false) => return Some("it is annotated as writing".to_owned()),
        Some(true) => {}
    }
    if tool.annotation("destructiveHint") == Some(true) {
        return Some("it is annotated as read-only and destructive at once".to_owned());
    }
    if let Some(verb) = writing_verb(tool.name()) {
        return Some(format!("it is annotated as read-only, but its name says `{verb}`"));
    }
    if let Some(word) = sentences(tool.description()).find_map(|sentence| says_it_writes(&sentence)) {
        return Some(format!("it is annotated as read-only, but its description says `{word}`"));
    }
    let others = siblings.iter().filter(|other| !std::ptr::eq(*other, tool));
    others.into_iter().find_map(|other| {
        let same_name = other.name() == tool.name() && other.annotation("readOnlyHint") != Some(true);
        (same_name || told_to_write(tool.name(), other.description()))
            .then(|| format!("it is annotated as read-only, but `{}` speaks against it", other.name()))
    })
}

/// The verb by which a name says that its tool changes something.
pub(super) fn writing_verb(name: &str) -> Option<String> {
    let words = name_words(name);
    words
        .iter()
        .enumerate()
        .find(|(position, word)| {
            VERBS.contains(&word.as_str()) || (*position == 0 && VERBS_AT_THE_START.contains(&word.as_str()))
        })
        .map(|(_, word)| word.clone())
}

/// `getUser_list` is get, user, list.
fn name_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && after_lower) {
            words.push(String::new());
        }
        if c.is_alphanumeric() {
            words.last_mut().into_iter().for_each(|word| word.extend(c.to_lowercase()));
        }
        after_lower = c.is_lowercase() || c.is_numeric();
    }
    words.retain(|word| !word.is_empty());
    words
}

fn sentences(text: &str) -> impl Iterator<Item = Vec<String>> {
    text.split(['.', ';', '\n', ':', '!']).map(|sentence| {
        sentence
            .split(|c: char| !c.is_alphanumeric() && c != '_' && c != '\'' && c != '-')
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect()
    })
}

/// The word by which a sentence says that the tool changes something: its first word, or a verb in the third
/// person further on.
fn says_it_writes(sentence: &[String]) -> Option<String> {
    if sentence.iter().any(|word| NEGATIONS.contains(&word.as_str())) {
        return None;
    }
    let first = sentence.first().filter(|word| is_writing(word));
    let later = sentence.iter().skip(1).find(|word| word.ends_with('s') && is_writing(word));
    first.or(later).cloned()
}

/// Whether another tool's description says that this one changed something: its name, then such a verb.
fn told_to_write(name: &str, description: &str) -> bool {
    let name = name.to_lowercase();
    sentences(description).any(|sentence| {
        sentence.windows(2).any(|pair| pair[0] == name && !name.is_empty() && is_writing(&pair[1]))
    })
}

fn is_writing(word: &str) -> bool {
    STEMS.iter().any(|stem| word.strip_prefix(stem).is_some_and(|ending| ENDINGS.contains(&ending)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ToolPolicy;
    use serde_json::json;

    fn tool(name: &str, description: &str, annotations: serde_json::Value) -> ToolDef {
        ToolDef::from_raw(json!({"name": name, "description": description, "annotations": annotations}))
    }

    fn consent(tool: &ToolDef, siblings: &[ToolDef]) -> Consent {
        permission(tool, siblings, &Server::default(), &Grants::default()).consent
    }

    #[test]
    fn an_undisputed_hint_allows_and_a_disputed_one_does_not() {
        let read_only = json!({"readOnlyHint": true});
        for (name, description) in [
            ("list_orders", "Lists orders. To change one use another tool."),
            ("list_deleted_items", "Lists what is in the bin. Does not delete anything."),
            ("get_blog_post", "Returns one post."),
            ("query", "Lists rows; for totals use `sum`, do not add them up."),
            ("list_updates", "Lists available software."),
        ] {
            assert_eq!(consent(&tool(name, description, read_only.clone()), &[]), Consent::Mutate, "{name}");
        }
        for (name, description) in [
            ("delete_order", "Looks at an order."),
            ("githubCreateIssue", "Looks at issues."),
            ("set_volume", "Looks at the volume."),
            ("drain", "Returns the queue and clears it."),
            ("rotate", "Looks."),
            ("tidy", "Remove what is old."),
        ] {
            assert_eq!(consent(&tool(name, description, read_only.clone()), &[]), Consent::Never, "{name}");
        }
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
    fn what_the_user_says_goes_before_any_hint() {
        let writer = tool("delete_all", "Deletes.", json!({}));
        let policy = |probe| ToolPolicy { probe: Some(probe), examples: Vec::new() };
        let server =
            |probe| Server { tools: [("delete_all".into(), policy(probe))].into(), ..Server::default() };
        let ask = |server: &Server, grants: &Grants| permission(&writer, &[], server, grants).consent;
        assert_eq!(ask(&server(Consent::Examples), &Grants::default()), Consent::Examples);
        let named = Grants { tools: ["delete_all".to_owned()].into(), all: false };
        assert_eq!(ask(&Server::default(), &named), Consent::Mutate);
        assert_eq!(ask(&server(Consent::Never), &named), Consent::Mutate);
        assert_eq!(ask(&server(Consent::Writes), &named), Consent::Writes);
        assert_eq!(ask(&Server::default(), &Grants { all: true, ..Grants::default() }), Consent::Mutate);
    }
}
