//! Every request of a session with what came back for it, whatever its method.

use std::collections::HashMap;

use serde_json::Value;

use crate::transcript::{Side, Transcript};

/// A request of the client.
#[derive(Debug)]
pub(super) struct Request<'a> {
    /// Its frame.
    pub frame: usize,
    pub id: &'a Value,
    pub method: &'a str,
    pub params: Option<&'a Value>,
    /// The frames that answer it, with the whole message.
    pub answers: Vec<(usize, &'a Value)>,
    /// The frame in which the client took it back.
    pub cancelled: Option<usize>,
}

/// The requests of the client, and answers that nobody asked for.
#[derive(Debug, Default)]
pub(super) struct Requests<'a> {
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

impl<'a> Requests<'a> {
    /// Joins requests and answers by id and direction. Where an id was used again, the last request counts.
    pub fn of(transcript: &'a Transcript) -> Self {
        let mut found = Self::default();
        let mut by_id: HashMap<String, usize> = HashMap::new();
        let frames =
            transcript.wire().filter_map(|(number, frame)| Some((number, frame.from(), frame.msg()?)));
        for (number, from, msg) in frames {
            // Older revisions know batches.
            let messages = msg.as_array().map_or_else(|| std::slice::from_ref(msg), Vec::as_slice);
            for msg in messages {
                match from {
                    Side::Client => found.ask(number, msg, &mut by_id),
                    Side::Server => found.answer(number, msg, &by_id),
                }
            }
        }
        found
    }

    fn ask(&mut self, frame: usize, msg: &'a Value, by_id: &mut HashMap<String, usize>) {
        let Some(method) = msg.get("method").and_then(Value::as_str) else { return };
        let params = msg.get("params");
        match msg.get("id").filter(|id| !id.is_null()) {
            Some(id) => {
                by_id.insert(id.to_string(), self.all.len());
                self.all.push(Request { frame, id, method, params, answers: Vec::new(), cancelled: None });
            }
            None if method == "notifications/cancelled" => {
                let id = params.and_then(|params| params.get("requestId")).map(ToString::to_string);
                if let Some(position) = id.and_then(|id| by_id.get(&id)) {
                    self.all[*position].cancelled.get_or_insert(frame);
                }
            }
            None => {}
        }
    }

    fn answer(&mut self, frame: usize, msg: &'a Value, by_id: &HashMap<String, usize>) {
        let is_answer = msg.get("result").is_some() || msg.get("error").is_some();
        let Some(id) = msg.get("id").filter(|id| !id.is_null() && is_answer) else { return };
        if msg.get("method").is_some() {
            return;
        }
        match by_id.get(&id.to_string()) {
            Some(position) => self.all[*position].answers.push((frame, msg)),
            None => self.unasked.push((frame, msg)),
        }
    }
}
