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
mod mentions;
mod parallel;
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
#[derive(Debug)]
pub struct Lint<'a> {
    /// The tool sets, which one agent sees together.
    pub sets: &'a [ToolSet],
    /// Who gets them.
    pub audience: &'a Audience,
    /// The tools of each set.
    subjects: Vec<Vec<Subject<'a>>>,
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
    let mut lint = Lint::of(sets, audience);
    let mut found = lint.look();
    let tools = lint.subjects().count();
    let compared = parallel::each(RULES, tools, |rule| {
        let mut findings = Vec::new();
        rule.compare(&lint, &mut findings);
        findings
    });
    for (findings, more) in found.iter_mut().zip(compared) {
        findings.extend(more);
    }
    found.into_iter().flatten().collect()
}

impl<'a> Lint<'a> {
    /// These tool sets, for this audience.
    fn of(sets: &'a [ToolSet], audience: &'a Audience) -> Self {
        let subjects = sets.iter().map(|set| {
            let tools = set.tools.iter().enumerate();
            tools.map(|(index, tool)| Subject::new(set, index, tool, audience)).collect()
        });
        Self { sets, audience, subjects: subjects.collect() }
    }

    /// What each rule finds in the tools by themselves. All rules look at one tool before the next: what they read of it is
    /// read once.
    fn look(&mut self) -> Vec<Vec<Finding>> {
        let mut found: Vec<Vec<Finding>> = RULES.iter().map(|_| Vec::new()).collect();
        let subjects: Vec<&mut Subject<'a>> = self.subjects.iter_mut().flatten().collect();
        for part in parallel::parts(subjects, look) {
            for (findings, more) in found.iter_mut().zip(part) {
                findings.extend(more);
            }
        }
        found
    }

    /// The tools one by one.
    fn subjects(&self) -> impl Iterator<Item = &Subject<'a>> {
        self.subjects.iter().flatten()
    }

    /// Each set with its tools.
    fn by_set(&self) -> impl Iterator<Item = (&'a ToolSet, &[Subject<'a>])> {
        self.sets.iter().zip(&self.subjects).map(|(set, subjects)| (set, subjects.as_slice()))
    }
}

/// What each rule finds in some tools.
fn look(subjects: Vec<&mut Subject<'_>>) -> Vec<Vec<Finding>> {
    let mut found: Vec<Vec<Finding>> = RULES.iter().map(|_| Vec::new()).collect();
    for subject in subjects {
        for (rule, findings) in RULES.iter().zip(&mut found) {
            let known = findings.len();
            rule.look(subject, findings);
            findings[known..].iter_mut().for_each(|finding| finding.definition = Some(subject.index));
        }
        subject.forget_parameters();
    }
    found
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
