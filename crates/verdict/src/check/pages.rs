//! Answers of one tool that are pages of the same list, and how they compare.

use std::collections::{BTreeMap, BTreeSet};

use frankly_contract::ToolDef;
use serde_json::{Map, Value};

use super::admission::{Arguments, Claim};
use super::reading::{Exchange, Reading};
use crate::Finding;
use crate::paging::{self, Limit, stated_limit};
use crate::payload::{Growth, Payload, Shape, Statement, growth};
use crate::transcript::Call;

/// So many longer pages are compared with one.
const MOST: usize = 64;

/// A successful call, read as a page.
pub(super) struct Page<'a> {
    pub exchange: &'a Exchange<'a>,
    pub call: &'a Call<'a>,
    pub response: usize,
    pub payload: &'a Payload,
    pub tool: Option<&'a ToolDef>,
    /// The limit that the caller stated: where it stands in the arguments, and its value.
    pub stated: Option<(String, u64)>,
}

/// How a page compares with a longer one.
pub(super) struct Comparison<'p, 'a> {
    pub growth: Growth,
    pub longer: &'p Page<'a>,
    /// The first call again, after the longer one.
    pub again: Option<&'p Page<'a>>,
    /// Whether both answers to the first call hold the same items, and the longer page holds them too, in order.
    pub holds: bool,
    /// Whether the limit is one beyond doubt, and the longer page obeys it.
    pub certain: bool,
}

/// The successful calls, grouped into pages of the same list: same tool, same arguments but for the limit.
pub(super) fn pages<'a>(reading: &'a Reading<'a>) -> Vec<Vec<Page<'a>>> {
    let mut groups: BTreeMap<(&str, String), Vec<Page<'a>>> = BTreeMap::new();
    for exchange in &reading.exchanges {
        let Some((payload, response)) = exchange.success() else { continue };
        let (call, tool) = (&exchange.call, exchange.tool);
        let stated = call.arguments.and_then(|arguments| stated_limit(exchange.limit.as_deref(), arguments));
        let at = stated.as_ref().map(|(at, _)| at.as_str());
        let others = call.arguments.map(|arguments| without_empty(arguments, at)).unwrap_or_default();
        let page = Page { exchange, call, response, payload, tool, stated };
        groups.entry((call.name, Value::Object(others).to_string())).or_default().push(page);
    }
    groups.into_values().collect()
}

/// The arguments without the limit, and without objects that only held it.
fn without_empty(arguments: &Map<String, Value>, limit: Option<&str>) -> Map<String, Value> {
    let limit = limit.and_then(|at| at.get(1..)).map(|at| at.split_at(at.find('/').unwrap_or(at.len())));
    let members = arguments.iter().filter_map(|(name, value)| {
        let below = limit.filter(|(first, _)| first == name).map(|(_, below)| below);
        match value {
            _ if below == Some("") => None,
            Value::Object(members) => {
                let members = without_empty(members, below);
                (!members.is_empty()).then(|| (name.clone(), Value::Object(members)))
            }
            value => Some((name.clone(), value.clone())),
        }
    });
    members.collect()
}

impl<'a> Page<'a> {
    pub fn limit(&self) -> Option<u64> {
        self.stated.as_ref().map(|(_, limit)| *limit)
    }

    /// Whether the limit that was stated bounds the number of items beyond doubt, by its name and its description.
    pub fn limit_is_certain(&self) -> bool {
        let Some((at, _)) = &self.stated else { return false };
        let listed = self.listed_limit().filter(|limit| limit.pointer == *at);
        listed.map_or_else(|| paging::is_certain(at.rsplit('/').next().unwrap_or(at)), |limit| limit.certain)
    }

    /// The limit that the definition has.
    pub fn listed_limit(&self) -> Option<&'a Limit> {
        self.exchange.limit.as_deref()
    }

    /// What the statements say about a list of so many items.
    pub fn claims<'s>(
        &self,
        statements: &'s [Statement<'s>],
        items: usize,
    ) -> Vec<(&'s Statement<'s>, Claim)> {
        let arguments = Arguments::of(self.call.arguments);
        statements.iter().map(|said| (said, said.claim(items as u64, &arguments))).collect()
    }

    /// Whether another page was asked for with a larger limit.
    pub fn is_asked_less_than(&self, other: &Page<'_>) -> bool {
        match (self.limit(), other.limit()) {
            (Some(mine), Some(theirs)) => theirs > mine,
            (None, Some(_)) => true,
            (_, None) => false,
        }
    }

    /// Compares with the first later page that was asked for with a larger limit and is longer. `None` where there
    /// is none, or where this page, asked for again, had another length: then the data moved.
    pub fn compare<'p>(&self, later: &'p [Page<'a>]) -> Option<Comparison<'p, 'a>> {
        let (growth, longer) = later
            .iter()
            .filter(|other| self.is_asked_less_than(other))
            .take(MOST)
            .find_map(|other| Some((growth(self.payload, other.payload)?, other)))?;
        let again =
            later.iter().find(|other| other.limit() == self.limit() && other.response > longer.response);
        let (mut holds, mut certain) = (true, true);
        if !matches!(growth.shape, Shape::Lines { .. }) {
            let short = self.items(&growth.pointer)?;
            let repeated = again.and_then(|again| again.items(&growth.pointer));
            if repeated.as_ref().is_some_and(|repeated| repeated.len() != short.len()) {
                return None;
            }
            let volatile = repeated.as_ref().map(|repeated| volatile(&short, repeated)).unwrap_or_default();
            holds = repeated.is_none_or(|repeated| contains(&repeated, &short, &volatile))
                && contains(&longer.items(&growth.pointer)?, &short, &volatile);
            certain = longer.limit().is_some_and(|limit| growth.long as u64 <= limit);
        } else if again.is_some_and(|again| {
            again
                .payload
                .at(&growth.pointer)
                .is_none_or(|text| !same_length(text, self.payload.at(&growth.pointer)))
        }) {
            return None;
        }
        certain &= longer.limit_is_certain();
        Some(Comparison { growth, longer, again, holds, certain })
    }

    /// A finding about this page, compared with others.
    pub fn finding(&self, finding: Finding, others: &[&Page<'_>], at: &str) -> Finding {
        const EVIDENCE_CHARS: usize = 160;
        let others: Vec<_> = others.iter().map(|page| page.exchange).collect();
        let evidence = self.payload.outline(at, EVIDENCE_CHARS);
        Finding { evidence, ..self.exchange.finding(finding, &others) }
    }

    fn items(&self, pointer: &str) -> Option<Vec<&Value>> {
        match self.payload.at(pointer)? {
            Value::Array(items) => Some(items.iter().collect()),
            Value::Object(members) => Some(members.values().collect()),
            _ => None,
        }
    }
}

fn same_length(a: &Value, b: Option<&Value>) -> bool {
    let lines = |value: &Value| value.as_str().map(|text| text.lines().count());
    lines(a) == b.and_then(lines)
}

/// Members that differ between two answers to the same call, such as the age of an item.
fn volatile<'v>(items: &[&'v Value], again: &[&'v Value]) -> BTreeSet<&'v str> {
    let mut volatile = BTreeSet::new();
    for (item, again) in items.iter().zip(again) {
        for (key, value) in item.as_object().into_iter().flatten() {
            if again.get(key) != Some(value) {
                volatile.insert(key.as_str());
            }
        }
    }
    // If everything differs, other items came.
    let keys: BTreeSet<&str> =
        items.iter().filter_map(|item| item.as_object()).flatten().map(|(key, _)| key.as_str()).collect();
    if volatile.len() == keys.len() { BTreeSet::new() } else { volatile }
}

/// Whether a list holds all of some items, in their order.
fn contains(list: &[&Value], items: &[&Value], volatile: &BTreeSet<&str>) -> bool {
    let mut rest = list.iter();
    items.iter().all(|item| rest.any(|other| is_same(item, other, volatile)))
}

fn is_same(a: &Value, b: &Value, volatile: &BTreeSet<&str>) -> bool {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) if !volatile.is_empty() => a
            .iter()
            .filter(|(key, _)| !volatile.contains(key.as_str()))
            .all(|(key, value)| b.get(key) == Some(value)),
        _ => a == b,
    }
}
