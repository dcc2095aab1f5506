//! One line as it came over the wire, or what was noted beside it.

use std::sync::OnceLock;

use serde_json::{Map, Value};

use super::read;

/// Who sent a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The client.
    Client,
    /// The server.
    Server,
}

/// Where a frame was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Channel {
    /// Between client and server, where the protocol is spoken.
    #[default]
    Wire,
    /// The server's standard error, or its log.
    Stderr,
    /// Between a server and what it depends on, or between a proxy and the server behind it.
    Upstream,
    /// Between an agent and its model.
    Model,
}

impl Channel {
    /// Every channel with its name in a recording.
    pub const ALL: [(&'static str, Self); 4] = [
        ("wire", Self::Wire),
        ("stderr", Self::Stderr),
        ("upstream", Self::Upstream),
        ("model", Self::Model),
    ];

    /// Its name in a recording.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, channel)| *channel == self).map_or("wire", |(name, _)| name)
    }
}

/// What is wrong with a line itself, whatever it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// Not JSON: a log line, a banner, half a message.
    NotJson,
    /// Bytes that are not UTF-8; they were replaced.
    NotUtf8,
    /// A number beyond what a double holds; it was kept as text.
    BeyondDouble,
    /// Half a character in a text: an escape of a pair without the other one; it was replaced.
    HalfCharacter,
    /// JSON that is nested deeper than is read.
    TooDeep,
}

/// A line of which only both ends were kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// How many bytes the line had.
    pub bytes: u64,
    /// How it began.
    pub head: String,
    /// How it ended.
    pub tail: String,
}

/// What is no frame, but was noted between frames, such as that a process ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// What happened: `exit`, `close`, `cancel`, `http`, `left_out`, `end`.
    pub name: String,
    /// The other members of its line, such as `code`.
    pub details: Map<String, Value>,
}

/// One line, kept as it came, with the message in it where there is one. The message is read when it is first asked for: whoever
/// only passes frames on reads none.
#[derive(Debug, Clone)]
pub struct Frame {
    from: Side,
    line: String,
    /// Whether bytes that were not UTF-8 were replaced.
    is_lossy: bool,
    read: OnceLock<(Option<Value>, Option<Flaw>)>,
    seen: Seen,
    // Rare, and large beside the rest.
    note: Option<Box<Note>>,
}

/// What is known of a line beside what it says.
#[derive(Debug, Clone, PartialEq, Default)]
struct Seen {
    channel: Channel,
    at_ms: Option<u64>,
    context: Option<Value>,
    exchange: Option<u64>,
    session: Option<Box<str>>,
}

/// What makes a frame more or less than a line.
#[derive(Debug, Clone, PartialEq)]
enum Note {
    Cut(Cut),
    Event(Event),
}

/// Whether both are the same line, seen in the same way.
impl PartialEq for Frame {
    fn eq(&self, other: &Self) -> bool {
        let kept = |frame: &Self| (frame.from, frame.is_lossy);
        kept(self) == kept(other)
            && self.line == other.line
            && self.seen == other.seen
            && self.note == other.note
    }
}

impl Frame {
    /// A frame from the bytes of one line, without its line end.
    #[must_use]
    pub fn from_bytes(from: Side, bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(line) => Self::from_line(from, line),
            Err(error) => {
                Self::from_line(from, String::from_utf8_lossy(error.as_bytes()).into_owned()).not_utf8()
            }
        }
    }

    /// A frame from one line of text, without its line end.
    #[must_use]
    pub fn from_line(from: Side, line: String) -> Self {
        Self { from, line, is_lossy: false, read: OnceLock::new(), seen: Seen::default(), note: None }
    }

    /// A frame of which only both ends were kept. Its message is the one that they make together, with a mark between
    /// them, else the one that its beginning makes with all that is open in it closed; what stood between is not known.
    #[must_use]
    pub fn from_cut(from: Side, cut: Cut) -> Self {
        let kept = (cut.head.len() + cut.tail.len()) as u64;
        let line = format!("{}…[{} bytes left out]…{}", cut.head, cut.bytes.saturating_sub(kept), cut.tail);
        Self { note: Some(Box::new(Note::Cut(cut))), ..Self::from_line(from, line) }
    }

    /// What is no frame, but stands among them.
    #[must_use]
    pub fn from_event(from: Side, event: Event) -> Self {
        Self { note: Some(Box::new(Note::Event(event))), ..Self::from_line(from, String::new()) }
    }

    /// The same frame, of which some bytes were not UTF-8 and were replaced.
    pub(super) fn not_utf8(self) -> Self {
        Self { is_lossy: true, ..self }
    }

    /// Whether bytes that were not UTF-8 were replaced in it.
    pub(super) fn is_lossy(&self) -> bool {
        self.is_lossy
    }

    /// The same frame, seen there.
    #[must_use]
    pub fn on(mut self, channel: Channel) -> Self {
        self.seen.channel = channel;
        self
    }

    /// The same frame, seen so many milliseconds after the beginning.
    #[must_use]
    pub fn at(mut self, at_ms: u64) -> Self {
        self.seen.at_ms = Some(at_ms);
        self
    }

    /// The same frame, with what is known of whom it was sent for, such as `{"tenant": "acme"}`.
    #[must_use]
    pub fn with_context(mut self, context: Value) -> Self {
        self.seen.context = Some(context);
        self
    }

    /// The same frame, which came in this exchange: over HTTP a request and all that is answered to it, counted in a
    /// recording from 0.
    #[must_use]
    pub fn in_exchange(mut self, exchange: u64) -> Self {
        self.seen.exchange = Some(exchange);
        self
    }

    /// The same frame, which came in this session of several that one recording has: any name that is the same for all of
    /// one session's frames, and no other's.
    #[must_use]
    pub fn in_session(mut self, session: &str) -> Self {
        self.seen.session = Some(session.into());
        self
    }

    /// The same frame, seen where, when and for whom another one was.
    ///
    /// ```
    /// use frankly_verdict::transcript::{Frame, Side};
    ///
    /// let seen = Frame::from_line(Side::Client, r#"[{"id":1},{"id":2}]"#.to_owned()).at(40).in_exchange(3);
    /// let one = Frame::from_line(Side::Client, r#"{"id":1}"#.to_owned()).seen_as(&seen);
    /// assert_eq!((one.at_ms(), one.exchange()), (Some(40), Some(3)));
    /// ```
    #[must_use]
    pub fn seen_as(self, other: &Self) -> Self {
        Self { seen: other.seen.clone(), ..self }
    }

    /// Who sent it.
    #[must_use]
    pub fn from(&self) -> Side {
        self.from
    }

    /// The line as it came, a carriage return at its end included; bytes that were not UTF-8 are replaced. Empty for an
    /// event.
    #[must_use]
    pub fn line(&self) -> &str {
        &self.line
    }

    /// The JSON in the line, if it is JSON.
    #[must_use]
    pub fn msg(&self) -> Option<&Value> {
        self.read().0.as_ref()
    }

    /// What is wrong with the line itself.
    #[must_use]
    pub fn flaw(&self) -> Option<Flaw> {
        if self.is_lossy { Some(Flaw::NotUtf8) } else { self.read().1 }
    }

    fn read(&self) -> &(Option<Value>, Option<Flaw>) {
        self.read.get_or_init(|| match self.note.as_deref() {
            None => read::message(&self.line),
            Some(Note::Event(_)) => (None, None),
            Some(Note::Cut(cut)) => {
                let whole = read::message(&self.line).0;
                (whole.or_else(|| read::message(&read::closed(&cut.head)?).0), None)
            }
        })
    }

    /// Where it was seen.
    #[must_use]
    pub fn channel(&self) -> Channel {
        self.seen.channel
    }

    /// How many milliseconds after the beginning it was seen, where that is known.
    #[must_use]
    pub fn at_ms(&self) -> Option<u64> {
        self.seen.at_ms
    }

    /// What is known of whom it was sent for.
    #[must_use]
    pub fn context(&self) -> Option<&Value> {
        self.seen.context.as_ref()
    }

    /// The exchange in which it came, where that is known.
    #[must_use]
    pub fn exchange(&self) -> Option<u64> {
        self.seen.exchange
    }

    /// The session in which it came, where a recording has several and that is known.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        self.seen.session.as_deref()
    }

    /// Both ends of the line, where only those were kept.
    #[must_use]
    pub fn cut(&self) -> Option<&Cut> {
        match self.note.as_deref()? {
            Note::Cut(cut) => Some(cut),
            Note::Event(_) => None,
        }
    }

    /// What happened, where this is no frame.
    #[must_use]
    pub fn event(&self) -> Option<&Event> {
        match self.note.as_deref()? {
            Note::Event(event) => Some(event),
            Note::Cut(_) => None,
        }
    }

    /// How many bytes the line had as it came.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.cut().map_or(self.line.len() as u64, |cut| cut.bytes)
    }

    /// Whether it went between client and server, where the protocol is spoken.
    #[must_use]
    pub fn is_on_the_wire(&self) -> bool {
        self.seen.channel == Channel::Wire && self.event().is_none()
    }

    /// The method of a request or notification.
    #[must_use]
    pub fn method(&self) -> Option<&str> {
        self.msg()?.get("method")?.as_str()
    }

    /// The id of a request or response, compared by value *and* type: `1` is not `"1"`.
    #[must_use]
    pub fn id(&self) -> Option<&Value> {
        self.msg()?.get("id").filter(|id| !id.is_null())
    }

    /// Whether this answers a request: it has an id and a result or an error, and no method.
    #[must_use]
    pub fn is_response(&self) -> bool {
        let has = |key| self.msg().is_some_and(|msg| msg.get(key).is_some());
        self.id().is_some() && self.method().is_none() && (has("result") || has("error"))
    }

    /// Whether the line is no JSON-RPC message at all, such as a log line on standard output, nor a batch with one in it.
    #[must_use]
    pub fn is_noise(&self) -> bool {
        let is_one = |msg: &Value| msg.get("jsonrpc").is_some();
        let is_message = || {
            let msg = self.msg();
            msg.is_some_and(|msg| {
                msg.as_array().map_or_else(|| is_one(msg), |batch| batch.iter().any(is_one))
            })
        };
        // Of a message that is cut the head shows that it is one.
        let begins_one = |cut: &Cut| cut.head.trim_start().starts_with(['{', '[']);
        self.is_on_the_wire() && !self.cut().is_some_and(begins_one) && !is_message()
    }
}
