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

    fn is_untold(&mut self, finding: &Finding, is_new: bool) -> bool {
        let rule = finding.rule;
        let first = finding.frames.first().copied();
        if LATER.contains(&rule) {
            let is_known =
                finding.pointer.is_empty() && first.is_some_and(|first| self.lost.contains(&first));
            self.lost.extend(&finding.frames);
            return self.places.insert((rule, first, finding.pointer.clone())) && !is_known;
        }
        if first.is_none() {
            return self.places.insert((rule, finding.definition, finding.pointer.clone()));
        }
        let is_noise = rule == "lost-text" && finding.pointer.is_empty();
        if is_noise || ONE_FOR_ALL.contains(&rule) {
            return is_new && self.places.insert((rule, None, finding.next.clone()));
        }
        is_new
    }
}
