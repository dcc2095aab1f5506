//! Which lies are told about which lines, and what there is to know about a line for that. What may not enter: reading
//! and writing.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use serde_json::Value;

use super::message::{Message, latin1, readdressed};
use crate::{Fault, Faults};

/// How long an answer is held back for which it matters whether another call comes meanwhile.
const PATIENCE: Duration = Duration::from_millis(200);
/// A request that is longer, in bytes, does not fit into the buffer of a careless program.
const LARGE: usize = 1 << 16;
const BANNER: &str = "Ledger demo server ready, 703 transactions loaded\n";
const LOG: &[u8] = b"2025-12-31 12:00:00 INFO ledger.statements: statement read\n";

/// The tool on which each of those faults lives that are not the whole server's.
const LIVES_ON: &[(Fault, &str)] = &[
    (Fault::LogLine, "read_statement"),
    (Fault::InvalidUtf8, "inspect_csv"),
    (Fault::DoubleAnswer, "list_categories"),
    (Fault::CrossedAnswers, "query_transactions"),
    (Fault::LostAnswer, "list_accounts"),
    (Fault::SerialCalls, "inspect_csv"),
];

/// Faults that hold the answers of their tool back.
const HOLDING: &[Fault] = &[Fault::CrossedAnswers, Fault::LostAnswer, Fault::SerialCalls];

/// What becomes of a line that the peer sent.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Passed {
    /// The server gets these lines.
    On(Vec<Vec<u8>>),
    /// The server ends, of this.
    Deadly(&'static str),
}

/// What is known of the lines so far. Ids are kept as JSON, since `1` and `"1"` are two.
#[derive(Default)]
pub(super) struct Liar {
    faults: Faults,
    /// The tool of every call that has no answer yet.
    waiting: BTreeMap<String, String>,
    /// Under which id an answer goes out instead of its own.
    swapped: BTreeMap<String, Value>,
    /// Calls that wait for the one before them, where they are taken one at a time.
    queue: VecDeque<(String, Vec<u8>)>,
    /// Whether nothing is heard or said any more.
    is_dead: bool,
}

impl Liar {
    pub fn new(faults: Faults) -> Self {
        Self { faults, ..Self::default() }
    }

    /// Whether a fault is told about this tool.
    fn tells(&self, fault: Fault, of: Option<&str>) -> bool {
        let lives = |(one, tool): &(Fault, &str)| *one == fault && of == Some(tool);
        self.faults.contains(fault) && LIVES_ON.iter().any(lives)
    }

    /// What is written before the first message.
    pub fn greeting(&self) -> &'static str {
        if self.faults.contains(Fault::Banner) { BANNER } else { "" }
    }

    /// What the server hears of a line.
    pub fn asked(&mut self, line: Vec<u8>) -> Passed {
        if self.is_dead {
            return Passed::On(vec![]);
        }
        if line.len() > LARGE && self.faults.contains(Fault::DeadAfterLarge) {
            return Passed::Deadly("a request of more than 64 KiB");
        }
        match Message::read(&line) {
            Message::Call { is_shaped: false, .. } if self.faults.contains(Fault::DeadAfterGarbage) => {
                Passed::Deadly("a call without an object of arguments")
            }
            Message::Call { id, tool, .. } => self.called(&id, tool, line),
            Message::Cancel { id } => self.cancelled(&id, line),
            _ => Passed::On(vec![line]),
        }
    }

    fn called(&mut self, id: &Value, tool: String, line: Vec<u8>) -> Passed {
        let key = id.to_string();
        let others: BTreeSet<&String> =
            self.waiting.iter().filter(|(_, other)| **other == tool).map(|(id, _)| id).collect();
        let is_first = others.is_empty();
        if self.tells(Fault::LostAnswer, Some(&tool)) && !is_first {
            return Passed::On(vec![]);
        }
        if self.tells(Fault::CrossedAnswers, Some(&tool)) {
            let partner = others.into_iter().find(|other| !self.swapped.contains_key(*other)).cloned();
            if let Some(partner) = partner {
                let other = serde_json::from_str(&partner).unwrap_or_default();
                self.swapped.insert(key.clone(), other);
                self.swapped.insert(partner, id.clone());
            }
        }
        let waits = self.tells(Fault::SerialCalls, Some(&tool)) && !is_first;
        self.waiting.insert(key.clone(), tool);
        if waits {
            self.queue.push_back((key, line));
            return Passed::On(vec![]);
        }
        Passed::On(vec![line])
    }

    fn cancelled(&mut self, id: &Value, line: Vec<u8>) -> Passed {
        if self.faults.contains(Fault::DeadAfterCancel) {
            self.is_dead = true;
            return Passed::On(vec![]);
        }
        let key = id.to_string();
        if let Some(partner) = self.swapped.remove(&key) {
            self.swapped.remove(&partner.to_string());
        }
        let was_queued = self.queue.iter().any(|(queued, _)| *queued == key);
        self.queue.retain(|(queued, _)| *queued != key);
        let tool = self.waiting.remove(&key);
        let next = if was_queued { None } else { self.next_in_queue(tool.as_deref()) };
        Passed::On([line].into_iter().chain(next).collect())
    }

    fn next_in_queue(&mut self, answered: Option<&str>) -> Option<Vec<u8>> {
        let is_turn = self.tells(Fault::SerialCalls, answered);
        is_turn.then(|| self.queue.pop_front()).flatten().map(|(_, line)| line)
    }

    fn tool_of(&self, line: &[u8]) -> Option<&str> {
        let Message::Answer { id } = Message::read(line) else { return None };
        self.waiting.get(&id.to_string()).map(String::as_str)
    }

    /// How long an answer is held back, if it is.
    pub fn patience(&self, line: &[u8]) -> Option<Duration> {
        let of = self.tool_of(line);
        HOLDING.iter().any(|fault| self.tells(*fault, of)).then_some(PATIENCE)
    }

    /// What is written instead of an answer, and what the server hears then.
    pub fn answered(&mut self, line: &[u8]) -> (Vec<u8>, Vec<Vec<u8>>) {
        if self.is_dead {
            return (vec![], vec![]);
        }
        let Message::Answer { id } = Message::read(line) else { return (ended(line.to_vec()), vec![]) };
        let key = id.to_string();
        let tool = self.waiting.remove(&key);
        let of = tool.as_deref();
        let mut written = match self.swapped.remove(&key) {
            Some(other) => readdressed(line, &other),
            None => line.to_vec(),
        };
        if self.tells(Fault::InvalidUtf8, of) {
            written = latin1(&written);
        }
        let mut written = ended(written);
        if self.tells(Fault::DoubleAnswer, of) {
            written = [written.clone(), written].concat();
        }
        if self.tells(Fault::LogLine, of) {
            written = [LOG, &written].concat();
        }
        (written, self.next_in_queue(of).into_iter().collect())
    }
}

fn ended(mut line: Vec<u8>) -> Vec<u8> {
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn call(id: u64, tool: &str) -> Vec<u8> {
        let params = json!({"name": tool, "arguments": {}});
        json!({"id": id, "method": "tools/call", "params": params}).to_string().into_bytes()
    }

    fn answer(id: u64) -> Vec<u8> {
        json!({"id": id, "result": {}}).to_string().into_bytes()
    }

    #[test]
    fn a_queue_keeps_its_order_and_a_cancelled_call_leaves_it() {
        let mut liar = Liar::new(Faults::from_iter([Fault::SerialCalls]));
        let [first, second, third] = [1, 2, 3].map(|id| call(id, "inspect_csv"));
        assert_eq!(liar.asked(first.clone()), Passed::On(vec![first]));
        assert_eq!(liar.asked(second), Passed::On(vec![]));
        assert_eq!(liar.asked(third.clone()), Passed::On(vec![]));
        let cancel = json!({"method": "notifications/cancelled", "params": {"requestId": 2}}).to_string();
        assert_eq!(liar.asked(cancel.clone().into_bytes()), Passed::On(vec![cancel.into_bytes()]));
        assert_eq!(liar.answered(&answer(1)).1, [third]);
        assert_eq!(liar.answered(&answer(3)).1, Vec::<Vec<u8>>::new());
    }

    #[test]
    fn two_calls_swap_their_answers_and_a_third_keeps_its_own() {
        let mut liar = Liar::new(Faults::from_iter([Fault::CrossedAnswers]));
        for id in 1..=3 {
            liar.asked(call(id, "query_transactions"));
        }
        let ids = [1, 2, 3].map(|id| {
            let (written, _) = liar.answered(&answer(id));
            serde_json::from_slice::<Value>(&written).unwrap()["id"].clone()
        });
        assert_eq!(ids, [2, 1, 3].map(Value::from));
    }

    proptest! {
        #[test]
        fn what_no_fault_is_about_goes_on_as_it_came(line in "[^\n]{0,60}", id in 1_u64..9) {
            let mut liar = Liar::new(Fault::ALL.iter().copied().collect());
            for line in [line.clone().into_bytes(), call(id, "run_sql"), answer(id), answer(id + 1)] {
                let mut written = line.clone();
                written.push(b'\n');
                prop_assert_eq!(liar.patience(&line), None);
                prop_assert_eq!(liar.answered(&line), (written, vec![]));
                prop_assert_eq!(liar.asked(line.clone()), Passed::On(vec![line]));
            }
        }
    }
}
