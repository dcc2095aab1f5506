//! Logs that others wrote, as recordings: a line each with a message in it, and something that says who sent it.
//!
//! What may not enter: formats by the names of their programs. What says who sent a line is looked for, and where nothing does the
//! message says so itself.

use std::collections::HashMap;

use frankly_verdict::transcript::{Frame, Side, read_json};
use serde_json::Value;
use serde_json::value::RawValue;

/// Members that say who sent a message.
const DIRECTIONS: &[&str] =
    &["dir", "direction", "from", "sender", "source", "side", "type", "kind", "event"];
/// Members that hold it, as an object or as text.
const MESSAGES: &[&str] =
    &["msg", "message", "line", "raw", "frame", "data", "body", "payload", "content", "json"];
/// Words that say so, in lower case, whoever wrote the log.
const OF_CLIENT: &[&str] = &["c2s", "client", "request", "req", "stdin"];
const OF_SERVER: &[&str] = &["s2c", "server", "response", "res", "stdout"];
/// Words that say whether whoever wrote the log sent it.
const SENT: &[&str] = &["send", "sent", "out", "outgoing", "outbound", "-->", "->", "→", ">>>", ">>"];
const RECEIVED: &[&str] =
    &["recv", "received", "receive", "in", "incoming", "inbound", "<--", "<-", "←", "<<<", "<<"];
/// A message is looked for within so many entries.
const DEEPEST: usize = 8;
/// So many beginnings of JSON are tried in a line.
const MOST_BEGINNINGS: usize = 32;
/// Requests and notifications that only a client sends.
const CLIENTS_OWN: &[&str] = &[
    "completion/complete", "initialize", "logging/setLevel", "notifications/initialized",
    "notifications/roots/list_changed", "prompts/get", "prompts/list", "resources/list", "resources/read",
    "resources/subscribe", "resources/templates/list", "resources/unsubscribe", "server/discover",
    "subscriptions/listen", "tools/call", "tools/list",
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

/// What a log says of who sent a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    By(Side),
    /// Whoever wrote the log sent it, or received it.
    Sent,
    Received,
}

/// A message as it is written, with what is said of it.
struct Held {
    text: String,
    told: Option<Told>,
}

impl Imported {
    /// Reads a log: a line for each message, or a JSON array of them. Each is kept as it is written.
    #[must_use]
    pub fn of(log: &str) -> Self {
        let mut held = Vec::new();
        let mut imported = Self::default();
        let mut count = |number: usize, is_read: bool| {
            if !is_read {
                imported.left_out += 1;
                imported.first_left_out.get_or_insert(number + 1);
            }
        };
        match serde_json::from_str::<Vec<&RawValue>>(log) {
            Ok(entries) => {
                let entries = entries.iter().enumerate();
                entries.for_each(|(number, entry)| count(number, read_entry(entry.get(), None, &mut held)));
            }
            Err(_) => {
                let lines = log.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
                lines.for_each(|(number, line)| count(number, read_line(line, &mut held)));
            }
        }
        let writer = writer(&held);
        let mut askers = HashMap::new();
        held.into_iter().for_each(|one| imported.add(one, writer, &mut askers));
        imported
    }

    fn add(&mut self, held: Held, writer: Side, askers: &mut HashMap<String, Side>) {
        // Between members there may be line breaks, and within texts there are none.
        let frame = Frame::from_line(Side::Client, held.text.replace(['\n', '\r'], " "));
        let side = match held.told {
            Some(Told::By(side)) => side,
            Some(Told::Sent) => writer,
            Some(Told::Received) => other(writer),
            None => Self::side(frame.msg().unwrap_or(&Value::Null), askers),
        };
        if let Some(id) = frame.id().filter(|_| frame.method().is_some()) {
            askers.insert(id.to_string(), side);
        }
        self.frames.push(Frame::from_line(side, frame.line().to_owned()));
    }

    /// Who sent a message, by what it is: an answer comes from whoever was asked.
    fn side(message: &Value, askers: &HashMap<String, Side>) -> Side {
        let first = message.as_array().and_then(|batch| batch.first()).unwrap_or(message);
        match first.get("method").and_then(Value::as_str) {
            Some(method) if SERVERS_OWN.contains(&method) => Side::Server,
            Some(_) => Side::Client,
            None => match first.get("id").and_then(|id| askers.get(&id.to_string())) {
                Some(Side::Server) => Side::Client,
                _ => Side::Server,
            },
        }
    }
}

/// Who wrote a log: whoever sent, by its words, what only the one or the other sends. Most logs are a client's.
fn writer(held: &[Held]) -> Side {
    let sender = |one: &Held| {
        let message = read_json(&one.text).ok()?;
        let method = message.get("method")?.as_str()?;
        let side = match (CLIENTS_OWN.contains(&method), SERVERS_OWN.contains(&method)) {
            (true, _) => Side::Client,
            (_, true) => Side::Server,
            _ => return None,
        };
        match one.told? {
            Told::Sent => Some(side),
            Told::Received => Some(other(side)),
            Told::By(_) => None,
        }
    };
    let (clients, servers): (Vec<_>, Vec<_>) =
        held.iter().filter_map(sender).partition(|side| *side == Side::Client);
    if servers.len() > clients.len() { Side::Server } else { Side::Client }
}

fn other(side: Side) -> Side {
    match side {
        Side::Client => Side::Server,
        Side::Server => Side::Client,
    }
}

/// Takes the messages in a line, maybe behind what a logger writes in front; whether all that is there is one.
fn read_line(line: &str, held: &mut Vec<Held>) -> bool {
    let Some((before, entries)) = json_in(line) else { return false };
    let told = told_in(before);
    entries.into_iter().filter(|entry| !read_entry(entry, told, held)).count() == 0
}

/// Takes the message in an entry; whether there is one.
fn read_entry(entry: &str, told: Option<Told>, held: &mut Vec<Held>) -> bool {
    read_within(entry, told, held, DEEPEST)
}

/// The same, so many entries within each other deep at most.
fn read_within(entry: &str, told: Option<Told>, held: &mut Vec<Held>, deepest: usize) -> bool {
    if read_json(entry).is_ok_and(|value| is_message(&value)) {
        held.push(Held { text: entry.trim().to_owned(), told });
        return true;
    }
    let Ok(members) = serde_json::from_str::<HashMap<String, &RawValue>>(entry) else { return false };
    let text = |value: &RawValue| serde_json::from_str::<String>(value.get()).ok();
    let words = DIRECTIONS.iter().filter_map(|name| text(members.get(*name)?));
    let told = told.or_else(|| words.into_iter().find_map(|word| told_by(&word)));
    MESSAGES.iter().filter_map(|name| members.get(*name)).any(|value| match text(value) {
        _ if deepest == 0 => false,
        Some(text) => read_text(&text, told, held, deepest - 1),
        None => read_within(value.get(), told, held, deepest - 1),
    })
}

/// Takes the messages in a text: one, or those of a stream of events; whether there is any.
fn read_text(text: &str, told: Option<Told>, held: &mut Vec<Held>, deepest: usize) -> bool {
    if read_within(text, told, held, deepest) {
        return true;
    }
    let data = text.lines().filter_map(|line| line.strip_prefix("data:"));
    data.filter(|data| read_within(data, told, held, deepest)).count() > 0
}

/// The JSON up to the end of a line, which may be several values, and what stands before it.
fn json_in(line: &str) -> Option<(&str, Vec<&str>)> {
    line.match_indices(['{', '[']).take(MOST_BEGINNINGS).find_map(|(at, _)| {
        let (before, json) = line.split_at(at);
        let values = serde_json::Deserializer::from_str(json).into_iter::<&RawValue>();
        let values: Vec<&str> =
            values.map(|value| value.map(RawValue::get)).collect::<Result<_, _>>().ok()?;
        Some((before, values))
    })
}

/// Who sent a line, by what stands in front of it: `server -> client` by whom the arrow leads away from, else by the arrow, else
/// by the last word that says so.
fn told_in(before: &str) -> Option<Told> {
    let is_between = |c: char| c.is_whitespace() || "[](){}:,;|\"'".contains(c);
    let words: Vec<&str> = before.split(is_between).filter(|word| !word.is_empty()).collect();
    let is_arrow = |word: &&str| !word.chars().any(char::is_alphanumeric) && told_by(word).is_some();
    match words.iter().rposition(is_arrow) {
        Some(at) => {
            at.checked_sub(1).and_then(|before| told_by(words[before])).or_else(|| told_by(words[at]))
        }
        None => words.iter().rev().find_map(|word| told_by(word)),
    }
}

fn told_by(word: &str) -> Option<Told> {
    let word = word.to_lowercase();
    let says = |known: &[&str]| {
        // Of `client_to_server` the first counts.
        let parts = word.split(['_', '-', '/', ' ', '>']).filter(|part| !part.is_empty());
        known.contains(&word.as_str()) || parts.take(1).any(|part| known.contains(&part))
    };
    let all = [
        (OF_CLIENT, Told::By(Side::Client)),
        (OF_SERVER, Told::By(Side::Server)),
        (SENT, Told::Sent),
        (RECEIVED, Told::Received),
    ];
    let mut found = all.into_iter().filter(|(known, _)| says(known)).map(|(_, told)| told);
    found.next().filter(|_| found.next().is_none())
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
        // Each was sent by the other than what it is would say.
        for (client, server) in [("[client -> server]", "[server -> client]"), ("request", "response")] {
            let log = format!("12:00 {server} {CALL}\n12:01 {client} {ANSWER}");
            assert_eq!(sides(&log), [Side::Server, Side::Client], "{client}");
        }
        for (key, client, server) in [
            ("dir", "c2s", "s2c"),
            ("direction", "client_to_server", "server_to_client"),
            ("type", "request", "response"),
            ("from", "client", "server"),
        ] {
            let log = format!(r#"{{"{key}":"{server}","message":{CALL}}}"#)
                + "\n"
                + &format!(r#"{{"{key}":"{client}","data":{}}}"#, Value::from(ANSWER));
            assert_eq!(sides(&log), [Side::Server, Side::Client], "{key}");
        }
    }

    #[test]
    fn what_was_sent_and_received_is_read_as_whoever_wrote_the_log_would() {
        let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress"}"#;
        for (sent, received) in [
            ("12:00 -->", "12:00 <--"),
            ("SEND:", "RECV:"),
            (">>", "<<"),
            ("→", "←"),
            (r#"{"direction":"outgoing","message":"#, r#"{"direction":"incoming","message":"#),
        ] {
            let close = if sent.starts_with('{') { "}" } else { "" };
            let log = |to: &str, from: &str| {
                [(to, CALL), (from, progress), (from, ANSWER)]
                    .map(|(way, said)| format!("{way} {said}{close}"))
                    .join("\n")
            };
            let wanted = [Side::Client, Side::Server, Side::Server];
            assert_eq!(sides(&log(sent, received)), wanted, "{sent}: a client's");
            assert_eq!(sides(&log(received, sent)), wanted, "{sent}: a server's");
        }
    }

    #[test]
    fn whatever_is_nested_or_broken_ends() {
        let deep = "{\"msg\":".repeat(60_000);
        let whole = format!("{deep}1{}", "}".repeat(60_000));
        assert_eq!(Imported::of(&format!("{deep}\n{whole}\n{CALL}")).frames.len(), 1);
    }

    #[test]
    fn several_messages_on_a_line_are_all_taken() {
        let log = format!("12:00 {CALL} {ANSWER}\n[debug] {CALL}\n--> {CALL}{{\"took\": 4}}");
        let imported = Imported::of(&log);
        assert_eq!((imported.frames.len(), imported.left_out, imported.first_left_out), (4, 1, Some(3)));
        assert_eq!(sides(&log), [Side::Client, Side::Server, Side::Client, Side::Client]);
    }

    #[test]
    fn a_message_stays_as_it_was_written() {
        let written = r#"{"jsonrpc":"2.0","id":1,"result":{"z":1.50,"a":1e400}}"#;
        let pretty = written.replace(',', ",\n  ");
        for log in [format!("<-- {written}"), format!(r#"{{"data":{written}}}"#), format!("[{pretty}]")] {
            let imported = Imported::of(&log);
            assert_eq!(imported.frames[0].line().replace("   ", ""), written, "{log}");
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
