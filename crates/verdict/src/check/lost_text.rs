//! Text that does not arrive as it was sent: damaged letters, and lines that are no messages.

mod damage;
mod doc;
mod echo;

use serde_json::Value;

use super::Check;
use super::reading::Reading;
use crate::report::shorten;
use crate::schema::join;
use crate::transcript::{Flaw, Frame, Side, read_json};
use crate::{Doc, Finding, Severity};
use doc::DOC;

const EVIDENCE_CHARS: usize = 120;
/// What some editors and libraries put before a text.
const MARK: char = '\u{feff}';
/// What stands for bytes that could not be read.
const REPLACED: char = '\u{fffd}';
/// What only clients and servers of this protocol write.
const OPENING: &str = "\"jsonrpc\"";

/// See [`DOC`].
pub(super) struct LostText;

impl Check for LostText {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        let wire = reading.transcript.wire().filter(|(_, frame)| frame.from() == Side::Server);
        let lines: Vec<(usize, &Frame)> = wire.collect();
        findings.extend(no_messages(&lines, reading));
        findings.extend(lines.iter().filter_map(|(at, frame)| not_utf8(*at, frame, reading)));
        findings.extend(echo::look_at(reading));
        findings.extend(carriage_returns(&lines, reading));
    }
}

/// Lines that are no messages, one finding for each way in which they are none.
fn no_messages(lines: &[(usize, &Frame)], reading: &Reading<'_>) -> Vec<Finding> {
    let last = lines.last().map(|(at, _)| *at).filter(|_| reading.sight.ends);
    let noise: Vec<(usize, &Frame, Noise)> = lines
        .iter()
        .filter(|(_, frame)| frame.is_noise() && !frame.line().trim().is_empty())
        .map(|(at, frame)| (*at, *frame, Noise::of(frame, last == Some(*at))))
        .collect();
    let kinds = [Noise::Deep, Noise::Marked, Noise::Header, Noise::Cut, Noise::Log];
    let first = |kind: Noise| noise.iter().find(|(.., other)| *other == kind);
    let look = |kind: Noise| {
        let (at, frame, _) = first(kind)?;
        let count = noise.iter().filter(|(.., other)| *other == kind).count();
        let (what, reads_as, next) = kind.told(count);
        let finding = proven(reading, tool_under_way(*at, reading), "").saying(what, reads_as, next);
        let evidence = shorten(frame.line().trim(), EVIDENCE_CHARS);
        Some(reading.finding(finding.with_evidence(evidence), &[*at]))
    };
    kinds.into_iter().filter_map(look).collect()
}

/// How a line is no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Noise {
    /// JSON that is nested without end.
    Deep,
    /// A message behind a byte order mark.
    Marked,
    /// A header of another way to frame messages.
    Header,
    /// The beginning of a message, and the end of the stream.
    Cut,
    /// Anything else: a banner, a log line.
    Log,
}

impl Noise {
    fn of(frame: &Frame, is_last: bool) -> Self {
        let line = frame.line();
        let is_message = |text: &str| read_json(text).is_ok_and(|value| value.get("jsonrpc").is_some());
        let line = line.trim();
        if frame.flaw() == Some(Flaw::TooDeep) {
            Self::Deep
        } else if line.strip_prefix(MARK).is_some_and(is_message) {
            Self::Marked
        } else if line.to_lowercase().starts_with("content-length:") {
            Self::Header
        } else if is_last && line.starts_with('{') && line.contains(OPENING) {
            Self::Cut
        } else {
            Self::Log
        }
    }

    fn told(self, count: usize) -> (String, &'static str, &'static str) {
        match self {
            Self::Deep => (
                "a message is nested hundreds of levels deep".to_owned(),
                "no message at all: most readers of JSON stop at 100 to 500 levels",
                "answer with lists of items that name their parents, instead of items within items",
            ),
            Self::Marked => (
                "a message begins with a byte order mark".to_owned(),
                "no message at all: most readers of JSON refuse the mark",
                "write UTF-8 without a byte order mark",
            ),
            Self::Header => (
                "messages are announced by `Content-Length` headers, as language servers do".to_owned(),
                "a broken message: this protocol has a message per line",
                "write each message on one line, and nothing before it",
            ),
            Self::Cut => (
                "the last line is the beginning of a message".to_owned(),
                "nothing was answered",
                "write whole lines, and write out what is left before the process ends",
            ),
            Self::Log => (
                match count {
                    1 => "a line among the messages is none".to_owned(),
                    _ => format!("{count} lines among the messages are none; this is the first"),
                },
                "a broken message: some clients show an error or end the session",
                "write logs and banners to standard error: standard output is for messages alone",
            ),
        }
    }
}

/// The tool that was at work, where that was one.
fn tool_under_way<'a>(at: usize, reading: &Reading<'a>) -> &'a str {
    let mut open = reading
        .exchanges
        .iter()
        .filter(|one| one.call.request < at && one.call.response.is_some_and(|answer| answer > at));
    match (open.next(), open.next()) {
        (Some(only), None) => only.call.name,
        _ => "",
    }
}

/// A message with what is no text: bytes that are not UTF-8, half a character.
fn not_utf8(at: usize, frame: &Frame, reading: &Reading<'_>) -> Option<Finding> {
    let (what, next) = match frame.flaw().filter(|_| !frame.is_noise())? {
        Flaw::NotUtf8 => (
            "the message holds bytes that are not UTF-8",
            "write UTF-8, whatever the encoding of the machine or of the data is",
        ),
        Flaw::HalfCharacter => (
            "a text of the message holds half a character: an escape such as \\ud83d without its other half",
            "cut texts between characters, and not within the two halves of one",
        ),
        _ => return None,
    };
    let (pointer, text) = replaced(frame.msg()?, String::new()).unwrap_or_default();
    let tool = reading.exchange_at(at);
    let finding = proven(reading, tool.map_or("", |one| one.call.name), &pointer).saying(
        what,
        "other letters than were meant, or no message at all",
        next,
    );
    let around: String = around(&text, REPLACED);
    Some(reading.finding(finding.with_evidence(around), &[at]))
}

/// The first text in which bytes were replaced, and where it stands.
fn replaced(value: &Value, at: String) -> Option<(String, String)> {
    match value {
        Value::String(text) => text.contains(REPLACED).then(|| (at, text.clone())),
        Value::Array(items) => {
            items.iter().enumerate().find_map(|(index, item)| replaced(item, join(&at, index)))
        }
        Value::Object(members) => members.iter().find_map(|(name, member)| replaced(member, join(&at, name))),
        _ => None,
    }
}

/// What stands around the first of these characters.
fn around(text: &str, character: char) -> String {
    const BEFORE: usize = 20;
    let at = text.chars().position(|c| c == character).unwrap_or_default();
    text.chars().skip(at.saturating_sub(BEFORE)).take(2 * BEFORE).collect()
}

/// Lines that end with a carriage return: harmless to most.
fn carriage_returns(lines: &[(usize, &Frame)], reading: &Reading<'_>) -> Option<Finding> {
    let (at, _) = lines.iter().find(|(_, frame)| frame.msg().is_some() && frame.line().ends_with('\r'))?;
    let finding = Finding::proven(&DOC, Severity::Info, reading.server(), "", "").saying(
        "the lines end with a carriage return before the line feed",
        "nothing else than without it, for most clients",
        "end each line with a line feed alone",
    );
    Some(reading.finding(finding, &[*at]))
}

fn proven(reading: &Reading<'_>, tool: &str, pointer: &str) -> Finding {
    Finding::proven(&DOC, Severity::Error, reading.server(), tool, pointer)
}
