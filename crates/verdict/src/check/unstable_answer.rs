//! The same items in another order.

use std::collections::HashMap;

use serde_json::Value;

mod doc;

use super::Check;
use super::beside::Asked;
use super::effects::reads;
use super::reading::{Exchange, Reading};
use super::walks::identity;
use crate::names::has_word;
use crate::transcript::Side;
use crate::{Doc, Finding};
use doc::DOC;

/// Words of tools from which another order is what is asked for.
const RANDOM: &[&str] = &[
    "dice", "draw", "lottery", "random", "recent", "roll", "sample", "shuffle", "suggest", "surprise",
    "trending",
];
/// How a description or an argument says that the order may be another one each time.
const MOVES: &[&str] = &[
    "any order", "by rank", "different order", "each time", "every time", "last use", "most used", "newid(",
    "new mix", "no particular order", "order is not", "order may", "popularity", "rand()", "random",
    "ranked", "ranking", "recently", "relevance", "right now", "shuffle", "trending", "unordered",
    "unsorted",
];
/// So far apart, in milliseconds, data moves.
const FAR: u64 = 60 * 60 * 1000;

/// See [`DOC`].
pub(super) struct UnstableAnswer;

impl Check for UnstableAnswer {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        let mut groups: HashMap<(&str, Asked), Vec<&Exchange<'_>>> = HashMap::new();
        let mut orderly: HashMap<&str, bool> = HashMap::new();
        for exchange in reading.exchanges.iter().filter(|one| one.success().is_some()) {
            let is_orderly = *orderly.entry(exchange.call.name).or_insert_with(|| is_orderly(exchange));
            if !is_orderly || asks_for_another_order(exchange) {
                continue;
            }
            let key = (exchange.call.name, exchange.asked);
            groups.entry(key).or_default().push(exchange);
        }
        let mut found: Vec<Finding> = groups.values().filter_map(|group| look_at(group, reading)).collect();
        found.extend(definitions(reading));
        found.sort_by_key(|finding| finding.frames.first().copied());
        findings.extend(found);
    }
}

/// Whether a tool only looks, and at nothing that is to be random.
fn is_orderly(exchange: &Exchange<'_>) -> bool {
    let name = exchange.call.name;
    let said = exchange.tool.map(|tool| tool.description().to_lowercase()).unwrap_or_default();
    let is_random = has_word(name, RANDOM);
    reads(name, exchange.tool) && !is_random && !moves(&said)
}

/// Whether a call says that the order may be another one.
fn asks_for_another_order(exchange: &Exchange<'_>) -> bool {
    let asked = exchange.call.arguments.into_iter().flatten().filter_map(|(_, value)| value.as_str());
    asked.map(str::to_lowercase).any(|text| moves(&text))
}

fn moves(text: &str) -> bool {
    MOVES.iter().any(|words| text.contains(words))
}

/// The first two answers to the same call, right behind each other, that differ in nothing but the order.
fn look_at(group: &[&Exchange<'_>], reading: &Reading<'_>) -> Option<Finding> {
    group.windows(2).find_map(|pair| {
        let [one, other] = pair else { return None };
        if are_far_apart(one, other, reading) || reading.writes.between(one.call.index, other.call.index) {
            return None;
        }
        let ((mine, _), (theirs, _)) = (one.success()?, other.success()?);
        let at = match (mine.list(), theirs.list()) {
            (Some(list), Some(other)) if list.pointer == other.pointer => {
                let items = |value: &Value| value.as_array().map(|items| items.iter().map(key).collect::<Vec<_>>());
                let (a, b) = (items(mine.at(&list.pointer)?)?, items(theirs.at(&list.pointer)?)?);
                is_shuffled(a, b).then(|| list.pointer.clone())?
            }
            (None, None) => {
                const TEXT: &str = "/content/0/text";
                let lines = |text: &Value| {
                    let lines = text.as_str()?.lines().filter(|line| !line.trim().is_empty());
                    Some(lines.map(str::to_owned).collect::<Vec<_>>())
                };
                is_shuffled(lines(mine.at(TEXT)?)?, lines(theirs.at(TEXT)?)?).then(|| TEXT.to_owned())?
            }
            _ => return None,
        };
        let finding = Finding::suspected(&DOC, reading.server(), other.call.name, theirs.shown(&at)).saying(
            "the same call got the same items as before, in another order",
            "something has changed, or: the first one is the most important",
            "sort by something that every item has, and at last by its id, or say that the order means nothing",
        );
        Some(other.finding(finding, &[one]))
    })
}

/// Whether by the recording's times so much lies between two calls that data moved.
fn are_far_apart(one: &Exchange<'_>, other: &Exchange<'_>, reading: &Reading<'_>) -> bool {
    let at = |frame: usize| reading.transcript.frames.get(frame)?.at_ms();
    let times = at(one.at()).zip(at(other.call.request));
    times.is_some_and(|(before, after)| after.saturating_sub(before) >= FAR)
}

/// What an item is compared by: values that change from call to call are none of the order.
fn key(item: &Value) -> String {
    identity(item).unwrap_or_else(|| item.to_string())
}

fn is_shuffled(mut a: Vec<String>, mut b: Vec<String>) -> bool {
    if a.len() < 2 || a == b {
        return false;
    }
    a.sort_unstable();
    b.sort_unstable();
    a == b
}

/// The list of tools, read twice as a whole, with the same tools in another order.
fn definitions(reading: &Reading<'_>) -> Option<Finding> {
    let mut lists: Vec<(Vec<String>, usize)> = Vec::new();
    let changed: Vec<usize> = reading
        .transcript
        .wire()
        .filter(|(_, frame)| {
            frame.from() == Side::Server && frame.method() == Some("notifications/tools/list_changed")
        })
        .map(|(at, _)| at)
        .collect();
    for request in reading.requests.all.iter().filter(|request| request.method == "tools/list") {
        let Some((frame, result)) = request.result() else { continue };
        let names = result.get("tools").and_then(Value::as_array).into_iter().flatten();
        let names = names.filter_map(|tool| tool.get("name")?.as_str()).map(str::to_owned);
        match (request.param("cursor"), lists.last_mut()) {
            (Some(_), Some((list, at))) => {
                list.extend(names);
                *at = frame;
            }
            _ => lists.push((names.collect(), frame)),
        }
    }
    lists.windows(2).find_map(|pair| {
        let [(one, before), (other, at)] = pair else { return None };
        let is_announced = changed.iter().any(|change| change > before && change < at);
        if is_announced || !is_shuffled(one.clone(), other.clone()) {
            return None;
        }
        let finding = Finding::suspected(&DOC, reading.server(), "", "/result/tools").saying(
            "tools/list named the same tools as before, in another order",
            "other tools: prompts that were cached begin anew, and models favour what stands first",
            "list the tools in one order, such as that in which they are registered",
        );
        Some(reading.finding(finding, &[*at, *before]))
    })
}
