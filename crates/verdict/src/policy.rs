//! What users have decided about findings: how much a rule weighs for them, and what they let pass, each with a reason.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::CHECKS;
use crate::lint::RULES;
use crate::stable::stable;
use crate::{Doc, Finding, Place, Severity};

/// Decisions about findings, as `[rules]` and `[[allow]]` of `frankly.toml` state them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Policy {
    /// How much rules and checks weigh, by their names.
    pub levels: BTreeMap<String, Level>,
    /// What is let pass.
    pub allows: Vec<Allow>,
}

/// How much findings of one name weigh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// They are not wanted.
    Off,
    /// This much, whatever the rule itself says.
    Weighs(Severity),
}

impl Level {
    /// Every level with its name in `frankly.toml`.
    pub const ALL: [(&'static str, Self); 4] = [
        ("off", Self::Off),
        ("info", Self::Weighs(Severity::Info)),
        ("warning", Self::Weighs(Severity::Warning)),
        ("error", Self::Weighs(Severity::Error)),
    ];
}

/// Findings that are let pass: those of a fingerprint, of which what is left out may be anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allow {
    /// The rule or check.
    pub rule: String,
    /// The server, by the name it has in findings.
    pub server: Option<String>,
    /// The tool.
    pub tool: Option<String>,
    /// The JSON pointer.
    pub pointer: Option<String>,
    /// What was changed in the call.
    pub mutation: Option<String>,
    /// Why.
    pub reason: String,
    /// Where the user says so.
    pub place: Place,
}

/// What was looked at, so that an entry that matches nothing can be told from one that could not match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    /// The servers whose definitions were held against the rules.
    pub linted: BTreeSet<String>,
    /// The tools of which a call succeeded, each by server and name.
    pub called: BTreeSet<(String, String)>,
    /// The contract cases that ran, by their names.
    pub cases: BTreeSet<String>,
}

/// What is left of findings under a [`Policy`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Governed {
    /// Those that count, and one for each entry that is stale.
    pub findings: Vec<Finding>,
    /// How many were let pass.
    pub allowed: usize,
}

static STALE_ALLOW: Doc = Doc {
    name: "stale-allow",
    what: "an `[[allow]]` entry whose rule or check was held against what it names, and found nothing there",
    why: "It hides nothing now, and will hide the fault when it comes back.",
    severity: "warning",
    examples: &[],
};

/// What can be found about the decisions themselves.
pub static ABOUT_POLICIES: &[&Doc] = &[&STALE_ALLOW];

/// The names that `[rules]` and `[[allow]]` may name: every rule and check.
pub fn names() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|rule| rule.doc().name).chain(CHECKS.iter().map(|check| check.doc().name))
}

impl Policy {
    /// Whether findings of this name are wanted.
    #[must_use]
    pub fn wants(&self, name: &str) -> bool {
        self.levels.get(name) != Some(&Level::Off)
    }

    /// What is left of these findings. Those that say that a server failed are no matter of taste, so levels do not
    /// reach them.
    ///
    /// ```
    /// use frankly_verdict::policy::{Level, Policy, Seen};
    /// use frankly_verdict::{ToolSet, lint};
    ///
    /// let tools = serde_json::json!([{"name": "sync", "inputSchema": {"type": "object"}}]);
    /// let findings = lint::lint_all(&[ToolSet::from_document("s", tools).unwrap()], &lint::Audience::default());
    /// let levels = [("missing-description".to_owned(), Level::Off)].into();
    /// let governed = Policy { levels, ..Policy::default() }.govern(findings.clone(), &Seen::default());
    /// assert!(governed.findings.len() < findings.len());
    /// ```
    #[must_use]
    pub fn govern(&self, findings: Vec<Finding>, seen: &Seen) -> Governed {
        let mut governed = Governed::default();
        let mut used = vec![false; self.allows.len()];
        for mut finding in findings {
            match self.levels.get(finding.rule) {
                Some(Level::Off) => continue,
                Some(Level::Weighs(severity)) => finding.severity = *severity,
                None => {}
            }
            let passes = self.allows.iter().zip(&mut used).filter(|(allow, _)| allow.covers(&finding));
            match passes.map(|(_, used)| *used = true).count() {
                0 => governed.findings.push(finding),
                _ => governed.allowed += 1,
            }
        }
        let stale = self
            .allows
            .iter()
            .enumerate()
            .zip(used)
            .filter(|((_, allow), used)| !used && self.wants(&allow.rule) && allow.was_exercised(seen));
        governed.findings.extend(stale.map(|((index, allow), _)| allow.stale(index)));
        governed
    }
}

impl Allow {
    fn covers(&self, finding: &Finding) -> bool {
        let fits =
            |stated: &Option<String>, found: &str| stated.as_ref().is_none_or(|stated| stated == found);
        self.rule == finding.rule
            && fits(&self.server, &finding.server)
            && fits(&self.tool, &finding.tool)
            && fits(&self.pointer.as_deref().map(stable), &stable(&finding.pointer))
            && fits(&self.mutation, &finding.mutation)
    }

    fn was_exercised(&self, seen: &Seen) -> bool {
        was_exercised(&self.rule, self.server.as_deref(), self.tool.as_deref(), seen)
    }

    fn stale(&self, index: usize) -> Finding {
        let names = [&self.server, &self.tool, &self.pointer, &self.mutation];
        let names: Vec<_> = names.into_iter().flatten().map(|name| format!("`{name}`")).collect();
        let on = if names.is_empty() { String::new() } else { format!(" on {}", names.join(" ")) };
        let at = (self.place.file.as_str(), format!("/allow/{index}"));
        let finding = Finding::proven(&STALE_ALLOW, Severity::Warning, at.0, "", at.1);
        Finding { place: Some(self.place.clone()), ..finding }.saying(
            format!("the [[allow]] of `{}`{on} matches nothing that is found now", self.rule),
            "this fault is still there, and is let pass",
            "delete the entry, or mend what it names",
        )
    }
}

/// Whether what an entry names was looked at; where a rule and a check share the name, by both. What is left out may be anything.
pub(crate) fn was_exercised(name: &str, server: Option<&str>, tool: Option<&str>, seen: &Seen) -> bool {
    let rule = RULES.iter().find(|rule| rule.doc().name == name);
    // With other servers, or for another target, it may be needed.
    if rule.is_some_and(|rule| rule.depends()) {
        return false;
    }
    let is_rule = rule.is_some();
    let is_check = CHECKS.iter().any(|check| check.doc().name == name);
    let fits = |stated: Option<&str>, seen: &str| stated.is_none_or(|stated| stated == seen);
    let linted = || seen.linted.iter().any(|linted| fits(server, linted));
    let called = || seen.called.iter().any(|(called, of)| fits(server, called) && fits(tool, of));
    (is_rule || is_check) && (!is_rule || linted()) && (!is_check || called())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(rule: &'static str, tool: &str, pointer: &str) -> Finding {
        let doc = Doc { name: rule, what: "", why: "", severity: "", examples: &[] };
        Finding::suspected(&doc, "ledger", tool, pointer)
    }

    fn allow(rule: &str, tool: Option<&str>) -> Allow {
        Allow {
            rule: rule.to_owned(),
            server: Some("ledger".to_owned()),
            tool: tool.map(str::to_owned),
            pointer: None,
            mutation: None,
            reason: "it is SQL".to_owned(),
            place: Place { file: "frankly.toml".to_owned(), line: 3, column: 1 },
        }
    }

    fn seen(called: &[&str]) -> Seen {
        let called = called.iter().map(|tool| ("ledger".to_owned(), (*tool).to_owned()));
        Seen { linted: ["ledger".to_owned()].into(), called: called.collect(), ..Seen::default() }
    }

    #[test]
    fn a_level_raises_lowers_and_silences() {
        for (name, level) in Level::ALL {
            let policy = Policy { levels: [("no-limit".to_owned(), level)].into(), ..Policy::default() };
            let governed =
                policy.govern(vec![finding("no-limit", "t", ""), finding("x", "t", "")], &seen(&[]));
            let severities: Vec<_> =
                governed.findings.iter().map(|finding| finding.severity.as_str()).collect();
            match level {
                Level::Off => assert_eq!(severities, ["warning"]),
                Level::Weighs(_) => assert_eq!(severities, [name, "warning"]),
            }
        }
    }

    #[test]
    fn what_is_allowed_is_counted_and_the_like_of_it_stays() {
        let policy = Policy { allows: vec![allow("stringly-typed", Some("run_sql"))], ..Policy::default() };
        let findings =
            vec![finding("stringly-typed", "run_sql", "/a"), finding("stringly-typed", "other", "/a")];
        let governed = policy.govern(findings, &seen(&[]));
        assert_eq!((governed.allowed, governed.findings.len()), (1, 1));
        assert_eq!(governed.findings[0].tool, "other");
    }

    #[test]
    fn an_entry_is_stale_only_where_it_could_have_matched() {
        for (rule, called, is_stale) in [
            ("stringly-typed", &[][..], true),
            ("name-collision", &[], false),
            ("silent-truncation", &[], false),
            ("silent-truncation", &["other"], false),
            ("silent-truncation", &["run_sql"], true),
            ("optional-everything", &[], false),
            ("optional-everything", &["run_sql"], true),
        ] {
            let policy = Policy { allows: vec![allow(rule, Some("run_sql"))], ..Policy::default() };
            let governed = policy.govern(Vec::new(), &seen(called));
            assert_eq!(governed.findings.len(), usize::from(is_stale), "{rule} {called:?}");
            assert!(policy.govern(Vec::new(), &Seen::default()).findings.is_empty());
            let off = Policy { levels: [(rule.to_owned(), Level::Off)].into(), ..policy };
            assert!(off.govern(Vec::new(), &seen(called)).findings.is_empty());
        }
    }
}
