//! What is found in the stretches of a session, put together: each fault once.

use std::collections::HashSet;

use super::one::Judged;
use crate::Finding;
use crate::report::{Coverage, Stretched};

/// Checks that tell of one case for the whole of a session.
const ONE_FOR_ALL: &[&str] = &["serial-calls"];
/// Checks that may find out later what was out of sight: what they tell of frames that were seen before is new, too.
const LATER: &[&str] = &["cursor-fault", "lost-response", "silent-truncation"];

/// What was found in a session so far. Stretches are added in their order.
#[derive(Debug, Default)]
pub struct Told {
    findings: Vec<Finding>,
    coverage: Coverage,
    stretches: usize,
    /// The places of which these checks told, or the kinds of what is told once.
    places: HashSet<(&'static str, Option<usize>, String)>,
    /// The frames of requests and answers of which it is told that they found no other.
    lost: HashSet<usize>,
}

impl Told {
    /// Adds what the next stretch shows.
    pub fn add(&mut self, judged: Judged) {
        self.stretches += 1;
        self.coverage.absorb(judged.coverage);
        self.coverage.tools_listed = judged.tools;
        for (finding, is_new) in judged.findings {
            if judged.is_whole || self.is_untold(&finding, is_new) {
                self.findings.push(finding);
            }
        }
    }

    /// What was found so far, stretch by stretch.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// What was found, and what was looked at.
    #[must_use]
    pub fn into_parts(self) -> (Vec<Finding>, Coverage) {
        let stretched = match self.stretches {
            0 | 1 => Stretched::default(),
            count => Stretched { count, calls: self.coverage.calls_made },
        };
        (self.findings, Coverage { stretched, ..self.coverage })
    }

    /// Hands out what was found since it was last asked for: whoever asks has to keep it.
    pub(super) fn take(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.findings)
    }

    /// What of this would be added, if nothing else came.
    pub(super) fn untold(&self, judged: Judged) -> Vec<Finding> {
        let mut places = HashSet::new();
        let untold = judged.findings.into_iter().filter(|(finding, is_new)| {
            !self.knows(finding, *is_new) && place(finding).is_none_or(|place| places.insert(place))
        });
        untold.map(|(finding, _)| finding).collect()
    }

    fn is_untold(&mut self, finding: &Finding, is_new: bool) -> bool {
        let is_known = self.knows(finding, is_new);
        let is_later = LATER.contains(&finding.rule);
        if !is_known || is_later {
            self.places.extend(place(finding));
        }
        if is_later {
            self.lost.extend(&finding.frames);
        }
        !is_known
    }

    /// Whether this was told before.
    fn knows(&self, finding: &Finding, is_new: bool) -> bool {
        let first = finding.frames.first();
        let was_told = match (LATER.contains(&finding.rule), first) {
            (true, Some(first)) => finding.pointer.is_empty() && self.lost.contains(first),
            (false, Some(_)) => !is_new,
            (_, None) => false,
        };
        was_told || place(finding).is_some_and(|place| self.places.contains(&place))
    }
}

/// By what it is known that something was told, where that goes by more than whether its frames are new.
fn place(finding: &Finding) -> Option<(&'static str, Option<usize>, String)> {
    let rule = finding.rule;
    let first = finding.frames.first().copied();
    let is_noise = rule == "lost-text" && finding.pointer.is_empty();
    if LATER.contains(&rule) {
        Some((rule, first, finding.pointer.clone()))
    } else if first.is_none() {
        Some((rule, finding.definition, finding.pointer.clone()))
    } else if is_noise || ONE_FOR_ALL.contains(&rule) {
        Some((rule, None, finding.next.clone()))
    } else {
        None
    }
}
