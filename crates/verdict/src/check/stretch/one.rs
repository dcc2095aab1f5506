//! One stretch, and what is found in it.

use crate::Finding;
use crate::check::hold_all;
use crate::check::reading::{Answers, Reading, Sight};
use crate::report::Coverage;
use crate::transcript::Transcript;

/// A part of a session, to be judged by itself.
#[derive(Debug)]
pub struct Stretch {
    pub(super) transcript: Transcript,
    /// The number in the session of each frame.
    pub(super) numbers: Vec<usize>,
    /// The first frame that no earlier stretch had.
    pub(super) new: usize,
    pub(super) sight: Sight,
    /// Calls from further back that are answered here: each with its number, and its frames.
    pub(super) late: Vec<(usize, [usize; 2])>,
}

/// What a stretch shows.
#[derive(Debug)]
pub struct Judged {
    /// With the numbers that frames and calls have in the session, and whether something is in it that no earlier stretch had.
    pub(super) findings: Vec<(Finding, bool)>,
    pub(super) coverage: Coverage,
    /// How many tools are known by then.
    pub(super) tools: usize,
    pub(super) is_whole: bool,
}

impl Stretch {
    /// Whether the session ends with it.
    #[must_use]
    pub fn is_last(&self) -> bool {
        self.sight.ends
    }

    /// Holds every check against it.
    #[must_use]
    pub fn judge(&self) -> Judged {
        let answers = Answers::of(&self.transcript);
        let found = hold_all(&Reading::within(&answers, &self.sight));
        let mut findings: Vec<(Finding, bool)> = found
            .into_iter()
            .map(|finding| {
                let is_new = finding.frames.iter().any(|frame| *frame >= self.new);
                (self.in_session(finding, |at| at), is_new)
            })
            .collect();
        for (number, frames) in &self.late {
            let found = self.late_call(*number, *frames);
            findings.extend(found.into_iter().map(|finding| {
                let is_new = !finding.frames.is_empty();
                (finding, is_new)
            }));
        }
        Judged {
            findings,
            tools: self.transcript.tools.as_ref().map_or(0, Vec::len),
            coverage: Coverage::of_calls_since(&self.transcript, answers.calls(), self.new),
            is_whole: self.sight.is_whole(),
        }
    }

    /// What a call shows by itself: of what lay between it and its answer most is out of sight.
    fn late_call(&self, number: usize, frames: [usize; 2]) -> Vec<Finding> {
        let all = &self.transcript.frames;
        let is_change =
            |at: &usize| all[*at].method().is_some_and(|method| method.ends_with("/list_changed"));
        let places: Vec<usize> = (0..self.sight.front).filter(is_change).chain(frames).collect();
        let transcript =
            Transcript { frames: places.iter().map(|at| all[*at].clone()).collect(), ..self.about() };
        let sight = Sight {
            front: places.len() - frames.len(),
            first_call: number,
            begins: false,
            ends: false,
            sent: self.sight.sent.clone(),
            redefined: self.sight.redefined.clone(),
            ..Sight::WHOLE
        };
        let answers = Answers::of(&transcript);
        let found = hold_all(&Reading::within(&answers, &sight));
        found.into_iter().map(|finding| self.in_session(finding, |at| places[at])).collect()
    }

    fn about(&self) -> Transcript {
        let Transcript { server, revision, role, tools, budget, torn, .. } = &self.transcript;
        Transcript {
            server: server.clone(),
            revision: revision.clone(),
            role: *role,
            tools: tools.clone(),
            budget: *budget,
            frames: Vec::new(),
            torn: *torn,
        }
    }

    fn in_session(&self, mut finding: Finding, place: impl Fn(usize) -> usize) -> Finding {
        for frame in &mut finding.frames {
            *frame = self.numbers.get(place(*frame)).copied().unwrap_or(*frame);
        }
        finding
    }
}
