//! A transcript, read once for all checks.

use std::collections::HashMap;

use frankly_contract::ToolDef;
use serde_json::Value;

use crate::Finding;
use crate::payload::Payload;
use crate::transcript::{Answer, Call, Transcript};

/// A transcript with its calls joined and their results read.
#[derive(Debug)]
pub struct Reading<'a> {
    pub(super) transcript: &'a Transcript,
    pub(super) exchanges: Vec<Exchange<'a>>,
    /// The first exchange that a frame belongs to, by the number of the frame.
    by_frame: HashMap<usize, usize>,
}

/// A call with what came back, as a reader sees it.
#[derive(Debug)]
pub(super) struct Exchange<'a> {
    pub call: Call<'a>,
    /// How long the answer was, where only its ends were kept.
    cut_bytes: Option<u64>,
    /// How long the request was, where only its ends were kept.
    request_cut_bytes: Option<u64>,
    /// Whether the request is no call at all: its parameters or its arguments are no object. What came back says nothing of
    /// a tool then, nor of how it takes arguments.
    pub is_malformed: bool,
    /// The definition, where it is known.
    pub tool: Option<&'a ToolDef>,
    /// The result of a success.
    payload: Option<Payload>,
}

impl<'a> Reading<'a> {
    /// Reads a transcript.
    #[must_use]
    pub fn of(transcript: &'a Transcript) -> Self {
        // Of several definitions with one name the first counts.
        let tools = transcript.tools.iter().flatten().rev();
        let tools: HashMap<&str, &ToolDef> = tools.map(|tool| (tool.name(), tool)).collect();
        let exchanges = transcript.calls().into_iter().map(|call| Exchange {
            tool: tools.get(call.name).copied(),
            payload: match call.answer {
                Answer::Success(result) => Some(Payload::of(result)),
                _ => None,
            },
            cut_bytes: call.response.and_then(|at| cut_bytes(transcript, at)),
            request_cut_bytes: cut_bytes(transcript, call.request),
            is_malformed: is_malformed(&call),
            call,
        });
        let exchanges: Vec<Exchange<'_>> = exchanges.collect();
        let mut by_frame = HashMap::new();
        for (index, one) in exchanges.iter().enumerate() {
            for frame in std::iter::once(one.call.request).chain(one.call.response) {
                by_frame.entry(frame).or_insert(index);
            }
        }
        Self { transcript, exchanges, by_frame }
    }

    pub(super) fn server(&self) -> &str {
        &self.transcript.server
    }

    /// The call that a frame asks or answers; of a batch the first one.
    pub(super) fn exchange_at(&self, frame: usize) -> Option<&Exchange<'a>> {
        self.exchanges.get(*self.by_frame.get(&frame)?)
    }
}

impl Reading<'_> {
    /// A finding about these frames, and about the calls that they belong to.
    pub(super) fn finding(&self, finding: Finding, frames: &[usize]) -> Finding {
        let of_calls: Vec<_> = frames.iter().filter_map(|frame| self.exchange_at(*frame)).collect();
        Finding {
            frames: frames.to_vec(),
            calls: of_calls.iter().map(|one| one.call.index).collect(),
            replay: of_calls.iter().map(|one| one.call.to_tool_call()).collect(),
            ..finding
        }
    }
}

/// Whether what should be an object is there and is none. Arguments that are left out, or `null`, are none at all.
fn is_malformed(call: &Call<'_>) -> bool {
    let Some(params) = call.params.filter(|params| !params.is_null()) else { return false };
    let arguments = params.get("arguments");
    !params.is_object() || arguments.is_some_and(|arguments| !arguments.is_object() && !arguments.is_null())
}

fn cut_bytes(transcript: &Transcript, frame: usize) -> Option<u64> {
    transcript.frames.get(frame)?.cut().map(|cut| cut.bytes)
}

impl<'a> Exchange<'a> {
    /// How many bytes the answer had, where only its ends were kept: what it says of itself stands there, and what it
    /// holds is not known.
    pub fn cut_bytes(&self) -> Option<usize> {
        self.cut_bytes.and_then(|bytes| usize::try_from(bytes).ok())
    }

    /// How many bytes the request had, where only its ends were kept.
    pub fn request_cut_bytes(&self) -> Option<usize> {
        self.request_cut_bytes.and_then(|bytes| usize::try_from(bytes).ok())
    }

    /// The frame of the answer, else of the request.
    pub fn at(&self) -> usize {
        self.call.response.unwrap_or(self.call.request)
    }

    /// The message that answers, and the frame it came in.
    pub fn answer<'t>(&self, transcript: &'t Transcript) -> Option<(usize, &'t Value)> {
        let at = self.call.response?;
        let msg = transcript.frames.get(at)?.msg()?;
        let [_, place] = self.call.batched;
        Some((at, place.map_or(Some(msg), |place| msg.get(place))?))
    }

    /// The result of a success, and the frame it came in.
    pub fn success(&self) -> Option<(&Payload, usize)> {
        self.payload.as_ref().zip(self.call.response)
    }

    /// A finding about this answer, compared with others.
    pub fn finding(&self, finding: Finding, others: &[&Exchange<'_>]) -> Finding {
        let all = || std::iter::once(self).chain(others.iter().copied());
        let [asked, answered] = self.call.batched;
        // In a batch the pointer begins at the place of the message.
        let place = if finding.pointer.starts_with("/params") { asked } else { answered };
        let pointer = match place.filter(|_| !finding.pointer.is_empty()) {
            Some(place) => format!("/{place}{}", finding.pointer),
            None => finding.pointer,
        };
        Finding {
            pointer,
            frames: all().map(|one| one.at()).collect(),
            calls: all().map(|one| one.call.index).collect(),
            replay: all().map(|one| one.call.to_tool_call()).collect(),
            ..finding
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::{Frame, Side};

    #[test]
    fn a_request_whose_parts_are_no_objects_is_no_call() {
        let is_malformed = |params: &str| {
            let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
            let frames = vec![Frame::from_line(Side::Client, line)];
            let transcript = Transcript { frames, ..Transcript::default() };
            Reading::of(&transcript).exchanges[0].is_malformed
        };
        for params in
            [r#""bad""#, "[]", "7", r#"{"name":"a","arguments":"b"}"#, r#"{"name":"a","arguments":[]}"#]
        {
            assert!(is_malformed(params), "{params}");
        }
        for params in
            [r#"{"name":"a"}"#, r#"{"name":"a","arguments":null}"#, r#"{"name":"a","arguments":{}}"#]
        {
            assert!(!is_malformed(params), "{params}");
        }
    }
}
