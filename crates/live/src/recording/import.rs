//! Logs that others wrote, as recordings: a line each with a message in it, and something that says who sent it.
//!
//! What may not enter: formats by the names of their programs. What says who sent a line is looked for, and where nothing does the
//! message says so itself.

use frankly_verdict::transcript::{Frame, Side};
use serde_json::Value;

/// Members that say who sent a message.
const DIRECTIONS: &[&str] =
    &["dir", "direction", "from", "sender", "source", "side", "type", "kind", "event"];
/// Members that hold it, as an object or as text.
const MESSAGES: &[&str] =
    &["msg", "message", "line", "raw", "frame", "data", "body", "payload", "content", "json"];
/// Words that say so, in lower case; those of a client first.
const OF_CLIENT: &[&str] = &[
    "c2s", "client", "send", "sent", "out", "outgoing", "outbound", "request", "req", "stdin", "-->", "->",
    "→", ">>>", ">>",
];
const OF_SERVER: &[&str] = &[
    "s2c", "server", "recv", "received", "receive", "in", "incoming", "inbound", "response", "res", "stdout",
    "<--", "<-", "←", "<<<", "<<",
];
/// Requests and notifications that only a server sends.
const SERVERS_OWN: &[&str] = &[
    "elicitation/create", "notifications/elicitation/complete", "notifications/message",
    "notifications/prompts/list_changed", "notifications/resources/list_changed",
    "notifications/resources/updated", "notifications/tools/list_changed", "roots/list",
    "sampling/createMessage",
];

/// What was made of a log.
///
/// ```
/// use frankly_live::recording::Imported;
///
/// let log = r#"2026-11-30 12:00:01 DEBUG --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
/// 2026-11-30 12:00:01 DEBUG <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
/// 2026-11-30 12:00:02 INFO closed"#;
/// let imported = Imported::of(log);
/// assert_eq!((imported.frames.len(), imported.left_out, imported.first_left_out), (2, 1, Some(3)));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Imported {
    /// The messages, in the order of the log.
    pub frames: Vec<Frame>,
    /// How many lines hold no message.
    pub left_out: usize,
    /// The first of them, counted from 1.
    pub first_left_out: Option<usize>,
}

impl Imported {
    /// Reads a log: a line for each message, or a JSON array of them.
    #[must_use]
    pub fn of(log: &str) -> Self {
        let mut imported = Self::default();
        match serde_json::from_str(log) {
            Ok(Value::Array(entries)) => {
                for (number, entry) in entries.iter().enumerate() {
                    let read = imported.entry(entry, None);
                    imported.count(number, read);
                }
            }
            _ => {
                for (number, line) in log.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
                    let read = imported.line(line);
                    imported.count(number, read);
                }
            }
        }
        imported
    }

    fn count(&mut self, number: usize, is_read: bool) {
        if !is_read {
            self.left_out += 1;
            self.first_left_out.get_or_insert(number + 1);
        }
    }

    /// Whether there is a message in a line, maybe behind what a logger writes in front.
    fn line(&mut self, line: &str) -> bool {
        let Some((before, entry)) = json_in(line) else { return false };
        self.entry(&entry, side_in(before))
    }

    /// Whether there is a message in an entry.
    fn entry(&mut self, entry: &Value, told: Option<Side>) -> bool {
        if is_message(entry) {
            self.add(entry, told);
            return true;
        }
        let Some(members) = entry.as_object() else { return false };
        let words = DIRECTIONS.iter().filter_map(|name| members.get(*name)?.as_str());
        let told = told.or_else(|| words.into_iter().find_map(side_of));
        MESSAGES.iter().filter_map(|name| members.get(*name)).any(|held| match held {
            Value::String(text) => self.text(text, told),
            held => self.entry(held, told),
        })
    }

    /// Whether there are messages in a text: one, or those of a stream of events.
    fn text(&mut self, text: &str, told: Option<Side>) -> bool {
        if let Ok(held) = serde_json::from_str::<Value>(text) {
            return self.entry(&held, told);
        }
        let data = text
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data:")?.trim()).ok());
        let data: Vec<Value> = data.collect();
        data.iter().filter(|held| self.entry(held, told)).count() > 0
    }

    fn add(&mut self, message: &Value, told: Option<Side>) {
        let side = told.unwrap_or_else(|| self.side(message));
        self.frames.push(Frame::from_line(side, message.to_string()));
    }

    /// Who sent a message, by what it is: an answer comes from whoever was asked.
    fn side(&self, message: &Value) -> Side {
        let first = message.as_array().and_then(|batch| batch.first()).unwrap_or(message);
        match first.get("method").and_then(Value::as_str) {
            Some(method) if SERVERS_OWN.contains(&method) => Side::Server,
            Some(_) => Side::Client,
            None => {
                let asks = |frame: &&Frame| frame.method().is_some() && frame.id() == first.get("id");
                match self.frames.iter().rev().find(asks).map(Frame::from) {
                    Some(Side::Server) => Side::Client,
                    _ => Side::Server,
                }
            }
        }
    }
}

/// The JSON at the end of a line, and what stands before it.
fn json_in(line: &str) -> Option<(&str, Value)> {
    line.match_indices(['{', '[']).find_map(|(at, _)| {
        let value = serde_json::from_str(line[at..].trim_end()).ok()?;
        Some((&line[..at], value))
    })
}

/// Who sent a line, by what stands in front of it: `server -> client` by whom the arrow leads away from, else by the arrow, else
/// by the last word that says so.
fn side_in(before: &str) -> Option<Side> {
    let is_between = |c: char| c.is_whitespace() || "[](){}:,;|\"'".contains(c);
    let words: Vec<&str> = before.split(is_between).filter(|word| !word.is_empty()).collect();
    let is_arrow = |word: &&str| !word.chars().any(char::is_alphanumeric) && side_of(word).is_some();
    match words.iter().rposition(is_arrow) {
        Some(at) => {
            at.checked_sub(1).and_then(|before| side_of(words[before])).or_else(|| side_of(words[at]))
        }
        None => words.iter().rev().find_map(|word| side_of(word)),
    }
}

fn side_of(word: &str) -> Option<Side> {
    let word = word.to_lowercase();
    let first = |sides: &[&str]| {
        // Of `client_to_server` the first counts.
        let parts = word.split(['_', '-', '/', ' ', '>']).filter(|part| !part.is_empty());
        sides.contains(&word.as_str()) || parts.take(1).any(|part| sides.contains(&part))
    };
    match (first(OF_CLIENT), first(OF_SERVER)) {
        (true, false) => Some(Side::Client),
        (false, true) => Some(Side::Server),
        _ => None,
    }
}

fn is_message(value: &Value) -> bool {
    let is_one = |value: &Value| value.get("jsonrpc").is_some_and(Value::is_string);
    value.as_array().map_or_else(|| is_one(value), |batch| !batch.is_empty() && batch.iter().all(is_one))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides(log: &str) -> Vec<Side> {
        Imported::of(log).frames.iter().map(Frame::from).collect()
    }

    const CALL: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}"#;
    const ANSWER: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#;

    #[test]
    fn whatever_says_who_sent_it_is_believed() {
        for (client, server) in [
            ("-->", "<--"),
            ("[client -> server]", "[server -> client]"),
            ("SEND:", "RECV:"),
            (">>", "<<"),
            ("→", "←"),
        ] {
            // Each was sent by the other than what it is would say.
            let log = format!("12:00 {server} {CALL}\n12:01 {client} {ANSWER}");
            assert_eq!(sides(&log), [Side::Server, Side::Client], "{client}");
        }
        for (key, client, server) in [
            ("dir", "c2s", "s2c"),
            ("direction", "client_to_server", "server_to_client"),
            ("type", "request", "response"),
            ("from", "client", "server"),
            ("direction", "outgoing", "incoming"),
        ] {
            let log = format!(r#"{{"{key}":"{server}","message":{CALL}}}"#)
                + "\n"
                + &format!(r#"{{"{key}":"{client}","data":{}}}"#, Value::from(ANSWER));
            assert_eq!(sides(&log), [Side::Server, Side::Client], "{key}");
        }
    }

    #[test]
    fn where_nothing_says_so_the_message_does() {
        let asked = r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage"}"#;
        assert_eq!(
            sides(&[CALL, ANSWER, asked, ANSWER].join("\n")),
            [Side::Client, Side::Server, Side::Server, Side::Client]
        );
        assert_eq!(sides(&format!("[{CALL},{ANSWER}]")), [Side::Client, Side::Server]);
    }

    #[test]
    fn events_in_a_body_are_messages_and_the_rest_is_counted() {
        let body = Value::from(format!("event: message\nid: 1\ndata: {ANSWER}\n\ndata: \n\n"));
        let log = format!(
            "{{\"dir\":\"c2s\",\"body\":{}}}\nstarted\n{{\"dir\":\"s2c\",\"status\":200,\"body\":{body}}}\n{{\"dir\":\"s2c\",\"status\":202,\"body\":\"\"}}",
            Value::from(CALL)
        );
        let imported = Imported::of(&log);
        assert_eq!(sides(&log), [Side::Client, Side::Server]);
        assert_eq!((imported.left_out, imported.first_left_out), (2, Some(2)));
        assert_eq!(Imported::of("").frames, []);
    }
}
