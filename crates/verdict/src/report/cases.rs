//! What came of contract cases, in words and for programs.

use serde::Serialize;

use super::counted;
use crate::Place;
use crate::case::{Miss, Outcome, Verdict};

/// A case in a report for programs.
#[derive(Serialize)]
pub(super) struct Document<'a> {
    name: &'a str,
    server: &'a str,
    tool: &'a str,
    place: Place,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    known_failing: Option<&'a str>,
    /// What the answer did not show, or why there was none.
    misses: Vec<&'a str>,
}

impl<'a> Document<'a> {
    pub fn of(outcome: &'a Outcome) -> Self {
        Self {
            name: &outcome.case,
            server: &outcome.server,
            tool: &outcome.tool,
            place: outcome.place(),
            outcome: outcome.verdict.name(),
            known_failing: outcome.known_failing.as_deref(),
            misses: misses(outcome),
        }
    }
}

/// What the answer did not show, or why there was none.
pub(super) fn misses(outcome: &Outcome) -> Vec<&str> {
    match &outcome.verdict {
        Verdict::Failed(misses) | Verdict::KnownFailing(misses) => misses.iter().map(what).collect(),
        Verdict::NotRun(why) => vec![why],
        Verdict::Passed | Verdict::Mended | Verdict::ExpectsNothing => Vec::new(),
    }
}

fn what(miss: &Miss) -> &str {
    &miss.what
}

/// `5 cases (3 passed, 1 failed, 1 known failing)`, where there are any.
pub(super) fn counted_by_verdict(outcomes: &[Outcome]) -> Option<String> {
    let mut names: Vec<(&str, usize)> = Vec::new();
    for outcome in outcomes {
        let name = outcome.verdict.name();
        match names.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => names.push((name, 1)),
        }
    }
    names.sort_by_key(|(name, _)| ORDER.iter().position(|known| known == name));
    let names: Vec<_> = names.into_iter().map(|(name, count)| format!("{count} {name}")).collect();
    (!outcomes.is_empty()).then(|| format!("{} ({})", counted(outcomes.len(), "case"), names.join(", ")))
}

/// In which order verdicts are told.
const ORDER: &[&str] = &["passed", "failed", "known failing", "mended", "not run", "expects nothing"];

/// A case that fails as is known, on one line.
pub(super) fn known_failing(outcome: &Outcome) -> Option<String> {
    let (Verdict::KnownFailing(_), Some(why)) = (&outcome.verdict, &outcome.known_failing) else {
        return None;
    };
    let misses = misses(outcome).join("; ");
    Some(format!("known failing: {}: {} ({why}): {misses}", outcome.place(), outcome.case))
}
