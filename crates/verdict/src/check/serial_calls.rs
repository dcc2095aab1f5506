//! Calls that were sent together and served one after another.

use std::collections::HashMap;

mod doc;

use super::Check;
use super::effects::writes;
use super::reading::{Exchange, Reading};
use crate::{Doc, Finding};
use doc::DOC;

/// A wait that is worth telling of, in milliseconds.
const LONG: u64 = 500;
/// From so long on the steps between answers are no noise, in milliseconds.
const STEP: u64 = 50;
/// So many equal calls at once show in which steps they are answered.
const ENOUGH: usize = 3;
/// Steps are alike that differ by less than this part of one.
const ALIKE: u64 = 20;
/// So many calls under way at once are compared with one.
const MOST: usize = 64;
/// How a description says that calls wait for each other on purpose.
const ON_PURPOSE: &[&str] = &[
    "at a time", "exclusive access", "exclusively", "in turn", "one after another", "one call", "queued",
    "sequential", "serialis", "serializes", "serially", "single call", "single-thread",
];

/// See [`DOC`].
pub(super) struct SerialCalls;

impl Check for SerialCalls {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        let timed: Vec<Timed<'_, '_>> =
            reading.exchanges.iter().filter_map(|one| Timed::of(one, reading)).collect();
        if timed.len() < 2 {
            return;
        }
        let at_work = AtWork::of(timed);
        let alone = at_work.alone();
        let timed = &at_work.timed;
        let found = (0..timed.len())
            .find_map(|late| waited(late, &at_work, &alone))
            .or_else(|| in_steps(&at_work, &alone));
        findings.extend(found.map(|found| finding(&found, reading.server())));
    }
}

/// A call with when it was sent and when it was answered, in milliseconds since the beginning.
struct Timed<'r, 'a> {
    exchange: &'r Exchange<'a>,
    sent: u64,
    answered: u64,
}

/// A call that waited for another.
struct Waited<'r, 'a> {
    late: &'r Exchange<'a>,
    other: &'r Exchange<'a>,
    what: String,
}

impl<'r, 'a> Timed<'r, 'a> {
    fn of(exchange: &'r Exchange<'a>, reading: &Reading<'_>) -> Option<Self> {
        let said = exchange.tool.map(|tool| tool.description().to_lowercase()).unwrap_or_default();
        let at = |frame: usize| reading.transcript.frames.get(frame)?.at_ms();
        let (sent, answered) = (at(exchange.call.request)?, at(exchange.call.response?)?);
        (!ON_PURPOSE.iter().any(|words| said.contains(words)) && sent <= answered).then_some(Self {
            exchange,
            sent,
            answered,
        })
    }

    fn took(&self) -> u64 {
        self.answered - self.sent
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.exchange.call.index != other.exchange.call.index
            && self.sent < other.answered
            && other.sent < self.answered
    }
}

/// Calls by when they were at work.
struct AtWork<'r, 'a> {
    /// As they stand in the recording.
    timed: Vec<Timed<'r, 'a>>,
    /// Their positions in the order in which they were sent.
    by_time: Vec<usize>,
    /// Up to each of these, when the last answer came.
    latest: Vec<u64>,
}

impl<'r, 'a> AtWork<'r, 'a> {
    /// So many calls are looked through for those at work beside one: one that hangs is beside all that follow.
    const LOOKED_THROUGH: usize = 1024;

    fn of(timed: Vec<Timed<'r, 'a>>) -> Self {
        let mut by_time: Vec<usize> = (0..timed.len()).collect();
        by_time.sort_by_key(|at| timed[*at].sent);
        let mut latest = Vec::with_capacity(timed.len());
        for at in &by_time {
            latest.push(timed[*at].answered.max(latest.last().copied().unwrap_or_default()));
        }
        Self { timed, by_time, latest }
    }

    /// The calls that were at work beside one, as they stand in the recording.
    fn beside(&self, one: &Timed<'r, 'a>) -> Vec<&Timed<'r, 'a>> {
        let begin = self.latest.partition_point(|latest| *latest <= one.sent);
        let end = self.by_time.partition_point(|at| self.timed[*at].sent < one.answered);
        let own = self.by_time.partition_point(|at| self.timed[*at].sent < one.sent);
        let begin = begin.max(own.saturating_sub(Self::LOOKED_THROUGH));
        let near = self.by_time.get(begin..end).unwrap_or_default();
        let mut beside: Vec<usize> = near
            .iter()
            .take(2 * Self::LOOKED_THROUGH)
            .copied()
            .filter(|at| one.overlaps(&self.timed[*at]))
            .collect();
        beside.sort_unstable();
        beside.into_iter().map(|at| &self.timed[at]).collect()
    }

    /// How long the fastest call of each tool took that was under way alone.
    fn alone(&self) -> HashMap<&'a str, u64> {
        let mut alone: HashMap<&str, u64> = HashMap::new();
        for one in self.timed.iter().filter(|one| self.beside(one).is_empty()) {
            let fastest = alone.entry(one.exchange.call.name).or_insert(u64::MAX);
            *fastest = one.took().min(*fastest);
        }
        alone
    }
}

/// A call of another tool that was sent while one was at work, and answered only right behind it.
fn waited<'r, 'a>(
    late: usize,
    at_work: &AtWork<'r, 'a>,
    alone: &HashMap<&'a str, u64>,
) -> Option<Waited<'r, 'a>> {
    const PART: u64 = 20;
    const FACTOR: u64 = 5;
    let late = &at_work.timed[late];
    if late.took() < LONG {
        return None;
    }
    let before = at_work.beside(late).into_iter().take(MOST);
    let mut before = before.filter(|other| {
        other.sent <= late.sent
            && other.exchange.call.index < late.exchange.call.index
            && other.answered <= late.answered
            && other.exchange.call.name != late.exchange.call.name
    });
    let usual = alone.get(late.exchange.call.name).copied();
    let is_behind = |other: &&Timed<'_, '_>| {
        let gap = late.answered - other.answered;
        match usual {
            Some(usual) => {
                late.took() >= usual.saturating_mul(FACTOR).max(LONG)
                    && gap <= usual.saturating_mul(2).max(STEP)
            }
            // Nothing is known of how fast it is: then it must come at once, and sooner behind the other than it was sent.
            None => gap <= late.took() / PART && gap < (late.sent - other.sent).max(1),
        }
    };
    let other = before.find(is_behind)?;
    let (name, gap) = (other.exchange.call.name, late.answered - other.answered);
    let usually = usual.map_or_else(String::new, |usual| format!("; alone it took {usual} ms"));
    let what = format!(
        "the call was sent while one of `{name}` was at work, waited {} ms, and was answered {gap} ms after that one{usually}",
        late.took()
    );
    Some(Waited { late: late.exchange, other: other.exchange, what })
}

/// Several calls of one tool that were sent at once, and answered in steps as long as one of them takes.
fn in_steps<'r, 'a>(at_work: &AtWork<'r, 'a>, alone: &HashMap<&'a str, u64>) -> Option<Waited<'r, 'a>> {
    at_work.timed.iter().find_map(|first| {
        let is_with = |other: &&Timed<'_, '_>| {
            other.exchange.call.name == first.exchange.call.name
                && other.sent >= first.sent
                && (other.sent - first.sent) * 5 <= first.took()
        };
        let mut together = at_work.beside(first);
        together.push(first);
        together.sort_by_key(|one| one.exchange.call.index);
        let mut together: Vec<_> = together.into_iter().filter(is_with).take(MOST).collect();
        together.sort_by_key(|one| one.answered);
        let (quickest, last) = (together.first()?, together.last()?);
        // The first of them may have waited as well, for a call of another tool.
        let usual = alone.get(first.exchange.call.name).copied().filter(|usual| *usual >= STEP);
        let step = usual.map_or(quickest.took(), |usual| usual.min(quickest.took()));
        let is_stepped = together.windows(2).all(|pair| {
            let apart = pair[1].answered - pair[0].answered;
            // Where nothing is known of how long one takes, only steps that are all alike tell.
            if usual.is_some() { apart * 2 >= step } else { apart.abs_diff(step) * ALIKE <= step }
        });
        if together.len() < ENOUGH || step < STEP || !is_stepped || write_the_same(&together) {
            return None;
        }
        let what = format!(
            "{} calls were sent at once and answered one by one: the first after {} ms, the last after {} ms",
            together.len(),
            quickest.took(),
            last.took()
        );
        Some(Waited { late: last.exchange, other: quickest.exchange, what })
    })
}

/// Whether all of these write to one place: then they have to wait for each other.
fn write_the_same(together: &[&Timed<'_, '_>]) -> bool {
    let Some(first) = together.first().map(|one| one.exchange) else { return false };
    let is_shared = |(name, value): (&String, &serde_json::Value)| {
        (value.is_string() || value.is_number())
            && together.iter().all(|one| {
                one.exchange.call.arguments.and_then(|arguments| arguments.get(name)) == Some(value)
            })
    };
    writes(first.call.name, first.tool) && first.call.arguments.into_iter().flatten().any(is_shared)
}

fn finding(found: &Waited<'_, '_>, server: &str) -> Finding {
    let finding = Finding::suspected(&DOC, server, found.late.call.name, "").saying(
        found.what.clone(),
        "the tool is slow, or hangs",
        "serve calls at once, each in a task of its own, or say in the description that the tool takes one call at a time",
    );
    found.late.finding(finding, &[found.other])
}
