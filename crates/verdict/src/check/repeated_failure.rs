//! A failing call that is made again as it was.

use std::collections::{HashMap, HashSet};

mod doc;

use serde_json::Value;

use super::beside::Asked;
use super::effects::reads;
use super::failure::Failure;
use super::reading::Reading;
use super::{Check, wording};
use crate::report::shorten;
use crate::transcript::{Answer, Role};
use crate::{Doc, Finding};
use doc::DOC;

/// What may pass is tried again so often.
const PATIENCE: usize = 5;
const SHOWN_CHARS: usize = 120;
const INVALID_PARAMS: i64 = -32602;

/// See [`DOC`].
pub(super) struct RepeatedFailure;

impl Check for RepeatedFailure {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        // Whoever tests a server sends what fails on purpose, and twice to compare.
        let is_caller = matches!(reading.transcript.role, Some(Role::Client | Role::Model));
        let most = if is_caller { 2 } else { 3 };
        let calls = reading.exchanges.iter().filter(|exchange| !exchange.is_malformed);
        let failures: Vec<Failure<'_, '_>> = calls.filter_map(Failure::of).collect();
        let mut told: HashSet<usize> = HashSet::new();
        let mut runs: HashMap<(&str, Asked, &str), Run<'_, '_>> = HashMap::new();
        let mended = Mended::of(reading);
        for failure in &failures {
            let call = &failure.exchange.call;
            let key = (call.name, failure.exchange.asked, failure.text.as_str());
            let run = runs.entry(key).or_insert(Run { first: failure, last: call.index, count: 0 });
            // What wrote, or worked, may have mended it.
            if mended.between(call.name, run.last, call.index) {
                *run = Run { first: failure, last: call.index, count: 0 };
            }
            (run.last, run.count) = (call.index, run.count + 1);
            let is_passing = wording::is_about_else(&failure.text) && !is_forbidden(&failure.text);
            let enough = if is_passing { PATIENCE.max(most) } else { most };
            if run.count >= enough && told.insert(run.first.exchange.call.index) {
                findings.push(finding(failure, run.first, run.count, reading));
            }
        }
        if is_caller {
            findings.extend(guesses(&failures, &told, reading));
        }
    }
}

/// Failures of the very same call with the same words, with nothing in between that may have changed the outcome.
struct Run<'f, 'a> {
    first: &'f Failure<'f, 'a>,
    /// The position of the last one.
    last: usize,
    count: usize,
}

/// The calls after which another outcome would be no wonder.
struct Mended<'a> {
    /// Positions of successful calls that may have written.
    writes: Vec<usize>,
    /// Positions of successful calls, by tool.
    by_tool: HashMap<&'a str, Vec<usize>>,
}

impl<'a> Mended<'a> {
    fn of(reading: &Reading<'a>) -> Self {
        let (mut writes, mut by_tool) = (Vec::new(), HashMap::<_, Vec<_>>::new());
        for one in reading.exchanges.iter().filter(|one| one.success().is_some()) {
            by_tool.entry(one.call.name).or_default().push(one.call.index);
            if !reads(one.call.name, one.tool) {
                writes.push(one.call.index);
            }
        }
        Self { writes, by_tool }
    }

    /// Whether one of them stands between two calls of a tool.
    fn between(&self, tool: &str, one: usize, other: usize) -> bool {
        let has = |positions: &[usize]| {
            positions.get(positions.partition_point(|at| *at <= one)).is_some_and(|at| *at < other)
        };
        has(&self.writes) || self.by_tool.get(tool).is_some_and(|positions| has(positions))
    }
}

fn is_forbidden(text: &str) -> bool {
    let text = text.to_lowercase();
    ["forbidden", "permission", "denied", "not allowed"].iter().any(|words| text.contains(words))
}

fn finding(
    failure: &Failure<'_, '_>,
    first: &Failure<'_, '_>,
    count: usize,
    reading: &Reading<'_>,
) -> Finding {
    let exchange = failure.exchange;
    let finding = Finding::suspected(&DOC, reading.server(), exchange.call.name, "/params").saying(
        format!("the very same call failed {count} times with {:?}", shorten(&failure.text, SHOWN_CHARS)),
        "it may work this time",
        if is_forbidden(&failure.text) {
            "stop at a refusal, and tell the user what was refused"
        } else {
            "change what the error names, or do something else; let the error say what that could be"
        },
    );
    let finding = exchange.finding(finding, &[first.exchange]);
    Finding { frames: vec![exchange.call.request, first.exchange.at()], ..finding }
}

/// A caller that was told twice that its arguments are wrong, and guesses on.
fn guesses(failures: &[Failure<'_, '_>], told: &HashSet<usize>, reading: &Reading<'_>) -> Option<Finding> {
    const GUESSES: usize = 3;
    let is_invalid = |failure: &&Failure<'_, '_>| {
        let call = &failure.exchange.call;
        let is_code = |error: &Value| error.get("code").and_then(Value::as_i64) == Some(INVALID_PARAMS);
        matches!(call.answer, Answer::ProtocolError(error) if is_code(error))
            || failure.text.contains("INVALID_ARGS")
            || !failure.exchange.mistakes().is_empty()
    };
    let three = failures.windows(GUESSES).find(|three| {
        let name = three[0].exchange.call.name;
        let in_a_row = three.windows(2).all(|pair| {
            let between = pair[0].exchange.call.index + 1..pair[1].exchange.call.index;
            reading
                .exchanges
                .get(between)
                .is_some_and(|calls| calls.iter().all(|one| one.success().is_none()))
        });
        in_a_row && three.iter().all(|one| is_invalid(&one) && one.exchange.call.name == name)
    })?;
    let (first, last) = (three.first()?, three.last()?);
    if told.contains(&first.exchange.call.index) {
        return None;
    }
    let finding = Finding::suspected(&DOC, reading.server(), last.exchange.call.name, "/params").saying(
        format!("the arguments were wrong for the {GUESSES}rd time in a row: {:?}", shorten(&last.text, SHOWN_CHARS)),
        "the next guess may be right",
        "correct the arguments once by what the error says, then ask the user or a tool that lists what there is",
    );
    let finding = last.exchange.finding(finding, &[first.exchange]);
    Some(Finding { frames: vec![last.exchange.call.request, first.exchange.at()], ..finding })
}
