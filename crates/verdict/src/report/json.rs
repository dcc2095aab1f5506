//! The report for programs.

use frankly_contract::ToolCall;
use serde::Serialize;

use super::plain::plain_json;
use super::{Format, Gap, Options, Report, cases, costs};
use crate::{Finding, Place, Severity};

const VERSION: u32 = 1;

/// See [`Format`].
pub(super) struct Json;

impl Format for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn write(&self, report: &Report, _options: &Options) -> String {
        // The document is made of texts, numbers and JSON values, none of which can fail to be written.
        let text = serde_json::to_string_pretty(&Document::of(report)).unwrap_or_default();
        plain_json(&text) + "\n"
    }
}

/// The order of the members is the order in the document: name and version first.
#[derive(Serialize)]
struct Document<'a> {
    frankly: &'static str,
    version: u32,
    source: &'a str,
    reason: &'a str,
    /// The code with which the run ends.
    exit: u8,
    coverage: Coverage<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    costs: Option<costs::Document<'a>>,
    findings: Vec<Found<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cases: Vec<cases::Document<'a>>,
    summary: Summary,
}

#[derive(Serialize)]
struct Coverage<'a> {
    tools: Tools,
    rules: usize,
    calls: Calls,
    probes: Probes<'a>,
    /// Lines on standard output that were no protocol messages.
    noise: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    expectations: Option<Expectations>,
    /// Long recordings, of which only what lies near each other was compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    stretched: Option<Stretched>,
}

/// What recorded calls were held against.
#[derive(Serialize)]
struct Expectations {
    stated: usize,
    met: usize,
}

#[derive(Serialize)]
struct Stretched {
    stretches: usize,
    calls: usize,
    note: String,
}

#[derive(Serialize)]
struct Tools {
    listed: usize,
    called: usize,
}

#[derive(Serialize)]
struct Calls {
    made: usize,
    answered: usize,
    succeeded: usize,
    /// Refused, as calls that were made to see whether they are.
    refusals_expected: usize,
}

#[derive(Serialize)]
struct Probes<'a> {
    run: usize,
    not_exercised: &'a [Gap],
    skipped: &'a [Gap],
}

#[derive(Serialize)]
struct Found<'a> {
    rule: &'a str,
    severity: &'static str,
    certainty: &'static str,
    server: &'a str,
    tool: &'a str,
    pointer: &'a str,
    /// Where that stands, for definitions that were read from a file.
    place: Option<&'a Place>,
    mutation: &'a str,
    frames: &'a [usize],
    calls: &'a [usize],
    replay: &'a [ToolCall],
    what: &'a str,
    reads_as: &'a str,
    next: &'a str,
    evidence: &'a str,
    fingerprint: String,
}

#[derive(Serialize)]
struct Summary {
    error: usize,
    warning: usize,
    info: usize,
    /// Let pass, as the user's configuration says; not among the findings.
    allowed: usize,
    /// In the baseline; not among the findings either.
    known: usize,
}

impl<'a> Document<'a> {
    fn of(report: &'a Report) -> Self {
        let coverage = &report.coverage;
        Self {
            frankly: "report",
            version: VERSION,
            source: &report.source,
            reason: &report.reason,
            exit: report.exit,
            coverage: Coverage {
                tools: Tools { listed: coverage.tools_listed, called: coverage.tools_called.len() },
                rules: coverage.rules,
                calls: Calls {
                    made: coverage.calls_made,
                    answered: coverage.calls_answered,
                    succeeded: coverage.calls_succeeded,
                    refusals_expected: coverage.refusals_expected,
                },
                probes: Probes {
                    run: coverage.probes_run,
                    not_exercised: &coverage.not_exercised,
                    skipped: &coverage.skipped,
                },
                noise: coverage.noise,
                expectations: (coverage.expectations > 0).then_some(Expectations {
                    stated: coverage.expectations,
                    met: coverage.expectations_met,
                }),
                stretched: coverage.stretched.told().map(|note| Stretched {
                    stretches: coverage.stretched.count,
                    calls: coverage.stretched.calls,
                    note,
                }),
            },
            costs: report.costs.as_ref().map(|costs| costs::Document::of(costs, report.dearest.as_ref())),
            findings: report.findings.iter().map(Found::of).collect(),
            cases: report.cases.iter().map(cases::Document::of).collect(),
            summary: Summary {
                error: report.count(Severity::Error),
                warning: report.count(Severity::Warning),
                info: report.count(Severity::Info),
                allowed: report.allowed,
                known: report.known,
            },
        }
    }
}

impl<'a> Found<'a> {
    fn of(finding: &'a Finding) -> Self {
        Self {
            rule: finding.rule,
            severity: finding.severity.as_str(),
            certainty: finding.certainty.as_str(),
            server: &finding.server,
            tool: &finding.tool,
            pointer: &finding.pointer,
            place: finding.place.as_ref(),
            mutation: &finding.mutation,
            frames: &finding.frames,
            calls: &finding.calls,
            replay: &finding.replay,
            what: &finding.what,
            reads_as: &finding.reads_as,
            next: &finding.next,
            evidence: &finding.evidence,
            fingerprint: finding.fingerprint(),
        }
    }
}
