//! Calls that no longer work after something went wrong with another request.

use serde_json::Value;

use super::{proven, shown};
use crate::check::absence;
use crate::check::failure::Failure;
use crate::check::reading::{Exchange, Reading};
use crate::check::wording;
use crate::transcript::requests::{Request, Requests};
use crate::transcript::{Answer, Side, Transcript};
use crate::{Certainty, Finding, Severity};

/// From so many bytes on a request is a large one.
const LARGE: u64 = 4000;

/// What happened to the server before a call failed.
#[derive(Debug, Clone, Copy)]
enum Blow {
    Cancelled,
    Malformed,
    Large,
}

impl Blow {
    fn told(self) -> &'static str {
        match self {
            Self::Cancelled => "a request was cancelled",
            Self::Malformed => "a malformed request came",
            Self::Large => "a long request came",
        }
    }
}

/// What no longer works after a cancelled, a malformed or a large request.
pub(super) fn look_at(reading: &Reading<'_>, requests: &Requests<'_>) -> Vec<Finding> {
    let blows = blows(reading.transcript, requests);
    blows.iter().find_map(|blow| dead_after(*blow, reading, requests)).into_iter().collect()
}

/// The frames at which something went wrong, in order.
fn blows(transcript: &Transcript, requests: &Requests<'_>) -> Vec<(usize, Blow)> {
    let cancelled = requests.all.iter().filter_map(|request| Some((request.cancelled?, Blow::Cancelled)));
    let wire = transcript.wire().filter(|(_, frame)| frame.from() == Side::Client);
    let others = wire.filter_map(|(at, frame)| {
        let is_malformed = !frame.line().trim().is_empty() && frame.msg().is_none_or(is_malformed);
        let blow = if is_malformed {
            Blow::Malformed
        } else if frame.bytes() >= LARGE && frame.id().is_some() {
            Blow::Large
        } else {
            return None;
        };
        Some((at, blow))
    });
    let mut blows: Vec<_> = cancelled.chain(others).collect();
    blows.sort_by_key(|(at, _)| *at);
    blows
}

/// Whether a message breaks the protocol: a call without a name, or with arguments that are no object.
fn is_malformed(msg: &Value) -> bool {
    let params = msg.get("params");
    let is_call = msg.get("method").is_some_and(|method| method == "tools/call");
    let has_name = params.is_some_and(|params| params.get("name").is_some_and(Value::is_string));
    let arguments = params.and_then(|params| params.get("arguments"));
    let is_message = msg.is_array()
        || msg.get("method").is_some()
        || msg.get("result").is_some()
        || msg.get("error").is_some();
    !is_message
        || (is_call && (!has_name || arguments.is_some_and(|value| !value.is_object() && !value.is_null())))
}

fn dead_after(blow: (usize, Blow), reading: &Reading<'_>, requests: &Requests<'_>) -> Option<Finding> {
    no_longer_works(blow, reading)
        .or_else(|| nothing_works(blow, reading))
        .or_else(|| silent(blow, reading, requests))
}

/// The first call after it that worked before, fails, and never works again.
fn no_longer_works((at, blow): (usize, Blow), reading: &Reading<'_>) -> Option<Finding> {
    let works = |exchange: &&Exchange<'_>| exchange.success().is_some();
    let before = || {
        reading.exchanges.iter().filter(|one| one.call.response.is_some_and(|frame| frame < at)).filter(works)
    };
    let later = || reading.exchanges.iter().filter(|one| one.call.request > at);
    let is_same = |one: &Exchange<'_>, other: &Exchange<'_>| {
        one.call.name == other.call.name && one.call.arguments == other.call.arguments
    };
    later().filter(|one| is_down(one)).find_map(|failed| {
        let healthy = before().find(|healthy| is_same(healthy, failed))?;
        let recovers = later().filter(works).any(|other| is_same(other, failed));
        // Where nothing came back, the recording may simply end.
        let is_open = failed.call.answer == Answer::None && !is_over(reading, failed);
        if recovers || is_open {
            return None;
        }
        let how = if failed.call.answer == Answer::None { "gets no answer" } else { "fails" };
        let finding = proven(reading.server(), failed.call.name, place(failed)).saying(
            format!("the call worked before {}, and the very same call {how} after it", blow.told()),
            "the tool is broken, or the arguments are",
            "answer what cannot be read with an error, and go on with the next request as if nothing had been",
        );
        Some(reading.finding(finding, &[failed.at(), healthy.at(), at]))
    })
}

/// Every call after it fails in the same way, which says that the server itself is broken.
fn nothing_works((at, blow): (usize, Blow), reading: &Reading<'_>) -> Option<Finding> {
    let later: Vec<_> = reading.exchanges.iter().filter(|one| one.call.request > at).collect();
    let is_internal = |one: &&Exchange<'_>| match one.call.answer {
        Answer::ProtocolError(error) => {
            error.get("code").and_then(Value::as_i64) == Some(-32603) && is_down(one)
        }
        _ => false,
    };
    let worked = reading.exchanges.iter().any(|one| one.success().is_some());
    let [first, ..] = later[..] else { return None };
    if worked || later.len() < 2 || !later.iter().all(is_internal) {
        return None;
    }
    let finding = proven(reading.server(), first.call.name, place(first)).saying(
        format!("after {}, every call gets an internal error", blow.told()),
        "the tool is broken, or the arguments are",
        "answer what cannot be read with an error, and go on with the next request as if nothing had been",
    );
    let finding = Finding { certainty: Certainty::Suspected, severity: Severity::Warning, ..finding };
    Some(reading.finding(finding, &[first.at(), at]))
}

/// Nothing is answered any more.
fn silent((at, blow): (usize, Blow), reading: &Reading<'_>, requests: &Requests<'_>) -> Option<Finding> {
    let later: Vec<&Request<'_>> =
        requests.all.iter().filter(|request| request.frame > at && request.cancelled.is_none()).collect();
    let first = later.first()?;
    // What came after the blow, whatever it answers, is a sign of life.
    let lives =
        reading.transcript.wire().any(|(frame, line)| frame > first.frame && line.from() == Side::Server);
    if lives || reading.transcript.end().is_none() {
        return None;
    }
    let finding = proven(reading.server(), super::tool(first), "").saying(
        format!("{} came after {}, and nothing was answered any more", shown(first), blow.told()),
        "the server is at work",
        "stop only what was cancelled, and answer everything else",
    );
    Some(reading.finding(finding, &[first.frame, at]))
}

/// Whether a call got no answer, or an error of the protocol that says nothing of a reason outside.
fn is_down(exchange: &Exchange<'_>) -> bool {
    match exchange.call.answer {
        Answer::None => true,
        Answer::ProtocolError(_) => {
            // What was taken away meanwhile is not there, and nothing is broken.
            absence::denial(exchange).is_none()
                && Failure::of(exchange).is_some_and(|failure| !wording::is_about_else(&failure.text))
        }
        _ => false,
    }
}

/// Whether whoever recorded it would have seen an answer.
fn is_over(reading: &Reading<'_>, exchange: &Exchange<'_>) -> bool {
    let later = reading.exchanges.iter().filter(|other| other.call.request > exchange.call.request);
    reading.transcript.end().is_some() || later.count() > 0
}

fn place(exchange: &Exchange<'_>) -> &'static str {
    if matches!(exchange.call.answer, Answer::ProtocolError(_)) { "/error" } else { "" }
}
