//! What came of a case, and what there is to say of it.

use frankly_contract::ToolCall;

use super::{Case, Miss, Spot};
use crate::{Certainty, Doc, Finding, Place, Severity};

/// How many misses of one case are told.
const MOST_TOLD: usize = 5;

static FAILED_CASE: Doc = Doc {
    name: "failed-case",
    what: "a contract case whose answer does not show what the case expects",
    why: "Somebody wrote down what the tool promises, and an agent that believes the promise is misled.",
    severity: "error",
    examples: &[],
};

static CASE_NOT_RUN: Doc = Doc {
    name: "case-not-run",
    what: "a contract case whose call was never answered, or never made",
    why: "Nothing was shown; a case that did not run has not passed.",
    severity: "error",
    examples: &[],
};

static MENDED_CASE: Doc = Doc {
    name: "mended-case",
    what: "a contract case that is marked `known_failing`, and passes",
    why: "The mark hides the fault when it comes back.",
    severity: "warning",
    examples: &[],
};

static STATES_NOTHING: Doc = Doc {
    name: "case-expects-nothing",
    what: "a contract case with an empty `expect`",
    why: "It cannot fail, and reads as one that passed.",
    severity: "error",
    examples: &[],
};

/// What can be found about cases.
pub static ABOUT_CASES: &[&Doc] = &[&FAILED_CASE, &CASE_NOT_RUN, &MENDED_CASE, &STATES_NOTHING];

/// How a case came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The answer shows what it must.
    Passed,
    /// It does not.
    Failed(Vec<Miss>),
    /// It does not, as was known, for the reason that the case gives.
    KnownFailing(Vec<Miss>),
    /// It does, and the case is marked as one that fails.
    Mended,
    /// There was nothing to look at, for this reason.
    NotRun(String),
    /// The case expects nothing, so there was nothing to show.
    ExpectsNothing,
}

/// A case, and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The file, as the user named it.
    pub file: String,
    /// The case's name.
    pub case: String,
    /// Where it begins.
    pub at: Spot,
    /// The server.
    pub server: String,
    /// The tool.
    pub tool: String,
    /// Why it is known to fail, if it is.
    pub known_failing: Option<String>,
    /// The position of its call among the `tools/call` requests of its session, where it was made.
    pub call: Option<usize>,
    /// That call, to be made again.
    pub replay: Option<ToolCall>,
    /// How it came out.
    pub verdict: Verdict,
}

impl Verdict {
    /// The sentences in it, to be written otherwise.
    pub(crate) fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let (misses, why) = match self {
            Self::Failed(misses) | Self::KnownFailing(misses) => (misses.as_mut_slice(), None),
            Self::NotRun(why) => (&mut [][..], Some(why)),
            Self::Passed | Self::Mended | Self::ExpectsNothing => (&mut [][..], None),
        };
        misses.iter_mut().map(|miss| &mut miss.what).chain(why)
    }

    /// The word for it in reports.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed(_) => "failed",
            Self::KnownFailing(_) => "known failing",
            Self::Mended => "mended",
            Self::NotRun(_) => "not run",
            Self::ExpectsNothing => "expects nothing",
        }
    }

    /// What the misses of a case come to.
    #[must_use]
    pub fn of(case: &Case, misses: Vec<Miss>) -> Self {
        match (misses.is_empty(), &case.known_failing) {
            _ if case.expects_nothing() && misses.iter().all(|miss| miss.clause != "save") => {
                Self::ExpectsNothing
            }
            (true, None) => Self::Passed,
            (true, Some(_)) => Self::Mended,
            (false, None) => Self::Failed(misses),
            (false, Some(_)) => Self::KnownFailing(misses),
        }
    }
}

impl Outcome {
    /// What there is to say of it; nothing where it passed, or failed as was known.
    #[must_use]
    pub fn finding(&self) -> Option<Finding> {
        let finding = match &self.verdict {
            Verdict::Passed | Verdict::KnownFailing(_) => return None,
            Verdict::Failed(misses) => Finding {
                mutation: self.mutation(misses),
                pointer: misses.first().map(|miss| miss.pointer.clone()).unwrap_or_default(),
                place: misses.first().map(|miss| self.place_of(miss.at)),
                ..self.about(&FAILED_CASE, Severity::Error).saying(
                    format!("case {:?}: {}", self.case, told(misses)),
                    "what the case promises does not hold",
                    "mend the tool, or the case where it expects the wrong thing; `known_failing: \"why\"` lets it pass until then",
                )
            },
            Verdict::NotRun(why) => self.about(&CASE_NOT_RUN, Severity::Error).saying(
                format!("case {:?} did not run: {why}", self.case),
                "nothing was shown; this is no pass",
                "mend what kept it from running, and run it again",
            ),
            Verdict::Mended => {
                let why = self.known_failing.as_deref().unwrap_or_default();
                self.about(&MENDED_CASE, Severity::Warning).saying(
                    format!("case {:?} passes, and is marked known_failing: {why:?}", self.case),
                    "the fault is still there",
                    "take `known_failing` out, so that the fault is seen when it comes back",
                )
            }
            Verdict::ExpectsNothing => self.about(&STATES_NOTHING, Severity::Error).saying(
                format!("case {:?} has an empty `expect`", self.case),
                "a case that passed",
                "write what the answer must show, or let frankly test --update write what it shows now",
            ),
        };
        Some(finding)
    }

    /// Where the case begins.
    #[must_use]
    pub fn place(&self) -> Place {
        self.place_of(self.at)
    }

    fn about(&self, doc: &Doc, severity: Severity) -> Finding {
        Finding {
            certainty: Certainty::Proven,
            place: Some(self.place()),
            mutation: self.mutation(&[]),
            calls: self.call.into_iter().collect(),
            replay: self.replay.clone().into_iter().collect(),
            ..Finding::proven(doc, severity, &self.server, &self.tool, "")
        }
    }

    /// What tells this fault from others: the file, the case, and which clauses do not hold. Baselines go by it.
    fn mutation(&self, misses: &[Miss]) -> String {
        let mut clauses: Vec<&str> = misses.iter().map(|miss| miss.clause).collect();
        clauses.dedup();
        let how = if clauses.is_empty() { self.verdict.name().to_owned() } else { clauses.join(", ") };
        format!("{}: {}: {how}", self.file, self.case)
    }

    fn place_of(&self, at: Spot) -> Place {
        let at = if at == Spot::default() { self.at } else { at };
        Place { file: self.file.clone(), line: at.line, column: at.column }
    }
}

fn told(misses: &[Miss]) -> String {
    let told: Vec<&str> = misses.iter().take(MOST_TOLD).map(|miss| miss.what.as_str()).collect();
    let more = misses.len().saturating_sub(MOST_TOLD);
    let rest = if more > 0 { format!("; and {more} more") } else { String::new() };
    format!("{}{rest}", told.join("; "))
}
