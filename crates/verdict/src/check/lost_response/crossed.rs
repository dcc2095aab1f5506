//! Answers of calls that were under way at the same time, each to the other's request.

use std::collections::HashSet;

use serde_json::Value;

use super::{DOC, shorten};
use crate::check::reading::{Exchange, Reading};
use crate::payload::Payload;
use crate::schema::join;
use crate::{Finding, Severity};

/// Shorter texts stand in many answers by chance.
const SHORTEST: usize = 4;
/// So many calls under way at once are compared with one.
const MOST: usize = 64;
/// How deep in arguments and answers texts are read.
const DEPTH: usize = 5;

/// Calls whose answers hold the texts of another call's arguments, and not their own.
pub(super) fn look_at(reading: &Reading<'_>) -> Vec<Finding> {
    let answered: Vec<Answered<'_, '_>> = reading.exchanges.iter().filter_map(Answered::of).collect();
    let mut found = Vec::new();
    let mut told = HashSet::new();
    // In the order of their requests: those that were sent before and are still under way.
    let mut open: Vec<&Answered<'_, '_>> = Vec::new();
    for (at, one) in answered.iter().enumerate() {
        open.retain(|other| other.response >= one.exchange.call.request);
        let later = answered[at..].iter().take_while(|other| other.exchange.call.request < one.response);
        let may = open.iter().copied().chain(later.take(2 * MOST));
        let at_once: Vec<_> = may.filter(|other| other.overlaps(one)).take(MOST).collect();
        open.push(one);
        // Most calls are alone.
        if at_once.is_empty() || told.contains(&one.response) {
            continue;
        }
        let hit = at_once.iter().find_map(|other| Some((other, one.holds_that_of(other, &at_once)?)));
        if let Some((other, at)) = hit {
            told.extend([one.response, other.response]);
            let finding = finding(one, other, &at, reading.server());
            let is_proven = other.is_repeated_at(&at, one.payload);
            found.push(if is_proven { finding } else { finding.suspicion() });
        }
    }
    found
}

/// A call that succeeded, with the texts in its arguments and in its answer.
struct Answered<'r, 'a> {
    exchange: &'r Exchange<'a>,
    payload: &'r Payload,
    response: usize,
    sent: HashSet<&'a str>,
}

impl<'r, 'a> Answered<'r, 'a> {
    fn of(exchange: &'r Exchange<'a>) -> Option<Self> {
        let (payload, response) = exchange.success()?;
        let mut sent = HashSet::new();
        exchange.call.arguments.into_iter().flatten().for_each(|(_, value)| texts(value, DEPTH, &mut sent));
        Some(Self { exchange, payload, response, sent })
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.response != other.response
            && self.exchange.call.request < other.response
            && other.exchange.call.request < self.response
    }

    /// Where in this answer a text of the other call stands, if this call's own texts stand nowhere in it and the other's
    /// answer shows that answers repeat what was sent.
    fn holds_that_of(&self, other: &Self, at_once: &[&Self]) -> Option<String> {
        let (mine, theirs) = (self.marks(other), other.marks(self));
        if mine.is_empty() || theirs.is_empty() || self.holds_any(&mine).is_some() {
            return None;
        }
        let at = self.holds_any(&theirs)?;
        let is_swapped = other.holds_any(&mine).is_some() && other.holds_any(&theirs).is_none();
        let repeats = |one: &&&Self| {
            let marks = one.marks(self);
            one.exchange.call.name == self.exchange.call.name && one.holds_any(&marks).is_some()
        };
        let is_repeated = || at_once.iter().filter(repeats).count() > 1;
        (is_swapped || is_repeated()).then_some(at)
    }

    /// Whether what stands there can only be what this call sent: the whole answer, a member of the very name under which
    /// it was sent, or a mark that nobody would write. Under another name it may be an answer: a spouse has one too.
    fn is_repeated_at(&self, at: &str, payload: &Payload) -> bool {
        let name = at.rsplit('/').next().unwrap_or_default();
        let is_whole = at.starts_with("/content/") && at.matches('/').count() <= 3;
        let text = payload.at(at).and_then(Value::as_str).unwrap_or_default();
        let is_sent_so = self.exchange.call.arguments.is_some_and(|sent| sent.contains_key(name));
        // A sentence may hold it, in quotes too.
        let is_marked = |sent: &&&str| text.contains(**sent) && sent.split_whitespace().any(is_made_up);
        is_whole || is_sent_so || self.sent.iter().any(|sent| is_marked(&sent)) || self.sent.is_empty()
    }

    /// What is this call's own beside another: its texts, else the tool's name.
    fn marks(&self, other: &Self) -> Vec<Mark<'a>> {
        let texts: Vec<_> = self.sent.difference(&other.sent).map(|text| Mark::Text(text)).collect();
        let (name, theirs) = (self.exchange.call.name, other.exchange.call.name);
        if texts.is_empty() && name != theirs { vec![Mark::Name(name)] } else { texts }
    }

    /// Where one of these marks stands in the answer.
    fn holds_any(&self, marks: &[Mark<'_>]) -> Option<String> {
        let parts = ["/structuredContent", "/content"];
        parts.into_iter().find_map(|part| find(self.payload.at(part)?, part, DEPTH, marks))
    }
}

/// What tells a call from others.
enum Mark<'a> {
    /// A text in its arguments. It has to stand alone, since one document may speak of another, unless it was clearly made
    /// to be recognised.
    Text(&'a str),
    /// The name of its tool, which has to stand alone.
    Name(&'a str),
}

/// Whether a text is a mark that nobody would write: letters and digits, and no path or sentence.
fn is_made_up(text: &str) -> bool {
    const SHORTEST_MARK: usize = 8;
    text.len() >= SHORTEST_MARK
        && text.contains(|c: char| c.is_ascii_digit())
        && text.contains(char::is_alphabetic)
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
}

fn texts<'v>(value: &'v Value, depth: usize, found: &mut HashSet<&'v str>) {
    match value {
        Value::String(text) if text.len() >= SHORTEST => {
            found.insert(text);
        }
        Value::Array(items) if depth > 0 => items.iter().for_each(|item| texts(item, depth - 1, found)),
        Value::Object(members) if depth > 0 => {
            members.values().for_each(|member| texts(member, depth - 1, found));
        }
        _ => {}
    }
}

fn find(value: &Value, at: &str, depth: usize, marks: &[Mark<'_>]) -> Option<String> {
    match value {
        Value::String(text) => {
            let is_here = |mark: &Mark<'_>| match mark {
                Mark::Text(mark) => text == mark || (is_made_up(mark) && text.contains(mark)),
                Mark::Name(name) => text == name,
            };
            marks.iter().any(is_here).then(|| at.to_owned())
        }
        Value::Array(items) if depth > 0 => {
            items.iter().enumerate().find_map(|(index, item)| find(item, &join(at, index), depth - 1, marks))
        }
        Value::Object(members) if depth > 0 => {
            members.iter().find_map(|(name, member)| find(member, &join(at, name), depth - 1, marks))
        }
        _ => None,
    }
}

fn finding(one: &Answered<'_, '_>, other: &Answered<'_, '_>, at: &str, server: &str) -> Finding {
    const CHARS: usize = 80;
    let name = one.exchange.call.name;
    let value = one.payload.at(at).map(ToString::to_string).unwrap_or_default();
    let finding = Finding::proven(&DOC, Severity::Error, server, name, one.payload.shown(at)).saying(
        "two calls were under way at once, and this answer holds what the other one sent and nothing of its own",
        "this is the answer to the call that has its id",
        "keep each call's own arguments and id together, and share nothing between calls that run at once",
    );
    one.exchange.finding(finding.with_evidence(shorten(&value, CHARS)), &[other.exchange])
}
