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
    /// What happened: `exit`, `cancel`, `end`.
    pub name: String,
    /// The other members of its line, such as `code`.
    pub details: Map<String, Value>,
}

/// One line, kept as it came, with the message in it where there is one. Nobody reads it before it is asked for: who only
/// hands it on need not.
#[derive(Debug, Clone)]
pub struct Frame {
    from: Side,
    line: String,
    read: OnceLock<(Option<Value>, Option<Flaw>)>,
    is_utf8: bool,
    channel: Channel,
    at_ms: Option<u64>,
    context: Option<Value>,
    // Rare, and large beside the rest.
    note: Option<Box<Note>>,
}

impl PartialEq for Frame {
    /// What is read of a frame follows from all else.
    fn eq(&self, other: &Self) -> bool {
        let Self { from, line, read: _, is_utf8, channel, at_ms, context, note } = self;
        *from == other.from
            && *line == other.line
            && *is_utf8 == other.is_utf8
            && *channel == other.channel
            && *at_ms == other.at_ms
            && *context == other.context
            && *note == other.note
    }
}

/// What makes a frame more or less than a line.
#[derive(Debug, Clone, PartialEq)]
enum Note {
    Cut(Cut),
    Event(Event),
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
        let (channel, read) = (Channel::Wire, OnceLock::new());
        Self { from, line, read, is_utf8: true, channel, at_ms: None, context: None, note: None }
    }

    /// A frame of which only both ends were kept. Its message is the one that they make together, with a mark between
    /// them, else the one that its beginning makes with all that is open in it closed; what stood between is not known.
    #[must_use]
    pub fn from_cut(from: Side, cut: Cut) -> Self {
        let kept = (cut.head.len() + cut.tail.len()) as u64;
        let line = format!("{}…[{} bytes left out]…{}", cut.head, cut.bytes.saturating_sub(kept), cut.tail);
        let frame = Self::from_line(from, line);
        Self { note: Some(Box::new(Note::Cut(cut))), ..frame }
    }

    /// What is no frame, but stands among them.
    #[must_use]
    pub fn from_event(from: Side, event: Event) -> Self {
        let frame = Self::from_line(from, String::new());
        Self { note: Some(Box::new(Note::Event(event))), ..frame }
    }

    /// The same frame, of which some bytes were not UTF-8 and were replaced.
    pub(super) fn not_utf8(self) -> Self {
        Self { is_utf8: false, ..self }
    }

    /// The same frame, seen there.
    #[must_use]
    pub fn on(self, channel: Channel) -> Self {
        Self { channel, ..self }
    }

    /// The same frame, seen so many milliseconds after the beginning.
    #[must_use]
    pub fn at(self, at_ms: u64) -> Self {
        Self { at_ms: Some(at_ms), ..self }
    }

    /// The same frame, with what is known of whom it was sent for, such as `{"tenant": "acme"}`.
    #[must_use]
    pub fn with_context(self, context: Value) -> Self {
        Self { context: Some(context), ..self }
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

    fn read(&self) -> &(Option<Value>, Option<Flaw>) {
        self.read.get_or_init(|| match self.note.as_deref() {
            None => read::message(&self.line),
            Some(Note::Cut(cut)) => {
                let of_head = || read::message(&read::closed(&cut.head)?).0;
                (read::message(&self.line).0.or_else(of_head), None)
            }
            Some(Note::Event(_)) => (None, None),
        })
    }

    pub(super) fn is_utf8(&self) -> bool {
        self.is_utf8
    }

    /// Whether the line is JSON without a flaw: what is not asked for more is told so without being kept.
    pub(super) fn is_sound(&self) -> bool {
        let is_read = || matches!(self.read(), (Some(_), None));
        self.is_utf8 && ((self.read.get().is_none() && read::is_sound(&self.line)) || is_read())
    }

    /// What is wrong with the line itself.
    #[must_use]
    pub fn flaw(&self) -> Option<Flaw> {
        if self.is_utf8 { self.read().1 } else { Some(Flaw::NotUtf8) }
    }

    /// Where it was seen.
    #[must_use]
    pub fn channel(&self) -> Channel {
        self.channel
    }

    /// How many milliseconds after the beginning it was seen, where that is known.
    #[must_use]
    pub fn at_ms(&self) -> Option<u64> {
        self.at_ms
    }

    /// What is known of whom it was sent for.
    #[must_use]
    pub fn context(&self) -> Option<&Value> {
        self.context.as_ref()
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
        self.channel == Channel::Wire && self.event().is_none()
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
