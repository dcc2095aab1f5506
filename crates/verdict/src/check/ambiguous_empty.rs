//! An empty answer to a question that cannot have one.

pub(super) mod blank;
mod doc;
mod existence;
mod explanation;
mod unreadable;

use std::collections::HashMap;

use serde_json::Value;

use super::Check;
use super::announced::Announcement;
use super::beside::{Asked, asked};
use super::reading::{Exchange, Reading};
use crate::names::has_word;
use crate::report::{counted, shorten};
use crate::{Doc, Finding, Severity};
use blank::WithoutBlanks;
use doc::DOC;
use existence::{Doubt, Known, filters_by_equality, is_about};
use explanation::{Explanation, explanation};

/// Words in the names of parameters whose value is searched for, and may well match nothing.
const FREE_TEXT: &[&str] = &[
    "code", "contains", "content", "description", "expression", "filter", "glob", "keyword", "keywords",
    "like", "message", "pattern", "phrase", "prefix", "prompt", "q", "query", "question", "regex", "search",
    "sql", "suffix", "term", "terms", "text", "title", "where",
];
const SHOWN_CHARS: usize = 60;
const REPAIR: &str = "say beside the empty list that nothing is called that, how names match, and which tool lists them; or \
                      answer NOT_FOUND with that as the next step";

/// See [`DOC`].
pub(super) struct AmbiguousEmpty;

impl Check for AmbiguousEmpty {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        let answered = Answered::of(reading);
        let known = Known::of(reading);
        let mut found: Vec<(bool, Finding)> = Vec::new();
        for exchange in &reading.exchanges {
            found.extend(nothing(exchange, reading.server()).map(|finding| (false, finding)));
            found.extend(emptied(exchange, &answered, reading.server()).map(|finding| (false, finding)));
            for (name, value) in exchange.call.arguments.into_iter().flatten() {
                found.extend(look_at(exchange, name, value, (&answered, &known), reading.server()));
            }
        }
        // The nearest miss shows it best; others of the same place are the same fault.
        found.sort_by_key(|(is_near, finding)| (!is_near, finding.frames.first().copied()));
        findings.extend(found.into_iter().map(|(_, finding)| finding));
    }
}

/// Answers that hold something, by tool and arguments.
struct Answered<'r, 'a> {
    /// By tool, one argument's name, and the others.
    with: HashMap<(&'a str, &'a str, Asked), &'r Exchange<'a>>,
    /// By tool and all arguments.
    whole: HashMap<(&'a str, Asked), &'r Exchange<'a>>,
}

impl<'r, 'a> Answered<'r, 'a> {
    fn of(reading: &'r Reading<'a>) -> Self {
        let mut answered = Self { with: HashMap::new(), whole: HashMap::new() };
        let full = reading
            .exchanges
            .iter()
            .filter(|one| one.success().is_some_and(|(payload, _)| !payload.holds_nothing()));
        for exchange in full {
            let (tool, arguments) = (exchange.call.name, exchange.call.arguments);
            answered.whole.entry((tool, exchange.asked)).or_insert(exchange);
            for (name, value) in arguments.into_iter().flatten() {
                if value.is_string() {
                    answered.with.entry((tool, name, asked(arguments, Some(name)))).or_insert(exchange);
                }
            }
        }
        answered
    }

    /// An answer that holds something, to the same call with another value for this argument, else without it.
    fn beside(&self, exchange: &Exchange<'a>, name: &'a str) -> Option<&'r Exchange<'a>> {
        let others = asked(exchange.call.arguments, Some(name));
        let tool = exchange.call.name;
        self.with.get(&(tool, name, others)).or_else(|| self.whole.get(&(tool, others))).copied()
    }
}

/// A success without any content.
fn nothing(exchange: &Exchange<'_>, server: &str) -> Option<Finding> {
    let (payload, _) = exchange.success()?;
    let is_bare = payload.at("/content").and_then(Value::as_array).is_some_and(Vec::is_empty)
        && payload.at("/structuredContent").is_none_or(Value::is_null);
    let finding = || {
        Finding::suspected(&DOC, server, exchange.call.name, "/result/content").saying(
            "the call succeeded, and its `content` is empty",
            "there is none, or it was done, or nothing happened",
            "say in words what was done or that nothing was found, and where it was looked for",
        )
    };
    is_bare.then(|| exchange.finding(finding(), &[]))
}

/// A blank that emptied the answer: without it there are items.
fn emptied<'a>(exchange: &Exchange<'a>, answered: &Answered<'_, 'a>, server: &str) -> Option<Finding> {
    let (payload, _) = exchange.success().filter(|(payload, _)| payload.holds_nothing())?;
    WithoutBlanks::of(exchange).into_iter().find_map(|without| {
        let other = answered.whole.get(&(exchange.call.name, asked(Some(&without.rest), None))).copied()?;
        let name = *without.blank.first()?;
        if without.blank.iter().any(|name| Announcement::of(payload).names(name)) {
            return None;
        }
        let list = payload.list().map(|list| list.pointer.clone()).unwrap_or_default();
        let at = payload.shown(&list);
        let finding = if without.is_certain {
            Finding::proven(&DOC, Severity::Error, server, exchange.call.name, at)
        } else {
            Finding::suspected(&DOC, server, exchange.call.name, at)
        };
        let names: Vec<_> = without.blank.iter().map(|name| format!("`{name}`")).collect();
        let finding = finding.saying(
            format!("with {} left blank the answer is empty; without there are items", names.join(", ")),
            "there is none",
            format!("take a blank `{name}` for none, as if it were left out; or refuse it and name it"),
        );
        let evidence = payload.outline(&list, SHOWN_CHARS);
        let finding = exchange.finding(finding, &[other]);
        Some(Finding { mutation: name.to_owned(), evidence, ..finding })
    })
}

/// An empty answer to one value of an argument. The flag says whether the value is a near miss.
fn look_at<'a>(
    exchange: &Exchange<'a>,
    name: &'a str,
    value: &Value,
    (answered, known): (&Answered<'_, 'a>, &Known<'_, 'a>),
    server: &str,
) -> Option<(bool, Finding)> {
    let value = value.as_str()?;
    let (payload, _) = exchange.success().filter(|(payload, _)| payload.holds_nothing())?;
    let other = answered.beside(exchange, name);
    let good = other.and_then(|other| other.call.arguments?.get(name)?.as_str());
    let doubt = known.doubt(exchange, name, value, good)?;
    let explanation = explanation(payload, name, value);
    if explanation == Explanation::Given {
        return None;
    }
    let rows = other.zip(good).and_then(|(other, good)| {
        // Where there is not even a list, nothing was filtered: one thing was asked for.
        let is_one = payload.list().is_none() && is_about(other, name, good);
        filters_by_equality(other, name, good).or(is_one.then_some(1))
    });
    let is_free_text = has_word(name, FREE_TEXT);
    let is_outside = doubt == Doubt::OutsideEnum;
    // What another answer denies, or nobody can read, needs no other value beside it.
    let is_told = matches!(doubt, Doubt::Denied(_) | Doubt::Unreadable);
    let is_nonsense = doubt == Doubt::Nonsense && other.is_some() && !is_free_text;
    if !is_outside && rows.is_none() && !is_nonsense && !is_told {
        return None;
    }
    let proven = (is_outside || rows.is_some()) && explanation == Explanation::Missing;
    let list = payload.list().map(|list| list.pointer.clone()).unwrap_or_default();
    let at = payload.shown(&list);
    let finding = if proven {
        Finding::proven(&DOC, Severity::Error, server, exchange.call.name, at)
    } else {
        Finding::suspected(&DOC, server, exchange.call.name, at)
    };
    let what = format!(
        "{} got an empty answer, as a `{name}` without any items would{}{}",
        shown(name, value),
        contrast(name, good, rows, other.is_some()),
        doubt.told()
    );
    let others: Vec<_> = other.into_iter().chain(doubt.shown_by()).collect();
    let finding = exchange.finding(finding.saying(what, "there is none", REPAIR), &others);
    let evidence = payload.outline(&list, SHOWN_CHARS);
    Some((doubt == Doubt::OtherCase, Finding { mutation: name.to_owned(), evidence, ..finding }))
}

fn contrast(name: &str, good: Option<&str>, rows: Option<usize>, has_other: bool) -> String {
    match (good, rows) {
        (Some(good), Some(rows)) => {
            format!("; {} got {}, all of them with that very value", shown(name, good), counted(rows, "item"))
        }
        (Some(good), None) => format!("; {} got some", shown(name, good)),
        (None, _) if has_other => format!("; without `{name}` there are some"),
        (None, _) => String::new(),
    }
}

fn shown(name: &str, value: &str) -> String {
    format!("`{name}: {:?}`", shorten(value, SHOWN_CHARS))
}
