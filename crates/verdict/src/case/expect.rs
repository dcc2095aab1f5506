//! What an answer must show, and where it does not.

mod differs;
#[cfg(test)]
mod tests;

use std::fmt;

use frankly_contract::Code;
use serde_json::Value;

use super::Observed;
use super::variables::is_filled_in;
use crate::expect::{Matcher, Pattern};
use crate::report::{counted, shorten};
use crate::yaml::{Fault, Node, Spot};

const EXPECT: &str = "expect: { json: { matched: 3 } }";
/// How much of an answer is shown where it is not as expected.
const SHOWN_CHARS: usize = 120;

/// What an answer must show: each clause by itself.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Expect {
    clauses: Vec<Clause>,
}

#[derive(Debug, Clone, PartialEq)]
struct Clause {
    at: Spot,
    key: &'static str,
    want: Want,
}

/// One thing that an answer must show.
#[derive(Debug, Clone, PartialEq)]
enum Want {
    IsError(bool),
    Code(Code),
    Kind(Pattern),
    Message(Pattern),
    Next(Pattern),
    EmptyBecause(Pattern),
    Json(Matcher),
    Text(Pattern),
    MaxBytes(u64),
    MaxTokens(u64),
    ProtocolError(i64),
}

/// Where an answer does not show what it must.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Miss {
    /// Where the expectation stands in its file.
    pub at: Spot,
    /// The key under `expect` that does not hold; empty where it is none of them.
    pub clause: &'static str,
    /// Where in the payload, as a JSON pointer, where it is one place.
    pub pointer: String,
    /// What was expected and what came, as a clause.
    pub what: String,
}

/// How a clause is read from the value of its key.
type Read = fn(&Node) -> Result<Want, Fault>;

static CLAUSES: &[(&str, Read)] = &[
    ("is_error", |node| node.flag("is_error: true").map(Want::IsError)),
    ("code", |node| code(node).map(Want::Code)),
    ("kind", |node| Pattern::read(node).map(Want::Kind)),
    ("message", |node| Pattern::read(node).map(Want::Message)),
    ("next", |node| Pattern::read(node).map(Want::Next)),
    ("empty_because", |node| Pattern::read(node).map(Want::EmptyBecause)),
    ("json", |node| Matcher::read(node).map(Want::Json)),
    ("text", |node| Pattern::read(node).map(Want::Text)),
    ("max_bytes", |node| node.count("max_bytes: 25000").map(Want::MaxBytes)),
    ("max_tokens", |node| node.count("max_tokens: 8000").map(Want::MaxTokens)),
    ("protocol_error", |node| protocol_code(node).map(Want::ProtocolError)),
];

impl Expect {
    /// Reads what stands under `expect`.
    pub(crate) fn read(node: &Node) -> Result<Self, Fault> {
        keys(node)?;
        let read = |entry: &crate::yaml::Entry| {
            let clause = CLAUSES.iter().find(|(key, _)| *key == entry.key);
            clause.map(|(key, read)| Ok(Clause { at: entry.at, key, want: read(&entry.node)? }))
        };
        let clauses = node.entries(EXPECT)?.iter().filter_map(read).collect::<Result<_, _>>()?;
        Ok(Self { clauses })
    }

    /// Refuses what cannot be read, as far as that can be told before variables have their values.
    pub(super) fn check(node: &Node) -> Result<(), Fault> {
        if is_filled_in(node) { keys(node) } else { Self::read(node).map(|_| ()) }
    }

    /// Every place where the answer does not show what it must. Where nothing is said about errors, it must be none.
    #[must_use]
    pub fn misses(&self, observed: &Observed) -> Vec<Miss> {
        let mut misses = Vec::new();
        if !self.clauses.iter().any(|clause| clause.want.is_about_errors())
            && let Some(failure) = observed.failure()
        {
            let at = self.clauses.first().map(|clause| clause.at).unwrap_or_default();
            let what = format!("expected a success, the call failed: {}", shorten(&failure, SHOWN_CHARS));
            return vec![Miss { at, clause: "is_error", pointer: String::new(), what }];
        }
        for clause in &self.clauses {
            // Several clauses may fail for one reason, such as a call that succeeded.
            let is_new = |miss: &Miss| !misses.iter().any(|known: &Miss| known.what == miss.what);
            let new: Vec<Miss> = clause.misses(observed).into_iter().filter(is_new).collect();
            misses.extend(new);
        }
        misses
    }
}

fn keys(node: &Node) -> Result<(), Fault> {
    let known: Vec<&str> = CLAUSES.iter().map(|(key, _)| *key).collect();
    node.only(&known, EXPECT, |entry| match entry.key.as_str() {
        "error" => Some("did you mean `is_error`?".to_owned()),
        "contains" => Some("words that must occur are written as `text`".to_owned()),
        "hint" | "note" => Some("`next` looks at hints and notes too".to_owned()),
        "matched" | "returned" | "truncated" | "items" => {
            Some(format!("what the payload holds is written as json: {{ {}: … }}", entry.key))
        }
        _ => None,
    })
}

fn code(node: &Node) -> Result<Code, Fault> {
    let names = Code::ALL.map(Code::as_str);
    let write = names.join(", ");
    let text = node.text(&write)?;
    Code::ALL.into_iter().find(|code| code.as_str() == text).ok_or_else(|| {
        let hint = frankly_contract::nearest(text, names).map(|near| format!(" (did you mean {near}?)"));
        node.fault(
            &format!("is `{text}`, which is no code{}", hint.unwrap_or_default()),
            &format!("one of {write}"),
        )
    })
}

fn protocol_code(node: &Node) -> Result<i64, Fault> {
    let write = "protocol_error: -32602";
    let code = node.to_json().as_i64();
    code.ok_or_else(|| node.is_no("the code of a JSON-RPC error", write))
}

impl Want {
    /// Whether it says by itself whether the call may fail.
    fn is_about_errors(&self) -> bool {
        match self {
            Self::IsError(_)
            | Self::Code(_)
            | Self::Kind(_)
            | Self::Message(_)
            | Self::EmptyBecause(_)
            | Self::ProtocolError(_) => true,
            Self::Next(_) | Self::Json(_) | Self::Text(_) | Self::MaxBytes(_) | Self::MaxTokens(_) => false,
        }
    }
}

impl Clause {
    fn misses(&self, observed: &Observed) -> Vec<Miss> {
        let miss = |pointer: String, what: String| Miss { at: self.at, clause: self.key, pointer, what };
        let one = |what: Option<String>| what.map(|what| miss(String::new(), what)).into_iter().collect();
        match &self.want {
            Want::Json(matcher) => match &observed.json {
                Some(json) => matcher
                    .mismatches(Some(json))
                    .into_iter()
                    .map(|one| {
                        let at = if one.pointer.is_empty() { "the payload" } else { &one.pointer };
                        let what = format!("{at}: expected {}, got {}", one.wanted, one.found);
                        miss(one.pointer.clone(), what)
                    })
                    .collect(),
                None => one(Some(format!("expected JSON, got {}", shown(&observed.text)))),
            },
            Want::IsError(wanted) => one(observed.differs_in_error(*wanted)),
            Want::Code(code) => one(stated(
                "code",
                code,
                observed.code.as_deref() == Some(code.as_str()),
                observed.code.as_deref(),
                observed,
            )),
            Want::Kind(kind) => {
                let found = observed.kind.as_deref();
                one(stated("kind", kind, found.is_some_and(|found| kind.fits(found)), found, observed))
            }
            Want::Message(pattern) => {
                let found = observed.message.as_deref();
                one(stated(
                    "message",
                    pattern,
                    found.is_some_and(|found| pattern.fits(found)),
                    found,
                    observed,
                ))
            }
            Want::Next(pattern) => one(observed.guidance_without(pattern)),
            Want::EmptyBecause(pattern) => one(observed.not_empty_because(pattern)),
            Want::Text(pattern) => one((!pattern.fits(&observed.text))
                .then(|| format!("expected a text that shows {pattern}, got {}", shown(&observed.text)))),
            Want::MaxBytes(most) => one(too_large(observed.bytes, *most, "byte")),
            Want::MaxTokens(most) => one(too_large(observed.tokens, *most, "token")),
            Want::ProtocolError(code) => one(observed.differs_in_protocol_error(*code)),
        }
    }
}

fn too_large(found: usize, most: u64, unit: &str) -> Option<String> {
    let is_over = u64::try_from(found).is_ok_and(|found| found > most);
    is_over.then(|| format!("expected at most {most} {unit}s, got {}", counted(found, unit)))
}

/// Something that an error states of itself.
fn stated(
    name: &str,
    wanted: &impl fmt::Display,
    fits: bool,
    found: Option<&str>,
    observed: &Observed,
) -> Option<String> {
    if let Some(what) = observed.differs_in_error(true) {
        return Some(what);
    }
    if fits {
        return None;
    }
    Some(match found {
        Some(found) => format!("expected the {name} {wanted}, got {}", shown(found)),
        None => format!(
            "expected the {name} {wanted}, and the error states none{}: {}",
            observed.where_it_may_be(name),
            shown(&observed.text)
        ),
    })
}

fn shown(text: &str) -> String {
    match text.is_empty() {
        true => "no text".to_owned(),
        false => Value::from(shorten(text, SHOWN_CHARS)).to_string(),
    }
}
