//! How a run ends: the one place that knows the exit codes.

use std::process::ExitCode;

use frankly_verdict::report::counted;
use frankly_verdict::{Certainty, Finding, Report, Severity, outage};
use tokio::signal::unix::SignalKind;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Nothing to complain of.
    Clean,
    /// Findings at or above the threshold.
    Findings,
    /// Usage or configuration.
    Usage,
    /// Nothing ever came up.
    NothingUp,
    /// Nothing, or less than required, was checked.
    NothingChecked,
    /// As the server behind a spy did.
    OfServer(u8),
    /// A signal ended it.
    Signal(SignalKind),
}

impl Exit {
    /// The code for it.
    pub fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Findings => 1,
            Self::Usage => 2,
            Self::NothingUp => 3,
            Self::NothingChecked => 4,
            Self::OfServer(code) => code,
            Self::Signal(kind) => u8::try_from(128 + kind.as_raw_value()).unwrap_or(u8::MAX),
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// What was reached, beside findings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reach {
    /// Sources that were to be looked at.
    pub sources: usize,
    /// Sources that could be.
    pub came_up: usize,
    /// What the user named or configured that is not so.
    pub misconfigured: Option<String>,
    /// Why less was checked than should have been.
    pub unmet: Option<String>,
    /// What was not looked at although nobody asked for it to be left out.
    pub untested: Option<String>,
    /// What is missing from the recordings that were looked at.
    pub gaps: Gaps,
}

/// What recordings say is missing from them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Gaps {
    /// How many messages were left out of all of them.
    pub left_out: u64,
    /// How many recordings there are.
    pub recordings: usize,
    /// How many of them do not say how the session ended.
    pub without_end: usize,
}

impl Gaps {
    /// Of one whole session.
    pub fn of(left_out: u64) -> Self {
        Self { left_out, ..Self::default() }
    }

    /// Clauses about what the counts do not say.
    pub fn told(self) -> impl Iterator<Item = String> {
        let left_out = (self.left_out > 0).then(|| {
            let messages = counted(usize::try_from(self.left_out).unwrap_or(usize::MAX), "message");
            let were = if self.left_out == 1 { "was" } else { "were" };
            format!("{messages} {were} not recorded, so there may have been more calls")
        });
        let without_end = match (self.without_end, self.recordings) {
            (0, _) => None,
            (_, 1) => Some("the recording does not say how the session ended".to_owned()),
            (some, all) if some == all => Some("the recordings do not say how the sessions ended".to_owned()),
            (some, all) => Some(format!("{some} of {all} recordings do not say how the session ended")),
        };
        left_out.into_iter().chain(without_end)
    }
}

/// How a run with this report ended, and why: the first reason that applies. Where something is only suspected, also
/// where to read what that means.
pub fn decide(report: &Report, threshold: Option<Severity>, reach: &Reach) -> (Exit, String) {
    let (exit, reason) = ended(report, threshold, reach);
    let reason = reach.gaps.told().fold(reason, |reason, gap| format!("{reason}; {gap}"));
    let is_suspected =
        |finding: &Finding| finding.certainty == Certainty::Suspected && finding.severity > Severity::Info;
    match report.findings.iter().any(is_suspected) {
        true => (exit, format!("{reason}; what `suspected` means: frankly explain suspected")),
        false => (exit, reason),
    }
}

fn ended(report: &Report, threshold: Option<Severity>, reach: &Reach) -> (Exit, String) {
    if let Some(what) = &reach.misconfigured {
        return (Exit::Usage, format!("{what} (exit 2)"));
    }
    if reach.came_up == 0 && reach.sources > 0 {
        return (Exit::NothingUp, "nothing came up, so nothing was checked (exit 3)".to_owned());
    }
    let outages = report.findings.iter().filter(|finding| outage::is_one(finding)).count();
    let failing = |finding: &&Finding| threshold.is_some_and(|threshold| finding.severity >= threshold);
    let (found, failing) = (report.findings.len(), report.findings.iter().filter(failing).count());
    if let Some(threshold) = threshold.filter(|_| failing > 0) {
        let found = counted(failing, "finding");
        return (Exit::Findings, format!("{found} at {} or above (exit 1)", threshold.as_str()));
    }
    if outages > 0 {
        return (Exit::Findings, "a server failed (exit 1)".to_owned());
    }
    if let Some(why) = &reach.unmet {
        return (Exit::NothingChecked, format!("{why} (exit 4)"));
    }
    let reason = match (&reach.untested, threshold) {
        (Some(what), _) => what.clone(),
        (None, _) if found == 0 => "nothing to complain of".to_owned(),
        (None, Some(threshold)) => format!("nothing at {} or above", threshold.as_str()),
        (None, None) => "nothing fails this run".to_owned(),
    };
    (Exit::Clean, format!("{reason} (exit 0)"))
}
