//! Every request of a session with what came back for it, whatever its method.

use std::collections::HashMap;

use serde_json::Value;

use super::{Channel, Frame, Side};

/// A request of the client.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    /// Its frame.
    pub frame: usize,
    /// Its place in the batch that the frame is, where it is one.
    pub in_batch: Option<usize>,
    /// What is known of whom it was sent for.
    context: Option<&'a Value>,
    /// `null` for a call that has none, and gets no answer.
    pub id: &'a Value,
    pub method: &'a str,
    pub params: Option<&'a Value>,
    /// The frames that answer it, with the whole message.
    pub answers: Vec<(usize, &'a Value)>,
    /// The place of the first answer in the batch that its frame is, where it is one.
    pub answer_in_batch: Option<usize>,
    /// The frame in which the client took it back.
    pub cancelled: Option<usize>,
}

/// The requests of the client, and answers that nobody asked for.
#[derive(Debug, Default)]
pub(crate) struct Requests<'a> {
    pub all: Vec<Request<'a>>,
    /// Answers with an id that no request had: frame and message.
    pub unasked: Vec<(usize, &'a Value)>,
}

impl<'a> Request<'a> {
    /// The result of its first answer, where that is one.
    pub fn result(&self) -> Option<(usize, &'a Value)> {
        let (frame, msg) = self.answers.first()?;
        Some((*frame, msg.get("result")?))
    }

    /// A parameter by its name.
    pub fn param(&self, name: &str) -> Option<&'a Value> {
        self.params?.get(name)
    }
}

/// Where the requests with an id are: the last one of each context, and the last one of all.
#[derive(Default)]
struct Ids<'a> {
    last: HashMap<&'a Value, usize>,
    by_context: HashMap<(&'a Value, &'a Value), usize>,
}

/// One message of a frame.
#[derive(Clone, Copy)]
struct Message<'a> {
    frame: usize,
    in_batch: Option<usize>,
    context: Option<&'a Value>,
    msg: &'a Value,
}

impl<'a> Message<'a> {
    fn id(&self) -> Option<&'a Value> {
        self.msg.get("id").filter(|id| !id.is_null())
    }
}

impl<'a> Requests<'a> {
    /// Joins requests and answers by id and direction. Where an id was used again, the last request counts; two contexts
    /// may use the same one at once.
    pub fn of(frames: &'a [Frame]) -> Self {
        Self::seen_on(frames, Channel::Wire)
    }

    /// The same of what was seen elsewhere, such as between a proxy and the server behind it.
    pub fn seen_on(frames: &'a [Frame], channel: Channel) -> Self {
        let mut found = Self::default();
        let mut ids = Ids::default();
        let is_there = |frame: &Frame| frame.channel() == channel && frame.event().is_none();
        let wire = frames.iter().enumerate().filter(|(_, frame)| is_there(frame));
        for (number, frame) in wire {
            let Some(msg) = frame.msg() else { continue };
            // Older revisions know batches.
            let messages = msg.as_array().map_or_else(|| std::slice::from_ref(msg), Vec::as_slice);
            for (position, one) in messages.iter().enumerate() {
                let in_batch = msg.is_array().then_some(position);
                let message = Message { frame: number, in_batch, context: frame.context(), msg: one };
                match frame.from() {
                    Side::Client => found.ask(message, &mut ids),
                    Side::Server => found.answer(message, &ids),
                }
            }
        }
        found
    }

    fn ask(&mut self, message: Message<'a>, ids: &mut Ids<'a>) {
        static NONE: Value = Value::Null;
        let Message { frame, in_batch, context, msg } = message;
        let Some(method) = msg.get("method").and_then(Value::as_str) else { return };
        let params = msg.get("params");
        let id = message.id();
        if id.is_some() || method == "tools/call" {
            if let Some(id) = id {
                if let Some(context) = context {
                    ids.by_context.insert((context, id), self.all.len());
                }
                ids.last.insert(id, self.all.len());
            }
            let id = msg.get("id").unwrap_or(&NONE);
            let (answers, answer_in_batch, cancelled) = (Vec::new(), None, None);
            self.all.push(Request {
                frame,
                in_batch,
                context,
                id,
                method,
                params,
                answers,
                answer_in_batch,
                cancelled,
            });
        } else if method == "notifications/cancelled" {
            let id = params.and_then(|params| params.get("requestId"));
            if let Some(position) = id.and_then(|id| self.position(id, context, ids)) {
                self.all[position].cancelled.get_or_insert(frame);
            }
        }
    }

    fn answer(&mut self, message: Message<'a>, ids: &Ids<'_>) {
        let Message { frame, in_batch, context, msg } = message;
        let is_answer = msg.get("result").is_some() || msg.get("error").is_some();
        let Some(id) = message.id().filter(|_| is_answer && msg.get("method").is_none()) else { return };
        match self.position(id, context, ids) {
            Some(position) => {
                let request = &mut self.all[position];
                if request.answers.is_empty() {
                    request.answer_in_batch = in_batch;
                }
                request.answers.push((frame, msg));
            }
            None => self.unasked.push((frame, msg)),
        }
    }

    /// The request with this id: that of the same context, else, where one of the two has none, the last one.
    fn position(&self, id: &Value, context: Option<&Value>, ids: &Ids<'_>) -> Option<usize> {
        let same = context.and_then(|context| ids.by_context.get(&(context, id)));
        let last = ids.last.get(id).filter(|at| context.is_none() || self.all[**at].context.is_none());
        same.or(last).copied()
    }
}
