//! YAML with the place of every key and value, so that each fault has a line and a column and says how it is written right.
//!
//! What may not enter: what the keys mean.

mod load;

use frankly_contract::nearest;
use serde_json::{Map, Value};

pub(crate) use load::load;

/// A place in a text: both counted from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Spot {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// What is wrong at a place, and what to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub at: Spot,
    pub what: String,
}

/// A value with its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub at: Spot,
    /// How it is called from the root of the file, such as `cases[0].expect`; empty for the file itself.
    pub path: String,
    pub kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    Scalar(Value),
    List(Vec<Node>),
    Map(Vec<Entry>),
}

/// A key of a map with its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub key: String,
    /// Where the key stands.
    pub at: Spot,
    pub node: Node,
}

impl Node {
    /// A fault at this place that says what it is and how it is written.
    pub fn fault(&self, what: &str, write: &str) -> Fault {
        Fault { at: self.at, what: format!("{} {what}; write {write}", self.called()) }
    }

    /// A fault about a value of the wrong type.
    pub fn is_no(&self, wanted: &str, write: &str) -> Fault {
        self.fault(&format!("is {}, and should be {wanted}", self.type_name()), write)
    }

    fn called(&self) -> &str {
        if self.path.is_empty() { "the file" } else { &self.path }
    }

    fn type_name(&self) -> &'static str {
        match &self.kind {
            Kind::Scalar(Value::Null) => "empty",
            Kind::Scalar(Value::Bool(_)) => "true or false",
            Kind::Scalar(Value::Number(_)) => "a number",
            Kind::Scalar(_) => "a text",
            Kind::List(_) => "a list",
            Kind::Map(_) => "a map",
        }
    }

    /// Whether nothing stands there.
    pub fn is_blank(&self) -> bool {
        matches!(self.kind, Kind::Scalar(Value::Null))
    }

    pub fn entries(&self, write: &str) -> Result<&[Entry], Fault> {
        match &self.kind {
            Kind::Map(entries) => Ok(entries),
            _ => Err(self.is_no("a map", write)),
        }
    }

    pub fn items(&self, write: &str) -> Result<&[Node], Fault> {
        match &self.kind {
            Kind::List(items) => Ok(items),
            _ => Err(self.is_no("a list", write)),
        }
    }

    pub fn get(&self, key: &str) -> Option<&Node> {
        let Kind::Map(entries) = &self.kind else { return None };
        entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    /// Refuses every key but these; `advice` knows of keys that stand for another.
    pub fn only(
        &self,
        known: &[&str],
        write: &str,
        advice: impl Fn(&Entry) -> Option<String>,
    ) -> Result<(), Fault> {
        let unknown = self.entries(write)?.iter().find(|entry| !known.contains(&entry.key.as_str()));
        let Some(entry) = unknown else { return Ok(()) };
        let hint = advice(entry).unwrap_or_else(|| match nearest(&entry.key, known.iter().copied()) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => format!("known there: {}", known.join(", ")),
        });
        Err(Fault { at: entry.at, what: format!("{} has no key `{}`; {hint}", self.called(), entry.key) })
    }

    pub fn text(&self, write: &str) -> Result<&str, Fault> {
        match &self.kind {
            Kind::Scalar(Value::String(text)) => Ok(text),
            _ => Err(self.is_no("a text", write)),
        }
    }

    pub fn flag(&self, write: &str) -> Result<bool, Fault> {
        match &self.kind {
            Kind::Scalar(Value::Bool(flag)) => Ok(*flag),
            _ => Err(self.is_no("true or false", write)),
        }
    }

    /// A whole number that is not negative.
    pub fn count(&self, write: &str) -> Result<u64, Fault> {
        match &self.kind {
            Kind::Scalar(Value::Number(number)) => {
                number.as_u64().ok_or_else(|| self.fault(&format!("is {number}, and no count"), write))
            }
            _ => Err(self.is_no("a number", write)),
        }
    }

    /// A list of texts.
    pub fn texts(&self, write: &str) -> Result<Vec<String>, Fault> {
        self.items(write)?.iter().map(|item| item.text(write).map(str::to_owned)).collect()
    }

    /// The same as JSON.
    pub fn to_json(&self) -> Value {
        match &self.kind {
            Kind::Scalar(value) => value.clone(),
            Kind::List(items) => items.iter().map(Self::to_json).collect(),
            Kind::Map(entries) => Value::Object(Self::members(entries)),
        }
    }

    fn members(entries: &[Entry]) -> Map<String, Value> {
        entries.iter().map(|entry| (entry.key.clone(), entry.node.to_json())).collect()
    }

    /// A map as a JSON object.
    pub fn object(&self, write: &str) -> Result<Map<String, Value>, Fault> {
        self.entries(write).map(Self::members)
    }
}
