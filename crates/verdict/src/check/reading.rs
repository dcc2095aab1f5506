//! A transcript, read once for all checks.

use frankly_contract::ToolDef;

use crate::Finding;
use crate::payload::Payload;
use crate::transcript::{Answer, Call, Transcript};

/// A transcript with its calls joined and their results read.
#[derive(Debug)]
pub struct Reading<'a> {
    pub(super) transcript: &'a Transcript,
    pub(super) exchanges: Vec<Exchange<'a>>,
}

/// A call with what came back, as a reader sees it.
#[derive(Debug)]
pub(super) struct Exchange<'a> {
    pub call: Call<'a>,
    /// How long the answer was, where only its ends were kept.
    cut_bytes: Option<u64>,
    /// The definition, where it is known.
    pub tool: Option<&'a ToolDef>,
    /// The result of a success.
    payload: Option<Payload>,
}

impl<'a> Reading<'a> {
    /// Reads a transcript.
    #[must_use]
    pub fn of(transcript: &'a Transcript) -> Self {
        let exchanges = transcript.calls().into_iter().map(|call| Exchange {
            tool: transcript.tool(call.name),
            payload: match call.answer {
                Answer::Success(result) => Some(Payload::of(result)),
                _ => None,
            },
            cut_bytes: cut_bytes(transcript, &call),
            call,
        });
        Self { transcript, exchanges: exchanges.collect() }
    }

    pub(super) fn server(&self) -> &str {
        &self.transcript.server
    }
}

fn cut_bytes(transcript: &Transcript, call: &Call<'_>) -> Option<u64> {
    transcript.frames.get(call.response?)?.cut().map(|cut| cut.bytes)
}

impl<'a> Exchange<'a> {
    /// How many bytes the answer had, where only its ends were kept: what it says of itself stands there, and what it
    /// holds is not known.
    pub fn cut_bytes(&self) -> Option<usize> {
        self.cut_bytes.and_then(|bytes| usize::try_from(bytes).ok())
    }

    /// The result of a success, and the frame it came in.
    pub fn success(&self) -> Option<(&Payload, usize)> {
        self.payload.as_ref().zip(self.call.response)
    }

    /// A finding about this answer, compared with others.
    pub fn finding(&self, finding: Finding, others: &[&Exchange<'_>]) -> Finding {
        let all = || std::iter::once(self).chain(others.iter().copied());
        Finding {
            frames: all().map(|one| one.call.response.unwrap_or(one.call.request)).collect(),
            calls: all().map(|one| one.call.index).collect(),
            replay: all().map(|one| one.call.to_tool_call()).collect(),
            ..finding
        }
    }
}
