//! How a run ends: the one place that knows the exit codes.

use std::process::ExitCode;

use frankly_verdict::{Report, Severity};
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
    /// A signal ended it.
    Signal(SignalKind),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Clean => Self::from(0),
            Exit::Findings => Self::from(1),
            Exit::Usage => Self::from(2),
            Exit::NothingUp => Self::from(3),
            Exit::NothingChecked => Self::from(4),
            Exit::Signal(kind) => Self::from(u8::try_from(128 + kind.as_raw_value()).unwrap_or(u8::MAX)),
        }
    }
}

/// What was reached, beside findings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reach {
    /// Sources that were to be looked at.
    pub sources: usize,
    /// Sources that could be.
    pub came_up: usize,
    /// Why less was checked than should have been.
    pub unmet: Option<String>,
}

/// How a run with this report ended, and why: the first reason that applies.
pub fn decide(report: &Report, threshold: Option<Severity>, reach: &Reach) -> (Exit, String) {
    if reach.came_up == 0 && reach.sources > 0 {
        return (Exit::NothingUp, "nothing came up, so nothing was checked (exit 3)".to_owned());
    }
    if let Some(threshold) = threshold {
        let failing = report.findings.iter().filter(|finding| finding.severity >= threshold).count();
        if failing > 0 {
            let noun = if failing == 1 { "finding" } else { "findings" };
            return (Exit::Findings, format!("{failing} {noun} at {} or above (exit 1)", threshold.as_str()));
        }
    }
    match &reach.unmet {
        Some(why) => (Exit::NothingChecked, format!("{why} (exit 4)")),
        None => (Exit::Clean, "nothing to complain of (exit 0)".to_owned()),
    }
}
