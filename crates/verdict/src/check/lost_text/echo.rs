//! Texts of arguments that come back damaged, at once or when they are read later.

use serde_json::Value;

use super::damage::{Damage, forms, may_be_damaged, stands_in};
use super::{DOC, EVIDENCE_CHARS};
use crate::check::reading::{Exchange, Reading};
use crate::payload::Payload;
use crate::report::shorten;
use crate::schema::join;
use crate::transcript::{Answer, Flaw};
use crate::{Finding, Severity};

/// So many texts of earlier calls are remembered.
const MOST: usize = 64;
/// Longer texts are compared by their beginning: what damages one letter damages each.
const LONGEST: usize = 400;
/// Only so much of a longer answer is looked through for damage: what repeats a text does so near its beginning, or is
/// itself what was sent.
const LOOKED_THROUGH: usize = 16 << 10;
/// So many texts of an answer are compared with what was sent.
const MOST_TEXTS: usize = 1000;
/// How deep in arguments and answers texts are read.
const DEPTH: usize = 6;

/// A text that was sent and may come back damaged.
struct Sent<'r, 'a> {
    exchange: &'r Exchange<'a>,
    name: &'a str,
    text: String,
    forms: Vec<(String, Damage)>,
}

/// Answers with a damaged form of a text that was sent with the call or before, and nowhere the text itself.
pub(super) fn look_at(reading: &Reading<'_>) -> Vec<Finding> {
    let mut sent: Vec<Sent<'_, '_>> = Vec::new();
    let mut found = Vec::new();
    for exchange in &reading.exchanges {
        for (name, value) in exchange.call.arguments.into_iter().flatten() {
            collect(exchange, name, value, DEPTH, &mut sent);
        }
        // A refusal repeats what was sent as well.
        let refused = match exchange.call.answer {
            Answer::Failure(result) => Some(Payload::of(result)),
            _ => None,
        };
        let Some(payload) = exchange.success().map(|(payload, _)| payload).or(refused.as_ref()) else {
            continue;
        };
        // Bytes that were no text are told of as such.
        let is_told = reading.transcript.frames[exchange.at()].flaw() == Some(Flaw::NotUtf8);
        if is_told || sent.is_empty() {
            continue;
        }
        let texts = suspicious(payload);
        let hit = sent.iter().rev().find_map(|sent| Some((sent, damaged(payload, &texts, sent)?)));
        if let Some((sent, at)) = hit {
            found.push(finding(exchange, payload, sent, &at, reading.server()));
        }
    }
    found
}

fn collect<'r, 'a>(
    exchange: &'r Exchange<'a>,
    name: &'a str,
    value: &'a Value,
    depth: usize,
    sent: &mut Vec<Sent<'r, 'a>>,
) {
    match value {
        Value::String(text) if sent.len() < MOST => {
            let text: String = text.trim().chars().take(LONGEST).collect();
            let forms = forms(&text);
            if !forms.is_empty() && !sent.iter().any(|known| known.text == text) {
                sent.push(Sent { exchange, name, text, forms });
            }
        }
        Value::Array(items) if depth > 0 => {
            items.iter().for_each(|item| collect(exchange, name, item, depth - 1, sent));
        }
        Value::Object(members) if depth > 0 => {
            members.iter().for_each(|(name, member)| collect(exchange, name, member, depth - 1, sent));
        }
        _ => {}
    }
}

/// The texts of an answer that may hold a damaged one: few do, and only they are compared with all that was sent.
fn suspicious(payload: &Payload) -> Vec<&str> {
    fn collect<'v>(value: &'v Value, depth: usize, texts: &mut Vec<&'v str>) {
        match value {
            Value::String(text) if texts.len() < MOST_TEXTS && may_be_damaged(beginning(text)) => {
                texts.push(beginning(text));
            }
            Value::Array(items) if depth > 0 => items.iter().for_each(|item| collect(item, depth - 1, texts)),
            Value::Object(members) if depth > 0 => {
                members.values().for_each(|member| collect(member, depth - 1, texts));
            }
            _ => {}
        }
    }
    let mut texts = Vec::new();
    let parts = ["/structuredContent", "/content"].into_iter().filter_map(|part| payload.at(part));
    parts.for_each(|part| collect(part, DEPTH, &mut texts));
    texts
}

/// Where a damaged form of a text stands in an answer that has the text itself nowhere.
fn damaged(payload: &Payload, texts: &[&str], sent: &Sent<'_, '_>) -> Option<String> {
    let is_damaged = |text: &str| sent.forms.iter().any(|(form, damage)| stands_in(form, *damage, text));
    if !texts.iter().any(|text| is_damaged(text)) {
        return None;
    }
    let parts = ["/structuredContent", "/content"];
    let find = |is_it: &dyn Fn(&str) -> bool| {
        parts.into_iter().find_map(|part| find(payload.at(part)?, part, DEPTH, is_it))
    };
    let at = find(&|text| is_damaged(beginning(text)))?;
    find(&|text| text.contains(&sent.text)).is_none().then_some(at)
}

/// A text up to where it is looked through.
fn beginning(text: &str) -> &str {
    let end = (0..=LOOKED_THROUGH.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or_default()]
}

fn find(value: &Value, at: &str, depth: usize, is_it: &dyn Fn(&str) -> bool) -> Option<String> {
    match value {
        Value::String(text) => is_it(text).then(|| at.to_owned()),
        Value::Array(items) if depth > 0 => {
            items.iter().enumerate().find_map(|(index, item)| find(item, &join(at, index), depth - 1, is_it))
        }
        Value::Object(members) if depth > 0 => {
            members.iter().find_map(|(name, member)| find(member, &join(at, name), depth - 1, is_it))
        }
        _ => None,
    }
}

fn finding(
    exchange: &Exchange<'_>,
    payload: &Payload,
    sent: &Sent<'_, '_>,
    at: &str,
    server: &str,
) -> Finding {
    const CHARS: usize = 60;
    let text = payload.at(at).and_then(Value::as_str).unwrap_or_default();
    let is_later = exchange.call.index != sent.exchange.call.index;
    let when = if is_later { " with an earlier call" } else { "" };
    let finding = Finding::proven(&DOC, Severity::Error, server, exchange.call.name, payload.shown(at)).saying(
        format!(
            "`{}: {:?}` was sent{when}, and came back damaged: {:?}",
            sent.name,
            shorten(&sent.text, CHARS),
            shorten(text, CHARS)
        ),
        "this is another name or text, and a search for the right one will not find it",
        "read and write UTF-8 everywhere: standard input and output, files, database connections, and child processes",
    );
    let finding = Finding { mutation: sent.name.to_owned(), ..finding };
    let others: Vec<_> = is_later.then_some(sent.exchange).into_iter().collect();
    exchange.finding(finding.with_evidence(shorten(text, EVIDENCE_CHARS)), &others)
}
