//! An answer most of which tells the reader nothing.

mod binary;
mod doc;

use std::collections::HashSet;

use serde_json::Value;

use super::Check;
use super::reading::{Exchange, Reading};
use crate::names::has_word;
use crate::payload::{Payload, written_bytes};
use crate::report::{counted, grouped};
use crate::schema::join;
use crate::{Doc, Finding};
use binary::binary_kind;
use doc::DOC;

/// A text of so many lines or more is a document of its own.
const DOCUMENT_LINES: usize = 12;
/// Shorter values are no burden, however often they come.
const LONG: usize = 200;
/// How much of an answer, in percent, makes what it is.
const MOST: usize = 80;
const HALF: usize = 50;
/// Names under which an answer stands, and not a text that somebody stored.
const ANSWERS: &[&str] =
    &["data", "items", "json", "output", "payload", "records", "response", "result", "results", "rows"];

/// What is too much, and what would be enough.
struct Bloat {
    at: String,
    what: String,
    reads_as: &'static str,
    next: &'static str,
}

/// See [`DOC`].
pub(super) struct BloatedResult;

impl Check for BloatedResult {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        for exchange in &reading.exchanges {
            findings.extend(look_at(exchange, reading.server()));
        }
    }
}

fn look_at(exchange: &Exchange<'_>, server: &str) -> Option<Finding> {
    const SHOWN_CHARS: usize = 120;
    let (payload, _) = exchange.success()?;
    let looks = [binary, escaped_text, double_encoded, repeated_members, repeated_blocks];
    let bloat = looks.iter().find_map(|look| look(payload))?;
    let finding = Finding::suspected(&DOC, server, exchange.call.name, payload.shown(&bloat.at));
    let finding = finding.saying(bloat.what, bloat.reads_as, bloat.next).with_evidence(
        payload
            .at(&bloat.at)
            .map(|value| crate::report::shorten(&value.to_string(), SHOWN_CHARS))
            .unwrap_or_default(),
    );
    Some(exchange.finding(finding, &[]))
}

fn blocks(payload: &Payload) -> impl Iterator<Item = (String, &Value)> {
    let blocks = payload.at("/content").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    blocks.iter().enumerate().map(|(index, block)| (format!("/content/{index}"), block))
}

/// Bytes of a picture or an archive, written as letters into a text.
fn binary(payload: &Payload) -> Option<Bloat> {
    blocks(payload).find_map(|(at, block)| {
        let mime = block.pointer("/resource/mimeType").and_then(Value::as_str);
        let (at, text, mime) = match block.pointer("/resource/text") {
            Some(text) => (at + "/resource/text", text, mime),
            None => (at + "/text", block.get("text")?, None),
        };
        let (at, kind, bytes) = find_binary(text, &at, mime, 3)?;
        Some(Bloat {
            at,
            what: format!("{} bytes of {kind} stand in a text", grouped(bytes as u64)),
            reads_as: "text to be read, and paid for letter by letter",
            next: "put it into an `image`, `audio` or `blob` of the content, or give a link and a line that says what it is",
        })
    })
}

fn find_binary(value: &Value, at: &str, mime: Option<&str>, depth: usize) -> Option<(String, String, usize)> {
    match value {
        Value::String(text) => binary_kind(text, mime).map(|kind| (at.to_owned(), kind, text.len())),
        Value::Array(items) if depth > 0 => {
            const FIRST: usize = 3;
            items
                .iter()
                .take(FIRST)
                .enumerate()
                .find_map(|(index, item)| find_binary(item, &join(at, index), None, depth - 1))
        }
        Value::Object(members) if depth > 0 => {
            members.iter().find_map(|(name, member)| find_binary(member, &join(at, name), None, depth - 1))
        }
        _ => None,
    }
}

/// A document of many lines inside a JSON string, where it is nearly all there is.
fn escaped_text(payload: &Payload) -> Option<Bloat> {
    blocks(payload).find_map(|(at, block)| {
        // The protocol recommends a text copy of structured content.
        let is_copy = |part: &&Value| payload.at("/structuredContent") == Some(*part);
        let part = block.get("text").filter(|part| (part.is_object() || part.is_array()) && !is_copy(part))?;
        let (inner, text) = longest_text(part, 4)?;
        let lines = text.lines().take(DOCUMENT_LINES).count();
        let is_key = text.starts_with("-----BEGIN ");
        if lines < DOCUMENT_LINES || is_key || text.len() * 100 < written_bytes(part) * MOST {
            return None;
        }
        let lines = text.lines().count();
        Some(Bloat {
            at: at + "/text" + &inner,
            what: format!("a text of {} is escaped into a JSON string", counted(lines, "line")),
            reads_as: "one long line full of \\n and \\\"",
            next: "answer with the text as it is, in a text block of its own, and with the facts about it in another",
        })
    })
}

/// The longest text in a value, with how it is got to.
fn longest_text(value: &Value, depth: usize) -> Option<(String, &str)> {
    match value {
        Value::String(text) => Some((String::new(), text.as_str())),
        Value::Array(items) if depth > 0 && items.len() == 1 => {
            longest_text(&items[0], depth - 1).map(|(at, text)| (join("", 0) + &at, text))
        }
        Value::Object(members) if depth > 0 => {
            let found = members.iter().filter_map(|(name, member)| {
                let (at, text) = longest_text(member, depth - 1)?;
                Some((name, at, text))
            });
            let (name, at, text) = found.max_by_key(|(.., text)| text.len())?;
            Some((join("", name) + &at, text))
        }
        _ => None,
    }
}

/// JSON inside a string inside JSON, where it is most of what there is.
fn double_encoded(payload: &Payload) -> Option<Bloat> {
    blocks(payload).find_map(|(at, block)| {
        let outer = at + "/text";
        let text = block.get("text")?;
        let is_most = |inner: &&str| {
            let inner = payload.at(inner).map(written_bytes);
            inner.is_some_and(|inner| inner * 100 >= written_bytes(text) * HALF)
        };
        let is_answer = |inner: &&str| {
            let name = inner.rsplit('/').next().unwrap_or_default();
            has_word(name, ANSWERS)
        };
        let member = payload
            .embedded_below(&outer)
            .find(|inner| is_answer(inner) && is_most(inner))
            .map(str::to_owned);
        let inner = member.or_else(|| is_encoded_whole(text).then(|| outer.clone()))?;
        Some(Bloat {
            at: inner,
            what: "a JSON document is a string inside another JSON document".to_owned(),
            reads_as: "a text full of \\\", of which the agent has to undo the quoting itself",
            next: "put the inner document where the string is, as an object",
        })
    })
}

/// Whether a text is a JSON string, or a list of them, that is JSON in turn.
fn is_encoded_whole(text: &Value) -> bool {
    let is_document =
        |text: &str| text.trim_start().starts_with(['{', '[']) && serde_json::from_str::<Value>(text).is_ok();
    match text {
        Value::String(text) if text.starts_with('"') => {
            serde_json::from_str::<String>(text).is_ok_and(|inner| is_document(&inner))
        }
        Value::Array(items) => {
            items.len() > 1 && items.iter().all(|item| item.as_str().is_some_and(is_document))
        }
        _ => false,
    }
}

/// A long member that is the same in every item.
fn repeated_members(payload: &Payload) -> Option<Bloat> {
    let list = payload.list().filter(|list| list.len > 1)?;
    let items = payload.at(&list.pointer)?.as_array()?;
    let whole = || items.iter().map(written_bytes).sum::<usize>();
    let first = items.first()?.as_object()?;
    first.iter().find_map(|(name, value)| {
        let text = value.as_str().filter(|text| text.len() >= LONG)?;
        let same = items.iter().all(|item| item.get(name).and_then(Value::as_str) == Some(text));
        (same && text.len() * items.len() * 100 >= whole() * HALF).then(|| Bloat {
            at: join(&join(&list.pointer, 0), name),
            what: format!(
                "`{name}` is the same {} bytes in each of {}, and most of the answer",
                grouped(text.len() as u64),
                counted(items.len(), "item")
            ),
            reads_as: "every item has its own, to be read and compared",
            next: "say it once beside the items, or only where it was asked for",
        })
    })
}

/// The same long text in two blocks.
fn repeated_blocks(payload: &Payload) -> Option<Bloat> {
    let mut seen = HashSet::new();
    blocks(payload).find_map(|(at, block)| {
        let text = block.get("text").filter(|text| written_bytes(text) >= LONG)?;
        (!seen.insert(text)).then(|| Bloat {
            at: at + "/text",
            what: "the same text stands in two blocks of the content".to_owned(),
            reads_as: "two things that happen to be alike",
            next: "say it once",
        })
    })
}
