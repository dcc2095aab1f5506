//! Makes frames of what was noted, and writes them down. What may not enter: the traffic itself, which does not wait for this.

use std::collections::HashMap;

use frankly_verdict::transcript::{Event, Frame, Side};
use hyper::header::CONTENT_TYPE;
use hyper::{HeaderMap, Method, StatusCode};
use serde_json::{Map, Value, json};
use tokio::sync::mpsc::UnboundedReceiver;

use super::super::context::{Contexts, with};
use super::super::copy::Copy;
use super::notes::{Note, What};
use super::turns::Turns;
use crate::session::Events;
use crate::session::lines::{Kept, Line};

/// Of a message that is longer only both ends are kept, as a recording has it.
const LONGEST_MESSAGE: usize = 1 << 20;
/// How much of a body that is no message is kept.
const HEAD_CHARS: usize = 200;

/// An exchange under way.
struct Exchange {
    method: Method,
    /// What is known of all that comes in it.
    around: Map<String, Value>,
    /// The same with what the request says that it is for.
    request: Option<Map<String, Value>>,
    asked: Kept,
    status: Option<StatusCode>,
    answered: Answered,
}

/// What came of an answer so far.
enum Answered {
    Body(Kept),
    Events(Box<Events>),
}

/// Writes down all that is noted, until nobody notes anything any more.
pub(super) fn follow(mut notes: UnboundedReceiver<Note>, mut copy: Copy) -> Copy {
    let mut open: HashMap<u64, Exchange> = HashMap::new();
    let mut turns = Turns::default();
    while let Some(Note { exchange, at_ms, what, .. }) = notes.blocking_recv() {
        if let What::Asks(method, headers) = what {
            let around = copy.contexts().around(Some(&headers));
            open.insert(exchange, Exchange::new(method, around));
            continue;
        }
        let Some(under_way) = open.get_mut(&exchange) else { continue };
        let is_over = matches!(what, What::EndOfAnswer(_));
        for frame in under_way.take(what) {
            let context = under_way.context(copy.contexts(), &frame);
            let frame = with(context, frame.at(at_ms));
            turns.take(exchange, frame).into_iter().for_each(|frame| copy.write(frame));
        }
        if is_over {
            open.remove(&exchange);
            turns.end(exchange).into_iter().for_each(|frame| copy.write(frame));
        }
        if notes.is_empty() {
            copy.flush();
        }
    }
    turns.rest().into_iter().for_each(|frame| copy.write(frame));
    copy
}

impl Exchange {
    fn new(method: Method, around: Map<String, Value>) -> Self {
        let answered = Answered::Body(Kept::default());
        Self { method, around, request: None, asked: Kept::default(), status: None, answered }
    }

    /// What is known of a frame of it: of the request that it is for, else of what is said where it came.
    fn context(&mut self, contexts: &mut Contexts, frame: &Frame) -> Map<String, Value> {
        let found = contexts.of_frame(frame, &self.around);
        match (frame.from(), &self.request) {
            (Side::Client, _) => {
                self.request = frame.method().and(frame.id()).map(|_| found.clone());
                found
            }
            (Side::Server, Some(of_request)) => of_request.clone(),
            (Side::Server, None) => found,
        }
    }

    /// The frames that are at their end now.
    fn take(&mut self, what: What) -> Vec<Frame> {
        match what {
            What::Asks(..) => Vec::new(),
            What::Asked(bytes) => {
                self.asked.push(&bytes, LONGEST_MESSAGE);
                Vec::new()
            }
            What::EndOfRequest => {
                let asked = std::mem::take(&mut self.asked);
                if asked.is_empty() { Vec::new() } else { vec![frame(Side::Client, asked.into_line())] }
            }
            What::Answers(status, headers) => {
                self.status = Some(status);
                if is_stream(&headers) {
                    self.answered = Answered::Events(Box::default());
                }
                Vec::new()
            }
            What::Answered(bytes) => match &mut self.answered {
                Answered::Body(body) => {
                    body.push(&bytes, LONGEST_MESSAGE);
                    Vec::new()
                }
                Answered::Events(events) => messages(events.feed(&bytes)),
            },
            What::EndOfAnswer(is_whole) => self.end(is_whole),
        }
    }

    fn end(&mut self, is_whole: bool) -> Vec<Frame> {
        let body = match std::mem::replace(&mut self.answered, Answered::Body(Kept::default())) {
            Answered::Events(mut events) => return messages(events.finish().into_iter().collect()),
            Answered::Body(body) => body,
        };
        let message = (!body.is_empty()).then(|| frame(Side::Server, body.into_line()));
        let is_message = message.as_ref().is_some_and(|frame| !frame.is_noise());
        let is_success = self.status.is_some_and(|status| status.is_success());
        if is_message || (is_success && message.is_none() && self.method != Method::DELETE) {
            return message.into_iter().collect();
        }
        // What was answered instead of a message.
        let mut details = Map::from_iter([("method".to_owned(), json!(self.method.as_str()))]);
        if let Some(status) = self.status {
            details.insert("status".to_owned(), json!(status.as_u16()));
        }
        if !is_whole {
            details.insert("broken".to_owned(), json!(true));
        }
        if let Some(message) = message {
            let head: String = message.line().chars().take(HEAD_CHARS).collect();
            details.insert("body".to_owned(), json!(head));
        }
        vec![Frame::from_event(Side::Server, Event { name: "http".to_owned(), details })]
    }
}

fn messages(data: Vec<Line>) -> Vec<Frame> {
    // Some servers begin a stream with an event of nothing, to give it an id.
    let said =
        data.into_iter().filter(|line| !matches!(line, Line::Whole(bytes) if bytes.trim_ascii().is_empty()));
    said.map(|line| frame(Side::Server, line)).collect()
}

/// A message as a line: over HTTP it may have several, as one that is written to be read by people has.
fn frame(from: Side, line: Line) -> Frame {
    let frame = match line {
        Line::Whole(bytes) => Frame::from_bytes(from, bytes),
        Line::Cut(cut, _) => return Frame::from_cut(from, cut),
    };
    let breaks = ['\n', '\r'];
    match frame.msg().is_some() && frame.line().contains(breaks) {
        true => Frame::from_line(from, frame.line().replace(breaks, " ").trim().to_owned()),
        false => frame,
    }
}

fn is_stream(headers: &HeaderMap) -> bool {
    let form = headers.get(CONTENT_TYPE).and_then(|form| form.to_str().ok()).unwrap_or_default();
    form.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("text/event-stream")
}
