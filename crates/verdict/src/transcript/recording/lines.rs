//! Writing: the line of a header, and the line of a frame. What reads them stands beside.

use std::fmt::{Display, Write};

use serde::de::IgnoredAny;
use serde_json::json;

use super::VERSION;
use crate::transcript::{Channel, Frame, Side, SizeBudget, Transcript};

/// From how many bytes on only both ends of a line are written.
const LONGEST_LINE: usize = 1 << 20;
/// How much of each end that is.
const KEPT_BYTES: usize = 64 << 10;

/// The header of a recording, without its line end.
#[must_use]
pub fn header_line(transcript: &Transcript) -> String {
    let mut header = json!({"frankly": "recording", "version": VERSION});
    if let Some(role) = transcript.role {
        header["role"] = json!(role.name());
    }
    if let Some(revision) = &transcript.revision {
        header["revision"] = json!(revision);
    }
    if let Some(tools) = &transcript.tools {
        header["tools"] = tools.iter().map(|tool| tool.raw().clone()).collect();
    }
    match transcript.budget {
        Some(SizeBudget::Bytes(bytes)) => header["budget"] = json!({ "bytes": bytes }),
        Some(SizeBudget::Tokens(tokens)) => header["budget"] = json!({ "tokens": tokens }),
        None => {}
    }
    header.to_string()
}

/// A frame's line in a recording, without its line end. Of a line of more than 1 MiB only both ends are written.
#[must_use]
pub fn frame_line(frame: &Frame) -> String {
    let mut line = String::with_capacity(frame.line().len().min(LONGEST_LINE) + 64);
    line.push_str(match frame.from() {
        Side::Client => "{\"from\":\"client\"",
        Side::Server => "{\"from\":\"server\"",
    });
    let mut add = |key: &str, value: &dyn Display| {
        // Nothing keeps a text from being written to.
        let _ = write!(line, ",\"{key}\":{value}");
    };
    seen(frame, &mut add);
    said(frame, &mut add);
    line.push('}');
    line
}

/// Where, when and for whom.
fn seen(frame: &Frame, add: &mut dyn FnMut(&str, &dyn Display)) {
    if let Some(at_ms) = frame.at_ms() {
        add("at_ms", &at_ms);
    }
    if frame.channel() != Channel::Wire {
        add("channel", &json!(frame.channel().name()));
    }
    if let Some(context) = frame.context() {
        add("context", context);
    }
    if let Some(session) = frame.session() {
        add("session", &json!(session));
    }
    if let Some(exchange) = frame.exchange() {
        add("exchange", &exchange);
    }
}

fn said(frame: &Frame, add: &mut dyn FnMut(&str, &dyn Display)) {
    if let Some(event) = frame.event() {
        add("event", &json!(event.name));
        for (key, value) in &event.details {
            let quoted = json!(key).to_string();
            add(&quoted[1..quoted.len() - 1], value);
        }
    } else if let Some(cut) = frame.cut() {
        add("cut", &json!({"bytes": cut.bytes, "head": cut.head, "tail": cut.tail}));
    } else if frame.line().len() > LONGEST_LINE {
        let (head, tail) = ends(frame.line());
        add("cut", &json!({"bytes": frame.line().len(), "head": head, "tail": tail}));
    } else if !frame.is_lossy() && is_one_value(frame.line()) {
        // As it was written, and not as it was read.
        add("msg", &frame.line());
    } else {
        add("raw", &json!(frame.line()));
    }
    if frame.is_lossy() {
        add("utf8", &false);
    }
}

/// Whether a line is JSON and nothing around it, without a look at what it says.
fn is_one_value(line: &str) -> bool {
    line.trim() == line && serde_json::from_str::<IgnoredAny>(line).is_ok()
}

fn ends(line: &str) -> (&str, &str) {
    let head = (0..=KEPT_BYTES).rev().find(|end| line.is_char_boundary(*end)).unwrap_or_default();
    let from = line.len().saturating_sub(KEPT_BYTES);
    let tail = (from..line.len()).find(|start| line.is_char_boundary(*start)).unwrap_or(line.len());
    (&line[..head], &line[tail..])
}
