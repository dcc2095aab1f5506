//! What lies outside of where a tool works, or belongs to somebody else.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

mod doc;
mod paths;
mod sessions;

use super::Check;
use super::reading::Reading;
use crate::payload::Payload;
use crate::report::shorten;
use crate::schema::join;
use crate::{Doc, Finding, Severity};
use doc::DOC;

/// How deep in arguments and answers texts are read.
const DEPTH: usize = 6;
/// Shorter texts are no marks.
const SHORTEST: usize = 8;

/// See [`DOC`].
pub(super) struct ScopeEscape;

impl Check for ScopeEscape {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        let mut found = paths::look_at(reading);
        found.extend(others_data(reading));
        found.extend(sessions::look_at(reading));
        found.sort_by_key(|finding| (finding.severity != Severity::Error, finding.frames.first().copied()));
        findings.extend(found);
    }
}

/// Marks that were sent for one and came back to another, who never sent them.
fn others_data(reading: &Reading<'_>) -> Vec<Finding> {
    let context = |frame: usize| reading.transcript.frames.get(frame).and_then(|frame| frame.context());
    // By the mark: the call that first sent it, and everybody who sent it.
    let mut marks = Marks::default();
    let mut found = Vec::new();
    for (position, exchange) in reading.exchanges.iter().enumerate() {
        let Some(whose) = context(exchange.call.request) else { continue };
        for mark in exchange.call.arguments.into_iter().flat_map(Map::values).flat_map(made_up) {
            marks.add(mark, position, whose);
        }
        let Some((payload, _)) = exchange.success() else { continue };
        let strange = marks.within(payload).into_iter().filter_map(|mark| {
            let (writer, senders) = marks.sent.get(mark)?;
            let may_have = || reading.sight.had_sent_for(mark, whose);
            let never = senders.iter().all(|sender| *sender != whose) && !may_have();
            never.then_some((*writer, mark, *senders.first()?))
        });
        let hit = strange
            .filter_map(|(writer, mark, owner)| Some((writer, mark, owner, place_of(payload, mark)?)))
            .min_by_key(|(writer, ..)| *writer);
        if let Some((writer, mark, owner, at)) = hit {
            let writer = &reading.exchanges[writer];
            let what = format!(
                "{mark:?} was sent to `{}` for {}, and came back to {}, who never sent it",
                writer.call.name,
                shown(owner),
                shown(whose)
            );
            let tool = exchange.call.name;
            let finding = Finding::proven(&DOC, Severity::Error, reading.server(), tool, payload.shown(&at)).saying(
                what,
                "this belongs to whoever asked",
                "filter by the identity of the caller in every query and cache, and keep no state between callers",
            );
            found.push(exchange.finding(finding.with_evidence(mark), &[writer]));
        }
    }
    found
}

/// Marks that were sent.
#[derive(Default)]
struct Marks<'a> {
    /// By the mark: the position of the call that first sent it, and everybody who sent it.
    sent: HashMap<&'a str, (usize, Vec<&'a Value>)>,
    /// By how they begin.
    beginning: HashMap<&'a [u8], Vec<&'a str>>,
}

impl<'a> Marks<'a> {
    fn add(&mut self, mark: &'a str, position: usize, whose: &'a Value) {
        let is_new = !self.sent.contains_key(mark);
        let (_, senders) = self.sent.entry(mark).or_insert_with(|| (position, Vec::new()));
        if !senders.contains(&whose) {
            senders.push(whose);
        }
        if let Some(begin) = mark.as_bytes().get(..SHORTEST).filter(|_| is_new) {
            self.beginning.entry(begin).or_default().push(mark);
        }
    }

    /// Those that stand in an answer.
    fn within(&self, payload: &Payload) -> HashSet<&'a str> {
        let mut found = HashSet::new();
        if self.beginning.is_empty() {
            return found;
        }
        let parts = ["/structuredContent", "/content"].into_iter().filter_map(|part| payload.at(part));
        let mut left: Vec<(&Value, usize)> = parts.map(|part| (part, DEPTH)).collect();
        while let Some((value, depth)) = left.pop() {
            match value {
                Value::String(text) => {
                    for (at, begin) in text.as_bytes().windows(SHORTEST).enumerate() {
                        let may = self.beginning.get(begin).into_iter().flatten();
                        found.extend(may.filter(|mark| text.as_bytes()[at..].starts_with(mark.as_bytes())));
                    }
                }
                Value::Array(items) if depth > 0 => left.extend(items.iter().map(|item| (item, depth - 1))),
                Value::Object(members) if depth > 0 => {
                    left.extend(members.values().map(|member| (member, depth - 1)));
                }
                _ => {}
            }
        }
        found
    }
}

fn shown(context: &Value) -> String {
    const CHARS: usize = 60;
    format!("`{}`", shorten(&context.to_string(), CHARS))
}

/// Texts that nobody would come upon twice: letters and digits, and no sentence.
pub(super) fn made_up(value: &Value) -> Vec<&str> {
    let is_made_up = |text: &str| {
        text.len() >= SHORTEST
            && text.contains(|c: char| c.is_ascii_digit())
            && text.contains(char::is_alphabetic)
            && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
            && !is_of_words(text)
    };
    let mut found = Vec::new();
    let mut left = vec![(value, DEPTH)];
    while let Some((value, depth)) = left.pop() {
        match value {
            Value::String(text) => found.extend(text.split_whitespace().filter(|word| is_made_up(word))),
            Value::Array(items) if depth > 0 => left.extend(items.iter().map(|item| (item, depth - 1))),
            Value::Object(members) if depth > 0 => {
                left.extend(members.values().map(|member| (member, depth - 1)));
            }
            _ => {}
        }
    }
    found
}

/// Whether a text is made of words and short numbers, as names of places and versions are: `us-east-1`, `room-12`.
fn is_of_words(text: &str) -> bool {
    const LONGEST_NUMBER: usize = 4;
    let is_plain = |part: &str| {
        let is_number = part.chars().all(|c| c.is_ascii_digit());
        (is_number && part.len() <= LONGEST_NUMBER) || part.chars().all(char::is_alphabetic)
    };
    text.split(['-', '_']).all(is_plain)
}

/// Where in an answer a text stands.
fn place_of(payload: &Payload, text: &str) -> Option<String> {
    fn find(value: &Value, at: &str, depth: usize, wanted: &str) -> Option<String> {
        match value {
            Value::String(text) => text.contains(wanted).then(|| at.to_owned()),
            Value::Array(items) if depth > 0 => items
                .iter()
                .enumerate()
                .find_map(|(index, item)| find(item, &join(at, index), depth - 1, wanted)),
            Value::Object(members) if depth > 0 => {
                members.iter().find_map(|(name, member)| find(member, &join(at, name), depth - 1, wanted))
            }
            _ => None,
        }
    }
    let parts = ["/structuredContent", "/content"];
    parts.into_iter().find_map(|part| find(payload.at(part)?, part, DEPTH, text))
}
