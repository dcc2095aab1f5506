//! A write that reports the request, and not what was stored.

use serde_json::{Map, Number, Value};

mod doc;

use super::Check;
use super::announced::Announcement;
use super::effects::{reads, writes};
use super::kinds;
use super::reading::{Exchange, Reading};
use crate::names::{has_word, normalise};
use crate::payload::Payload;
use crate::report::shorten;
use crate::schema::join;
use crate::{Doc, Finding, Severity};
use doc::DOC;

/// How deep in an answer objects are looked for.
const DEPTH: usize = 5;
/// Names of members by which a thing is known.
const IDS: &[&str] = &["id", "uuid", "_id", "key"];
/// Words of members that may well change by themselves once a thing is stored.
const CHANGING: &[&str] = &[
    "count", "date", "etag", "modified", "progress", "rev", "state", "status", "time", "updated", "version",
    "views",
];
const SHOWN_CHARS: usize = 60;

/// See [`DOC`].
pub(super) struct EchoNotStored;

impl Check for EchoNotStored {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        let is_write = |one: &&Exchange<'_>| {
            one.success().is_some() && writes(one.call.name, one.tool) && !reads(one.call.name, one.tool)
        };
        findings
            .extend(reading.exchanges.iter().filter(is_write).filter_map(|write| look_at(write, reading)));
    }
}

fn look_at(write: &Exchange<'_>, reading: &Reading<'_>) -> Option<Finding> {
    let (payload, _) = write.success()?;
    let sent = write.call.arguments.filter(|sent| !sent.is_empty())?;
    if Announcement::of(payload).tells() {
        return None;
    }
    // What is read after the next write may be of the next write.
    let later = reading.exchanges.get(write.call.index + 1..)?;
    let reads = later.iter().take_while(|one| reads(one.call.name, one.tool));
    reads.filter_map(|read| Some((read, read.success()?.0))).find_map(|(read, stored)| {
        objects_of(stored).iter().find_map(|row| {
            let by = known_by(row, payload, sent)?;
            // Things of two kinds may have the same id.
            if !kinds::may_be_same(write, read) && !is_answered_alike(row, payload, by) {
                return None;
            }
            let (name, was, is) = sent.iter().find_map(|(name, value)| differs(name, value, row, by))?;
            let at = reported(payload, name, was)?;
            Some(finding(write, read, (payload, &at), (name, was, is), reading.server()))
        })
    })
}

/// The objects of an answer, at any depth.
fn objects_of(payload: &Payload) -> Vec<&Map<String, Value>> {
    fn collect<'v>(value: &'v Value, depth: usize, found: &mut Vec<&'v Map<String, Value>>) {
        match value {
            Value::Object(members) => {
                found.push(members);
                if depth > 0 {
                    members.values().for_each(|member| collect(member, depth - 1, found));
                }
            }
            Value::Array(items) if depth > 0 => items.iter().for_each(|item| collect(item, depth - 1, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    for part in ["/structuredContent", "/content"] {
        if let Some(value) = payload.at(part) {
            collect(value, DEPTH, &mut found);
        }
    }
    found
}

/// The member by which a row is the one that was written: its id as the write answered it, or a text that was clearly
/// made up for it.
fn known_by<'v>(
    row: &'v Map<String, Value>,
    written: &Payload,
    sent: &Map<String, Value>,
) -> Option<&'v str> {
    let is_scalar = |value: &Value| value.is_string() || value.is_number();
    let by_id = IDS.iter().find_map(|id| {
        let (name, value) = row.get_key_value(*id).filter(|(_, value)| is_scalar(value))?;
        let is_answered = objects_of(written).iter().any(|object| object.get(*id) == Some(value));
        is_answered.then_some(name.as_str())
    });
    by_id.or_else(|| {
        let is_mark = |(_, value): &(&String, &Value)| {
            value.as_str().is_some_and(|text| is_made_up(text) && sent.values().any(|sent| sent == *value))
        };
        row.iter().find(is_mark).map(|(name, _)| name.as_str())
    })
}

/// Whether the write answered with an object of the same members, known by the same: an `expense` that a list of
/// transactions has too.
fn is_answered_alike(row: &Map<String, Value>, written: &Payload, by: &str) -> bool {
    const FEWEST: usize = 3;
    let is_alike = |object: &&Map<String, Value>| {
        object.get(by) == row.get(by)
            && object.len() == row.len()
            && object.keys().all(|name| row.contains_key(name))
    };
    row.len() >= FEWEST && objects_of(written).iter().any(is_alike)
}

fn is_made_up(text: &str) -> bool {
    const SHORTEST: usize = 8;
    text.len() >= SHORTEST
        && text.contains(|c: char| c.is_ascii_digit())
        && text.contains(char::is_alphabetic)
}

/// The member of a row that should be an argument, and is something else.
fn differs<'v>(
    name: &'v str,
    sent: &'v Value,
    row: &'v Map<String, Value>,
    by: &str,
) -> Option<(&'v str, &'v Value, &'v Value)> {
    let is_changing = has_word(name, CHANGING);
    let wanted = normalise(name);
    let (_, stored) = row.iter().find(|(member, _)| *member != by && normalise(member) == wanted)?;
    let comparable = (sent.is_number() && stored.is_number()) || (sent.is_string() && stored.is_string());
    (!is_changing && comparable && !is_alike(sent, stored)).then_some((name, sent, stored))
}

/// Whether two values are the same but for how they are written.
fn is_alike(one: &Value, other: &Value) -> bool {
    const NEAR: f64 = 1e-9;
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            let [one, other] = [one, other].map(|number| Number::as_f64(number).unwrap_or(f64::NAN));
            (one - other).abs() <= NEAR * one.abs().max(1.0)
        }
        (Value::String(one), Value::String(other)) => {
            let plain = |text: &str| text.trim().to_lowercase();
            plain(one) == plain(other)
        }
        _ => one == other,
    }
}

/// Where the answer of the write says that the value is as it was sent: a member of that name, or a sentence.
fn reported(payload: &Payload, name: &str, sent: &Value) -> Option<String> {
    fn find(value: &Value, at: &str, depth: usize, is_it: &dyn Fn(&str, &Value) -> bool) -> Option<String> {
        match value {
            Value::Object(members) => members.iter().find_map(|(name, member)| {
                let here = join(at, name);
                if is_it(name, member) {
                    Some(here)
                } else {
                    find(member, &here, depth.checked_sub(1)?, is_it)
                }
            }),
            Value::Array(items) => items
                .iter()
                .enumerate()
                .find_map(|(index, item)| find(item, &join(at, index), depth.checked_sub(1)?, is_it)),
            _ => None,
        }
    }
    let wanted = normalise(name);
    let shown = sent.as_str().map_or_else(|| sent.to_string(), str::to_owned);
    let is_member = |member: &str, value: &Value| normalise(member) == wanted && is_alike(value, sent);
    let is_sentence = |member: &str, value: &Value| {
        let text = value.as_str().filter(|text| member == "text" && text.contains(' '));
        text.is_some_and(|text| {
            let mut words = text
                .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')' | '"' | '`' | '$'));
            words.any(|word| word.trim_end_matches(['.', ':']) == shown)
        })
    };
    let parts = ["/structuredContent", "/content"];
    let within = |is_it: &dyn Fn(&str, &Value) -> bool| {
        parts.into_iter().find_map(|part| find(payload.at(part)?, part, DEPTH, is_it))
    };
    within(&is_member).or_else(|| within(&is_sentence))
}

fn finding(
    write: &Exchange<'_>,
    read: &Exchange<'_>,
    (payload, at): (&Payload, &str),
    (name, was, is): (&str, &Value, &Value),
    server: &str,
) -> Finding {
    let short = |value: &Value| shorten(&value.to_string(), SHOWN_CHARS);
    let tool = write.call.name;
    let finding = Finding::proven(&DOC, Severity::Error, server, tool, payload.shown(at)).saying(
        format!(
            "the answer says `{name}: {}`, and `{}` then shows {}",
            short(was),
            read.call.name,
            short(is)
        ),
        "it was stored as it was sent",
        format!("answer with what was stored, read back, or say what became of `{name}`"),
    );
    let evidence = payload.at(at).map(ToString::to_string).unwrap_or_default();
    let finding =
        Finding { mutation: name.to_owned(), ..finding.with_evidence(shorten(&evidence, SHOWN_CHARS)) };
    write.finding(finding, &[read])
}
