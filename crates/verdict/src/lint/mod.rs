//! What definitions show: one file per rule under `rules/`.
//!
//! A rule looks at whole tool sets, since much of what misleads lies between tools.

#[macro_use]
mod prose;

mod action;
mod audience;
mod builtin;
pub mod cost;
mod effect;
pub mod fix;
mod parameters;
#[cfg(test)]
mod properties;
mod rules;
mod subject;
mod target;
#[cfg(test)]
mod testing;

pub use audience::{Audience, Prefix};
pub use rules::RULES;
pub use target::{Beyond, ClientPrefix, Length, Limit, TARGETS, Target, What};

pub use subject::Subject;

use subject::subjects;

use crate::{Doc, Finding, ToolSet};

/// Looks for one kind of fault in definitions.
pub trait Rule: Sync {
    /// What it looks for, with examples.
    fn doc(&self) -> &'static Doc;

    /// Whether what it finds also depends on who gets the definitions, or on what is linted beside them: under another `--target`,
    /// or with another server, it may find what it does not find now.
    fn depends(&self) -> bool {
        false
    }

    /// Adds what it finds in one tool by itself.
    fn look(&self, _subject: &Subject<'_>, _findings: &mut Vec<Finding>) {}

    /// Adds what it finds between tools, and in what all of them have in common.
    fn compare(&self, _lint: &Lint<'_>, _findings: &mut Vec<Finding>) {}
}

/// What is judged, and for whom.
#[derive(Debug, Clone, Copy)]
pub struct Lint<'a> {
    /// The tool sets, which one agent sees together.
    pub sets: &'a [ToolSet],
    /// Who gets them.
    pub audience: &'a Audience,
}

/// Holds every rule against these tool sets, which one agent sees together. Findings come by rule, then by tool.
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
    let mut found: Vec<Vec<Finding>> = RULES.iter().map(|_| Vec::new()).collect();
    // All rules look at one tool before the next: what they read of it is read once, and let go of then.
    for subject in lint.subjects() {
        for (rule, findings) in RULES.iter().zip(&mut found) {
            rule.look(&subject, findings);
        }
    }
    for (rule, findings) in RULES.iter().zip(&mut found) {
        rule.compare(&lint, findings);
    }
    found.into_iter().flatten().collect()
}

impl<'a> Lint<'a> {
    /// The tools one by one.
    fn subjects(&self) -> impl Iterator<Item = Subject<'a>> + use<'a> {
        let audience = self.audience;
        self.sets.iter().flat_map(move |set| subjects(set, audience))
    }
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
