//! A tool that only reads, as it says, and through which another one that does not is called.

use serde_json::{Map, Value};

use super::DOC;
use crate::check::reading::{Exchange, Reading};
use crate::{Finding, Severity};

/// The first such call of each tool. That the other one ran is only likely: a tool may look whether a call would be
/// taken.
pub(super) fn look_at(reading: &Reading<'_>) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for exchange in &reading.exchanges {
        let is_known = || found.iter().any(|finding| finding.tool == exchange.call.name);
        if let Some((name, other)) = dispatches(exchange, reading).filter(|_| !is_known()) {
            let what = format!(
                "the tool is annotated `readOnlyHint: true`, and a call with `{name}: \"{other}\"` and arguments for it was answered; `{other}` is annotated as one that changes things"
            );
            let tool = exchange.call.name;
            let finding = Finding {
                severity: Severity::Warning,
                ..Finding::suspected(&DOC, reading.server(), tool, "/annotations/readOnlyHint")
            };
            found.push(exchange.finding(
                finding.saying(
                    what,
                    "calling it changes nothing, so whatever is called through it needs no approval either",
                    "annotate it like the strongest tool that can be called through it, or refuse those that are stronger",
                ),
                &[],
            ));
        }
    }
    found
}

/// The argument that names a tool which changes things, and that tool, where its arguments are sent along and the call had a result.
fn dispatches<'a>(exchange: &Exchange<'a>, reading: &Reading<'a>) -> Option<(&'a str, &'a str)> {
    let says_it_reads = exchange.tool.and_then(|tool| tool.annotation("readOnlyHint")) == Some(true);
    exchange.success().filter(|_| says_it_reads)?;
    let arguments: &Map<String, Value> = exchange.call.arguments?;
    arguments.values().find(|value| value.is_object())?;
    let named = arguments.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)));
    named.into_iter().find(|(_, named)| {
        let other = reading.transcript.tool(named).filter(|other| other.name() != exchange.call.name);
        other.is_some_and(|other| {
            other.annotation("destructiveHint") == Some(true)
                || other.annotation("readOnlyHint") == Some(false)
        })
    })
}
