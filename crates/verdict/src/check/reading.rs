//! A transcript, read once for all checks: first what its answers hold, then what refers to that.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use frankly_contract::ToolDef;
use serde_json::Value;

use super::around::Around;
use super::beside::{Asked, asked};
use super::listings::Listings;
use super::mistakes::{Mistake, mistakes};
use super::sent_before::SentBefore;
use super::writes::Writes;
use crate::Finding;
use crate::paging::{Limit, limit_of};
use crate::payload::Payload;
use crate::transcript::requests::Requests;
use crate::transcript::{Answer, Call, Transcript, calls_among};

/// The calls of a transcript, joined, with what their results hold. A [`Reading`] refers to it.
#[derive(Debug)]
pub struct Answers<'a> {
    transcript: &'a Transcript,
    requests: Requests<'a>,
    /// Each call with the result of a success.
    calls: Vec<(Call<'a>, Option<Payload>)>,
}

impl<'a> Answers<'a> {
    /// Reads the answers of a transcript.
    #[must_use]
    pub fn of(transcript: &'a Transcript) -> Self {
        let requests = Requests::of(&transcript.frames);
        let payload = |call: &Call<'_>| match call.answer {
            Answer::Success(result) => Some(Payload::of(result)),
            _ => None,
        };
        let calls = calls_among(&requests).into_iter().map(|call| {
            let payload = payload(&call);
            (call, payload)
        });
        Self { transcript, calls: calls.collect(), requests }
    }

    /// The calls, as they were joined.
    pub(super) fn calls(&self) -> impl Iterator<Item = &Call<'a>> {
        self.calls.iter().map(|(call, _)| call)
    }
}

/// A transcript with its calls joined and their results read.
#[derive(Debug)]
pub struct Reading<'a> {
    pub(super) transcript: &'a Transcript,
    /// Every request with what came back for it, whatever its method.
    pub(super) requests: &'a Requests<'a>,
    /// The calls, each at its own position: what lies between two of them was all that lay between them.
    pub(super) exchanges: Vec<Exchange<'a>>,
    /// Calls that were still open when what is read here begins; nobody knows here what came between them and the others.
    carried: Vec<Exchange<'a>>,
    /// The first exchange that a frame belongs to, by the number of the frame: its position, and whether it was carried.
    by_frame: HashMap<usize, (usize, bool)>,
    pub(super) sight: &'a Sight,
    /// The calls that may have changed something.
    pub(super) writes: Writes<'a>,
}

/// How much of a session is in sight, where it is read in stretches. What rests on something that is not there is told only
/// where it could be seen.
#[derive(Debug)]
pub(super) struct Sight {
    /// How many frames were carried along from before, and stand in front.
    pub front: usize,
    /// The numbers of the calls among those, and of the first one after them.
    pub carried_calls: Vec<usize>,
    pub first_call: usize,
    /// Whether it begins where the session does.
    pub begins: bool,
    /// Whether it ends where the session does.
    pub ends: bool,
    /// Whether not every open request could be carried along.
    pub forgot: bool,
    /// The frames of open requests that are carried no further.
    pub given_up: Vec<usize>,
    /// What was sent before.
    pub sent: Option<Arc<SentBefore>>,
    /// The tools that were listed in several ways before.
    pub redefined: BTreeSet<String>,
}

impl Sight {
    /// Everything.
    pub const WHOLE: Self = Self {
        front: 0,
        carried_calls: Vec::new(),
        first_call: 0,
        begins: true,
        ends: true,
        forgot: false,
        given_up: Vec::new(),
        sent: None,
        redefined: BTreeSet::new(),
    };

    /// Whether a text was, or may have been, an argument of a call that is out of sight.
    pub fn had_sent(&self, text: &str) -> bool {
        self.sent.as_ref().is_some_and(|sent| sent.may_have(text))
    }

    /// The same of a mark that was sent for somebody.
    pub fn had_sent_for(&self, mark: &str, whose: &Value) -> bool {
        self.sent.as_ref().is_some_and(|sent| sent.may_have_for(mark, whose))
    }

    /// Whether nothing is out of sight.
    pub fn is_whole(&self) -> bool {
        self.begins && self.ends
    }
}

/// A call with what came back, as a reader sees it.
#[derive(Debug)]
pub(super) struct Exchange<'a> {
    /// Its `index` is its position in what is read here.
    pub call: Call<'a>,
    /// Its number in the session.
    pub number: usize,
    /// How long the answer was, where only its ends were kept.
    cut_bytes: Option<u64>,
    /// How long the request was, where only its ends were kept.
    request_cut_bytes: Option<u64>,
    /// Whether the request is no call at all: its parameters or its arguments are no object. What came back says nothing of
    /// a tool then, nor of how it takes arguments.
    pub is_malformed: bool,
    /// The definition, where it is known.
    pub tool: Option<&'a ToolDef>,
    /// With which arguments.
    pub asked: Asked,
    /// What is wrong with those, as far as the definition tells.
    mistakes: Vec<Mistake<'a>>,
    /// The parameter that bounds how many items come back, where the definition has one.
    pub limit: Option<Arc<Limit>>,
    /// The result of a success.
    payload: Option<&'a Payload>,
    /// Its list, and what stands around that.
    around: Option<Around<'a>>,
}

impl<'a> Reading<'a> {
    /// Reads a whole transcript.
    #[must_use]
    pub fn of(answers: &'a Answers<'a>) -> Self {
        static WHOLE: Sight = Sight::WHOLE;
        Self::within(answers, &WHOLE)
    }

    /// Reads what is in sight of a session.
    pub(super) fn within(answers: &'a Answers<'a>, sight: &'a Sight) -> Self {
        let transcript = answers.transcript;
        // Of several definitions with one name the first counts.
        let tools = transcript.tools.iter().flatten().rev();
        let known = |tool: &'a ToolDef| (tool, limit_of(tool).map(Arc::new));
        let tools: HashMap<&str, _> = tools.map(|tool| (tool.name(), known(tool))).collect();
        let listings = Listings::of(&answers.requests, &sight.redefined);
        let requests = answers.requests.all.iter().filter(|request| request.method == "tools/call");
        let exchanges = answers.calls.iter().zip(requests).map(|((call, payload), request)| {
            let named = tools.get(call.name);
            // One that changed is known, and what it asked for then is not.
            let known = named.filter(|(tool, _)| listings.is_by(tool, request));
            Exchange {
                tool: named.map(|(tool, _)| *tool),
                asked: asked(call.arguments, None),
                mistakes: known.map(|(tool, _)| mistakes(tool, call.arguments)).unwrap_or_default(),
                limit: known.and_then(|(_, limit)| limit.clone()),
                payload: payload.as_ref(),
                around: payload.as_ref().and_then(|payload| Around::of(call, payload)),
                cut_bytes: call.response.and_then(|at| cut_bytes(transcript, at)),
                request_cut_bytes: cut_bytes(transcript, call.request),
                is_malformed: is_malformed(call),
                number: 0,
                call: call.clone(),
            }
        });
        let (mut carried, mut exchanges): (Vec<_>, Vec<_>) =
            exchanges.partition(|one: &Exchange<'_>| one.call.request < sight.front);
        for (one, number) in carried.iter_mut().zip(&sight.carried_calls) {
            one.number = *number;
        }
        for (index, one) in exchanges.iter_mut().enumerate() {
            (one.call.index, one.number) = (index, sight.first_call + index);
        }
        let mut by_frame = HashMap::new();
        for (calls, is_carried) in [(&carried, true), (&exchanges, false)] {
            for (index, one) in calls.iter().enumerate() {
                for frame in std::iter::once(one.call.request).chain(one.call.response) {
                    by_frame.entry(frame).or_insert((index, is_carried));
                }
            }
        }
        let (writes, requests) = (Writes::of(&exchanges), &answers.requests);
        Self { transcript, requests, writes, exchanges, carried, by_frame, sight }
    }

    pub(super) fn server(&self) -> &str {
        &self.transcript.server
    }

    /// The call that a frame asks or answers; of a batch the first one.
    pub(super) fn exchange_at(&self, frame: usize) -> Option<&Exchange<'a>> {
        let (index, is_carried) = *self.by_frame.get(&frame)?;
        if is_carried { self.carried.get(index) } else { self.exchanges.get(index) }
    }
}

impl Reading<'_> {
    /// Whether enough of what came after a call is in sight to say that something did not.
    pub(super) fn sees_beyond(&self, exchange: &Exchange<'_>) -> bool {
        const ENOUGH: usize = 64;
        self.sight.ends || self.exchanges.len() > exchange.call.index + ENOUGH
    }

    /// A finding about these frames, and about the calls that they belong to.
    pub(super) fn finding(&self, finding: Finding, frames: &[usize]) -> Finding {
        let of_calls: Vec<_> = frames.iter().filter_map(|frame| self.exchange_at(*frame)).collect();
        Finding {
            frames: frames.to_vec(),
            calls: of_calls.iter().map(|one| one.number).collect(),
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
    pub fn success(&self) -> Option<(&'a Payload, usize)> {
        self.payload.zip(self.call.response)
    }

    /// What is wrong with the arguments, as far as the definition tells beyond doubt.
    pub fn mistakes(&self) -> &[Mistake<'a>] {
        &self.mistakes
    }

    /// The list of a success, and what stands around it.
    pub fn around(&self) -> Option<&Around<'a>> {
        self.around.as_ref()
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
            calls: all().map(|one| one.number).collect(),
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
            Reading::of(&Answers::of(&transcript)).exchanges[0].is_malformed
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
