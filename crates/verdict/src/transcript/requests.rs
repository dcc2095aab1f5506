//! Every request of a session with what came back for it, whatever its method.

use std::collections::HashMap;

use serde_json::Value;

use super::{Channel, Event, Frame, Side};

/// Whoever ends a session so soon after a request did not wait for its answer.
pub(crate) const SOON_MS: u64 = 1000;

/// A request of the client.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    /// Its frame.
    pub frame: usize,
    /// Its place in the batch that the frame is, where it is one.
    pub in_batch: Option<usize>,
    /// Whose it is.
    whose: Whose<'a>,
    /// `null` for a call that has none, and gets no answer.
    pub id: &'a Value,
    pub method: &'a str,
    pub params: Option<&'a Value>,
    /// The frames that answer it, with the whole message.
    pub answers: Vec<(usize, &'a Value)>,
    /// The place of the first answer in the batch that its frame is, where it is one.
    pub answer_in_batch: Option<usize>,
    /// The frame in which the client took it back, or went away.
    pub cancelled: Option<usize>,
    /// The frame from which on no answer is owed, since something else was answered, or nobody knows what was.
    pub settled: Option<usize>,
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

    /// Whether nobody owes it an answer: it was taken back, or something else was answered.
    pub fn is_let_go(&self) -> bool {
        self.cancelled.or(self.settled).is_some()
    }

    /// Whether another request may be the same client's.
    pub fn may_be_of(&self, other: &Request<'_>) -> bool {
        self.whose.may_be(other.whose)
    }

    /// A parameter by its name.
    pub fn param(&self, name: &str) -> Option<&'a Value> {
        self.params?.get(name)
    }
}

/// Whose a message is, as far as that is known. Several clients of one server may use one id at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Whose<'a> {
    session: Option<&'a str>,
    context: Option<&'a Value>,
}

impl Whose<'_> {
    /// Whether two messages may belong to one client. Only what is known of both tells them apart, and the session before the
    /// context: a client with one session may ask for several users.
    fn may_be(self, other: Whose<'_>) -> bool {
        match (self.session, other.session) {
            (Some(one), Some(other)) => one == other,
            _ => self.context.is_none() || other.context.is_none() || self.context == other.context,
        }
    }

    /// By what requests of the same client are found.
    fn client(self) -> Self {
        let context = if self.session.is_some() { None } else { self.context };
        Self { context, ..self }
    }
}

/// Where the requests with an id are: the last one of each exchange, of each client, and of all.
#[derive(Default)]
struct Ids<'a> {
    by_exchange: HashMap<u64, HashMap<&'a Value, usize>>,
    by_client: HashMap<(Whose<'a>, &'a Value), usize>,
    last: HashMap<&'a Value, usize>,
}

/// One message of a frame.
#[derive(Clone, Copy)]
struct Message<'a> {
    frame: usize,
    in_batch: Option<usize>,
    whose: Whose<'a>,
    exchange: Option<u64>,
    msg: &'a Value,
}

impl<'a> Message<'a> {
    fn id(&self) -> Option<&'a Value> {
        self.msg.get("id").filter(|id| !id.is_null())
    }
}

impl<'a> Requests<'a> {
    /// Joins requests and answers by id and direction. Where an id was used again, the last request counts; of those of several
    /// clients that of the same exchange, else of the same session or context.
    pub fn of(frames: &'a [Frame]) -> Self {
        Self::seen_on(frames, Channel::Wire)
    }

    /// The same of what was seen elsewhere, such as between a proxy and the server behind it.
    pub fn seen_on(frames: &'a [Frame], channel: Channel) -> Self {
        let mut found = Self::default();
        let mut ids = Ids::default();
        let mut closed = 0;
        let there = frames.iter().enumerate().filter(|(_, frame)| frame.channel() == channel);
        for (number, frame) in there {
            if frame.event().is_some_and(|event| event.name == "close") {
                found.leave(closed, number, frames);
                closed = found.all.len();
            } else if let Some(event) = frame.event() {
                found.end(event, number, frame.exchange(), &ids);
            }
            let Some(msg) = frame.msg() else { continue };
            // Older revisions know batches.
            let messages = msg.as_array().map_or_else(|| std::slice::from_ref(msg), Vec::as_slice);
            for (position, one) in messages.iter().enumerate() {
                let in_batch = msg.is_array().then_some(position);
                let whose = Whose { session: frame.session(), context: frame.context() };
                let exchange = frame.exchange();
                let message = Message { frame: number, in_batch, whose, exchange, msg: one };
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
        let Message { frame, in_batch, whose, msg, .. } = message;
        let Some(method) = msg.get("method").and_then(Value::as_str) else { return };
        let params = msg.get("params");
        let id = message.id();
        if id.is_some() || method == "tools/call" {
            id.into_iter().for_each(|id| ids.note(id, message, self.all.len()));
            let id = msg.get("id").unwrap_or(&NONE);
            self.all.push(Request {
                frame,
                in_batch,
                whose,
                id,
                method,
                params,
                answers: Vec::new(),
                answer_in_batch: None,
                cancelled: None,
                settled: None,
            });
        } else if method == "notifications/cancelled" {
            let id = params.and_then(|params| params.get("requestId"));
            if let Some(position) = id.and_then(|id| self.position(id, message, ids)) {
                self.all[position].cancelled.get_or_insert(frame);
            }
        }
    }

    /// A client that closes its end waits no longer for what it has only just asked, from a request on.
    fn leave(&mut self, from: usize, frame: usize, frames: &[Frame]) {
        let at = |frame: usize| frames.get(frame).and_then(Frame::at_ms);
        for request in self.all[from..].iter_mut().filter(|request| request.answers.is_empty()) {
            let waited = at(frame).zip(at(request.frame)).map(|(left, asked)| left.saturating_sub(asked));
            if waited.is_none_or(|waited| waited < SOON_MS) {
                request.settled.get_or_insert(frame);
            }
        }
    }

    /// An exchange came to an end that answers nothing.
    fn end(&mut self, event: &Event, frame: usize, exchange: Option<u64>, ids: &Ids<'a>) {
        let asked = exchange.and_then(|exchange| ids.by_exchange.get(&exchange));
        for position in asked.into_iter().flat_map(HashMap::values) {
            let request = &mut self.all[*position];
            match &*event.name {
                _ if !request.answers.is_empty() => {}
                "cancel" => request.cancelled = request.cancelled.or(Some(frame)),
                // What a recorder could not read or keep may be the answer.
                "left_out" => request.settled = request.settled.or(Some(frame)),
                "http" if is_refusal(event) => request.settled = request.settled.or(Some(frame)),
                _ => {}
            }
        }
    }

    fn answer(&mut self, message: Message<'a>, ids: &Ids<'a>) {
        let Message { frame, in_batch, msg, .. } = message;
        let is_answer = msg.get("result").is_some() || msg.get("error").is_some();
        if !is_answer || msg.get("method").is_some() {
            return;
        }
        let position = match message.id() {
            Some(id) => self.position(id, message, ids),
            // Whoever cannot tell the id of a request refuses it without one, in its own exchange.
            None => message.exchange.and_then(|exchange| ids.only_in(exchange)),
        };
        match position.filter(|at| message.id().is_some() || self.all[*at].answers.is_empty()) {
            Some(position) => {
                let request = &mut self.all[position];
                if request.answers.is_empty() {
                    request.answer_in_batch = in_batch;
                }
                request.answers.push((frame, msg));
            }
            None if message.id().is_some() => self.unasked.push((frame, msg)),
            None => {}
        }
    }

    /// The request with this id that a message is about: that of the same exchange, else that of the same client, else the
    /// last one that may be the same client's.
    fn position(&self, id: &'a Value, about: Message<'a>, ids: &Ids<'a>) -> Option<usize> {
        let last = ids.last.get(id).filter(|at| self.all[**at].whose.may_be(about.whose));
        let of_exchange = about.exchange.and_then(|exchange| ids.by_exchange.get(&exchange)?.get(id));
        of_exchange.or_else(|| ids.by_client.get(&(about.whose.client(), id))).or(last).copied()
    }
}

/// Whether the server answered that the client may not ask so, or has to ask elsewhere. Where it failed, or broke off, the answer is
/// still owed.
fn is_refusal(event: &Event) -> bool {
    let status = event.details.get("status").and_then(Value::as_u64);
    status.is_some_and(|status| status < 500) && !event.details.contains_key("broken")
}

impl<'a> Ids<'a> {
    /// The request of an exchange that has only one.
    fn only_in(&self, exchange: u64) -> Option<usize> {
        let requests = self.by_exchange.get(&exchange).filter(|requests| requests.len() == 1)?;
        requests.values().next().copied()
    }

    fn note(&mut self, id: &'a Value, of: Message<'a>, at: usize) {
        if let Some(exchange) = of.exchange {
            self.by_exchange.entry(exchange).or_default().insert(id, at);
        }
        let client = of.whose.client();
        if client != Whose::default() {
            self.by_client.insert((client, id), at);
        }
        self.last.insert(id, at);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    fn asks(id: u32, about: &str) -> Frame {
        Frame::from_line(Side::Client, json!({"id": id, "method": about}).to_string())
    }

    fn answers(id: u32, about: &str) -> Frame {
        Frame::from_line(Side::Server, json!({"id": id, "result": about}).to_string())
    }

    /// What each request was answered with, and how many answers nobody asked for.
    fn joined(frames: &[Frame]) -> (Vec<(String, Vec<String>)>, usize) {
        let requests = Requests::of(frames);
        let answers = |one: &Request<'_>| one.answers.iter().map(|(_, msg)| text(&msg["result"])).collect();
        let all = requests.all.iter().map(|one| (one.method.to_owned(), answers(one))).collect();
        (all, requests.unasked.len())
    }

    fn text(value: &Value) -> String {
        value.as_str().unwrap().to_owned()
    }

    fn each_with_its_own(unasked: usize) -> (Vec<(String, Vec<String>)>, usize) {
        let own = |name: &str| (name.to_owned(), vec![format!("to {name}")]);
        (vec![own("one"), own("two")], unasked)
    }

    #[test]
    fn answers_in_an_exchange_are_to_its_own_request() {
        let frames = [
            asks(0, "one").in_exchange(0),
            asks(0, "two").in_exchange(1),
            answers(0, "to one").in_exchange(0),
            answers(0, "to two").in_exchange(1),
        ];
        assert_eq!(joined(&frames), each_with_its_own(0));
    }

    #[test]
    fn answers_that_come_in_another_exchange_are_to_the_last_request_of_their_session() {
        let user = |name: &str, frame: Frame| frame.with_context(json!({ "user": name }));
        let frames = [
            user("ann", asks(0, "one")).in_exchange(0).in_session("a"),
            user("bob", asks(0, "two")).in_exchange(1).in_session("b"),
            answers(0, "to one").in_exchange(2).in_session("a"),
            answers(0, "to two").in_exchange(1).in_session("b"),
            answers(0, "to nobody").in_exchange(3).in_session("c"),
        ];
        assert_eq!(joined(&frames), each_with_its_own(1));
    }

    #[test]
    fn whoever_closes_an_exchange_has_taken_back_what_is_open_in_it() {
        let cancel = Event { name: "cancel".to_owned(), details: Map::new() };
        let frames = [
            asks(0, "one").in_exchange(0),
            asks(0, "two").in_exchange(1),
            answers(0, "to two").in_exchange(1),
            Frame::from_event(Side::Client, cancel.clone()).in_exchange(0),
            Frame::from_event(Side::Client, cancel).in_exchange(1),
        ];
        let requests = Requests::of(&frames);
        let cancelled: Vec<_> = requests.all.iter().map(|request| request.cancelled).collect();
        assert_eq!(cancelled, [Some(3), None]);
    }

    #[test]
    fn a_client_that_closes_its_end_waits_no_longer_for_what_it_has_just_asked() {
        let close = Frame::from_event(Side::Client, Event { name: "close".to_owned(), details: Map::new() });
        let settled = |frames: &[Frame]| -> Vec<_> {
            Requests::of(frames).all.iter().map(|request| request.settled).collect()
        };
        let frames = [
            asks(0, "one"),
            asks(1, "two"),
            answers(0, "to one"),
            close.clone(),
            answers(1, "to two"),
            asks(2, "x"),
        ];
        assert_eq!(settled(&frames), [None, Some(3), None]);
        assert_eq!(Requests::of(&frames).all[1].answers.len(), 1);
        let frames = [asks(0, "long ago").at(0), asks(1, "just now").at(59_500), close.at(60_000)];
        assert_eq!(settled(&frames), [None, Some(2)]);
    }

    #[test]
    fn an_error_without_an_id_refuses_the_request_of_its_exchange() {
        let refusal = json!({"id": null, "error": {"code": -32001, "message": "Session not found"}});
        let refusal = Frame::from_line(Side::Server, refusal.to_string());
        let frames = [
            asks(0, "one").in_exchange(0),
            asks(0, "two").in_exchange(1),
            refusal.clone().in_exchange(0),
            refusal.clone().in_exchange(2),
            refusal,
        ];
        let requests = Requests::of(&frames);
        let answered: Vec<_> = requests.all.iter().map(|request| request.answers.len()).collect();
        assert_eq!((answered, requests.unasked.len()), (vec![1, 0], 0));
    }

    #[test]
    fn what_was_answered_instead_of_a_message_leaves_nothing_open_unless_the_server_broke_off() {
        let http = |details: Value| {
            let details = details.as_object().cloned().unwrap_or_default();
            Frame::from_event(Side::Server, Event { name: "http".to_owned(), details })
        };
        let frames = [
            asks(0, "one").in_exchange(0),
            asks(0, "two").in_exchange(1),
            asks(0, "three").in_exchange(2),
            http(json!({"status": 401})).in_exchange(0),
            http(json!({"status": 200, "broken": true})).in_exchange(1),
            http(json!({"status": 500})).in_exchange(2),
        ];
        let settled: Vec<_> = Requests::of(&frames).all.iter().map(|request| request.settled).collect();
        assert_eq!(settled, [Some(3), None, None]);
    }

    #[test]
    fn what_has_no_session_may_be_anybodys_but_those_of_another_context() {
        let tenant = |name: &str, frame: Frame| frame.with_context(json!({ "tenant": name }));
        let frames = [
            tenant("a", asks(0, "one")),
            tenant("b", asks(0, "two")),
            tenant("a", answers(0, "to one")),
            answers(0, "to two"),
            tenant("c", answers(0, "to nobody")),
        ];
        assert_eq!(joined(&frames), each_with_its_own(1));
    }
}
