//! How far probes may go with a tool: what the user said, else what the hint is worth; and why not further.

use frankly_contract::ToolDef;
use frankly_verdict::report::shell_word;

use super::{Grants, Siblings, dispute};
use crate::config::{Consent, Server};

/// How far probes may go with a tool, and why not further.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Permission {
    /// How far.
    pub consent: Consent,
    tool: String,
    limit: Limit,
    /// Why `--call all` did not count, where it was given and did not.
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
        // What most tools of a server miss is told of all of them: the same words let them share a line.
        let tool = match self.limit {
            Limit::Disputed(_) | Limit::Granted => "NAME",
            _ => &self.tool,
        };
        let key = format!("tools.{}.probe", toml_key(tool));
        let needed = needs.name();
        let configure = match needs {
            Consent::Writes => format!("{key} = \"{needed}\" and sandbox = true in frankly.toml"),
            _ => format!("{key} = \"{needed}\" in frankly.toml"),
        };
        let call = match needs {
            Consent::Writes => {
                format!(", or frankly probe --sandbox --call {}=writes", shell_word(tool))
            }
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
                format!("--call grants \"mutate\", and this needs \"{needed}\"; set {configure}{call}")
            }
            Limit::Undisputed => {
                format!(
                    "a read-only hint allows \"mutate\", and this needs \"{needed}\"; set {configure}{call}"
                )
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
pub(in super::super) fn permission(
    tool: &ToolDef,
    siblings: &Siblings,
    server: &Server,
    grants: &Grants,
) -> Permission {
    let name = tool.name();
    let configured = server.tools.get(name).and_then(|policy| policy.probe);
    let all_ignored = match configured {
        _ if grants.all.is_none() => None,
        _ if !server.sandbox => {
            Some("--call all grants nothing without a sandbox: give --sandbox, or set sandbox = true")
        }
        Some(Consent::Never) => Some("--call all does not go against \"never\""),
        _ => None,
    };
    let of_all = grants.all.filter(|_| all_ignored.is_none());
    let granted = grants.tools.get(name).copied().max(of_all);
    // What writes more than once does so only where the state may be changed.
    let most = if server.sandbox { Consent::Writes } else { Consent::Mutate };
    let (consent, limit) = match (configured, granted.map(|granted| granted.min(most))) {
        (Some(configured), Some(granted)) if configured < granted => (granted, Limit::Granted),
        (Some(configured), _) => (configured, Limit::Configured),
        (None, Some(granted)) => (granted, Limit::Granted),
        (None, None) => match dispute(tool, siblings) {
            None => (Consent::Mutate, Limit::Undisputed),
            Some(reason) => (Consent::Never, Limit::Disputed(reason)),
        },
    };
    Permission { consent, tool: name.to_owned(), limit, all_ignored }
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

    fn configured(probe: Consent, sandbox: bool) -> Server {
        let policy = ToolPolicy { probe: Some(probe), examples: Vec::new() };
        Server { tools: [("delete_all".into(), policy)].into(), sandbox, ..Server::default() }
    }

    #[test]
    fn what_the_user_says_goes_before_any_hint() {
        let writer = tool("delete_all", "Deletes.", json!({}));
        let ask = |server: &Server, grants: &Grants| {
            permission(&writer, &Siblings::default(), server, grants).consent
        };
        let named_for =
            |consent| Grants { tools: [("delete_all".to_owned(), consent)].into(), ..Grants::default() };
        let named = named_for(Consent::Mutate);
        let all = Grants { all: Some(Consent::Mutate), ..Grants::default() };
        assert_eq!(ask(&configured(Consent::Examples, false), &Grants::default()), Consent::Examples);
        assert_eq!(ask(&Server::default(), &named), Consent::Mutate);
        assert_eq!(ask(&configured(Consent::Never, false), &named), Consent::Mutate);
        assert_eq!(ask(&configured(Consent::Writes, true), &named), Consent::Writes);
        assert_eq!(ask(&Server::default(), &all), Consent::Never);
        assert_eq!(ask(&Server { sandbox: true, ..Server::default() }, &all), Consent::Mutate);
        assert_eq!(ask(&configured(Consent::Examples, true), &all), Consent::Mutate);
        assert_eq!(ask(&configured(Consent::Never, true), &all), Consent::Never);
        let (sandbox, writes) = (Server { sandbox: true, ..Server::default() }, named_for(Consent::Writes));
        assert_eq!(ask(&sandbox, &writes), Consent::Writes);
        assert_eq!(ask(&Server::default(), &writes), Consent::Mutate, "only where the state may be changed");
        assert_eq!(ask(&configured(Consent::Never, true), &writes), Consent::Writes);
        let all = Grants { all: Some(Consent::Writes), ..Grants::default() };
        assert_eq!(ask(&sandbox, &all), Consent::Writes);
        assert_eq!(ask(&configured(Consent::Never, true), &all), Consent::Never);
    }

    #[test]
    fn a_refusal_says_what_is_missing_and_both_ways_to_give_it() {
        let writer = tool("delete_all", "Deletes.", json!({}));
        let why = |server: &Server, all, needs| {
            let grants = Grants { all, ..Grants::default() };
            permission(&writer, &Siblings::default(), server, &grants).why(needs)
        };
        let all = Some(Consent::Mutate);
        assert_eq!(
            why(&Server::default(), None, Consent::Mutate),
            "it is not annotated as read-only; allow it with tools.NAME.probe = \"mutate\" in frankly.toml, or \
             frankly probe --call NAME"
        );
        assert_eq!(
            why(&configured(Consent::Examples, false), None, Consent::Mutate),
            "tools.delete_all.probe is \"examples\" in frankly.toml, and this needs \"mutate\"; change it, or \
             give frankly probe --call delete_all"
        );
        assert!(
            why(&Server::default(), all, Consent::Mutate).ends_with("give --sandbox, or set sandbox = true)")
        );
        let never = why(&configured(Consent::Never, true), all, Consent::Mutate);
        assert!(never.ends_with("(--call all does not go against \"never\")"), "{never}");
        let writes = why(&Server { sandbox: true, ..Server::default() }, all, Consent::Writes);
        assert_eq!(
            writes,
            "--call grants \"mutate\", and this needs \"writes\"; set tools.NAME.probe = \"writes\" and sandbox = true in \
             frankly.toml, or frankly probe --sandbox --call NAME=writes"
        );
        let odd = tool("a.b c", "", json!({}));
        let policy = ToolPolicy { probe: Some(Consent::Never), examples: Vec::new() };
        let server = Server { tools: [("a.b c".into(), policy)].into(), ..Server::default() };
        let odd = permission(&odd, &Siblings::default(), &server, &Grants::default()).why(Consent::Mutate);
        assert!(odd.contains("tools.\"a.b c\".probe") && odd.ends_with("--call 'a.b c'"), "{odd}");
    }
}
