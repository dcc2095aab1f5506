//! The report for programs.

use serde_json::{Value, json};

use super::{Format, Gap, Options, Report};
use crate::{Finding, Severity};

const VERSION: u64 = 1;

/// See [`Format`].
pub(super) struct Json;

impl Format for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn render(&self, report: &Report, _options: &Options) -> String {
        let coverage = &report.coverage;
        let document = json!({
            "frankly": "report",
            "version": VERSION,
            "source": report.source,
            "reason": report.reason,
            "coverage": {
                "tools": { "listed": coverage.tools_listed, "called": coverage.tools_called.len() },
                "rules": coverage.rules,
                "calls": {
                    "made": coverage.calls_made,
                    "answered": coverage.calls_answered,
                    "succeeded": coverage.calls_succeeded,
                },
                "probes": {
                    "run": coverage.probes_run,
                    "not_exercised": coverage.not_exercised.iter().map(gap).collect::<Vec<_>>(),
                    "skipped": coverage.skipped.iter().map(gap).collect::<Vec<_>>(),
                },
                "noise": coverage.noise,
            },
            "findings": report.findings.iter().map(finding).collect::<Vec<_>>(),
            "summary": {
                "error": report.count(Severity::Error),
                "warning": report.count(Severity::Warning),
                "info": report.count(Severity::Info),
            },
        });
        format!("{document:#}\n")
    }
}

fn gap(gap: &Gap) -> Value {
    json!({ "server": gap.server, "tool": gap.tool, "probe": gap.probe, "why": gap.why })
}

fn finding(finding: &Finding) -> Value {
    json!({
        "rule": finding.rule,
        "severity": finding.severity.as_str(),
        "certainty": finding.certainty.as_str(),
        "server": finding.server,
        "tool": finding.tool,
        "pointer": finding.pointer,
        "mutation": finding.mutation,
        "frames": finding.frames,
        "calls": finding.calls,
        "replay": finding.replay,
        "what": finding.what,
        "reads_as": finding.reads_as,
        "next": finding.next,
        "evidence": finding.evidence,
        "fingerprint": finding.fingerprint(),
    })
}
