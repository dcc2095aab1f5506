//! Filters that filter nothing.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use super::{finding, shown};
use crate::check::absence::denial;
use crate::check::announced::Announcement;
use crate::check::beside::{Beside, asked, is_same};
use crate::check::limit_ignored::sets_it;
use crate::check::reading::{Exchange, Reading};
use crate::names::{has_word, words};
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
    let same = LazyCell::new(|| Same::of(reading));
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
                let proven = without_effect(exchange, payload, name, value, reading, &same, beside);
                found.extend(proven.or_else(|| none_of_it(exchange, payload, name, text?, reading)));
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
    !ALL.contains(&value.trim().to_lowercase().as_str()) && !has_word(name, NO_FILTERS)
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

/// Whether a parameter that the tool declares got rows of which some have another value under its name: another choice of
/// a closed set, or one beside rows that have the very value that was asked for.
fn mixes(exchange: &Exchange<'_>, payload: &Payload, name: &str, value: &str) -> bool {
    let parameter = exchange.tool.and_then(|tool| tool.parameters().find(|(known, _)| *known == name));
    let Some((_, schema)) = parameter.filter(|_| !is_bound(name)) else { return false };
    let offered = schema.get("enum").and_then(Value::as_array);
    let members: Vec<&str> = rows(payload).iter().filter_map(|row| row.get(name)?.as_str()).collect();
    let is_known = |text: &str| match offered {
        Some(offered) => offered.iter().any(|one| one == text),
        None => members.contains(&text),
    };
    let is_other = |text: &&str| !text.contains(value) && !value.contains(text);
    is_known(value) && members.iter().filter(|text| is_known(text)).any(is_other)
}

/// Whether an argument says where a range begins or ends.
fn is_bound(name: &str) -> bool {
    let is_bound = |word: &String| {
        matches!(
            word.as_str(),
            "after" | "before" | "end" | "from" | "max" | "min" | "since" | "start" | "to" | "until"
        )
    };
    words(name).iter().any(is_bound)
}

fn rows(payload: &Payload) -> &[Value] {
    let list = payload.list().and_then(|list| payload.at(&list.pointer)?.as_array());
    list.map(Vec::as_slice).unwrap_or_default()
}

/// One call alone: rows that have a member of the very name of a declared parameter, each with another word than the one
/// that was asked for. Another spelling of the value is not another word: those look different.
fn none_of_it(
    exchange: &Exchange<'_>,
    payload: &Payload,
    name: &str,
    value: &str,
    reading: &Reading<'_>,
) -> Option<Finding> {
    const FOUND_BY_LIKENESS: &[&str] = &["name", "q", "query", "search", "term", "title"];
    let is_declared = exchange.tool.is_some_and(|tool| tool.parameters().any(|(known, _)| known == name));
    let is_alike = has_word(name, FOUND_BY_LIKENESS);
    let is_word =
        |text: &str| text.len() > 2 && text.chars().all(|c| c.is_alphabetic() || c == '_' || c == '-');
    let case = |text: &str| text.chars().take(2).map(char::is_uppercase).collect::<Vec<_>>();
    let rows = rows(payload);
    let is_other = |row: &Value| {
        row.get(name)
            .and_then(Value::as_str)
            .is_some_and(|own| is_word(own) && own != value && case(own) == case(value))
    };
    let said = Announcement::of(payload);
    let fits = is_declared && !is_alike && !is_bound(name) && !is_nonsense(value) && is_word(value);
    if !fits || rows.is_empty() || !rows.iter().all(is_other) || said.names(name) || said.tells() {
        return None;
    }
    let what = match rows {
        [_] => "the row that came has another one".to_owned(),
        rows => format!("all {} rows that came have another one", rows.len()),
    };
    let found = finding(exchange, payload, reading.server(), false).saying(
        format!("{} was asked for, and {what}", shown(name, Some(&Value::from(value)))),
        format!("these are the ones with this `{name}`"),
        format!("let `{name}` choose what comes back, or say in the answer what was taken instead"),
    );
    Some(Finding { mutation: name.to_owned(), ..found })
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

/// The answers of a tool that are alike, a few of each kind.
struct Same<'r, 'a>(HashMap<(&'a str, u64), Vec<&'r Exchange<'a>>>);

impl<'r, 'a> Same<'r, 'a> {
    /// So many calls with the same answer are compared.
    const MOST: usize = 64;

    fn of(reading: &'r Reading<'a>) -> Self {
        let mut same: HashMap<_, Vec<_>> = HashMap::new();
        for exchange in &reading.exchanges {
            let alike = Self::key(exchange).map(|key| same.entry(key).or_default());
            if let Some(alike) = alike.filter(|alike| alike.len() < Self::MOST) {
                alike.push(exchange);
            }
        }
        Self(same)
    }

    fn as_this(&self, exchange: &Exchange<'a>) -> &[&'r Exchange<'a>] {
        Self::key(exchange).and_then(|key| self.0.get(&key)).map(Vec::as_slice).unwrap_or_default()
    }

    fn key(exchange: &Exchange<'a>) -> Option<(&'a str, u64)> {
        let (payload, _) = exchange.success()?;
        let mut hasher = DefaultHasher::new();
        for part in ["/structuredContent", "/content"] {
            payload.at(part).hash(&mut hasher);
        }
        Some((exchange.call.name, hasher.finish()))
    }
}

fn without_effect<'a>(
    exchange: &Exchange<'a>,
    payload: &Payload,
    name: &str,
    value: &Value,
    reading: &Reading<'a>,
    same: &Same<'_, 'a>,
    beside: &Beside<'_, 'a>,
) -> Option<Finding> {
    let others = asked(exchange.call.arguments, Some(name));
    let is_other_value = |other: &&Exchange<'a>| {
        other.call.arguments.and_then(|arguments| arguments.get(name)) != Some(value)
            && asked(other.call.arguments, Some(name)) == others
            && is_same(exchange, other)
            // What is asked at once may be answered crosswise.
            && (other.at() < exchange.call.request || exchange.at() < other.call.request)
    };
    let other = same.as_this(exchange).iter().copied().find(is_other_value)?;
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
        if payload.list().is_some() {
            format!("these are the ones with this `{name}`")
        } else {
            format!("this is the one with this `{name}`")
        },
        format!("let `{name}` choose what comes back, or do not offer it"),
    );
    Some(Finding { mutation: name.to_owned(), ..exchange.finding(found, &compared) })
}
