//! One line as it came over the wire.

use serde_json::Value;

use super::read;

/// Who sent a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The client.
    Client,
    /// The server.
    Server,
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
}

/// One line, kept as it came, with the message in it where there is one.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    from: Side,
    line: String,
    msg: Option<Value>,
    flaw: Option<Flaw>,
}

impl Frame {
    /// A frame from the bytes of one line, without its line end.
    #[must_use]
    pub fn from_bytes(from: Side, bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(line) => Self::from_line(from, line),
            Err(error) => {
                let line = String::from_utf8_lossy(error.as_bytes()).into_owned();
                Self { flaw: Some(Flaw::NotUtf8), ..Self::from_line(from, line) }
            }
        }
    }

    /// A frame from one line of text, without its line end.
    #[must_use]
    pub fn from_line(from: Side, line: String) -> Self {
        let (msg, flaw) = read::message(&line);
        Self { from, line, msg, flaw }
    }

    /// Who sent it.
    #[must_use]
    pub fn from(&self) -> Side {
        self.from
    }

    /// The line as it came, a carriage return at its end included; bytes that were not UTF-8 are replaced.
    #[must_use]
    pub fn line(&self) -> &str {
        &self.line
    }

    /// The JSON in the line, if it is JSON.
    #[must_use]
    pub fn msg(&self) -> Option<&Value> {
        self.msg.as_ref()
    }

    /// What is wrong with the line itself.
    #[must_use]
    pub fn flaw(&self) -> Option<Flaw> {
        self.flaw
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

    /// Whether the line is no JSON-RPC message at all, such as a log line on standard output.
    #[must_use]
    pub fn is_noise(&self) -> bool {
        !self.msg().is_some_and(|msg| msg.is_array() || msg.get("jsonrpc").is_some())
    }
}
