//! Whose turn it is in the recording: requests of several clients with one id are written one after the other, each with its answer.
//!
//! A reader joins an answer to the last request that has its id, and the recording does not say whose a frame is. What may not
//! enter: the traffic, which takes no turns.

use frankly_verdict::transcript::{Event, Frame, Side};
use serde_json::{Map, Value, json};

/// How much waits for its turn at most.
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// What is under way, and what waits for it.
#[derive(Debug, Default)]
pub(super) struct Turns {
    /// The requests that may be answered now, each with its exchange.
    taken: Vec<(u64, Known)>,
    /// What waits, exchange by exchange in the order in which they came.
    waiting: Vec<Waiting>,
    bytes: usize,
    most: Option<usize>,
}

/// What a reader knows a request by.
#[derive(Debug)]
struct Known {
    id: Value,
    context: Option<Value>,
}

#[derive(Debug)]
struct Waiting {
    exchange: u64,
    requests: Vec<Known>,
    frames: Vec<Frame>,
    is_over: bool,
    /// How much of it did not find room.
    left_out: usize,
}

impl Turns {
    /// What can be written now that this has come.
    pub fn take(&mut self, exchange: u64, frame: Frame) -> Vec<Frame> {
        if let Some(waiting) = self.waiting.iter_mut().find(|waiting| waiting.exchange == exchange) {
            let takes = frame.line().len();
            if self.bytes + takes > self.most.unwrap_or(MOST_BYTES) {
                waiting.left_out += 1;
            } else {
                self.bytes += takes;
                waiting.frames.push(frame);
            }
            return Vec::new();
        }
        let requests = requests(&frame);
        if self.is_free(exchange, &requests) {
            self.taken.extend(requests.into_iter().map(|request| (exchange, request)));
            return vec![frame];
        }
        self.bytes += frame.line().len();
        let (is_over, left_out) = (false, 0);
        self.waiting.push(Waiting { exchange, requests, frames: vec![frame], is_over, left_out });
        Vec::new()
    }

    /// What can be written now that this is over.
    pub fn end(&mut self, exchange: u64) -> Vec<Frame> {
        if let Some(waiting) = self.waiting.iter_mut().find(|waiting| waiting.exchange == exchange) {
            waiting.is_over = true;
            return Vec::new();
        }
        self.taken.retain(|(by, _)| *by != exchange);
        self.next(false)
    }

    /// All that still waits.
    pub fn rest(&mut self) -> Vec<Frame> {
        self.next(true)
    }

    /// What waited for ids that are free by now, or for any.
    fn next(&mut self, is_last: bool) -> Vec<Frame> {
        let mut frames = Vec::new();
        let is_next =
            |turns: &Self, waiting: &Waiting| is_last || turns.is_free(waiting.exchange, &waiting.requests);
        while let Some(at) = self.waiting.iter().position(|waiting| is_next(self, waiting)) {
            let Waiting { exchange, requests, frames: waited, is_over, left_out } = self.waiting.remove(at);
            self.bytes -= waited.iter().map(|frame| frame.line().len()).sum::<usize>();
            frames.extend(waited);
            if left_out > 0 {
                let details = Map::from_iter([("frames".to_owned(), json!(left_out))]);
                let event = Event { name: "left_out".to_owned(), details };
                frames.push(Frame::from_event(Side::Server, event));
            }
            if !is_over {
                self.taken.extend(requests.into_iter().map(|request| (exchange, request)));
            }
        }
        frames
    }

    fn is_free(&self, exchange: u64, requests: &[Known]) -> bool {
        let others = || self.taken.iter().filter(|(by, _)| *by != exchange);
        !requests.iter().any(|request| others().any(|(_, other)| other.is_taken_for(request)))
    }
}

impl Known {
    /// Whether an answer to one of the two may be taken for an answer to the other. Only contexts that are there tell them apart.
    fn is_taken_for(&self, other: &Self) -> bool {
        let is_told_apart =
            self.context.is_some() && other.context.is_some() && self.context != other.context;
        self.id == other.id && !is_told_apart
    }
}

/// The requests of a client in a frame.
fn requests(frame: &Frame) -> Vec<Known> {
    let Some(msg) = frame.msg().filter(|_| frame.from() == Side::Client) else { return Vec::new() };
    let messages = msg.as_array().map_or(std::slice::from_ref(msg), Vec::as_slice);
    let requests = messages.iter().filter(|one| one.get("method").is_some());
    let ids = requests.filter_map(|one| one.get("id")).filter(|id| !id.is_null());
    ids.map(|id| Known { id: id.clone(), context: frame.context().cloned() }).collect()
}

#[cfg(test)]
mod tests {
    use frankly_verdict::transcript::Transcript;
    use proptest::prelude::*;

    use super::*;

    fn ask(id: &str, about: &str) -> Frame {
        Frame::from_line(Side::Client, json!({"id": id, "method": about}).to_string())
    }

    fn answer(id: &str, about: &str) -> Frame {
        Frame::from_line(Side::Server, json!({"id": id, "result": about}).to_string())
    }

    #[test]
    fn requests_with_one_id_are_written_one_after_the_other() {
        let mut turns = Turns::default();
        assert_eq!(turns.take(1, ask("0", "one")), [ask("0", "one")]);
        assert_eq!(turns.take(2, ask("0", "two")), []);
        assert_eq!(turns.take(3, ask("1", "three")), [ask("1", "three")]);
        assert_eq!(turns.take(4, ask("0", "four")), []);
        assert_eq!(turns.take(2, answer("0", "two")), []);
        assert_eq!(turns.end(2), []);
        assert_eq!(turns.take(1, answer("0", "one")), [answer("0", "one")]);
        assert_eq!(turns.end(1), [ask("0", "two"), answer("0", "two"), ask("0", "four")]);
        assert_eq!(turns.take(5, ask("0", "five")), []);
        assert_eq!(turns.rest(), [ask("0", "five")]);
        assert_eq!(turns.bytes, 0);
    }

    #[test]
    fn contexts_are_told_apart_and_what_finds_no_room_is_counted() {
        let of = |tenant: &str, frame: Frame| frame.with_context(json!({ "tenant": tenant }));
        let mut turns = Turns { most: Some(100), ..Turns::default() };
        assert_eq!(turns.take(1, of("a", ask("0", "one"))).len(), 1);
        assert_eq!(turns.take(2, of("b", ask("0", "two"))).len(), 1);
        assert_eq!(turns.take(3, of("b", ask("0", "three"))), []);
        assert_eq!(turns.take(3, answer("0", &"long".repeat(100))), []);
        assert_eq!(turns.take(4, ask("0", "without a context")), []);
        let written = turns.end(2);
        assert_eq!(written.len(), 2);
        assert_eq!(written[1].event().unwrap().details["frames"], 1);
    }

    /// Exchanges by their ids and tenants, and the order in which their calls, their answers and their ends come.
    fn any_traffic() -> impl Strategy<Value = (Vec<(u8, Option<u8>)>, Vec<usize>)> {
        proptest::collection::vec((0u8..2, proptest::option::of(0u8..2)), 1..8).prop_flat_map(|exchanges| {
            let events: Vec<usize> = (0..exchanges.len()).flat_map(|exchange| [exchange; 3]).collect();
            (Just(exchanges), Just(events).prop_shuffle())
        })
    }

    proptest! {
        #[test]
        fn however_exchanges_lie_in_each_other_each_call_has_its_own_answer((exchanges, order) in any_traffic()) {
            let mut turns = Turns::default();
            let (mut frames, mut come) = (Vec::new(), vec![0; exchanges.len()]);
            for exchange in order {
                let (id, tenant) = exchanges[exchange];
                let name = exchange.to_string();
                let message = match come[exchange] {
                    0 => Some((Side::Client, json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name}}))),
                    1 => Some((Side::Server, json!({"jsonrpc": "2.0", "id": id, "result": {"of": name}}))),
                    _ => None,
                };
                come[exchange] += 1;
                frames.extend(match message {
                    None => turns.end(exchange as u64),
                    Some((from, msg)) => {
                        let frame = Frame::from_line(from, msg.to_string());
                        let context = tenant.map(|tenant| json!({ "tenant": tenant }));
                        let frame = context.into_iter().fold(frame, Frame::with_context);
                        turns.take(exchange as u64, frame)
                    }
                });
            }
            frames.extend(turns.rest());
            prop_assert_eq!(frames.len(), 2 * exchanges.len());
            let transcript = Transcript { frames, ..Transcript::default() };
            for call in transcript.calls() {
                let answer = call.response.and_then(|at| transcript.frames[at].msg());
                prop_assert_eq!(answer.and_then(|msg| msg["result"]["of"].as_str()), Some(call.name));
            }
        }
    }
}
