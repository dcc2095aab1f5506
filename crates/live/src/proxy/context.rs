//! For whom a call was made: what is put beside recorded frames, from the environment, from `_meta` and from headers.
//!
//! What may not enter: the traffic, and what tells frames of several clients apart that use one id.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use frankly_contract::nearest;
use frankly_verdict::report::plain;
use frankly_verdict::transcript::{Frame, Redactor, Side};
use hyper::HeaderMap;
use hyper::header::HeaderName;
use serde_json::{Map, Value};

/// So many requests without an answer are remembered; beyond that an answer is taken to be nobody's in particular.
const MOST_OPEN: usize = 10_000;
/// How a part of a context is written.
const WRITE: &str = "env:TENANT, meta:tenant or header:x-tenant";
const KINDS: [&str; 3] = ["env", "meta", "header"];

/// Where one part of a context is taken from.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Source {
    /// A variable of our own environment.
    Env(String),
    /// A member of `params._meta` of a request.
    Meta(String),
    /// A header of a request over HTTP.
    Header(HeaderName),
}

/// Where each part of a context is taken from.
///
/// ```
/// use frankly_live::proxy::ContextSources;
///
/// let parts = |part: &str, source: &str| [(part.to_owned(), source.to_owned())];
/// let sources = ContextSources::parse(&parts("user", "meta:com.example/user"))?;
/// assert!(sources.header().is_none());
/// let error = ContextSources::parse(&parts("tenant", "heder:x-tenant")).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the context `tenant` cannot be taken from \"heder:x-tenant\"; did you mean `header:x-tenant`?"
/// );
/// # Ok::<(), frankly_live::proxy::InvalidContext>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContextSources {
    /// What the environment says, which holds for the whole session.
    env: Map<String, Value>,
    meta: Vec<(String, String)>,
    headers: Vec<(String, HeaderName)>,
}

/// A part of a context that cannot be taken from where it was to be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the context `{}` {what}", plain(part))]
pub struct InvalidContext {
    part: String,
    what: String,
}

impl ContextSources {
    /// Reads parts, each with the source of its value: `env:NAME` is read at once and for the whole session, `meta:KEY`
    /// is the member of `params._meta` of each request, `header:NAME` of each request over HTTP. Of parts with one name the
    /// last counts.
    ///
    /// # Errors
    ///
    /// [`InvalidContext`] for a source of no known kind, and for a variable that is not set.
    pub fn parse(parts: &[(String, String)]) -> Result<Self, InvalidContext> {
        Self::parse_with(parts, |name| std::env::var(name).ok())
    }

    fn parse_with(
        parts: &[(String, String)],
        look_up: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, InvalidContext> {
        let mut read = Self::default();
        for (part, source) in parts {
            let invalid = |what: String| InvalidContext { part: part.clone(), what };
            if part.trim().is_empty() {
                return Err(invalid("has no name; write one such as tenant=env:TENANT".to_owned()));
            }
            read.env.remove(part);
            read.meta.retain(|(known, _)| known != part);
            read.headers.retain(|(known, _)| known != part);
            match Source::read(source).map_err(invalid)? {
                Source::Meta(key) => read.meta.push((part.clone(), key)),
                Source::Header(name) => read.headers.push((part.clone(), name)),
                Source::Env(name) => {
                    let missing = || {
                        invalid(format!("needs the environment variable {}, which is not set", plain(&name)))
                    };
                    let value = look_up(&name).ok_or_else(missing)?;
                    read.env.insert(part.clone(), Value::String(value));
                }
            }
        }
        Ok(read)
    }

    /// What is wrong with a source as it is written, whatever the environment says.
    pub(crate) fn fault(source: &str) -> Option<String> {
        Source::read(source).err()
    }

    /// A part that is taken from a header, if one is: a server that is started has none.
    #[must_use]
    pub fn header(&self) -> Option<&str> {
        self.headers.first().map(|(part, _)| part.as_str())
    }

    /// What is known of everything that comes in an exchange with these headers, or in a session that has none.
    pub(super) fn around(&self, headers: Option<&HeaderMap>) -> Map<String, Value> {
        let mut known = self.env.clone();
        for (part, name) in &self.headers {
            if let Some(value) = headers.and_then(|headers| headers.get(name)) {
                let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
                known.insert(part.clone(), Value::String(value));
            }
        }
        known
    }

    /// The same, and what a request says of itself.
    fn of_request(&self, around: &Map<String, Value>, request: &Value) -> Map<String, Value> {
        let mut known = around.clone();
        let meta = request.get("params").and_then(|params| params.get("_meta"));
        for (part, key) in &self.meta {
            let value = meta.and_then(|meta| meta.get(key));
            if let Some(value) =
                value.filter(|value| value.is_string() || value.is_number() || value.is_boolean())
            {
                known.insert(part.clone(), value.clone());
            }
        }
        known
    }
}

impl Source {
    fn read(text: &str) -> Result<Self, String> {
        let shown = plain(text);
        let Some((kind, name)) = text.split_once(':') else {
            return Err(format!("cannot be taken from {shown:?}; write {WRITE}"));
        };
        let name = name.trim();
        match kind {
            _ if name.is_empty() => {
                Err(format!("cannot be taken from {shown:?}, which names nothing; write {WRITE}"))
            }
            "env" => Ok(Self::Env(name.to_owned())),
            "meta" => Ok(Self::Meta(name.to_owned())),
            "header" if Redactor::takes_all_of(name) => Err(format!(
                "cannot be taken from {shown:?}: what is in it is a credential, and would stand beside every line; \
                 take one that says whose a call is, such as header:x-tenant"
            )),
            "header" => HeaderName::try_from(name).map(Self::Header).map_err(|_| {
                format!("cannot be taken from {shown:?}, which is no name of a header; write {WRITE}")
            }),
            _ => Err(match nearest(kind, KINDS) {
                Some(near) => {
                    format!("cannot be taken from {shown:?}; did you mean `{near}:{}`?", plain(name))
                }
                None => format!("cannot be taken from {shown:?}; write {WRITE}"),
            }),
        }
    }
}

/// The contexts of a session: an answer has that of its request.
#[derive(Debug, Default)]
pub(super) struct Contexts {
    sources: ContextSources,
    /// What requests that have no answer yet say of themselves: by what is known around them and their id, each with its
    /// number.
    open: HashMap<(String, String), (u64, Map<String, Value>)>,
    asked: u64,
}

impl Contexts {
    pub fn of(sources: ContextSources) -> Self {
        Self { sources, ..Self::default() }
    }

    /// What is known of everything that comes with these headers.
    pub fn around(&self, headers: Option<&HeaderMap>) -> Map<String, Value> {
        self.sources.around(headers)
    }

    /// What is known of a frame: what is known around it, and what is said by a request that it is, answers or takes back.
    pub fn of_frame(&mut self, frame: &Frame, around: &Map<String, Value>) -> Map<String, Value> {
        // Only there can anything more be found, and nothing is read for nothing.
        if self.sources.meta.is_empty() || !frame.is_on_the_wire() {
            return around.clone();
        }
        frame.msg().map_or_else(|| around.clone(), |msg| self.of_message(frame.from(), msg, around))
    }

    fn of_message(&mut self, from: Side, msg: &Value, around: &Map<String, Value>) -> Map<String, Value> {
        let Some(batch) = msg.as_array() else { return self.of_one(from, msg, around) };
        let all: Vec<_> = batch.iter().map(|one| self.of_one(from, one, around)).collect();
        let first = all.first().unwrap_or(around);
        if all.iter().all(|other| other == first) {
            return first.clone();
        }
        // What holds for one of several may not be said of all, nor of one answer and not of its request.
        if from == Side::Client {
            for id in batch.iter().filter(|one| is_request(one)).filter_map(id) {
                self.remember(around, id, Map::new());
            }
        }
        Map::new()
    }

    fn of_one(&mut self, from: Side, msg: &Value, around: &Map<String, Value>) -> Map<String, Value> {
        let method = msg.get("method").and_then(Value::as_str);
        let said = match (from, method) {
            (Side::Client, Some("notifications/cancelled")) => {
                let id = msg.get("params").and_then(|params| params.get("requestId"));
                id.and_then(|id| self.open.get(&key(around, id)).cloned())
            }
            (Side::Client, Some(_)) => {
                let said = self.sources.of_request(around, msg);
                if let Some(id) = id(msg) {
                    self.remember(around, id, said.clone());
                }
                id(msg).map(|_| (0, said))
            }
            (Side::Server, None) => id(msg).and_then(|id| self.open.remove(&key(around, id))),
            _ => None,
        };
        said.map_or_else(|| around.clone(), |(_, said)| said)
    }

    fn remember(&mut self, around: &Map<String, Value>, id: &Value, said: Map<String, Value>) {
        if self.open.len() >= MOST_OPEN {
            let oldest = self.open.iter().min_by_key(|(_, (number, _))| *number).map(|(key, _)| key.clone());
            oldest.and_then(|key| self.open.remove(&key));
        }
        self.asked += 1;
        self.open.insert(key(around, id), (self.asked, said));
    }
}

/// The frame with this context, where there is any.
pub(super) fn with(context: Map<String, Value>, frame: Frame) -> Frame {
    if context.is_empty() { frame } else { frame.with_context(Value::Object(context)) }
}

fn is_request(msg: &Value) -> bool {
    msg.get("method").is_some() && id(msg).is_some()
}

fn id(msg: &Value) -> Option<&Value> {
    msg.get("id").filter(|id| !id.is_null())
}

fn key(around: &Map<String, Value>, id: &Value) -> (String, String) {
    let around = if around.is_empty() { String::new() } else { Value::Object(around.clone()).to_string() };
    (around, id.to_string())
}
