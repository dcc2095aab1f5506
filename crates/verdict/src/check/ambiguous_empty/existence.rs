//! Why a value cannot be one of those that exist.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::unreadable::is_unreadable;
use crate::check::absence::Absences;
use crate::check::admission::Claim;
use crate::check::mistakes::Kind;
use crate::check::reading::{Exchange, Reading};
use crate::names::{singular, words};
use crate::nonsense::is_nonsense;
use crate::payload::Payload;

/// So many lists of one tool are remembered.
const MOST: usize = 64;

/// Why there is no such value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Doubt<'r, 'a> {
    /// The schema lists the values, and not this one.
    OutsideEnum,
    /// It is one that exists, in another case.
    OtherCase,
    /// Another tool lists the values, and not this one.
    Unlisted(&'r Exchange<'a>),
    /// Nothing real is called that.
    Nonsense,
    /// Another answer said that it is not there.
    Denied(&'r Exchange<'a>),
    /// It is a pattern that cannot be read.
    Unreadable,
}

impl PartialEq for Doubt<'_, '_> {
    fn eq(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

impl<'r, 'a> Doubt<'r, 'a> {
    pub fn told(&self) -> String {
        match self {
            Self::OutsideEnum => "; the schema does not allow the value".to_owned(),
            Self::OtherCase | Self::Nonsense => String::new(),
            Self::Unlisted(other) => format!("; {} does not list it", other.call.name),
            Self::Denied(other) => format!("; {} said that there is no such thing", other.call.name),
            Self::Unreadable => "; it is no regular expression that can be read".to_owned(),
        }
    }

    /// The answer that shows it.
    pub fn shown_by(&self) -> Option<&'r Exchange<'a>> {
        match self {
            Self::Unlisted(other) | Self::Denied(other) => Some(other),
            _ => None,
        }
    }
}

/// What a transcript tells of which values there are.
pub(super) struct Known<'r, 'a> {
    /// Whole lists that were asked for without arguments, by the tool that gave them.
    lists: HashMap<&'a str, Vec<(&'r Exchange<'a>, HashSet<String>)>>,
    /// The tools to which a text was sent.
    sent: HashMap<&'a str, HashSet<&'a str>>,
    absences: Absences<'r, 'a>,
}

impl<'r, 'a> Known<'r, 'a> {
    pub fn of(reading: &'r Reading<'a>) -> Self {
        let mut sent: HashMap<&str, HashSet<&str>> = HashMap::new();
        for exchange in &reading.exchanges {
            let texts = exchange.call.arguments.into_iter().flat_map(Map::values).filter_map(Value::as_str);
            texts.for_each(|text| {
                sent.entry(text).or_default().insert(exchange.call.name);
            });
        }
        let mut lists: HashMap<&str, Vec<_>> = HashMap::new();
        for (exchange, values) in reading.exchanges.iter().filter_map(|one| Some((one, whole_list(one)?))) {
            let of_tool = lists.entry(exchange.call.name).or_default();
            // The same list, read again, says nothing new.
            if of_tool.len() < MOST && of_tool.last().is_none_or(|(_, known)| *known != values) {
                of_tool.push((exchange, values));
            }
        }
        Self { lists, sent, absences: Absences::of(reading) }
    }

    /// Why this value of an argument does not exist, beside one that does; `None` where it may.
    pub fn doubt(
        &self,
        exchange: &Exchange<'a>,
        name: &str,
        value: &str,
        good: Option<&str>,
    ) -> Option<Doubt<'r, 'a>> {
        let wrong = exchange.mistakes();
        if wrong.iter().any(|mistake| mistake.name == name && mistake.kind == Kind::Enum) {
            return Some(Doubt::OutsideEnum);
        }
        if is_unreadable(exchange, name, value) {
            return Some(Doubt::Unreadable);
        }
        if let Some(denial) = self.absences.before(exchange, value) {
            return Some(Doubt::Denied(denial));
        }
        if is_nonsense(value) {
            return Some(Doubt::Nonsense);
        }
        let good = good.filter(|good| *good != value)?;
        // A call of another tool may have shown that it is there.
        let is_elsewhere =
            || self.sent.get(value).is_some_and(|tools| tools.iter().any(|tool| *tool != exchange.call.name));
        if good.to_lowercase() == value.to_lowercase() {
            return (!is_elsewhere()).then_some(Doubt::OtherCase);
        }
        if is_elsewhere() {
            return None;
        }
        let lists_only = |(_, values): &&(&Exchange<'a>, HashSet<String>)| {
            values.contains(good) && !values.contains(value)
        };
        let lists = self.lists.iter().filter(|(tool, _)| is_list_of(tool, name));
        let found = lists.filter_map(|(_, lists)| lists.iter().find(lists_only).map(|(other, _)| *other));
        found.min_by_key(|other| other.call.index).map(Doubt::Unlisted)
    }
}

/// Whether by its name a tool lists the values of an argument: `list_categories`, of `category` or `category_name`.
fn is_list_of(tool: &str, argument: &str) -> bool {
    let argument = words(argument);
    let mut nouns = argument.iter().filter(|word| !matches!(word.as_str(), "id" | "key" | "name" | "slug"));
    let Some(noun) = nouns.next_back() else { return false };
    words(tool).last().is_some_and(|last| singular(last) == singular(noun))
}

/// The values in a list that was asked for without arguments and is whole: texts, or the names and ids of rows.
fn whole_list(exchange: &Exchange<'_>) -> Option<HashSet<String>> {
    let is_plain = exchange.call.arguments.is_none_or(Map::is_empty);
    let (payload, _) = exchange.success().filter(|_| is_plain)?;
    let list = payload.list()?;
    let items = payload
        .at(&list.pointer)?
        .as_array()
        .filter(|items| is_whole(payload, &list.pointer, items.len()))?;
    let values = items.iter().flat_map(|item| match item {
        Value::String(text) => vec![text.clone()],
        Value::Object(members) => {
            let named = ["id", "key", "name", "slug", "value"]
                .into_iter()
                .filter_map(|key| members.get(key)?.as_str());
            named.map(str::to_owned).collect()
        }
        _ => Vec::new(),
    });
    Some(values.collect())
}

fn is_whole(payload: &Payload, list: &str, items: usize) -> bool {
    let arguments = Default::default();
    !payload.around(list).iter().any(|said| said.claim(items as u64, &arguments) == Claim::More)
}

/// How many items there are when each has just the value that was asked for, under the argument's name; one alone may
/// have it by chance, or be the only one there can be.
pub(super) fn filters_by_equality(exchange: &Exchange<'_>, name: &str, value: &str) -> Option<usize> {
    let (payload, _) = exchange.success()?;
    if let Some(one) = one_thing(payload) {
        return is_it(one, name, value).then_some(1);
    }
    let list = payload.list().filter(|list| list.len > 1)?;
    let items = payload.at(&list.pointer)?.as_array()?;
    items.iter().all(|item| is_it(item, name, value)).then_some(items.len())
}

/// Whether an answer is one thing with just this value under the argument's name, whatever lists are in it.
pub(super) fn is_about(exchange: &Exchange<'_>, name: &str, value: &str) -> bool {
    let parts = ["/structuredContent", "/content/0/text"];
    let payload = exchange.success().map(|(payload, _)| payload);
    payload.is_some_and(|payload| {
        parts.iter().filter_map(|part| payload.at(part)).any(|one| is_it(one, name, value))
    })
}

/// The one thing that was asked for: an object without a list in it.
fn one_thing(payload: &Payload) -> Option<&Value> {
    let parts = ["/structuredContent", "/content/0/text"];
    let one = parts.iter().find_map(|part| payload.at(part).filter(|value| value.is_object()))?;
    let is_plain = one.as_object()?.values().all(|member| !member.is_array());
    is_plain.then_some(one)
}

/// Whether an item has just this value under the argument's name.
fn is_it(item: &Value, name: &str, value: &str) -> bool {
    let wanted = words(name);
    item.as_object().is_some_and(|members| {
        members.iter().any(|(key, member)| {
            member == value && (wanted.ends_with(&words(key)) || words(key).ends_with(&wanted))
        })
    })
}
