//! A cut that says so, and not how to get the rest.

mod doc;

use std::collections::HashMap;

use frankly_contract::ToolDef;
use serde_json::Value;

use super::Check;
use super::admission::{Arguments, Claim};
use super::reading::{Exchange, Reading};
use crate::names::has_word;
use crate::paging::limit_of;
use crate::payload::{Payload, Statement};
use crate::report::shorten;
use crate::{Doc, Finding};
use doc::DOC;

/// Words in the names of parameters that move on in a list or a text, or widen what comes back.
const WAYS: &[&str] = &[
    "after", "before", "chunk", "continuation", "cursor", "depth", "end", "from", "head", "last", "length",
    "limit", "line", "lines", "marker", "max", "offset", "page", "range", "scroll", "since", "size", "skip",
    "start", "tail", "token", "until",
];
/// Words by which a description, or a sentence in an answer, says how much comes back or how to get more.
const SAID: &[&str] = &["at most", "cut off", "first ", "limit", "maximum", "only the", "truncat", "up to"];
/// Words of a sentence that says what to do.
const ADVICE: &[&str] = &[
    "add ", "aggregate", "ask ", "call ", "cursor", "filter", "get more", "http", "increase", "limit=",
    "narrow", "next", "offset", "page", "pass ", "query", "raise", "refine", "request", "run ", "save",
    "see ", "set ", "specif", "to see", "use ", "with ",
];
/// Words of a mark that something was left out.
const CUTS: &[&str] = &["cut", " more", "omitted", "shortened", "truncated"];
/// How a line begins that speaks of the answer it is in.
const ABOUT_ITSELF: &[&str] = &[
    "content truncated", "displaying ", "only the first ", "output truncated", "response truncated",
    "result truncated", "results truncated", "showing first ", "showing the first ", "text truncated",
];
const SHOWN_CHARS: usize = 120;

/// See [`DOC`].
pub(super) struct TruncationWithoutNext;

impl Check for TruncationWithoutNext {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        let mut told: HashMap<&str, bool> = HashMap::new();
        for exchange in &reading.exchanges {
            let tells = || exchange.tool.is_some_and(|tool| has_a_way(tool) || says_how_much(tool));
            if !*told.entry(exchange.call.name).or_insert_with(tells) {
                findings.extend(look_at(exchange, reading.server()));
            }
        }
    }
}

fn look_at(exchange: &Exchange<'_>, server: &str) -> Option<Finding> {
    let (payload, _) = exchange.success()?;
    let list = payload.list();
    let around = list.map_or("", |list| list.pointer.as_str());
    let items = list.map_or(0, |list| list.len as u64);
    let alone = if list.is_none() { payload.around(around) } else { Vec::new() };
    let statements = exchange.around().map_or(&alone, |around| &around.statements);
    if !statements.iter().any(may_be_cut) {
        return None;
    }
    let arguments = Arguments::of(exchange.call.arguments);
    let is_cut = |said: &&Statement<'_>| may_be_cut(said) && said.claim(items, &arguments) == Claim::More;
    let cut = statements.iter().find(is_cut)?;
    if statements.iter().any(|said| leads_on(said, items, &arguments)) || has_link(payload) {
        return None;
    }
    let shown = match payload.at(&cut.pointer) {
        Some(value) if cut.is_member() => {
            format!("{}: {value}", cut.pointer.rsplit('/').next().unwrap_or_default())
        }
        _ => cut.text().to_owned(),
    };
    let finding = Finding::suspected(&DOC, server, exchange.call.name, payload.shown(&cut.pointer)).saying(
        format!("the answer says `{}`, and nothing says how to get the rest", shorten(&shown, SHOWN_CHARS)),
        "there is more, and no way to it",
        "say beside it how many match (`matched`) and what to do: a `next_cursor`, a filter to narrow by, or the tool that \
         totals; and where the cut is fixed, say in the description how much comes back",
    );
    let evidence = payload.outline(around, SHOWN_CHARS);
    Some(Finding { evidence, ..exchange.finding(finding, &[]) })
}

/// Whether a statement may say that this answer was cut: by a known name, or in a line of its own.
fn may_be_cut(said: &Statement<'_>) -> bool {
    if said.is_member() { said.flags_missing() } else { is_mark(said.text()) }
}

/// Whether a line is a mark that something was left out, and not a line of what is told.
fn is_mark(line: &str) -> bool {
    const LONGEST: usize = 160;
    if line.trim().len() > LONGEST {
        return false;
    }
    let lower = line.trim().to_lowercase();
    let is_bracketed = lower.starts_with(['[', '(', '<', '…', '*', '-', '—']) || lower.starts_with("..");
    let is_about_itself = ABOUT_ITSELF.iter().any(|start| lower.starts_with(start));
    let is_cut = CUTS.iter().any(|word| lower.contains(word));
    (is_bracketed && is_cut) || is_about_itself
}

/// Whether a statement names a way to the rest, or tells how much of how much this is.
fn leads_on(said: &Statement<'_>, items: u64, arguments: &Arguments<'_>) -> bool {
    let claim = said.claim(items, arguments);
    let text = said.text().to_lowercase();
    let advises = text.contains(' ') && ADVICE.iter().any(|word| text.contains(word));
    let moves_on = claim == Claim::More && said.is_member() && !said.flags_missing();
    advises || moves_on || matches!(claim, Claim::Coordinate | Claim::Total(_))
}

/// Whether a block of the content leads to the whole.
fn has_link(payload: &Payload) -> bool {
    let blocks = payload.at("/content").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    blocks
        .iter()
        .any(|block| matches!(block.get("type").and_then(Value::as_str), Some("resource" | "resource_link")))
}

fn has_a_way(tool: &ToolDef) -> bool {
    let moves_on = tool.parameters().any(|(name, schema)| {
        let inner = schema.get("properties").and_then(Value::as_object);
        let inner = inner.into_iter().flatten().map(|(name, _)| name.as_str());
        std::iter::once(name).chain(inner).any(|name| has_word(name, WAYS))
    });
    moves_on || limit_of(tool).is_some()
}

fn says_how_much(tool: &ToolDef) -> bool {
    let description = tool.description().to_lowercase();
    SAID.iter().any(|word| description.contains(word))
}
