//! Filters that filter nothing.

use std::collections::HashSet;

use serde_json::Value;

use super::{finding, shown};
use crate::check::absence::denial;
use crate::check::beside::{Beside, is_same, text as text_of};
use crate::check::limit_ignored::sets_it;
use crate::check::reading::{Exchange, Reading};
use crate::names::words;
use crate::nonsense::is_nonsense;
use crate::payload::Payload;
use crate::{Certainty, Finding};

/// Words in the names of arguments that choose no rows: how they are shown, where to go on, or why it is asked.
const NO_FILTERS: &[&str] = &[
    "body", "comment", "content", "cursor", "description", "explanation", "format", "lang", "language",
    "locale", "message", "note", "order", "page", "reason", "reasoning", "sort", "style", "template",
    "thought", "timezone", "title", "token", "tz",
];
/// Values that stand for every value.
const ALL: &[&str] = &["", "*", "all", "any", "both", "everything"];

/// Answers that are the very same whatever value a filter has, and whose rows show that they should not be.
pub(super) fn look_at<'a>(reading: &Reading<'a>, beside: &Beside<'_, 'a>) -> Vec<Finding> {
    let mut found = Vec::new();
    for exchange in &reading.exchanges {
        let Some((payload, _)) = exchange.success() else { continue };
        if sets_it(exchange.call.name) || payload.list().is_none_or(|list| list.len == 0) {
            continue;
        }
        for (name, value) in exchange.call.arguments.into_iter().flatten() {
            let Some(text) = value.as_str().filter(|text| is_filter(name, text)) else { continue };
            if is_nonsense(text) || lacks(payload, name, text) {
                found.extend(without_effect(exchange, payload, name, value, reading, beside));
            }
        }
    }
    // Where several values show it, the calls that prove it do, else the first.
    found.sort_by_key(|finding: &Finding| finding.certainty == Certainty::Suspected);
    let mut seen = HashSet::new();
    found.retain(|finding| seen.insert((finding.tool.clone(), finding.mutation.clone())));
    found
}

fn is_filter(name: &str, value: &str) -> bool {
    !ALL.contains(&value.trim().to_lowercase().as_str())
        && !words(name).iter().any(|word| NO_FILTERS.contains(&word.as_str()))
}

/// Whether every row has a member called like the argument, and none of them the value.
fn lacks(payload: &Payload, name: &str, value: &str) -> bool {
    let Some(list) = payload.list() else { return false };
    let items = payload.at(&list.pointer).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let (wanted, value) = (words(name), value.to_lowercase());
    let is_called = |key: &str| {
        let words = words(key);
        !words.is_empty() && (wanted.ends_with(&words) || words.ends_with(&wanted))
    };
    let is_other = |member: &Value| {
        let member = member.as_str().map(str::to_lowercase).filter(|text| !text.is_empty());
        member.is_some_and(|member| !member.contains(&value) && !value.contains(&member))
    };
    let has_others = |item: &Value| {
        let members = item.as_object().into_iter().flatten().filter(|(key, _)| is_called(key));
        let mut members = members.map(|(_, member)| is_other(member)).peekable();
        members.peek().is_some() && members.all(|is_other| is_other)
    };
    items.iter().all(has_others)
}

fn without_effect<'a>(
    exchange: &Exchange<'a>,
    payload: &Payload,
    name: &str,
    value: &Value,
    reading: &Reading<'a>,
    beside: &Beside<'_, 'a>,
) -> Option<Finding> {
    let others = text_of(exchange.call.arguments, Some(name));
    let is_other_value = |other: &&Exchange<'a>| {
        other.call.name == exchange.call.name
            && other.call.arguments.and_then(|arguments| arguments.get(name)) != Some(value)
            && text_of(other.call.arguments, Some(name)) == others
            && is_same(exchange, other)
            // What is asked at once may be answered crosswise.
            && (other.at() < exchange.call.request || exchange.at() < other.call.request)
    };
    let other = reading.exchanges.iter().find(is_other_value)?;
    let theirs = other.call.arguments.and_then(|arguments| arguments.get(name));
    let around = match theirs {
        Some(theirs) => beside.with(exchange, name, theirs),
        None => beside.without(exchange, name),
    };
    let still = around.still();
    let compared = still.map_or_else(|| vec![other], |both| both.to_vec());
    let instead = theirs.map_or_else(|| format!("no `{name}`"), |theirs| shown(name, Some(theirs)));
    let is_proven = still.is_some() && denial(exchange).is_none();
    let found = finding(exchange, payload, reading.server(), is_proven).saying(
        format!("{} and {instead} got the very same answer", shown(name, Some(value))),
        format!("these are the ones with this `{name}`"),
        format!("let `{name}` choose what comes back, or do not offer it"),
    );
    Some(Finding { mutation: name.to_owned(), ..exchange.finding(found, &compared) })
}
