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
        if sets_it(exchange.call.name) {
            continue;
        }
        let has_rows = payload.list().is_some_and(|list| list.len > 0);
        for (name, value) in exchange.call.arguments.into_iter().flatten() {
            let text = value.as_str().filter(|text| is_filter(name, text));
            let shows_others = match text {
                Some(text) if has_rows => {
                    is_nonsense(text) || lacks(payload, name, text) || mixes(exchange, payload, name, text)
                }
                _ => !has_rows && is_another(payload, name, value),
            };
            if shows_others {
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

/// Whether a choice of a closed set got rows of which some have another value under its name.
fn mixes(exchange: &Exchange<'_>, payload: &Payload, name: &str, value: &str) -> bool {
    let is_bound = words(name).iter().any(|word| matches!(word.as_str(), "from" | "max" | "min" | "to"));
    let parameter = exchange.tool.and_then(|tool| tool.parameters().find(|(known, _)| *known == name));
    let offered = parameter.and_then(|(_, schema)| schema.get("enum")?.as_array());
    let Some(list) = payload.list().filter(|_| !is_bound) else { return false };
    let items = payload.at(&list.pointer).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let is_offered = |member: &Value| offered.is_some_and(|offered| offered.contains(member));
    let shows = |member: Option<&Value>| member.is_some_and(|member| is_offered(member) && member != value);
    is_offered(&Value::from(value)) && items.iter().any(|item| shows(item.get(name)))
}

/// Whether an answer is one thing whose own member of this name has another value than was asked for.
fn is_another(payload: &Payload, name: &str, value: &Value) -> bool {
    let is_id =
        words(name).last().is_some_and(|last| matches!(last.as_str(), "guid" | "id" | "key" | "uuid"));
    let one = ["/structuredContent", "/content/0/text"].iter().find_map(|part| payload.at(part)?.as_object());
    let own = |one: &serde_json::Map<String, Value>| one.get(name).or_else(|| one.get("id")).cloned();
    let spelled =
        |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned).to_lowercase();
    let is_scalar = |value: &Value| value.is_string() || value.is_i64();
    is_id
        && is_scalar(value)
        && one.and_then(own).filter(is_scalar).is_some_and(|own| {
            if own.is_i64() && value.is_i64() {
                return own != *value;
            }
            let (own, asked) = (spelled(&own), spelled(value));
            !own.contains(&asked) && !asked.contains(&own)
        })
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
