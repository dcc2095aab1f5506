//! Calls that no longer work after something went wrong with another request.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{proven, shown};
use crate::check::absence;
use crate::check::beside::Asked;
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
    // Whatever worked before or works again speaks against it.
    if !reading.sight.ends {
        return Vec::new();
    }
    let blows = blows(reading.transcript, requests);
    if blows.is_empty() {
        return Vec::new();
    }
    let health = Health::of(reading, requests);
    blows.iter().find_map(|blow| dead_after(*blow, &health)).into_iter().collect()
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

fn dead_after(blow: (usize, Blow), health: &Health<'_, '_>) -> Option<Finding> {
    no_longer_works(blow, health).or_else(|| nothing_works(blow, health)).or_else(|| silent(blow, health))
}

/// What a session shows of how its server was, read once for all that went wrong.
struct Health<'r, 'a> {
    reading: &'r Reading<'a>,
    /// Calls that fail as if the server were broken and worked before, with the first answer of the same call and the frame
    /// of the last request for it that worked.
    down: Vec<(&'r Exchange<'a>, Vec<&'r Exchange<'a>>, usize)>,
    /// The first call from which on every one gets an internal error.
    internal: usize,
    /// Whether any call worked.
    worked: bool,
    /// The requests that nobody took back, in order.
    waited_for: Vec<&'r Request<'a>>,
    /// The last frame of the server.
    last_sign: Option<usize>,
}

impl<'r, 'a> Health<'r, 'a> {
    fn of(reading: &'r Reading<'a>, requests: &'r Requests<'a>) -> Self {
        let mut healthy: HashMap<(&str, Asked), Vec<&Exchange<'a>>> = HashMap::new();
        let key = |one: &Exchange<'a>| (one.call.name, one.asked);
        for one in reading.exchanges.iter().filter(|one| one.success().is_some()) {
            healthy.entry(key(one)).or_default().push(one);
        }
        // Whoever gives a call up in words may have waited for long; whoever goes away may not.
        let has_left = |request: &&Request<'a>| {
            let frame = request.cancelled.and_then(|at| reading.transcript.frames.get(at));
            request.settled.is_some() || frame.is_some_and(|frame| frame.event().is_some())
        };
        let let_go: HashSet<usize> =
            requests.all.iter().filter(has_left).map(|request| request.frame).collect();
        let is_owed = |one: &&Exchange<'_>| !one.is_malformed && !let_go.contains(&one.call.request);
        let down = reading.exchanges.iter().filter(is_owed).filter(|one| is_down(one)).filter_map(|failed| {
            let same = healthy.get(&key(failed))?;
            Some((failed, first_answers(same), same.last()?.call.request))
        });
        let is_internal = |one: &Exchange<'_>| match one.call.answer {
            Answer::ProtocolError(error) => {
                error.get("code").and_then(Value::as_i64) == Some(-32603) && is_down(one)
            }
            _ => false,
        };
        let wire = reading.transcript.wire().filter(|(_, line)| line.from() == Side::Server);
        Self {
            reading,
            down: down.collect(),
            internal: reading.exchanges.iter().rposition(|one| !is_internal(one)).map_or(0, |at| at + 1),
            worked: reading.exchanges.iter().any(|one| one.success().is_some()),
            waited_for: requests.all.iter().filter(|request| !request.is_let_go()).collect(),
            last_sign: wire.last().map(|(at, _)| at),
        }
    }

    /// Whether whoever recorded it would have seen an answer.
    fn is_over(&self, exchange: &Exchange<'_>) -> bool {
        let last = self.reading.exchanges.last();
        self.reading.transcript.end().is_some()
            || last.is_some_and(|last| last.call.request > exchange.call.request)
    }
}

/// Of the answers to the same call those that came sooner than every one before them in the list: the first one before any
/// frame is among them.
fn first_answers<'r, 'a>(same: &[&'r Exchange<'a>]) -> Vec<&'r Exchange<'a>> {
    let mut first: Vec<&Exchange<'a>> = Vec::new();
    for one in same {
        if first.last().is_none_or(|known| one.call.response < known.call.response) {
            first.push(one);
        }
    }
    first
}

/// The first call after it that worked before, fails, and never works again.
fn no_longer_works((at, blow): (usize, Blow), health: &Health<'_, '_>) -> Option<Finding> {
    let begin = health.down.partition_point(|(failed, ..)| failed.call.request <= at);
    health.down[begin..].iter().find_map(|(failed, healthy, last)| {
        let healthy = healthy.iter().find(|one| one.call.response.is_some_and(|frame| frame < at))?;
        let recovers = *last > at;
        // Where nothing came back, the recording may simply end.
        let is_open = failed.call.answer == Answer::None && !health.is_over(failed);
        if recovers || is_open {
            return None;
        }
        let how = if failed.call.answer == Answer::None { "gets no answer" } else { "fails" };
        let finding = proven(health.reading.server(), failed.call.name, place(failed)).saying(
            format!("the call worked before {}, and the very same call {how} after it", blow.told()),
            "the tool is broken, or the arguments are",
            "answer what cannot be read with an error, and go on with the next request as if nothing had been",
        );
        Some(health.reading.finding(finding, &[failed.at(), healthy.at(), at]))
    })
}

/// Every call after it fails in the same way, which says that the server itself is broken.
fn nothing_works((at, blow): (usize, Blow), health: &Health<'_, '_>) -> Option<Finding> {
    let exchanges = &health.reading.exchanges;
    let begin = exchanges.partition_point(|one| one.call.request <= at);
    let later = exchanges.get(begin..).unwrap_or_default();
    let [first, ..] = later else { return None };
    let worked = health.worked || !health.reading.sight.begins;
    if worked || later.len() < 2 || begin < health.internal {
        return None;
    }
    let finding = proven(health.reading.server(), first.call.name, place(first)).saying(
        format!("after {}, every call gets an internal error", blow.told()),
        "the tool is broken, or the arguments are",
        "answer what cannot be read with an error, and go on with the next request as if nothing had been",
    );
    let finding = Finding { certainty: Certainty::Suspected, severity: Severity::Warning, ..finding };
    Some(health.reading.finding(finding, &[first.at(), at]))
}

/// Nothing is answered any more.
fn silent((at, blow): (usize, Blow), health: &Health<'_, '_>) -> Option<Finding> {
    let begin = health.waited_for.partition_point(|request| request.frame <= at);
    let first = health.waited_for.get(begin)?;
    // What came after the blow, whatever it answers, is a sign of life.
    let lives = health.last_sign.is_some_and(|sign| sign > first.frame);
    if lives || health.reading.transcript.end().is_none() {
        return None;
    }
    let finding = proven(health.reading.server(), super::tool(first), "").saying(
        format!("{} came after {}, and nothing was answered any more", shown(first), blow.told()),
        "the server is at work",
        "stop only what was cancelled, and answer everything else",
    );
    Some(health.reading.finding(finding, &[first.frame, at]))
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

fn place(exchange: &Exchange<'_>) -> &'static str {
    if matches!(exchange.call.answer, Answer::ProtocolError(_)) { "/error" } else { "" }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::check::check_all;
    use crate::transcript::read_recording;

    #[test]
    fn what_a_client_was_refused_or_gave_up_twice_says_nothing_of_the_server() {
        let call = |exchange: u32| {
            let params = json!({"name": "get_boat", "arguments": {"id": "b1"}});
            let msg = json!({"jsonrpc": "2.0", "id": exchange, "method": "tools/call", "params": params});
            json!({"from": "client", "exchange": exchange, "msg": msg}).to_string() + "\n"
        };
        let result = json!({"content": [{"type": "text", "text": "a boat"}]});
        let answer =
            json!({"from": "server", "exchange": 0, "msg": {"jsonrpc": "2.0", "id": 0, "result": result}});
        let begin = format!("{{\"frankly\":\"recording\",\"version\":1}}\n{}{answer}\n", call(0));
        for (event, is_told) in [
            (json!({"event": "http", "status": 401}), false),
            (json!({"event": "left_out", "encoding": "br"}), false),
            (json!({"event": "cancel", "from": "client"}), false),
            (json!({"event": "http", "status": 500}), true),
            (json!({"event": "http", "status": 200, "broken": true}), true),
        ] {
            let ended = |exchange: u32| {
                let mut event = event.clone();
                event["exchange"] = json!(exchange);
                call(exchange) + &event.to_string() + "\n"
            };
            let text = begin.clone() + &ended(1) + &ended(2) + "{\"event\":\"end\"}\n";
            let found = check_all(&read_recording("shop", &text).unwrap());
            assert_eq!(
                found.iter().any(|finding| finding.rule == "lost-response"),
                is_told,
                "{event}: {found:?}"
            );
        }
    }
}
