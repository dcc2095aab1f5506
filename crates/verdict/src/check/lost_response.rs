//! Requests without their answer, and answers without their request.

use std::collections::HashSet;

use serde_json::Value;

mod after;
mod crossed;
mod doc;

use super::Check;
use super::reading::Reading;
use super::requests::{Request, Requests};
use crate::report::{counted, shorten};
use crate::transcript::Event;
use crate::{Doc, Finding, Severity};
use doc::DOC;

/// So many later requests have to be answered before one counts as lost in a recording that does not say that it is
/// whole.
const LATER_ANSWERS: usize = 2;

/// See [`DOC`].
pub(super) struct LostResponse;

impl Check for LostResponse {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        let requests = Requests::of(reading.transcript);
        let mut found: Vec<Finding> = Vec::new();
        let (other_type, taken) = under_another_type(&requests, reading);
        found.extend(other_type);
        found.extend(nobodys(&requests, &taken, reading));
        found.extend(requests.all.iter().filter_map(|request| twice(request, reading)));
        found.extend(crossed::look_at(reading));
        found.extend(after::look_at(reading, &requests));
        let told: HashSet<usize> = found.iter().flat_map(|finding| finding.frames.clone()).collect();
        found.extend(unanswered(&requests, &taken, &told, reading));
        found.sort_by_key(|finding| finding.frames.first().copied());
        findings.extend(found);
    }
}

/// The frames of answers that belong to other calls: what they say of their own call is nothing.
pub(super) fn crossed_answers(reading: &Reading<'_>) -> Vec<usize> {
    crossed::look_at(reading).into_iter().flat_map(|finding| finding.frames).collect()
}

/// Answers whose id is the right one but for its type: `"1"` to `1`. Also the frames that these tell of.
fn under_another_type(requests: &Requests<'_>, reading: &Reading<'_>) -> (Vec<Finding>, HashSet<usize>) {
    let plain = |id: &Value| id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    let (mut found, mut taken) = (Vec::new(), HashSet::new());
    for (frame, msg) in &requests.unasked {
        let Some(id) = msg.get("id") else { continue };
        let is_meant = |request: &&Request<'_>| {
            request.answers.is_empty() && request.frame < *frame && plain(request.id) == plain(id)
        };
        let Some(request) = requests.all.iter().find(is_meant) else { continue };
        taken.extend([*frame, request.frame]);
        let finding = proven(reading.server(), tool(request), "/id").saying(
            format!("the request has the id {}, and its answer the id {id}", request.id),
            "the request was never answered: ids are compared by type too",
            "answer with the id as it was sent",
        );
        found.push(reading.finding(finding, &[*frame, request.frame]));
    }
    (found, taken)
}

/// Answers that nobody asked for.
fn nobodys(requests: &Requests<'_>, taken: &HashSet<usize>, reading: &Reading<'_>) -> Vec<Finding> {
    // What was asked before the recording began is not known.
    let Some(begin) = requests.all.first().map(|request| request.frame) else { return Vec::new() };
    let strangers = requests.unasked.iter().filter(|(frame, _)| *frame > begin && !taken.contains(frame));
    let look = |(frame, msg): &(usize, &Value)| {
        let id = msg.get("id").unwrap_or(&Value::Null);
        let finding = proven(reading.server(), "", "/id").saying(
            format!("an answer has the id {id}, which no request had"),
            "this answers something else, or nothing",
            "answer each request once, with the id that it has",
        );
        reading.finding(finding, &[*frame])
    };
    strangers.map(look).collect()
}

/// A request with two answers.
fn twice(request: &Request<'_>, reading: &Reading<'_>) -> Option<Finding> {
    let [(first, one), (second, other), ..] = request.answers[..] else { return None };
    let how = if one == other { "the same answer" } else { "another answer" };
    let finding = proven(reading.server(), tool(request), "/id").saying(
        format!("the request with the id {} got {how} after it had been answered", request.id),
        "this answers a later request, or nothing: clients drop it, or end the session",
        "answer each request once",
    );
    Some(reading.finding(finding, &[second, first]))
}

/// Whether a request stays open by design: its answer comes when the server ends the stream that it asked for.
fn is_open(request: &Request<'_>, reading: &Reading<'_>) -> bool {
    let frame = reading.transcript.frames.get(request.frame);
    frame.and_then(|frame| frame.method()).is_some_and(|method| method == "subscriptions/listen")
}

/// Requests without an answer, although later ones were answered.
fn unanswered(
    requests: &Requests<'_>,
    taken: &HashSet<usize>,
    told: &HashSet<usize>,
    reading: &Reading<'_>,
) -> Vec<Finding> {
    let is_whole = reading.transcript.end().is_some();
    let is_in_order = ended_in_order(reading);
    let lost = requests.all.iter().filter(|request| {
        request.answers.is_empty()
            && !is_open(request, reading)
            && (request.cancelled.is_none() || was_passed_over(request, requests))
            && !taken.contains(&request.frame)
            && !told.contains(&request.frame)
    });
    let look = |request: &Request<'_>| {
        let later = requests.all.iter().filter(|other| other.frame > request.frame);
        let answers: Vec<usize> = later.filter_map(|other| Some(other.answers.first()?.0)).collect();
        // A session that ended in order had time for every answer.
        let enough = match (is_in_order && request.cancelled.is_none(), is_whole) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => LATER_ANSWERS,
        };
        if answers.len() < enough {
            return None;
        }
        let id = request.id;
        let what = if answers.is_empty() {
            format!("the request with the id {id} was never answered, and the session ended in order")
        } else {
            let others = counted(answers.len(), "request");
            format!(
                "the request with the id {id} was never answered, while {others} that came later did get an answer"
            )
        };
        let finding = proven(reading.server(), tool(request), "").saying(
            what,
            "the tool is still at work",
            "answer every request, with an error where it cannot be done",
        );
        let frames: Vec<usize> = std::iter::once(request.frame).chain(answers.first().copied()).collect();
        Some(reading.finding(finding, &frames))
    };
    lost.filter_map(look).collect()
}

/// Whether a session came to its end, and no program broke off on the way.
fn ended_in_order(reading: &Reading<'_>) -> bool {
    let events = || reading.transcript.frames.iter().filter_map(|frame| frame.event());
    let code = |event: &Event| event.details.get("code").and_then(Value::as_i64);
    let is_end = |event: &Event| event.name == "end" || (event.name == "exit" && code(event) == Some(0));
    let breaks_off = |event: &Event| event.name == "exit" && code(event) != Some(0);
    events().any(is_end) && !events().any(breaks_off)
}

/// Whether the client gave up a call after others of the same tool that it sent later had been answered.
fn was_passed_over(request: &Request<'_>, requests: &Requests<'_>) -> bool {
    let Some(cancelled) = request.cancelled else { return false };
    let is_alike = |other: &&Request<'_>| {
        other.method == request.method && tool(other) == tool(request) && other.frame > request.frame
    };
    let answered = requests.all.iter().filter(is_alike).filter_map(|other| other.answers.first());
    answered.filter(|(frame, _)| *frame < cancelled).count() >= LATER_ANSWERS
}

fn proven(server: &str, tool: &str, pointer: &str) -> Finding {
    Finding::proven(&DOC, Severity::Error, server, tool, pointer)
}

/// The tool that a request calls; none where it is no call.
fn tool<'a>(request: &Request<'a>) -> &'a str {
    let name = (request.method == "tools/call").then(|| request.param("name")?.as_str());
    name.flatten().unwrap_or_default()
}

/// A request in a sentence.
fn shown(request: &Request<'_>) -> String {
    let name = tool(request);
    if name.is_empty() {
        format!("`{}`", shorten(request.method, 60))
    } else {
        format!("the call of `{}`", shorten(name, 60))
    }
}
