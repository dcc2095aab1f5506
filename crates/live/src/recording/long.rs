//! A line that is too long to be kept whole, as a frame of which both ends are kept.

use frankly_verdict::transcript::{Cut, Frame, RecordingError, read_recording};
use serde_json::{Map, Value};

use super::HEADER;
use crate::opening::before;

/// How many bytes from the end the members that follow the message are looked for.
const REST_BYTES: usize = 8 * 1024;
/// What may stand beside a message.
const BESIDE: [&str; 7] = ["from", "at_ms", "channel", "context", "session", "exchange", "utf8"];

/// The frame in such a line, or why there is none, as the end of a sentence.
pub(super) fn frame(line: &Cut) -> Result<Frame, String> {
    let none = || {
        "a line of more than 16 MiB must begin like {\"from\":\"server\",\"msg\":…, so that it can be told who sent it"
            .to_owned()
    };
    let (mut beside, key, begin) = before(&line.head, &["msg", "raw"]).ok_or_else(none)?;
    let tail = line.tail.trim_end();
    let (end, after) = after_message(tail).ok_or_else(none)?;
    beside.extend(after);
    let about = about(beside).ok_or_else(none)??;
    let left_out = line.bytes - (begin + (line.tail.len() - end)) as u64;
    let (head, tail) = (&line.head[begin..], &tail[..end]);
    let cut = match key.as_str() {
        "msg" => Cut { bytes: left_out, head: head.to_owned(), tail: tail.to_owned() },
        _ => Cut {
            bytes: left_out,
            head: unescaped(head, |text| format!("{text}\"")).ok_or_else(none)?,
            tail: unescaped_end(tail).ok_or_else(none)?,
        },
    };
    Ok(Frame::from_cut(about.from(), cut).seen_as(&about))
}

/// A frame without its message, read as every other.
fn about(mut beside: Map<String, Value>) -> Option<Result<Frame, String>> {
    beside.insert("raw".to_owned(), "".into());
    let read = read_recording("", &format!("{HEADER}{}\n", Value::Object(beside)));
    let frame = read.map(|transcript| transcript.frames.into_iter().next());
    frame.map_err(|RecordingError { what, .. }| what).transpose()
}

/// Where the message ends, and the members after it. A message closes all its own brackets, so what reads as the rest of an
/// object is none of it.
fn after_message(tail: &str) -> Option<(usize, Map<String, Value>)> {
    let end = tail.strip_suffix('}')?.trim_end().len();
    let begin = tail.len().saturating_sub(REST_BYTES);
    let commas = tail.as_bytes().iter().enumerate().skip(begin).filter(|(_, byte)| **byte == b',');
    let mut rests = commas.filter_map(|(at, _)| {
        let rest: Map<String, Value> = serde_json::from_str(&format!("{{{}", &tail[at + 1..])).ok()?;
        let is_beside = !rest.is_empty() && rest.keys().all(|key| BESIDE.contains(&key.as_str()));
        is_beside.then(|| (tail[..at].trim_end().len(), rest))
    });
    Some(rests.next().unwrap_or((end, Map::new())))
}

/// The text that a string in JSON stands for which is cut off, without what is left of an escape.
fn unescaped(head: &str, whole: impl Fn(&str) -> String) -> Option<String> {
    // A pair of escapes has twelve characters.
    let ends = head.char_indices().rev().map(|(at, c)| at + c.len_utf8()).take(12);
    ends.into_iter().find_map(|end| serde_json::from_str(&whole(&head[..end])).ok())
}

fn unescaped_end(tail: &str) -> Option<String> {
    let mut begins = tail.char_indices().map(|(at, _)| at).take(12);
    begins.find_map(|begin| serde_json::from_str(&format!("\"{}", &tail[begin..])).ok())
}
