//! What both directions of a connection share: the frames, who waits for which answer, and whether anything more
//! can come. No reading and no writing.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use frankly_verdict::transcript::{Frame, Side};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::cost::kept_bytes;
use super::http::Failure;
use super::lines::{Digest, Line};

/// How much of what is said is kept before it counts as flooding.
const MAX_KEPT_BYTES: usize = 256 * 1024 * 1024;
/// Where a result in `_meta` says that only its ends were kept: how many bytes the line had, and, where it is known, what
/// tells the result from every other.
pub(crate) const ONLY_ENDS: &str = "frankly/only-ends";
const METHOD_NOT_FOUND: i64 = -32601;

/// The state of a connection.
#[derive(Debug)]
pub(super) struct Shared {
    start: Instant,
    /// How much has come of a line that is not at its end.
    under_way: AtomicU64,
    state: Mutex<State>,
}

impl Default for Shared {
    fn default() -> Self {
        Self { start: Instant::now(), under_way: AtomicU64::new(0), state: Mutex::default() }
    }
}

#[derive(Debug, Default)]
struct State {
    frames: Vec<Arc<Frame>>,
    kept_bytes: usize,
    /// The frames of ours that are being written, or never were.
    unwritten: BTreeSet<usize>,
    waiting: HashMap<i64, oneshot::Sender<Reply>>,
    /// What came instead of an answer, by the frame of the request.
    instead: BTreeMap<usize, String>,
    /// How much had come of a line without an end when a request was given up, by its frame.
    unended: BTreeMap<usize, u64>,
    last_id: i64,
    gone: Option<String>,
}

/// Where an answer will come in.
pub(super) type Answer = oneshot::Receiver<Reply>;

/// What a request came to: its answer, or what came instead of one.
pub(super) type Reply = Result<Heard, Failure>;

/// An answer as it was heard.
#[derive(Debug, Clone)]
pub(super) struct Heard {
    frame: Arc<Frame>,
    /// What tells its result from every other, where only its ends were kept.
    digest: Option<Digest>,
}

impl Deref for Heard {
    type Target = Frame;

    fn deref(&self) -> &Frame {
        &self.frame
    }
}

impl Heard {
    /// A result of this answer, which says of itself where only the ends of it were kept.
    pub fn marked(&self, mut result: Value) -> Value {
        if let (Some(cut), Some(members)) = (self.cut(), result.as_object_mut()) {
            let meta = members.entry("_meta").or_insert_with(|| json!({}));
            if let Some(meta) = meta.as_object_mut() {
                meta.insert(ONLY_ENDS.to_owned(), json!({"bytes": cut.bytes, "digest": self.digest}));
            }
        }
        result
    }
}

/// A line of ours among the frames.
#[derive(Debug, Clone)]
pub(super) struct Ours {
    /// Its place among them.
    pub index: usize,
    /// The line, with the message in it.
    pub frame: Arc<Frame>,
}

/// What was said, without what was never written.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// Everything that was said.
    pub frames: Vec<Frame>,
    /// What came instead of an answer, by the frame of the request.
    pub instead: BTreeMap<usize, String>,
    /// How much had come of a line without an end when a request was given up, by its frame.
    pub unended: BTreeMap<usize, u64>,
}

impl Shared {
    /// The ids of requests begin after this one.
    pub fn count_from(&self, id: i64) {
        self.state().last_id = id;
    }

    /// A new request's id and the place of its answer; or why there will be none.
    pub fn expect(&self) -> Result<(i64, Answer), String> {
        let mut state = self.state();
        if let Some(why) = &state.gone {
            return Err(why.clone());
        }
        state.last_id += 1;
        let id = state.last_id;
        let (sender, answer) = oneshot::channel();
        state.waiting.insert(id, sender);
        Ok((id, answer))
    }

    /// Gives up waiting for an answer. Whether it had not come.
    pub fn forget(&self, id: i64) -> bool {
        self.state().waiting.remove(&id).is_some()
    }

    /// Takes note of how much has come of a line that is not at its end.
    pub fn is_under_way(&self, bytes: u64) {
        self.under_way.store(bytes, Ordering::Relaxed);
    }

    /// Takes note of what there was in place of an answer that was not waited for any longer.
    pub fn give_up(&self, id: i64) {
        let bytes = self.under_way.load(Ordering::Relaxed);
        let mut state = self.state();
        let is_it = |frame: &Arc<Frame>| {
            frame.from() == Side::Client
                && frame.method().is_some()
                && frame.id().and_then(Value::as_i64) == Some(id)
        };
        if let Some(index) = state.frames.iter().rposition(is_it).filter(|_| bytes > 0) {
            state.unended.insert(index, bytes);
        }
    }

    /// Takes note of a line of ours that is about to be written: before it is, since its answer may come first.
    pub fn writing(&self, line: String) -> Ours {
        let mut state = self.state();
        state.kept_bytes += kept_bytes(line.as_bytes());
        let frame = Arc::new(Frame::from_line(Side::Client, line).at(self.now()));
        let index = state.frames.len();
        state.unwritten.insert(index);
        state.frames.push(Arc::clone(&frame));
        Ours { index, frame }
    }

    /// The line has been written.
    pub fn written(&self, index: usize) {
        self.state().unwritten.remove(&index);
    }

    /// The line could not be written after all.
    pub fn never_written(&self, index: usize) {
        self.state().unwritten.insert(index);
    }

    /// Whether the server ever said anything.
    pub fn has_heard(&self) -> bool {
        self.state().frames.iter().any(|frame| frame.from() == Side::Server)
    }

    /// Whether anybody still waits for this answer.
    pub fn waits_for(&self, id: i64) -> bool {
        self.state().waiting.contains_key(&id)
    }

    /// Something else than an answer came to a request.
    pub fn fail(&self, request: &Ours, id: i64, failure: Failure) {
        let mut state = self.state();
        if let Some(waiting) = state.waiting.remove(&id) {
            state.instead.insert(request.index, failure.what.clone());
            // Whoever waited may have given up.
            let _ = waiting.send(Err(failure));
        }
    }

    /// Takes note of a line from the server; gives back what to answer, if it was a request. A line for which there is
    /// no room any more is kept by its ends.
    ///
    /// # Errors
    ///
    /// When there is no room for that either. It is not kept.
    pub fn receive(&self, line: Line) -> Result<Option<Value>, &'static str> {
        let has_room = |cost: usize| self.state().kept_bytes.saturating_add(cost) <= MAX_KEPT_BYTES;
        let line = if has_room(cost(&line)) { line } else { line.cut() };
        let cost = cost(&line);
        if !has_room(cost) {
            return Err("sent more than frankly keeps");
        }
        let (frame, digest) = match line {
            Line::Whole(bytes) => (Frame::from_bytes(Side::Server, bytes), None),
            Line::Cut(cut, digest) => (Frame::from_cut(Side::Server, cut), digest),
        };
        let frame = Arc::new(frame.at(self.now()));
        let reply = match (frame.method(), frame.id()) {
            (Some(method), Some(id)) => Some(answer_request(method, id)),
            _ => None,
        };
        let mut state = self.state();
        state.kept_bytes += cost;
        state.frames.push(Arc::clone(&frame));
        if frame.is_response()
            && let Some(id) = frame.id().and_then(Value::as_i64)
            && let Some(waiting) = state.waiting.remove(&id)
        {
            // What was answered has been written, whether or not our writer has come back yet.
            let State { frames, unwritten, .. } = &mut *state;
            unwritten.retain(|index| frames[*index].id() != frame.id());
            // Whoever waited may have given up.
            let _ = waiting.send(Ok(Heard { frame, digest }));
        }
        Ok(reply)
    }

    /// Nothing more will come; the first reason counts.
    pub fn end(&self, why: &str) {
        let mut state = self.state();
        state.gone.get_or_insert_with(|| why.to_owned());
        state.waiting.clear();
    }

    /// Why nothing more will come, once that is so: what the server did, without a subject.
    pub fn gone(&self) -> Option<String> {
        self.state().gone.clone()
    }

    /// Whether the server said a line that we had said before.
    pub fn echoes(&self) -> bool {
        let state = self.state();
        let ours = state.frames.iter().find(|frame| frame.from() == Side::Client);
        ours.is_some_and(|ours| {
            state.frames.iter().any(|frame| frame.from() == Side::Server && frame.line() == ours.line())
        })
    }

    /// What was said so far, without what was never written.
    pub fn take_said(&self) -> Said {
        let mut state = self.state();
        let (frames, unwritten) = (std::mem::take(&mut state.frames), std::mem::take(&mut state.unwritten));
        let shift = |index: usize| index - unwritten.range(..index).count();
        let instead = std::mem::take(&mut state.instead).into_iter();
        let instead = instead.filter(|(index, _)| !unwritten.contains(index));
        let instead = instead.map(|(index, what)| (shift(index), what)).collect();
        let given_up = std::mem::take(&mut state.unended).into_iter();
        let given_up = given_up.filter(|(index, _)| !unwritten.contains(index));
        let unended = given_up.map(|(index, bytes)| (shift(index), bytes)).collect();
        let written = frames.into_iter().enumerate().filter(|(index, _)| !unwritten.contains(index));
        let frames = written.map(|(_, frame)| Arc::unwrap_or_clone(frame)).collect();
        Said { frames, instead, unended }
    }

    /// Milliseconds since the start.
    fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // The state is whole between any two statements, so a panic elsewhere cannot have torn it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// About how many bytes a line takes once it is kept. One of which only the ends are is kept three times: as its ends, as
/// the line they make, and as the message in it.
fn cost(line: &Line) -> usize {
    match line {
        Line::Whole(bytes) => kept_bytes(bytes),
        Line::Cut(cut, _) => kept_bytes(cut.head.as_bytes()) + kept_bytes(cut.tail.as_bytes()) * 2,
    }
}

/// We offer nothing to servers but an answer to `ping`.
fn answer_request(method: &str, id: &Value) -> Value {
    if method == "ping" {
        return json!({"jsonrpc": "2.0", "id": id, "result": {}});
    }
    let error = json!({"code": METHOD_NOT_FOUND, "message": format!("this client does not offer {method}")});
    json!({"jsonrpc": "2.0", "id": id, "error": error})
}
