//! Requests without their answer, and answers without their request.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

mod after;
mod crossed;
mod doc;

use super::Check;
use super::reading::Reading;
use crate::report::{counted, shorten};
use crate::transcript::requests::{Request, Requests, SOON_MS};
use crate::transcript::{Event, Flaw, Frame, Role, Side};
use crate::{Doc, Finding, Severity};
use doc::DOC;

/// So many later requests have to be answered before one counts as lost in a recording that does not say that it is
/// whole.
const LATER_ANSWERS: usize = 2;

/// So many of them are counted.
const MOST_COUNTED: usize = 100;

/// See [`DOC`].
pub(super) struct LostResponse;

impl Check for LostResponse {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        let requests = reading.requests;
        let mut found: Vec<Finding> = Vec::new();
        let (other_type, mut taken) = under_another_type(requests, reading);
        found.extend(other_type);
        found.extend(too_early(requests, &mut taken, reading));
        found.extend(nobodys(requests, &taken, reading));
        found.extend(requests.all.iter().filter_map(|request| twice(request, reading)));
        found.extend(requests.all.iter().filter_map(|request| both(request, reading)));
        found.extend(crossed::look_at(reading));
        found.extend(after::look_at(reading, requests));
        let told: HashSet<usize> = found.iter().flat_map(|finding| finding.frames.clone()).collect();
        found.extend(unanswered(requests, &taken, &told, reading));
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
    let mut open = HashMap::<String, Vec<&Request<'_>>>::new();
    for request in requests.all.iter().filter(|request| request.answers.is_empty()) {
        open.entry(plain(request.id)).or_default().push(request);
    }
    for (frame, msg) in &requests.unasked {
        let Some(id) = msg.get("id") else { continue };
        let meant = open.get(&plain(id)).into_iter().flatten();
        let Some(request) = meant.into_iter().find(|request| request.frame < *frame) else { continue };
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

/// Answers that came before their request; they are taken out of what is told of otherwise.
fn too_early(requests: &Requests<'_>, taken: &mut HashSet<usize>, reading: &Reading<'_>) -> Vec<Finding> {
    let open = requests.all.iter().filter(|request| request.answers.is_empty() && !request.id.is_null());
    let open: HashMap<String, &Request<'_>> = open.map(|request| (request.id.to_string(), request)).collect();
    let mut found = Vec::new();
    for (frame, msg) in
        requests.unasked.iter().filter(|(frame, _)| !taken.contains(frame)).collect::<Vec<_>>()
    {
        let id = msg.get("id").unwrap_or(&Value::Null);
        let Some(request) = open.get(&id.to_string()).filter(|request| request.frame > *frame) else {
            continue;
        };
        taken.extend([*frame, request.frame]);
        let finding = proven(reading.server(), tool(request), "/id").saying(
            format!("the answer with the id {id} came before the request with that id, which got no other"),
            "the request was never answered: clients drop what nobody waits for",
            "answer each request once, after it was sent",
        );
        found.push(reading.finding(finding, &[*frame, request.frame]));
    }
    found
}

/// An answer that is a result and an error at once.
fn both(request: &Request<'_>, reading: &Reading<'_>) -> Option<Finding> {
    let (frame, msg) = request.answers.first()?;
    let has = |member: &str| msg.get(member).is_some_and(|value| !value.is_null());
    if !has("result") || !has("error") {
        return None;
    }
    let place = request.answer_in_batch.map(|place| format!("/{place}")).unwrap_or_default();
    let finding = proven(reading.server(), tool(request), &format!("{place}/error")).saying(
        "the answer has a `result` and an `error` at once",
        "one of the two, and it depends on the client which; some refuse both",
        "answer with a `result`, or with an `error`, and never with both",
    );
    Some(reading.finding(finding, &[*frame]))
}

/// Answers that nobody asked for.
fn nobodys(requests: &Requests<'_>, taken: &HashSet<usize>, reading: &Reading<'_>) -> Vec<Finding> {
    if reading.sight.forgot {
        return Vec::new();
    }
    // What was asked before the recording began is not known.
    let first = requests.all.first().map(|request| request.frame + 1);
    let (begin, had) = match reading.sight.begins {
        true => (first, "which no request had"),
        false => (Some(0), "under which no request waited for one"),
    };
    let Some(begin) = begin else { return Vec::new() };
    let strangers = requests.unasked.iter().filter(|(frame, _)| *frame >= begin && !taken.contains(frame));
    let look = |(frame, msg): &(usize, &Value)| {
        let id = msg.get("id").unwrap_or(&Value::Null);
        let finding = proven(reading.server(), "", "/id").saying(
            format!("an answer has the id {id}, {had}"),
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
    let end = End::of(reading);
    // What was too deep to be read may be the answer.
    let wire = || reading.transcript.wire().filter(|(_, frame)| frame.from() == Side::Server);
    let unread = wire().filter(|(_, frame)| frame.flaw() == Some(Flaw::TooDeep)).last().map(|(at, _)| at);
    let lost = requests.all.iter().filter(|request| {
        request.answers.is_empty()
            && !request.id.is_null()
            && unread.is_none_or(|unread| unread < request.frame)
            && !is_open(request, reading)
            && request.settled.is_none()
            && (request.cancelled.is_none() || was_passed_over(request, requests))
            && !taken.contains(&request.frame)
            && !told.contains(&request.frame)
    });
    // By method and tool, and for all together: the requests that were answered, with the frame of the answer.
    let answered = || requests.all.iter().filter_map(|one| Some((one, one.answers.first()?.0)));
    let mut alike: HashMap<(&str, &str), Vec<(usize, usize)>> = HashMap::new();
    for (one, answer) in answered() {
        alike.entry((one.method, tool(one))).or_default().push((one.frame, answer));
    }
    let all: Vec<(usize, usize)> = answered().map(|(one, answer)| (one.frame, answer)).collect();
    let look = |request: &Request<'_>| {
        let fate = end.of_request(request, reading);
        // Where nothing says that there was time for every answer, others of its kind that came later show it.
        let others = match end.is_whole() {
            true => Some(&all),
            false => alike.get(&(request.method, tool(request))),
        };
        let others = others.map(Vec::as_slice).unwrap_or_default();
        let later = others[others.partition_point(|(frame, _)| *frame <= request.frame)..].iter();
        let answers: Vec<usize> = later.map(|(_, answer)| *answer).take(MOST_COUNTED).collect();
        let enough = match fate {
            Fate::Died(_) => 0,
            Fate::Ended if request.cancelled.is_none() => 0,
            Fate::Ended => 1,
            Fate::Open => LATER_ANSWERS,
        };
        let is_waited_for = !reading.sight.ends && !reading.sight.given_up.contains(&request.frame);
        if answers.len() < enough || (fate == Fate::Open && (end.is_whole() || is_waited_for)) {
            return None;
        }
        let id = request.id;
        let what = if let Fate::Died(code) = fate {
            format!(
                "the server died with the code {code} while the request with the id {id} waited for its answer"
            )
        } else if answers.is_empty() {
            format!("the request with the id {id} was never answered, and the session is over")
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

/// What became of a request that has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// The server ended with this code.
    Died(i64),
    /// The recording says that it is whole, and there was time for the answer.
    Ended,
    /// It may still have been under way.
    Open,
}

/// How a session ended, as far as its recording says so.
struct End<'a> {
    /// The frames that say so, with what they say.
    events: Vec<(usize, Option<u64>, &'a Event)>,
    /// Whether one of them says that it is whole.
    has_end: bool,
}

impl<'a> End<'a> {
    /// What a server ends with that was told to end.
    const TOLD_TO_END: [i64; 6] = [-15, -9, 0, 130, 137, 143];

    fn of(reading: &Reading<'a>) -> Self {
        let frames = reading.transcript.frames.iter().enumerate();
        let events = frames.filter_map(|(number, frame)| Some((number, frame.at_ms(), frame.event()?)));
        let events: Vec<_> = events.filter(|(.., event)| matches!(&*event.name, "end" | "exit")).collect();
        Self { has_end: events.iter().any(|(.., event)| event.name == "end"), events }
    }

    fn is_whole(&self) -> bool {
        !self.events.is_empty()
    }

    fn of_request(&self, request: &Request<'_>, reading: &Reading<'_>) -> Fate {
        let next = self.events.partition_point(|(number, ..)| *number <= request.frame);
        let Some((_, ended, event)) = self.events.get(next) else { return Fate::Open };
        let sent = reading.transcript.frames.get(request.frame).and_then(Frame::at_ms);
        let is_soon = sent.zip(*ended).is_some_and(|(sent, ended)| ended.saturating_sub(sent) < SOON_MS);
        let code = event.details.get("code").and_then(Value::as_i64);
        // Of a server that whoever tested it saw die, the report of that session tells already (`died`).
        let is_told = reading.transcript.role == Some(Role::Server) && !self.has_end;
        match (event.name == "exit", code) {
            (true, Some(code)) if code != 0 && is_told => Fate::Open,
            (true, Some(code)) if !Self::TOLD_TO_END.contains(&code) && request.cancelled.is_none() => {
                Fate::Died(code)
            }
            _ if is_soon => Fate::Open,
            // Ended by a signal of which nothing more is known.
            (true, code) if code != Some(0) => Fate::Open,
            _ => Fate::Ended,
        }
    }
}

/// Whether the client gave up a call after others of the same tool that it sent later had been answered.
fn was_passed_over(request: &Request<'_>, requests: &Requests<'_>) -> bool {
    let Some(cancelled) = request.cancelled else { return false };
    let begin = requests.all.partition_point(|other| other.frame <= request.frame);
    // What was sent after it was taken back was answered later still.
    let meanwhile = requests.all[begin..].iter().take_while(|other| other.frame < cancelled);
    let is_alike = |other: &&Request<'_>| other.method == request.method && tool(other) == tool(request);
    let answered = meanwhile.filter(is_alike).filter_map(|other| other.answers.first());
    answered.filter(|(frame, _)| *frame < cancelled).take(LATER_ANSWERS).count() >= LATER_ANSWERS
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
