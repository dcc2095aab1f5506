//! What definitions show: one file per rule under `rules/`.
//!
//! A rule looks at whole tool sets, since much of what misleads lies between tools.

mod action;
mod audience;
pub mod cost;
mod effect;
pub mod fix;
mod parameters;
#[cfg(test)]
mod properties;
mod prose;
mod rules;
mod target;
#[cfg(test)]
mod testing;

pub use audience::{Audience, Prefix};
pub use rules::RULES;
pub use target::{Cut, Names, TARGETS, Target};

use frankly_contract::ToolDef;

use crate::{Doc, Finding, ToolSet};

/// Looks for one kind of fault in definitions.
pub trait Rule: Sync {
    /// What it looks for, with examples.
    fn doc(&self) -> &'static Doc;
    /// Adds what it finds.
    fn check(&self, lint: &Lint<'_>, findings: &mut Vec<Finding>);
}

/// What is judged, and for whom.
#[derive(Debug, Clone, Copy)]
pub struct Lint<'a> {
    /// The tool sets, which one agent sees together.
    pub sets: &'a [ToolSet],
    /// Who gets them.
    pub audience: &'a Audience,
}

/// Holds every rule against these tool sets, which one agent sees together.
///
/// ```
/// use frankly_verdict::ToolSet;
/// use frankly_verdict::lint::{Audience, lint_all};
/// use serde_json::json;
///
/// let tools = json!([{"name": "sync", "inputSchema": {"type": "object"}}]);
/// let set = ToolSet::from_document("files", tools).unwrap();
/// let findings = lint_all(&[set], &Audience::default());
/// assert!(findings.iter().any(|finding| finding.rule == "missing-description"));
/// ```
#[must_use]
pub fn lint_all(sets: &[ToolSet], audience: &Audience) -> Vec<Finding> {
    let lint = Lint { sets, audience };
    let mut findings = Vec::new();
    for rule in RULES {
        rule.check(&lint, &mut findings);
    }
    findings
}

/// A tool among its set: what most rules look at one by one.
#[derive(Debug, Clone)]
struct Subject<'a> {
    server: &'a str,
    label: String,
    tool: &'a ToolDef,
}

impl<'a> Lint<'a> {
    /// The tools one by one.
    fn subjects(&self) -> impl Iterator<Item = Subject<'a>> + use<'a> {
        self.sets.iter().flat_map(subjects)
    }
}

/// The tools of one set.
fn subjects(set: &ToolSet) -> impl Iterator<Item = Subject<'_>> {
    set.tools.iter().enumerate().map(|(index, tool)| Subject {
        server: &set.server,
        label: set.label(index),
        tool,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_gives_what_it_says() {
        for rule in RULES {
            rule.doc().assert_examples(|input| testing::found(*rule, input));
        }
    }
}
