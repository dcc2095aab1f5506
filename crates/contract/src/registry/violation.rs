//! One thing that does not fit: where, what was sent, what would fit. What may not enter: how that is found out.

use serde_json::{Map, Value};

use crate::shown::named;

/// What does not fit at one place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Violation {
    /// Where, as a JSON pointer into the arguments; empty for all of them.
    pub pointer: String,
    /// What was sent there, unless it is long or looks secret.
    pub value: Option<Value>,
    /// What is wrong: a clause.
    pub problem: String,
    /// What would fit: a clause.
    pub next: String,
    /// The name or value that was probably meant.
    pub did_you_mean: Option<String>,
}

impl Violation {
    /// The problem together with what was meant.
    pub fn aloud(&self) -> String {
        match &self.did_you_mean {
            Some(meant) => format!("{} (did you mean {}?)", self.problem, named(meant)),
            None => self.problem.clone(),
        }
    }

    /// `pointer`, `problem`, and where there is one `value` and `did_you_mean`.
    pub fn to_json(&self) -> Value {
        let mut members = Map::new();
        members.insert("pointer".to_owned(), Value::from(self.pointer.as_str()));
        if let Some(value) = &self.value {
            members.insert("value".to_owned(), value.clone());
        }
        members.insert("problem".to_owned(), Value::from(self.problem.as_str()));
        if let Some(meant) = &self.did_you_mean {
            members.insert("did_you_mean".to_owned(), Value::from(meant.as_str()));
        }
        Value::Object(members)
    }
}
