//! Reports: what was looked at, and what was found.

mod about;
mod cases;
mod costs;
mod github;
mod human;
mod json;
mod junit;
mod markdown;
mod mask;
mod pieces;
mod plain;
mod sarif;

use std::collections::{BTreeMap, BTreeSet};

pub use pieces::Pieces;
pub use plain::{plain, shell_word, shorten};
use serde::Serialize;

use crate::case::Outcome;
use crate::lint::cost::{Costs, Dearest};
use crate::transcript::{Answer, Call, Transcript};
use crate::{Finding, Severity};

/// A form in which a report can be written.
pub trait Format: Sync {
    /// The name by which users choose it.
    fn name(&self) -> &'static str;
    /// The report as text, with its final line end, as it stands: [`Self::render`] masks credentials first.
    fn write(&self, report: &Report, options: &Options) -> String;
    /// The report as text, with its final line end. A word stands for each credential that a finding, its evidence or its
    /// calls hold.
    fn render(&self, report: &Report, options: &Options) -> String {
        self.write(&mask::masked(report), options)
    }
}

/// Every format.
pub static FORMATS: &[&dyn Format] =
    &[&human::Human, &json::Json, &junit::Junit, &sarif::Sarif, &markdown::Markdown, &github::Github];

/// How a report is written.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Whether to use colours.
    pub color: bool,
    /// Whether to write out what is otherwise only counted.
    pub verbose: bool,
    /// Whether to write only findings and the last line.
    pub quiet: bool,
}

/// What was looked at, what was found, and why it ended as it did.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// What was looked at, as the user named it.
    pub source: String,
    /// Why the outcome is what it is, in one sentence without a final full stop.
    pub reason: String,
    /// What was looked at, out of what could have been.
    pub coverage: Coverage,
    /// What was found.
    pub findings: Vec<Finding>,
    /// What came of contract cases; what failed is among the findings too.
    pub cases: Vec<Outcome>,
    /// The code with which the run ends.
    pub exit: u8,
    /// What the definitions cost, where they were looked at.
    pub costs: Option<Costs>,
    /// What each tool and sentence costs, where that is to be written out.
    pub dearest: Option<Dearest>,
    /// How many findings were let pass, as the user's configuration says.
    pub allowed: usize,
    /// How many findings a baseline knows already.
    pub known: usize,
    /// How each server is written on a command line, by its name in the findings.
    pub sources: BTreeMap<String, CallSource>,
}

/// How a call to a server is written on a command line: `frankly call {before} TOOL JSON {after}`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallSource {
    /// What stands before the tool, such as the server's name.
    pub before: String,
    /// What stands after the arguments, such as `-- COMMAND`.
    pub after: String,
}

/// What was looked at, out of what could have been.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Tools that were listed.
    pub tools_listed: usize,
    /// Tools of which a call succeeded, each by server and name.
    pub tools_called: BTreeSet<(String, String)>,
    /// Rules that were held against the definitions.
    pub rules: usize,
    /// Calls that were made.
    pub calls_made: usize,
    /// Calls that were answered, well or not.
    pub calls_answered: usize,
    /// Answered calls whose answer was a success.
    pub calls_succeeded: usize,
    /// Answered calls that were made to see whether they are refused, and were: no failures.
    pub refusals_expected: usize,
    /// Probes that showed what they were to show, each tool by itself.
    pub probes_run: usize,
    /// Probes that were sent and showed nothing.
    pub not_exercised: Vec<Gap>,
    /// Probes that were not sent.
    pub skipped: Vec<Gap>,
    /// Lines on a server's standard output that were no protocol messages.
    pub noise: usize,
    /// Expectations that recorded calls were held against.
    pub expectations: usize,
    /// Those of them that the calls met.
    pub expectations_met: usize,
    /// What was looked at in stretches, since it was too long to be held at once.
    pub stretched: Stretched,
}

/// Long recordings, of which only what lies near each other was compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stretched {
    /// How many stretches there were.
    pub count: usize,
    /// How many calls there were in all of them.
    pub calls: usize,
}

impl Stretched {
    /// In how many stretches how many calls were looked at, as a sentence; `None` where all was held at once.
    #[must_use]
    pub fn told(&self) -> Option<String> {
        let each = self.calls.checked_div(self.count)?;
        let stretches = grouped(self.count as u64);
        let each = grouped(rounded(each) as u64);
        Some(format!(
            "looked at in {stretches} stretches of about {each} calls: what lies further apart was not compared"
        ))
    }
}

/// A number with one digit that tells, and zeros.
fn rounded(number: usize) -> usize {
    let unit = 10_usize.pow(number.checked_ilog10().unwrap_or_default());
    (number + unit / 2) / unit * unit
}

/// A probe that has nothing to say about a tool, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Gap {
    /// The server.
    pub server: String,
    /// The tool.
    pub tool: String,
    /// The probe.
    pub probe: &'static str,
    /// Why, and how to change it where it can be changed.
    pub why: String,
}

impl Report {
    /// How many findings weigh this much.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }
}

/// A number with its noun: `1 tool`, `2 tools`.
#[must_use]
pub fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// A number with a comma before every three digits: `100,000`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

impl Coverage {
    /// What the calls of a transcript cover.
    #[must_use]
    pub fn of_calls(transcript: &Transcript) -> Self {
        Self::of_calls_since(transcript, transcript.calls().iter(), 0)
    }

    /// The same from a frame on: calls count there once they are made, and once they are answered.
    pub(crate) fn of_calls_since<'c, 'a: 'c>(
        transcript: &Transcript,
        calls: impl Iterator<Item = &'c Call<'a>>,
        since: usize,
    ) -> Self {
        let calls: Vec<_> = calls.collect();
        let answered = || calls.iter().copied().filter(|call| call.response.is_some_and(|at| at >= since));
        let succeeded = || answered().filter(|call| matches!(call.answer, Answer::Success(_)));
        let of_server = |call: &Call<'_>| (transcript.server.clone(), call.name.to_owned());
        // What is not there was not called, whatever came back.
        let is_listed = |call: &&Call<'_>| transcript.tools.is_none() || transcript.tool(call.name).is_some();
        Self {
            calls_made: calls.iter().filter(|call| call.request >= since).count(),
            calls_answered: answered().count(),
            calls_succeeded: succeeded().count(),
            tools_called: succeeded().filter(is_listed).map(of_server).collect(),
            noise: transcript.noise_since(since).count(),
            ..Self::default()
        }
    }

    /// Adds what another source covered.
    pub fn absorb(&mut self, other: Self) {
        self.tools_listed += other.tools_listed;
        self.tools_called.extend(other.tools_called);
        self.rules = self.rules.max(other.rules);
        self.calls_made += other.calls_made;
        self.calls_answered += other.calls_answered;
        self.calls_succeeded += other.calls_succeeded;
        self.refusals_expected += other.refusals_expected;
        self.probes_run += other.probes_run;
        self.not_exercised.extend(other.not_exercised);
        self.skipped.extend(other.skipped);
        self.noise += other.noise;
        self.expectations += other.expectations;
        self.expectations_met += other.expectations_met;
        self.stretched.count += other.stretched.count;
        self.stretched.calls += other.stretched.calls;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::{Frame, Side};
    use frankly_contract::ToolDef;
    use serde_json::json;

    #[test]
    fn what_is_not_listed_is_no_tool_that_was_called() {
        let frames = [("a", 1), ("b", 2)].into_iter().flat_map(|(name, id)| {
            let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name}});
            let answer = json!({"jsonrpc": "2.0", "id": id, "result": {"content": []}});
            [(Side::Client, call), (Side::Server, answer)]
        });
        let frames = frames.map(|(from, msg)| Frame::from_line(from, msg.to_string())).collect();
        let called =
            |tools| Coverage::of_calls(&Transcript { frames, tools, ..Transcript::default() }).tools_called;
        assert_eq!(called.clone()(None).len(), 2);
        let listed = called(Some(vec![ToolDef::new("a", "", json!({}))]));
        assert_eq!(listed.into_iter().map(|(_, tool)| tool).collect::<Vec<_>>(), ["a"]);
    }

    #[test]
    fn every_three_digits_stand_together() {
        assert_eq!([0, 999, 1_234_567].map(grouped), ["0", "999", "1,234,567"]);
    }
}
