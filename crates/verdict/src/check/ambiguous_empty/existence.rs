//! Why a value cannot be one of those that exist.

use serde_json::Value;

use crate::check::admission::Claim;
use crate::check::mistakes::{Kind, mistakes};
use crate::check::reading::{Exchange, Reading};
use crate::names::words;
use crate::nonsense::is_nonsense;
use crate::payload::Payload;

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
        }
    }

    /// The answer that shows it.
    pub fn shown_by(&self) -> Option<&'r Exchange<'a>> {
        match self {
            Self::Unlisted(other) => Some(other),
            _ => None,
        }
    }
}

/// Why this value of an argument does not exist, beside one that does; `None` where it may.
pub(super) fn doubt<'r, 'a>(
    exchange: &Exchange<'a>,
    name: &str,
    value: &str,
    good: Option<&str>,
    reading: &'r Reading<'a>,
) -> Option<Doubt<'r, 'a>> {
    let wrong = exchange.tool.map(|tool| mistakes(tool, exchange.call.arguments)).unwrap_or_default();
    if wrong.iter().any(|mistake| mistake.name == name && mistake.kind == Kind::Enum) {
        return Some(Doubt::OutsideEnum);
    }
    if is_nonsense(value) {
        return Some(Doubt::Nonsense);
    }
    let good = good.filter(|good| *good != value)?;
    if good.to_lowercase() == value.to_lowercase() {
        return Some(Doubt::OtherCase);
    }
    let mut others = reading.exchanges.iter().filter(|other| other.call.name != exchange.call.name);
    others.find(|other| lists_only(other, good, value)).map(Doubt::Unlisted)
}

/// Whether a whole list has one value among its items, and not another.
fn lists_only(exchange: &Exchange<'_>, good: &str, bad: &str) -> bool {
    let Some((payload, _)) = exchange.success() else { return false };
    let Some(list) = payload.list() else { return false };
    let items = payload.at(&list.pointer).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    is_whole(payload, &list.pointer, items.len()) && holds(items, good) && !holds(items, bad)
}

fn is_whole(payload: &Payload, list: &str, items: usize) -> bool {
    let arguments = Default::default();
    !payload.around(list).iter().any(|said| said.claim(items as u64, &arguments) == Claim::More)
}

fn holds(items: &[Value], value: &str) -> bool {
    items.iter().any(|item| match item {
        Value::String(text) => text == value,
        Value::Object(members) => members.values().any(|member| member == value),
        _ => false,
    })
}

/// How many items there are when each has just the value that was asked for, under the argument's name; one alone may
/// have it by chance, or be the only one there can be.
pub(super) fn filters_by_equality(exchange: &Exchange<'_>, name: &str, value: &str) -> Option<usize> {
    let (payload, _) = exchange.success()?;
    let list = payload.list().filter(|list| list.len > 1)?;
    let items = payload.at(&list.pointer)?.as_array()?;
    let wanted = words(name);
    let has_it = |item: &Value| {
        item.as_object().is_some_and(|members| {
            members.iter().any(|(key, member)| {
                member == value && (wanted.ends_with(&words(key)) || words(key).ends_with(&wanted))
            })
        })
    };
    items.iter().all(has_it).then_some(items.len())
}
