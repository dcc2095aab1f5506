//! Which tools may be called. The hint that a tool is read-only is one of the things under test, so it counts
//! only where nothing else speaks against it.

mod choices;
mod clauses;
mod names;
mod nature;
#[cfg(test)]
mod phrases;
mod prose;
mod sentences;
mod verbs;

use std::collections::{BTreeSet, HashSet};

use frankly_contract::ToolDef;
use frankly_verdict::report::shell_word;

use super::arguments;
use crate::config::{Consent, Server};
pub(crate) use choices::{flag_writes, writing_value};
pub(super) use names::{words, writing_verb};
pub(crate) use nature::{Nature, makes};
pub(super) use verbs::among;

/// What the user granted for this run beyond `frankly.toml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grants {
    /// Tools that may be called with generated and changed arguments.
    pub tools: BTreeSet<String>,
    /// Whether that goes for all tools that `frankly.toml` does not forbid. Counts only in a sandbox.
    pub all: bool,
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
        Self { tools: BTreeSet::new(), all: false, max_calls: Self::MAX_CALLS, seed: None }
    }
}

/// How far probes may go with a tool, and why not further.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Permission {
    /// How far.
    pub consent: Consent,
    tool: String,
    limit: Limit,
    /// Whether `--call all` was given and did not count, and why.
    all_ignored: Option<&'static str>,
}

/// What sets the limit.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Limit {
    /// The tool's `probe` in `frankly.toml`.
    Configured,
    /// What was granted on the command line.
    Granted,
    /// An undisputed hint.
    Undisputed,
    /// A hint that is missing or disputed, for this reason.
    Disputed(String),
}

impl Permission {
    /// Why probes may not go as far as `needs`, and how to let them.
    #[must_use]
    pub fn why(&self, needs: Consent) -> String {
        // Where a hint is what is missing, most tools of a server miss it: the same words let them share a line.
        let tool = match self.limit {
            Limit::Disputed(_) => "NAME",
            _ => &self.tool,
        };
        let key = format!("tools.{}.probe", toml_key(tool));
        let needed = needs.name();
        let configure = match needs {
            Consent::Writes => format!("{key} = \"{needed}\" and sandbox = true in frankly.toml"),
            _ => format!("{key} = \"{needed}\" in frankly.toml"),
        };
        let call = match needs {
            Consent::Writes => String::new(),
            _ => format!(", or frankly probe --call {}", shell_word(tool)),
        };
        let why = match &self.limit {
            Limit::Configured => {
                let call = call.replacen(", or", "; change it, or give", 1);
                format!(
                    "{key} is \"{}\" in frankly.toml, and this needs \"{needed}\"{call}",
                    self.consent.name()
                )
            }
            Limit::Granted => {
                format!("--call grants \"mutate\", and this needs \"{needed}\"; set {configure}")
            }
            Limit::Undisputed => {
                format!("a read-only hint allows \"mutate\", and this needs \"{needed}\"; set {configure}")
            }
            Limit::Disputed(reason) => format!("{reason}; allow it with {configure}{call}"),
        };
        match self.all_ignored {
            Some(ignored) => format!("{why} ({ignored})"),
            None => why,
        }
    }
}

/// How far probes may go with this tool, which is listed together with `siblings`.
pub(super) fn permission(
    tool: &ToolDef,
    siblings: &Siblings,
    server: &Server,
    grants: &Grants,
) -> Permission {
    let name = tool.name();
    let configured = server.tools.get(name).and_then(|policy| policy.probe);
    let all_ignored = match configured {
        _ if !grants.all => None,
        _ if !server.sandbox => {
            Some("--call all grants nothing without a sandbox: give --sandbox, or set sandbox = true")
        }
        Some(Consent::Never) => Some("--call all does not go against \"never\""),
        _ => None,
    };
    let granted = grants.tools.contains(name) || (grants.all && all_ignored.is_none());
    let (consent, limit) = match configured {
        Some(configured) if granted && configured < Consent::Mutate => (Consent::Mutate, Limit::Granted),
        Some(configured) => (configured, Limit::Configured),
        None if granted => (Consent::Mutate, Limit::Granted),
        None => match dispute(tool, siblings) {
            None => (Consent::Mutate, Limit::Undisputed),
            Some(reason) => (Consent::Never, Limit::Disputed(reason)),
        },
    };
    Permission { consent, tool: name.to_owned(), limit, all_ignored }
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

/// What the tools that are listed together say of each other; made once for all of them.
#[derive(Debug, Default)]
pub(super) struct Siblings {
    /// Names, in lower case, of which a description says that they changed something.
    told: HashSet<String>,
    /// Names under which a tool is listed that is not annotated as read-only.
    unmarked: HashSet<String>,
}

impl Siblings {
    pub fn of(tools: &[ToolDef]) -> Self {
        let unmarked = tools.iter().filter(|tool| tool.annotation("readOnlyHint") != Some(true));
        Self {
            told: tools.iter().flat_map(|tool| prose::told_of(tool.description())).collect(),
            unmarked: unmarked.map(|tool| tool.name().to_owned()).collect(),
        }
    }

    fn speak_against(&self, name: &str) -> bool {
        self.unmarked.contains(name) || self.tell_of(name)
    }

    /// Whether a description says of this tool that it changed something.
    fn tell_of(&self, name: &str) -> bool {
        self.told.contains(&name.to_lowercase())
    }
}

/// A name as a key of a TOML table.
fn toml_key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { format!("{name:?}") }
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
        permission(tool, &Siblings::of(siblings), &Server::default(), &Grants::default()).consent
    }

    fn configured(probe: Consent, sandbox: bool) -> Server {
        let policy = ToolPolicy { probe: Some(probe), examples: Vec::new() };
        Server { tools: [("delete_all".into(), policy)].into(), sandbox, ..Server::default() }
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
    fn what_the_user_says_goes_before_any_hint() {
        let writer = tool("delete_all", "Deletes.", json!({}));
        let ask = |server: &Server, grants: &Grants| {
            permission(&writer, &Siblings::default(), server, grants).consent
        };
        let named = Grants { tools: ["delete_all".to_owned()].into(), ..Grants::default() };
        let all = Grants { all: true, ..Grants::default() };
        assert_eq!(ask(&configured(Consent::Examples, false), &Grants::default()), Consent::Examples);
        assert_eq!(ask(&Server::default(), &named), Consent::Mutate);
        assert_eq!(ask(&configured(Consent::Never, false), &named), Consent::Mutate);
        assert_eq!(ask(&configured(Consent::Writes, true), &named), Consent::Writes);
        assert_eq!(ask(&Server::default(), &all), Consent::Never);
        assert_eq!(ask(&Server { sandbox: true, ..Server::default() }, &all), Consent::Mutate);
        assert_eq!(ask(&configured(Consent::Examples, true), &all), Consent::Mutate);
        assert_eq!(ask(&configured(Consent::Never, true), &all), Consent::Never);
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

    #[test]
    fn a_refusal_says_what_is_missing_and_both_ways_to_give_it() {
        let writer = tool("delete_all", "Deletes.", json!({}));
        let why = |server: &Server, all, needs| {
            let grants = Grants { all, ..Grants::default() };
            permission(&writer, &Siblings::default(), server, &grants).why(needs)
        };
        assert_eq!(
            why(&Server::default(), false, Consent::Mutate),
            "it is not annotated as read-only; allow it with tools.NAME.probe = \"mutate\" in frankly.toml, or \
             frankly probe --call NAME"
        );
        assert_eq!(
            why(&configured(Consent::Examples, false), false, Consent::Mutate),
            "tools.delete_all.probe is \"examples\" in frankly.toml, and this needs \"mutate\"; change it, or \
             give frankly probe --call delete_all"
        );
        assert!(
            why(&Server::default(), true, Consent::Mutate)
                .ends_with("give --sandbox, or set sandbox = true)")
        );
        let never = why(&configured(Consent::Never, true), true, Consent::Mutate);
        assert!(never.ends_with("(--call all does not go against \"never\")"), "{never}");
        let writes = why(&Server { sandbox: true, ..Server::default() }, true, Consent::Writes);
        assert!(
            writes.ends_with("tools.delete_all.probe = \"writes\" and sandbox = true in frankly.toml"),
            "{writes}"
        );
        let odd = tool("a.b c", "", json!({}));
        let policy = ToolPolicy { probe: Some(Consent::Never), examples: Vec::new() };
        let server = Server { tools: [("a.b c".into(), policy)].into(), ..Server::default() };
        let odd = permission(&odd, &Siblings::default(), &server, &Grants::default()).why(Consent::Mutate);
        assert!(odd.contains("tools.\"a.b c\".probe") && odd.ends_with("--call 'a.b c'"), "{odd}");
    }
}
