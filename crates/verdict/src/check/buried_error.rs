//! A failure under the flag of a success.

use std::collections::HashSet;

use serde_json::{Map, Value};

mod body;
mod doc;
mod handed_on;
mod phantom;
mod prose;
mod record;
mod shape;
mod status;
mod unlisted;

use super::Check;
use super::absence::Absences;
use super::reading::{Exchange, Reading};
use crate::payload::Payload;
use crate::report::shorten;
use crate::schema::join;
use crate::{Doc, Finding, Severity};
use body::error_body;
use doc::DOC;
use handed_on::{is_reader, may_hold_json};
use prose::{error_line, quotes};

/// Names of members that only wrap an answer.
const WRAPPERS: &[&str] = &["data", "output", "response", "result", "text"];
const SHOWN_CHARS: usize = 120;
const STRUCTURED: &str = "/structuredContent";

/// See [`DOC`].
pub(super) struct BuriedError;

impl Check for BuriedError {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        // A text that the client itself sent before may be stored, and what is stored is data.
        let absences = Absences::of(reading);
        let mut sent: HashSet<&str> = HashSet::new();
        for exchange in &reading.exchanges {
            let admitted = look_at(exchange, &sent, reading);
            let phantom = || phantom::look_at(exchange, &absences, reading.server());
            findings.extend(admitted.or_else(phantom).or_else(|| unlisted::look_at(exchange, reading)));
            sent.extend(exchange.call.arguments.into_iter().flat_map(Map::values).filter_map(Value::as_str));
        }
    }
}

/// Where a result says that it is an error, in which words, and whether that is beyond doubt.
struct Admission {
    at: String,
    words: String,
    certain: bool,
    /// It is a body of JSON in a block of text, such as a file may hold.
    is_text_body: bool,
}

/// Whether the words of an admission name what the caller asked for: a file that was read knows nothing of that.
fn speaks_of(payload: &Payload, found: &Admission, arguments: &[&Value]) -> bool {
    let around = found.at.rsplit_once('/').and_then(|(body, _)| payload.at(body)).and_then(Value::as_object);
    around.into_iter().flatten().any(|(_, value)| quotes(&value.to_string(), arguments))
}

fn look_at(exchange: &Exchange<'_>, sent: &HashSet<&str>, reading: &Reading<'_>) -> Option<Finding> {
    let (payload, _) = exchange.success()?;
    let arguments: Vec<&Value> = exchange.call.arguments.into_iter().flat_map(Map::values).collect();
    // An answer to what may not be asked can only be an error.
    let refusable =
        !exchange.mistakes().is_empty() || (reading.transcript.tools.is_some() && exchange.tool.is_none());
    let (server, tool) = (reading.server(), exchange.call.name);
    let hands_on = || !refusable && is_reader(tool) && may_hold_json(&arguments);
    let was_sent = |text: &str| sent.contains(text) || reading.sight.had_sent(text);
    let admission = admission(payload, tool, &arguments, &was_sent)
        .filter(|found| !found.is_text_body || !hands_on() || speaks_of(payload, found, &arguments))?;
    let proven = admission.certain || refusable;
    let finding = if proven {
        Finding::proven(&DOC, Severity::Error, server, tool, "/result")
    } else {
        Finding::suspected(&DOC, server, tool, "/result")
    };
    let flag = match payload.at("/isError") {
        Some(Value::Bool(_)) => "is flagged `isError: false`",
        Some(_) => "has an `isError` that is neither true nor false, and so no error to most",
        None => "has no `isError`, which makes it a success",
    };
    let finding = finding
        .saying(
            format!("the result {flag}, and what it says {} an error: {}", if proven { "is" } else { "reads like" }, admission.words),
            "the call worked, and this is its answer",
            "answer with `isError: true`, and say what happened, why, and what to do next; where it did work, say so \
             without the words of an error",
        )
        .with_evidence(payload.outline(&admission.at, SHOWN_CHARS));
    Some(exchange.finding(finding, &[]))
}

fn admission(
    payload: &Payload,
    tool: &str,
    arguments: &[&Value],
    sent: &dyn Fn(&str) -> bool,
) -> Option<Admission> {
    let blocks = payload.at("/content").and_then(Value::as_array).map_or(0, Vec::len);
    // Several blocks are several things, of which one may have failed.
    let parts = (blocks == 1).then(|| "/content/0/text".to_owned());
    let parts = std::iter::once(STRUCTURED.to_owned()).chain(parts);
    parts.into_iter().find_map(|part| {
        let (at, value) = unwrapped(payload.at(&part)?, part.clone());
        // What stands in a list is a row, unless it speaks of the tool itself.
        let in_list = payload.at(&part).is_some_and(Value::is_array);
        match value {
            Value::Object(members) => {
                let found = error_body(members, tool, arguments)?;
                let shown = members.get(&found.member).map(ToString::to_string).unwrap_or_default();
                let words = format!("`{}: {}`", found.member, shorten(&shown, SHOWN_CHARS));
                let is_text_body = part != STRUCTURED;
                Some(Admission { at: join(&at, &found.member), words, certain: found.certain, is_text_body })
            }
            Value::String(text) if !sent(text) => {
                let line = error_line(text, tool, arguments)
                    .filter(|line| !in_list || (!tool.is_empty() && line.contains(tool)))?;
                let words = format!("{:?}", shorten(line, SHOWN_CHARS));
                Some(Admission { at, words, certain: false, is_text_body: false })
            }
            _ => None,
        }
    })
}

/// The answer inside lists of one and members that only wrap it, with its pointer.
fn unwrapped(value: &Value, at: String) -> (String, &Value) {
    const DEPTH: usize = 4;
    let (mut at, mut value) = (at, value);
    for _ in 0..DEPTH {
        let inner = match value {
            Value::Array(items) if items.len() == 1 => Some((join(&at, 0), &items[0])),
            Value::Object(members) if members.len() == 1 => members
                .iter()
                .find(|(name, _)| WRAPPERS.contains(&name.as_str()))
                .map(|(name, inner)| (join(&at, name), inner)),
            _ => None,
        };
        match inner {
            Some(inner) => (at, value) = inner,
            None => break,
        }
    }
    (at, value)
}
