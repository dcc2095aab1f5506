//! Writing: the line of a header, and the line of a frame. What reads them stands beside.

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
    let from = match frame.from() {
        Side::Client => "client",
        Side::Server => "server",
    };
    let mut entry = json!({ "from": from });
    if let Some(at_ms) = frame.at_ms() {
        entry["at_ms"] = json!(at_ms);
    }
    if frame.channel() != Channel::Wire {
        entry["channel"] = json!(frame.channel().name());
    }
    if let Some(context) = frame.context() {
        entry["context"] = context.clone();
    }
    if let Some(event) = frame.event() {
        entry["event"] = json!(event.name);
        event.details.iter().for_each(|(key, value)| entry[key] = value.clone());
    } else if let Some(cut) = frame.cut() {
        entry["cut"] = json!({"bytes": cut.bytes, "head": cut.head, "tail": cut.tail});
    } else if frame.line().len() > LONGEST_LINE {
        let (head, tail) = ends(frame.line());
        entry["cut"] = json!({"bytes": frame.line().len(), "head": head, "tail": tail});
    } else if frame.is_sound() && frame.line().trim() == frame.line() {
        // As it was written, and not as it was read.
        let rest = entry.to_string();
        return format!("{},\"msg\":{}}}", rest.strip_suffix("}").unwrap_or(&rest), frame.line());
    } else {
        entry["raw"] = json!(frame.line());
    }
    if !frame.is_utf8() {
        entry["utf8"] = json!(false);
    }
    entry.to_string()
}

fn ends(line: &str) -> (&str, &str) {
    let head = (0..=KEPT_BYTES).rev().find(|end| line.is_char_boundary(*end)).unwrap_or_default();
    let from = line.len().saturating_sub(KEPT_BYTES);
    let tail = (from..line.len()).find(|start| line.is_char_boundary(*start)).unwrap_or(line.len());
    (&line[..head], &line[tail..])
}
