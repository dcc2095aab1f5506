//! The text form of a transcript: a header line, then a line per frame.
//!
//! A frame's number is the number of its line, counted from zero after the header, whatever stands in it: what is no
//! frame but stands among them is counted too.

use std::collections::BTreeSet;

use frankly_contract::{ToolDef, nearest};
use serde::Deserialize;
use serde_json::error::Category;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

mod lines;

pub use lines::{frame_line, header_line};

use crate::report::shorten;

use super::requests::Requests;
use super::{Channel, Cut, Event, Frame, Role, Side, SizeBudget, Transcript, read_json};

/// How much of a value that is refused is shown.
const SHOWN_CHARS: usize = 60;
/// The version of the format that is read and written.
const VERSION: u64 = 1;

/// A recording that cannot be read, with the line at fault, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct RecordingError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

/// Reads a recording: a header line `{"frankly":"recording","version":1}`, optionally with `revision`, `role`
/// (`server`, `client`, `proxy`, `model`: who is under test), `tools` and `budget` (`{"bytes":N}` or `{"tokens":N}`), then
/// a line per frame: `{"from":"client"|"server"}` with `msg`, with `raw` where the line was not JSON (and
/// `utf8: false` where it was not UTF-8 either, and bytes were replaced), or with `cut`
/// (`{"bytes":N,"head":…,"tail":…}`) where only both ends were kept; optionally with `at_ms`, `channel` (`wire`, `stderr`,
/// `upstream`, `model`), `context`, and where several clients are recorded at once `session` (a text, the same for all frames of
/// one session) and `exchange` (a number, the same for a request and all that was answered to it). A line `{"event":NAME,…}` is what happened between frames: `exit`, `close`, `cancel`, `http`, `left_out`, `end`.
///
/// A last line without its end is what a killed process leaves behind: it is left out, and [`Transcript::torn`] says so.
///
/// # Errors
///
/// The first line that is not what it should be.
pub fn read_recording(server: &str, text: &str) -> Result<Transcript, RecordingError> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).peekable();
    let (number, header) =
        lines.next().ok_or(RecordingError { line: 1, what: "the recording is empty".to_owned() })?;
    let mut transcript =
        read_header(server, header).map_err(|what| RecordingError { line: number + 1, what })?;
    while let Some((number, line)) = lines.next() {
        match read_frame(line) {
            Ok(frame) => transcript.frames.push(frame),
            Err(Unreadable::NotJson(_)) if lines.peek().is_none() && !text.ends_with('\n') => {
                transcript.torn = true;
            }
            Err(Unreadable::NotJson(what) | Unreadable::NoFrame(what)) => {
                return Err(RecordingError { line: number + 1, what });
            }
        }
    }
    Ok(transcript.filled_in())
}

impl Transcript {
    /// The same with the revision that was agreed on and the tools that were listed in its frames, where it does not say them.
    ///
    /// ```
    /// use frankly_verdict::transcript::{Frame, Side, Transcript};
    ///
    /// let frames = vec![
    ///     Frame::from_line(Side::Client, r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#.to_owned()),
    ///     Frame::from_line(Side::Server, r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}"#.to_owned()),
    /// ];
    /// let transcript = Transcript { frames, ..Transcript::default() }.filled_in();
    /// assert_eq!((transcript.revision.as_deref(), transcript.tools), (Some("2025-11-25"), None));
    /// ```
    #[must_use]
    pub fn filled_in(mut self) -> Self {
        if self.revision.is_some() && self.tools.is_some() {
            return self;
        }
        let requests = Requests::of(&self.frames);
        let mut agreed = Agreed::default();
        agreed.note(&requests);
        let listed = listed_after(None, &requests);
        self.revision = self.revision.or_else(|| agreed.revision());
        self.tools = self.tools.or(listed);
        self
    }
}

/// The revisions of the protocol that were agreed on in a session.
#[derive(Debug, Clone, Default)]
pub(crate) struct Agreed(BTreeSet<String>);

impl Agreed {
    /// Notes those that requests show: what was answered to `initialize`, or is said beside each request that was answered.
    pub fn note(&mut self, requests: &Requests<'_>) {
        for request in &requests.all {
            let Some((_, result)) = request.result() else { continue };
            let said = || request.param("_meta")?.get("io.modelcontextprotocol/protocolVersion")?.as_str();
            let agreed = match request.method {
                "initialize" => result.get("protocolVersion").and_then(Value::as_str),
                _ => said(),
            };
            // Two are as good as many.
            if let Some(agreed) = agreed.filter(|agreed| self.0.len() < 2 && !self.0.contains(*agreed)) {
                self.0.insert(agreed.to_owned());
            }
        }
    }

    /// The revision, where all of it went by one.
    pub fn revision(&self) -> Option<String> {
        self.0.first().filter(|_| self.0.len() == 1).cloned()
    }
}

/// The tools as they were listed in the session, page by page, where others were listed before; of several listings of the same tool the
/// last one counts.
pub(crate) fn listed_after(before: Option<Vec<ToolDef>>, requests: &Requests<'_>) -> Option<Vec<ToolDef>> {
    let requests = requests.all.iter().filter(|request| request.method == "tools/list");
    let pages: Vec<_> = requests.filter_map(|request| request.result()?.1.get("tools")?.as_array()).collect();
    if pages.is_empty() {
        return before;
    }
    let mut tools = before.unwrap_or_default();
    for tool in pages.iter().copied().flatten().filter(|tool| tool.is_object()) {
        let tool = ToolDef::from_raw(tool.clone());
        match tools.iter().position(|known| known.name() == tool.name()) {
            Some(at) if tools[at] == tool => {}
            Some(at) => tools[at] = tool,
            None => tools.push(tool),
        }
    }
    Some(tools)
}

/// Why a line is no frame.
enum Unreadable {
    NotJson(String),
    NoFrame(String),
}

fn read_header(server: &str, line: &str) -> Result<Transcript, String> {
    let not_one = "not a recording: the first line must be {\"frankly\":\"recording\",\"version\":1}";
    // Some editors put a mark of the byte order in front.
    let line = line.trim_start_matches('\u{feff}');
    let header =
        read_json(line).map_err(|error| unread(line, &error).unwrap_or_else(|| not_one.to_owned()))?;
    if header.get("frankly").and_then(Value::as_str) != Some("recording") {
        return Err(not_one.to_owned());
    }
    match header.get("version") {
        Some(version) if version.as_u64() == Some(VERSION) => {}
        Some(other) if other.as_u64().is_some() => {
            return Err(format!("version {other} is not read, only {VERSION} is"));
        }
        Some(other) => {
            let other = shorten(&other.to_string(), SHOWN_CHARS);
            return Err(format!("`version` is {other}, and must be the whole number {VERSION}"));
        }
        None => return Err("the header has no `version`".to_owned()),
    }
    let role = header.get("role").filter(|role| !role.is_null());
    Ok(Transcript {
        server: server.to_owned(),
        revision: header.get("revision").and_then(Value::as_str).map(str::to_owned),
        role: role.map(|role| known(role, "role", &Role::ALL)).transpose()?,
        tools: header.get("tools").filter(|tools| !tools.is_null()).map(read_tools).transpose()?,
        budget: header.get("budget").filter(|budget| !budget.is_null()).map(read_budget).transpose()?,
        ..Transcript::default()
    })
}

/// The tools of a header: an array of definitions, or the result of `tools/list` with it in.
fn read_tools(stated: &Value) -> Result<Vec<ToolDef>, String> {
    let wanted = "`tools` must be an array of definitions, such as [{\"name\":\"list\",\"inputSchema\":{}}], or the result \
                  of tools/list with that array in `tools`";
    let listed = stated.as_array().or_else(|| stated.get("tools")?.as_array());
    let listed =
        listed.ok_or_else(|| format!("{wanted}; it is {}", shorten(&stated.to_string(), SHOWN_CHARS)))?;
    match listed.iter().find(|tool| !tool.is_object()) {
        Some(other) => {
            Err(format!("{wanted}; {} is no definition", shorten(&other.to_string(), SHOWN_CHARS)))
        }
        None => Ok(listed.iter().cloned().map(ToolDef::from_raw).collect()),
    }
}

/// The budget of a header. One that is not understood would be no budget, without a word.
fn read_budget(stated: &Value) -> Result<SizeBudget, String> {
    // Bytes and tokens at once are one budget: the bytes are exact.
    let units = ["bytes", "tokens"];
    let is_whole =
        |unit: &&str| stated.get(unit).is_none_or(|most| most.as_u64().is_some_and(|most| most > 0));
    SizeBudget::read(stated).filter(|_| units.iter().all(is_whole)).ok_or_else(|| {
        format!(
            "`budget` is {}, and must be {{\"bytes\":N}} or {{\"tokens\":N}} with a whole number over 0",
            shorten(&stated.to_string(), SHOWN_CHARS)
        )
    })
}

/// What keeps a line from being read although it may well be JSON; `None` where it is none.
fn unread(line: &str, error: &serde_json::Error) -> Option<String> {
    const DEEPEST: usize = 128;
    let reason = error.to_string();
    if reason.contains("surrogate") || reason.contains("hex escape") {
        return Some(format!(
            "a text holds half a character (an escape such as \\ud83d without its other half), which no text can: {reason}"
        ));
    }
    let is_deep = reason.contains("recursion limit");
    is_deep
        .then(|| format!("it is nested over {DEEPEST} levels deep, which is not read ({} bytes)", line.len()))
}

/// A line of a recording. The message is left as it is written: its order, its numbers, its depth.
#[derive(Deserialize)]
struct Entry<'l> {
    from: Option<Value>,
    // `null` is a message too, of a kind.
    #[serde(borrow, default, deserialize_with = "present")]
    msg: Option<&'l RawValue>,
    raw: Option<String>,
    utf8: Option<bool>,
    cut: Option<Value>,
    event: Option<String>,
    at_ms: Option<f64>,
    channel: Option<Value>,
    context: Option<Value>,
    session: Option<String>,
    exchange: Option<u64>,
}

fn present<'l, D: serde::Deserializer<'l>>(value: D) -> Result<Option<&'l RawValue>, D::Error> {
    Deserialize::deserialize(value).map(Some)
}

fn read_frame(line: &str) -> Result<Frame, Unreadable> {
    let entry: Entry<'_> = serde_json::from_str(line).map_err(|error| match error.classify() {
        Category::Data => Unreadable::NoFrame(error.to_string()),
        _ => Unreadable::NotJson(unread(line, &error).unwrap_or_else(|| error.to_string())),
    })?;
    frame(entry, line).map_err(Unreadable::NoFrame)
}

fn frame(entry: Entry<'_>, line: &str) -> Result<Frame, String> {
    let channel =
        entry.channel.as_ref().map(|channel| known(channel, "channel", &Channel::ALL)).transpose()?;
    let (at_ms, context, exchange) = (entry.at_ms, entry.context.clone(), entry.exchange);
    let session = entry.session.clone();
    let mut frame = body(entry, line)?.on(channel.unwrap_or_default());
    if let Some(at_ms) = at_ms {
        // A fraction of a millisecond is none.
        frame = frame.at(at_ms.max(0.0) as u64);
    }
    if let Some(context) = context {
        frame = frame.with_context(context);
    }
    if let Some(session) = session {
        frame = frame.in_session(&session);
    }
    Ok(match exchange {
        Some(exchange) => frame.in_exchange(exchange),
        None => frame,
    })
}

fn body(entry: Entry<'_>, line: &str) -> Result<Frame, String> {
    const SIDES: [(&str, Side); 2] = [("client", Side::Client), ("server", Side::Server)];
    if let Some(name) = entry.event {
        let side = entry.from.map(|from| known(&from, "from", &SIDES)).transpose()?;
        let details = details(line);
        return Ok(Frame::from_event(side.unwrap_or(Side::Server), Event { name, details }));
    }
    let from = known(&entry.from.unwrap_or_default(), "from", &SIDES)?;
    match (entry.msg, entry.raw, entry.cut) {
        (Some(msg), None, None) => Ok(Frame::from_line(from, msg.get().to_owned())),
        (None, Some(raw), None) if entry.utf8 == Some(false) => Ok(Frame::from_line(from, raw).not_utf8()),
        (None, Some(raw), None) => Ok(Frame::from_line(from, raw)),
        (None, None, Some(cut)) => Ok(Frame::from_cut(from, read_cut(&cut)?)),
        _ => Err("a frame has one of `msg`, `cut` and, as text, `raw`".to_owned()),
    }
}

/// What a line says of an event beside its name.
fn details(line: &str) -> Map<String, Value> {
    let known = ["event", "from", "at_ms", "channel", "context", "session", "exchange"];
    let members: Map<String, Value> = serde_json::from_str(line).unwrap_or_default();
    members.into_iter().filter(|(key, _)| !known.contains(&key.as_str())).collect()
}

fn read_cut(cut: &Value) -> Result<Cut, String> {
    let text = |key: &str| cut.get(key).and_then(Value::as_str).map(str::to_owned);
    let read = || Some(Cut { bytes: cut.get("bytes")?.as_u64()?, head: text("head")?, tail: text("tail")? });
    read().ok_or_else(|| "`cut` has the number `bytes` and the texts `head` and `tail`".to_owned())
}

/// One of a few known words.
fn known<T: Copy>(value: &Value, key: &str, all: &[(&str, T)]) -> Result<T, String> {
    let found = value.as_str().and_then(|name| all.iter().find(|(known, _)| *known == name));
    found.map(|(_, one)| *one).ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|(name, _)| *name).collect();
        let wanted = format!("must be one of {}", names.join(", "));
        if value.is_null() {
            return format!("`{key}` is missing; it {wanted}");
        }
        let near = value.as_str().and_then(|sent| nearest(sent, names.iter().copied()));
        let near = near.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
        format!("`{key}` is {}, and {wanted}{near}", shorten(&value.to_string(), SHOWN_CHARS))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::transcript::Flaw;

    const HEADER: &str = r#"{"frankly":"recording","version":1}"#;

    #[test]
    fn a_recording_is_read_frame_by_frame() {
        let text = r#"{"frankly":"recording","version":1,"revision":"2025-11-25","tools":[{"name":"a"}]}
{"from":"server","raw":"Server started"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{}}}}
"#;
        let transcript = read_recording("x", text).unwrap();
        assert_eq!(transcript.revision.as_deref(), Some("2025-11-25"));
        assert!(transcript.frames[0].is_noise() && !transcript.frames[1].is_noise());
        assert!(transcript.tool("a").is_some());
        assert_eq!(transcript.calls()[0].name, "a");
    }

    #[test]
    fn a_budget_is_read_and_one_of_another_kind_is_none() {
        let budget = |stated: &str| {
            let header = format!(r#"{{"frankly":"recording","version":1,"budget":{stated}}}"#);
            read_recording("x", &header).unwrap().budget
        };
        assert_eq!(budget(r#"{"bytes":25000}"#), Some(SizeBudget::Bytes(25_000)));
        assert_eq!(budget(r#"{"tokens":8000,"tokenizer":"o200k"}"#), Some(SizeBudget::Tokens(8_000)));
        assert_eq!(budget(r#"{"bytes":1,"tokens":1}"#), Some(SizeBudget::Bytes(1)));
        assert_eq!(budget("null"), None);
    }

    #[test]
    fn a_header_that_is_not_understood_is_refused() {
        let error = |members: &str| {
            let header = format!(r#"{{"frankly":"recording","version":1,{members}}}"#);
            read_recording("x", &header).map(|_| ()).map_err(|error| error.to_string())
        };
        for budget in [
            "25000", r#"{"bytes":-1}"#, r#"{"bytes":"100"}"#, r#"{"bytes":100.5}"#, r#"{"bytes":0}"#,
            r#"{"Bytes":1}"#, r#"{"pages":3}"#, r#"{"bytes":1,"tokens":"x"}"#,
        ] {
            let told = error(&format!(r#""budget":{budget}"#)).unwrap_err();
            assert!(told.starts_with("line 1: `budget` is "), "{told}");
        }
        for tools in ["7", r#""x""#, "{}", "[7,null]"] {
            let told = error(&format!(r#""tools":{tools}"#)).unwrap_err();
            assert!(told.starts_with("line 1: `tools` must be an array"), "{told}");
        }
        assert_eq!(error(r#""tools":{"tools":[{"name":"a"}]}"#), Ok(()));
        assert_eq!(error(r#""tools":null"#), Ok(()));
        for version in ["1.0", r#""1""#, "-1", "null"] {
            let header = format!(r#"{{"frankly":"recording","version":{version}}}"#);
            let told = read_recording("x", &header).unwrap_err().to_string();
            assert!(told.contains("must be the whole number 1"), "{told}");
        }
        assert!(read_recording("x", &format!("\u{feff}{HEADER}")).is_ok());
    }

    #[test]
    fn tools_are_those_that_were_listed_where_the_header_has_none() {
        let text = format!(
            "{HEADER}\n\
             {{\"from\":\"client\",\"msg\":{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}}}}\n\
             {{\"from\":\"server\",\"msg\":{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"tools\":[{{\"name\":\"a\"}}]}}}}}}\n"
        );
        assert!(read_recording("x", &text).unwrap().tool("a").is_some());
        assert_eq!(read_recording("x", HEADER).unwrap().tools, None);
    }

    #[test]
    fn half_a_character_is_named() {
        let text = format!("{HEADER}\n{{\"from\":\"server\",\"msg\":{{\"a\":\"x\\ud83d\"}}}}\n");
        let told = read_recording("x", &text).map(|read| read.frames[0].flaw());
        assert_eq!(told, Ok(Some(Flaw::HalfCharacter)));
    }

    #[test]
    fn what_is_beside_the_wire_is_no_call_and_no_noise() {
        let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}"#;
        let text = format!(
            "{HEADER}\n\
             {{\"from\":\"client\",\"channel\":\"upstream\",\"at_ms\":7,\"msg\":{call}}}\n\
             {{\"from\":\"server\",\"channel\":\"stderr\",\"raw\":\"oops\",\"session\":\"s\",\"exchange\":3,\"context\":{{\"tenant\":\"acme\"}}}}\n\
             {{\"from\":\"server\",\"raw\":\"\u{fffd}\",\"utf8\":false}}\n\
             {{\"from\":\"client\",\"raw\":\"sent on purpose\"}}\n\
             {{\"event\":\"exit\",\"code\":1}}\n"
        );
        let transcript = read_recording("x", &text).unwrap();
        assert!(transcript.calls().is_empty() && transcript.noise().count() == 1);
        let [upstream, stderr, bytes, _, exit] = transcript.frames.as_slice() else {
            panic!("{transcript:?}")
        };
        assert_eq!((upstream.at_ms(), upstream.channel()), (Some(7), Channel::Upstream));
        assert_eq!(stderr.context(), Some(&json!({"tenant": "acme"})));
        assert_eq!(bytes.flaw(), Some(Flaw::NotUtf8));
        assert_eq!(exit.event().map(|event| event.name.as_str()), Some("exit"));
        assert_eq!(transcript.end(), Some("exit"));
        let written: String = std::iter::once(header_line(&transcript))
            .chain(transcript.frames.iter().map(frame_line))
            .map(|line| line + "\n")
            .collect();
        assert_eq!(read_recording("x", &written), Ok(transcript));
    }

    #[test]
    fn a_cut_frame_is_the_message_that_both_ends_make() {
        let text = "x".repeat(3 << 20);
        let line =
            json!({"jsonrpc": "2.0", "id": 4, "result": {"content": [{"type": "text", "text": text}]}})
                .to_string();
        let written = frame_line(&Frame::from_line(Side::Server, line.clone()));
        assert!(written.len() < 200_000);
        let frame = read_frame(&written).ok().unwrap();
        assert_eq!(
            (frame.bytes(), frame.id(), frame.is_noise()),
            (line.len() as u64, Some(&json!(4)), false)
        );
        assert_eq!(frame_line(&frame), written);
        // What begins like a message may be one, whatever its ends make; what does not is none.
        for (head, is_noise) in [("{]1,", false), ("]1,", true)] {
            let torn =
                Frame::from_cut(Side::Server, Cut { bytes: 9, head: head.to_owned(), tail: "]".to_owned() });
            assert!(torn.msg().is_none() && torn.flaw().is_none());
            assert_eq!(torn.is_noise(), is_noise, "{head}");
        }
    }

    #[test]
    fn a_message_stays_as_it_was_written() {
        for line in
            [r#"{"z": 1.50, "a":[1e400]}"#, "{\"id\":1}\r", "no JSON", "[1, 2]", "null", "0", "\"\"", ""]
        {
            let frame = Frame::from_line(Side::Server, line.to_owned()).at(3).with_context(json!({"t": {}}));
            assert_eq!(read_frame(&frame_line(&frame)).ok(), Some(frame), "{line}");
        }
    }

    #[test]
    fn an_event_keeps_whatever_is_said_of_it() {
        let details =
            Map::from_iter([("a \"b\"\n".to_owned(), json!([1, "x"])), ("code".to_owned(), json!(-1))]);
        let event = Frame::from_event(Side::Client, Event { name: "left \"out\"".to_owned(), details });
        let event = event.at(3).in_exchange(7).in_session("a\"b");
        assert_eq!(read_frame(&frame_line(&event)).ok(), Some(event));
    }

    #[test]
    fn the_revision_is_what_was_agreed_on() {
        let line = |from: &str, id: u32, message: Value| {
            let mut message = message;
            message["id"] = json!(id);
            json!({"from": from, "msg": message}).to_string() + "\n"
        };
        let asked = |id: u32| {
            let params = json!({"protocolVersion": "2026-07-28"});
            line("client", id, json!({"method": "initialize", "params": params}))
        };
        let agreed = |id: u32| line("server", id, json!({"result": {"protocolVersion": "2025-11-25"}}));
        let meta = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}});
        let call = |id: u32| line("client", id, json!({"method": "tools/list", "params": meta}));
        let answer = |id: u32| line("server", id, json!({"result": {}}));
        let refusal = |id: u32| line("server", id, json!({"error": {"code": -32602, "message": "no"}}));
        for (lines, revision) in [
            (asked(1) + &agreed(1), Some("2025-11-25")),
            (asked(1), None),
            (call(1) + &answer(1), Some("2026-07-28")),
            (call(1) + &refusal(1) + &asked(2) + &agreed(2), Some("2025-11-25")),
            (call(1) + &answer(1) + &asked(2) + &agreed(2), None),
        ] {
            let read = read_recording("x", &format!("{HEADER}\n{lines}")).unwrap();
            assert_eq!(read.revision.as_deref(), revision, "{lines}");
            let stated = HEADER.replace("\"version\"", "\"revision\":\"2024-11-05\",\"version\"");
            let read = read_recording("x", &format!("{stated}\n{lines}")).unwrap();
            assert_eq!(read.revision.as_deref(), Some("2024-11-05"));
        }
    }

    #[test]
    fn only_the_last_line_may_be_torn() {
        let whole = r#"{"from":"server","raw":"a"}"#;
        let torn = read_recording("x", &format!("{HEADER}\n{whole}\n{{\"from\":\"ser")).unwrap();
        assert!(torn.torn && torn.frames.len() == 1);
        assert!(!read_recording("x", &format!("{HEADER}\n{whole}")).unwrap().torn);
        assert!(read_recording("x", &format!("{HEADER}\n{{\"from\":\"ser\n{whole}\n")).is_err());
        assert!(read_recording("x", &format!("{HEADER}\n{{\"from\":\"ser\n")).is_err());
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let error = |text: &str| read_recording("x", text).unwrap_err().to_string();
        assert_eq!(error(""), "line 1: the recording is empty");
        assert!(error("{}").starts_with("line 1: not a recording"));
        assert!(error("not JSON").starts_with("line 1: not a recording"));
        assert!(error(r#"{"frankly":"recording","version":2}"#).contains("version 2 is not read"));
        assert_eq!(
            error(&format!("{HEADER}\n\n{{\"from\":\"clinet\"}}")),
            "line 3: `from` is \"clinet\", and must be one of client, server; did you mean `client`?"
        );
        assert_eq!(
            error(&format!("{HEADER}\n{{\"msg\":1}}")),
            "line 2: `from` is missing; it must be one of client, server"
        );
        assert!(error(&format!("{HEADER}\n{{\"from\":\"client\"}}")).starts_with("line 2: a frame has"));
        let channel = r#"{"from":"client","raw":"","channel":"radio"}"#;
        assert_eq!(
            error(&format!("{HEADER}\n{channel}")),
            "line 2: `channel` is \"radio\", and must be one of wire, stderr, upstream, model"
        );
        let role = r#"{"frankly":"recording","version":1,"role":"judge"}"#;
        assert_eq!(
            error(role),
            "line 1: `role` is \"judge\", and must be one of server, client, proxy, model"
        );
    }
}
