//! One thing that does not fit: where, what was sent, what would fit. What may not enter: how that is found out.

use std::fmt;

use serde_json::{Map, Value};

use super::expected::joined;
use super::sent;
use crate::shown::{cut, offered};

/// The longest pointer that is written, in characters: names in it are the caller's own.
const POINTER: usize = 255;

/// What does not fit at one place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Violation {
    /// Where, as a JSON pointer into the arguments; empty for all of them.
    pub pointer: String,
    /// What was sent there, unless it is long or looks secret.
    pub value: Option<Value>,
    /// What is wrong: a clause.
    pub problem: String,
    /// What would fit.
    pub next: Step,
    /// The name or value that was probably meant.
    pub did_you_mean: Option<String>,
}

impl Violation {
    /// The problem together with what was meant.
    pub fn aloud(&self) -> String {
        match self.did_you_mean.as_deref().and_then(offered) {
            Some(meant) => format!("{} (did you mean {meant}?)", self.problem),
            None => self.problem.clone(),
        }
    }

    /// `pointer`, `problem`, and where there is one `value` and `did_you_mean`.
    pub fn to_json(&self) -> Value {
        let mut members = Map::new();
        members.insert("pointer".to_owned(), Value::from(cut(&sent::place(&self.pointer), POINTER)));
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

/// What to do next: a clause of up to three parts, so that steps that differ only in the middle one become one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Step {
    /// What to do, such as "leave out".
    way: &'static str,
    /// With what.
    with: String,
    /// What there is to know about it, from its first sign on; may be empty.
    known: String,
}

impl Step {
    /// A step that stays by itself.
    pub fn alone(step: String) -> Self {
        Self { way: "", with: step, known: String::new() }
    }

    /// A step of three parts.
    pub fn of(way: &'static str, with: String, known: String) -> Self {
        Self { way, with, known }
    }

    /// The steps as one clause, each once.
    pub fn all<'a>(steps: impl Iterator<Item = &'a Self>) -> String {
        let mut merged: Vec<(&Self, Vec<String>)> = Vec::new();
        for step in steps {
            let alike = |(first, _): &&mut (&Self, Vec<String>)| {
                step.way == first.way && step.known == first.known && (!step.way.is_empty() || step == *first)
            };
            match merged.iter_mut().find(alike) {
                Some((_, parts)) if parts.contains(&step.with) => {}
                Some((_, parts)) => parts.push(step.with.clone()),
                None => merged.push((step, vec![step.with.clone()])),
            }
        }
        let clauses = merged.into_iter().map(|(first, parts)| {
            let with = match &parts[..] {
                // A comma that is part of one would read as the end of it.
                [first @ .., last] if !first.is_empty() && parts.iter().any(|part| part.contains(", ")) => {
                    format!("{}, and {last}", first.join(", "))
                }
                parts => joined(parts, "and"),
            };
            Self { with, ..first.clone() }.to_string()
        });
        clauses.collect::<Vec<_>>().join("; ")
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let space = if self.way.is_empty() { "" } else { " " };
        write!(f, "{}{space}{}{}", self.way, self.with, self.known)
    }
}
