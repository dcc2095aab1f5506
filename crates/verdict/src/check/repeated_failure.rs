//! A failing call that is made again as it was.

mod doc;

use super::beside::text;
use super::effects::reads;
use super::failure::Failure;
use super::reading::Reading;
use super::{Check, wording};
use crate::report::shorten;
use crate::transcript::Role;
use crate::{Doc, Finding};
use doc::DOC;

/// What may pass is tried again so often.
const PATIENCE: usize = 5;
const SHOWN_CHARS: usize = 120;

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
        let mut told: Vec<usize> = Vec::new();
        for (at, failure) in failures.iter().enumerate() {
            let first = run_of(&failures[..=at], reading);
            let count = first.len();
            let is_passing = wording::is_about_else(&failure.text) && !is_forbidden(&failure.text);
            let enough = if is_passing { PATIENCE.max(most) } else { most };
            let start = first.first().map(|first| first.exchange.call.index);
            if count >= enough && start.is_some_and(|start| !told.contains(&start)) {
                told.extend(start);
                findings.extend(first.first().map(|first| finding(failure, first, count, reading)));
            }
        }
        if is_caller {
            findings.extend(guesses(&failures, &told, reading));
        }
    }
}

/// The failures of the very same call with the same words that lead up to the last one, with nothing in between that may
/// have changed the outcome.
fn run_of<'f, 'r, 'a>(failures: &'f [Failure<'r, 'a>], reading: &Reading<'a>) -> Vec<&'f Failure<'r, 'a>> {
    let Some(last) = failures.last() else { return Vec::new() };
    let call = &last.exchange.call;
    let mut run = vec![last];
    for failure in failures[..failures.len() - 1].iter().rev() {
        let other = &failure.exchange.call;
        let is_same = other.name == call.name
            && text(other.arguments, None) == text(call.arguments, None)
            && failure.text == last.text;
        if !is_same {
            continue;
        }
        let next = run.last().map_or(call.index, |next| next.exchange.call.index);
        let between = reading.exchanges.get(other.index + 1..next).unwrap_or_default();
        // What wrote, or worked, may have mended it.
        let may_mend = |one: &super::reading::Exchange<'_>| {
            one.success().is_some() && (one.call.name == call.name || !reads(one.call.name, one.tool))
        };
        if between.iter().any(may_mend) {
            break;
        }
        run.push(failure);
    }
    run.reverse();
    run
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
fn guesses(failures: &[Failure<'_, '_>], told: &[usize], reading: &Reading<'_>) -> Option<Finding> {
    const GUESSES: usize = 3;
    let is_invalid = |failure: &&Failure<'_, '_>| failure.text.contains("INVALID_ARGS");
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
