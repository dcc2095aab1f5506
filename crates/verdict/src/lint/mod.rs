//! What definitions show: one file per rule under `rules/`.
//!
//! A rule looks at whole tool sets, since much of what misleads lies between tools.

mod action;
#[cfg(test)]
mod properties;
mod prose;
mod rules;

pub use rules::RULES;

use frankly_contract::ToolDef;

use crate::{Doc, Finding, ToolSet};

/// Looks for one kind of fault in definitions.
pub trait Rule: Sync {
    /// What it looks for, with examples.
    fn doc(&self) -> &'static Doc;
    /// Adds what it finds in these tool sets, which one agent sees together.
    fn check(&self, sets: &[ToolSet], findings: &mut Vec<Finding>);
}

/// Holds every rule against these tool sets, which one agent sees together.
#[must_use]
pub fn lint_all(sets: &[ToolSet]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in RULES {
        rule.check(sets, &mut findings);
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

fn subjects(sets: &[ToolSet]) -> impl Iterator<Item = Subject<'_>> {
    sets.iter().flat_map(|set| {
        set.tools.iter().enumerate().map(|(index, tool)| Subject {
            server: &set.server,
            label: set.label(index),
            tool,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_gives_what_it_says() {
        for rule in RULES {
            rule.doc().assert_examples(|tool| {
                let document = serde_json::from_str(&format!("[{tool}]")).unwrap();
                let mut findings = Vec::new();
                rule.check(&[ToolSet::from_document("example", document).unwrap()], &mut findings);
                findings
            });
        }
    }
}
