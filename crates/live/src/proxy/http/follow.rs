//! Makes frames of what was noted, and writes them down. What may not enter: the traffic itself, which does not wait for this.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use frankly_verdict::transcript::{Event, Frame, Side};
use hyper::header::{CONTENT_TYPE, LOCATION};
use hyper::{HeaderMap, Method, StatusCode};
use serde_json::{Map, Value, json};
use tokio::sync::mpsc::UnboundedReceiver;

use super::super::context::{Contexts, with};
use super::super::copy::Copy;
use super::coding::Coding;
use super::notes::{End, Note, What};
use crate::session::Events;
use crate::session::lines::{Kept, Line};

/// Of a message that is longer only both ends are kept, as a recording has it.
const LONGEST_MESSAGE: usize = 1 << 20;
/// How much of a body that is no message is kept.
const HEAD_CHARS: usize = 200;

/// An exchange under way.
struct Exchange {
    method: Method,
    /// In which session, where the client or the server says so.
    session: Option<String>,
    /// What is known of all that comes in it.
    around: Map<String, Value>,
    /// The same with what the request says that it is for.
    request: Option<Map<String, Value>>,
    asked: Kept,
    status: Option<StatusCode>,
    /// Where a client is sent instead: what it asks for there does not pass here.
    location: Option<String>,
    open: Open,
    coding: Coding,
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
    while let Some(Note { exchange, at_ms, what, .. }) = notes.blocking_recv() {
        if let What::Asks(method, headers) = what {
            let around = copy.contexts().around(Some(&headers));
            open.insert(exchange, Exchange::new(method, session(&headers), around));
            continue;
        }
        let Some(under_way) = open.get_mut(&exchange) else { continue };
        let is_over = matches!(what, What::EndOfAnswer(_));
        for frame in under_way.take(what) {
            let context = under_way.context(copy.contexts(), &frame);
            let frame = with(context, frame.at(at_ms)).in_exchange(exchange);
            copy.write(match &under_way.session {
                Some(session) => frame.in_session(session),
                None => frame,
            });
        }
        if is_over {
            open.remove(&exchange);
        }
        if notes.is_empty() {
            copy.flush();
        }
    }
    copy
}

/// A name for the session in which a request was made. Its id lets whoever has it speak in it, and is kept out.
fn session(headers: &HeaderMap) -> Option<String> {
    let mut hasher = DefaultHasher::new();
    headers.get("mcp-session-id")?.as_bytes().hash(&mut hasher);
    Some(format!("{:016x}", hasher.finish()))
}

impl Exchange {
    fn new(method: Method, session: Option<String>, around: Map<String, Value>) -> Self {
        let answered = Answered::Body(Kept::default());
        Self {
            method,
            session,
            around,
            request: None,
            asked: Kept::default(),
            status: None,
            location: None,
            open: Open::default(),
            coding: Coding::Plain,
            answered,
        }
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
        let frames = match what {
            What::Asks(..) => Vec::new(),
            What::Asked(bytes) => {
                self.asked.push(&bytes, LONGEST_MESSAGE);
                Vec::new()
            }
            What::EndOfRequest => self.asked().into_iter().collect(),
            What::Answers(status, headers) => {
                self.status = Some(status);
                let location = headers.get(LOCATION).filter(|_| status.is_redirection());
                self.location = location.map(|to| String::from_utf8_lossy(to.as_bytes()).into_owned());
                self.session = self.session.take().or_else(|| session(&headers));
                self.coding = Coding::of(&headers);
                if is_stream(&headers) {
                    self.answered = Answered::Events(Box::new(Events::keeping(LONGEST_MESSAGE)));
                }
                Vec::new()
            }
            What::Answered(bytes) => self.answered(&bytes),
            // A server need not wait for the end of a request.
            What::EndOfAnswer(end) => {
                let mut frames: Vec<Frame> = self.asked().into_iter().collect();
                frames.iter().for_each(|frame| self.open.note(frame));
                frames.extend(self.end(end));
                frames
            }
        };
        // What is answered before all of it was asked does not stand before it.
        let is_early = frames.iter().any(|frame| frame.from() == Side::Server);
        let asked = if is_early { self.asked() } else { None };
        let frames: Vec<Frame> = asked.into_iter().chain(frames).collect();
        frames.iter().for_each(|frame| self.open.note(frame));
        frames
    }

    fn answered(&mut self, bytes: &[u8]) -> Vec<Frame> {
        let mut frames = Vec::new();
        self.coding.read(bytes, |said| match &mut self.answered {
            Answered::Body(body) => body.push(said, LONGEST_MESSAGE),
            Answered::Events(events) => frames.extend(messages(events.feed(said))),
        });
        frames
    }

    fn asked(&mut self) -> Option<Frame> {
        let asked = std::mem::take(&mut self.asked);
        (!asked.is_empty()).then(|| frame(Side::Client, asked.into_line()))
    }

    /// What is left of an answer at its end, or what happened instead of one.
    fn end(&mut self, end: End) -> Option<Frame> {
        let answered = std::mem::replace(&mut self.answered, Answered::Body(Kept::default()));
        let (rest, is_stream) = match answered {
            // An event without its empty line is told to nobody.
            Answered::Events(mut events) => (messages(events.finish().into_iter().collect()).pop(), true),
            Answered::Body(body) if body.is_empty() => (None, false),
            Answered::Body(body) => (Some(frame(Side::Server, body.into_line())), false),
        };
        let is_broken = end != End::Whole || (is_stream && rest.is_some());
        if !is_broken && rest.as_ref().is_some_and(|frame| !frame.is_noise()) {
            return rest;
        }
        let is_owed = is_broken && self.open.is_open();
        let unread = self.coding.unread().filter(|_| !is_owed && (is_stream || self.open.is_open()));
        if let Some(coding) = unread {
            let details = Map::from_iter([("encoding".to_owned(), json!(coding))]);
            return Some(event(Side::Server, "left_out", details));
        }
        if is_owed && end == End::Left {
            return Some(event(Side::Client, "cancel", Map::new()));
        }
        let is_success = self.status.is_some_and(|status| status.is_success());
        let is_empty = is_success && rest.is_none() && self.method != Method::DELETE;
        let is_settled = !is_owed && (is_stream || is_empty);
        (!is_settled).then(|| event(Side::Server, "http", self.instead(rest.as_ref(), is_broken)))
    }

    /// What was answered instead of a message.
    fn instead(&self, body: Option<&Frame>, is_broken: bool) -> Map<String, Value> {
        let mut details = Map::from_iter([("method".to_owned(), json!(self.method.as_str()))]);
        if let Some(status) = self.status {
            details.insert("status".to_owned(), json!(status.as_u16()));
        }
        if let Some(location) = &self.location {
            details.insert("location".to_owned(), json!(location));
        }
        if is_broken {
            details.insert("broken".to_owned(), json!(true));
        }
        if let Some(body) = body {
            let head: String = body.line().chars().take(HEAD_CHARS).collect();
            details.insert("body".to_owned(), json!(head));
        }
        details
    }
}

/// The request of an exchange that waits for its answer.
#[derive(Debug, Default)]
struct Open(Option<Value>);

impl Open {
    fn note(&mut self, frame: &Frame) {
        match frame.from() {
            Side::Client => self.0 = frame.method().and(frame.id()).cloned(),
            Side::Server if frame.is_response() && frame.id() == self.0.as_ref() => self.0 = None,
            Side::Server => {}
        }
    }

    fn is_open(&self) -> bool {
        self.0.is_some()
    }
}

fn event(from: Side, name: &str, details: Map<String, Value>) -> Frame {
    Frame::from_event(from, Event { name: name.to_owned(), details })
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
