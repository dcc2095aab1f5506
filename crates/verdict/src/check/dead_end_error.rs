//! An error from which there is no way on.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

mod doc;
mod neighbours;

use super::failure::Failure;
use super::mistakes::{Kind, mistakes};
use super::reading::{Exchange, Reading};
use super::{Check, wording};
use crate::report::shorten;
use crate::schema;
use crate::{Doc, Finding, Severity};
use doc::DOC;
use neighbours::Worked;

const SHOWN_CHARS: usize = 120;

/// See [`DOC`].
pub(super) struct DeadEndError;

impl Check for DeadEndError {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        let is_call = |exchange: &&Exchange<'_>| {
            (reading.transcript.tools.is_none() || exchange.tool.is_some()) && !exchange.is_malformed
        };
        let failures = reading.exchanges.iter().filter(is_call).filter_map(Failure::of);
        let failures: Vec<_> = failures.filter(|failure| !wording::is_unknown_tool(&failure.text)).collect();
        let mut groups: BTreeMap<(&str, &str), Vec<&Failure<'_, '_>>> = BTreeMap::new();
        for failure in &failures {
            groups.entry((failure.exchange.call.name, &failure.text)).or_default().push(failure);
        }
        let successes = reading.exchanges.iter().filter(|one| one.success().is_some() && !one.is_malformed);
        let succeeded: HashSet<&str> = successes.map(|exchange| exchange.call.name).collect();
        let mut found: Vec<Finding> = Vec::new();
        for alike in groups.values() {
            let works = succeeded.contains(alike[0].exchange.call.name);
            match same_text(alike, works, reading.server()) {
                Some(finding) => found.push(finding),
                None => found.extend(alike.iter().filter_map(|failure| look_at(failure, reading.server()))),
            }
        }
        let worked = Worked::of(reading);
        let alone = found.iter().filter_map(|finding| match finding.calls[..] {
            [call] => Some(call),
            _ => None,
        });
        let told: HashSet<usize> = alone.collect();
        let untold = |failure: &&Failure<'_, '_>| !told.contains(&failure.exchange.number);
        let by_neighbour: Vec<_> = failures
            .iter()
            .filter(untold)
            .filter_map(|failure| worked.blamed(failure, reading.server()))
            .collect();
        found.extend(by_neighbour);
        found.sort_by_key(|finding| finding.frames.first().copied());
        findings.extend(found);
    }
}

/// The same words for mistakes that are not the same. `works` says that another call of the tool succeeded.
fn same_text(alike: &[&Failure<'_, '_>], works: bool, server: &str) -> Option<Finding> {
    let first = alike.first()?;
    let says_nothing = wording::says_nothing(&first.text, first.exchange.call.name);
    // What is wrong whatever the arguments are comes before any mistake in them.
    if wording::is_about_else(&first.text) {
        return None;
    }
    let fits_any =
        says_nothing || wording::is_own_fault(&first.text) || wording::is_about_arguments(&first.text);
    let has_mistakes = |failure: &&Failure<'_, '_>| {
        failure.exchange.tool.is_none() || !failure.exchange.mistakes().is_empty()
    };
    let is_told = works || (fits_any && alike.iter().all(has_mistakes));
    if !is_told {
        return None;
    }
    let mut wrong = alike.iter().filter(|failure| has_mistakes(failure));
    let first = wrong.next()?;
    let other = wrong.find(|other| differ(first, other, says_nothing))?;
    let (name, at) = (first.exchange.call.name, first.pointer.as_str());
    let finding = if first.exchange.tool.is_some() {
        Finding::proven(&DOC, Severity::Error, server, name, at)
    } else {
        Finding::suspected(&DOC, server, name, at)
    };
    let finding = finding.saying(
        format!("two different mistakes got the same answer, {:?}", shorten(&first.text, SHOWN_CHARS)),
        "what was mended last was not the mistake",
        repair(unnamed_mistake(first)),
    );
    Some(first.exchange.finding(finding, &[other.exchange]))
}

/// What to say instead, about the argument that is wrong where it is known.
fn repair(name: Option<&str>) -> String {
    let name = name.unwrap_or("id");
    format!(
        "say what is wrong with which argument, why, and what to do next, such as: INVALID_ARGS: `{name}` is missing. Next: \
         give `{name}`, as an earlier answer has it"
    )
}

/// Whether two failed calls made different mistakes, of which the text names at most one.
fn differ(one: &Failure<'_, '_>, other: &Failure<'_, '_>, says_nothing: bool) -> bool {
    let of = |failure: &Failure<'_, '_>| -> Vec<(String, Kind)> {
        let found = failure.exchange.mistakes();
        found.iter().map(|mistake| (mistake.name.to_owned(), mistake.kind)).collect()
    };
    let (mine, theirs) = (of(one), of(other));
    if !mine.is_empty() && !theirs.is_empty() {
        let named = |(name, _): &(String, Kind)| wording::mentions(&one.text, name, None);
        return mine != theirs && !(mine.iter().all(named) && theirs.iter().all(named));
    }
    // Without a schema, a value of another type is another mistake, and only words that say nothing fit both.
    let shape = |failure: &Failure<'_, '_>| -> Vec<(String, &'static str)> {
        let arguments = failure.exchange.call.arguments.into_iter().flatten();
        arguments.map(|(name, value)| (name.clone(), schema::type_name(value))).collect()
    };
    says_nothing && one.exchange.tool.is_none() && shape(one) != shape(other)
}

fn look_at(failure: &Failure<'_, '_>, server: &str) -> Option<Finding> {
    let call = &failure.exchange.call;
    let shown = shorten(&failure.text, SHOWN_CHARS);
    let (certain, what) = if let Some(name) = wrong_cause(failure) {
        let wrong = failure.exchange.mistakes();
        // The real cause is known where the value has the wrong type.
        let certain = wrong.iter().any(|mistake| mistake.name == name && mistake.kind == Kind::Type);
        (certain, format!("`{name}` was sent, and the answer says that it is missing: {shown:?}"))
    } else if let Some(name) = mistaken(failure) {
        (true, format!("`{name}` was sent as a text, and the answer says that it is none: {shown:?}"))
    } else if wording::says_nothing(&failure.text, call.name) {
        (
            false,
            if shown.trim().is_empty() {
                "the error has no words".to_owned()
            } else {
                format!("the error only says that something failed: {shown:?}")
            },
        )
    } else if wording::is_own_fault(&failure.text)
        && !wording::names_an_argument(&failure.text, failure.exchange)
    {
        (
            false,
            format!(
                "the error says how the program stumbled, and not what is wrong with the call: {shown:?}"
            ),
        )
    } else {
        let name = unnamed_mistake(failure)?;
        (false, format!("`{name}` is what is wrong with the call, and the error does not name it: {shown:?}"))
    };
    let finding = if certain {
        Finding::proven(&DOC, Severity::Error, server, call.name, failure.pointer.as_str())
    } else {
        Finding::suspected(&DOC, server, call.name, failure.pointer.as_str())
    };
    let reads_as =
        if certain { "send the same again, but send it" } else { "it is broken, or: try the same again" };
    Some(failure.exchange.finding(finding.saying(what, reads_as, repair(unnamed_mistake(failure))), &[]))
}

/// The argument that was sent as the text that the schema asks for, and is said to be something else.
fn mistaken<'a>(failure: &Failure<'_, 'a>) -> Option<&'a str> {
    const SAID: &[&str] =
        &["a valid string", "be a string", "expected a string", "expected string", "expected str"];
    let tool = failure.exchange.tool?;
    let lower = failure.text.to_lowercase();
    let says =
        SAID.iter().any(|said| lower.match_indices(said).any(|(at, _)| is_all(&lower[at + said.len()..])));
    let arguments =
        failure.exchange.call.arguments.filter(|arguments| says && arguments.values().all(is_text))?;
    let right = mistakes(tool, Some(arguments)).is_empty();
    arguments.keys().map(String::as_str).find(|name| right && wording::mentions(&failure.text, name, None))
}

/// Whether what comes behind "a string" adds nothing to it, as "without null bytes" or "or a URL" would.
fn is_all(rest: &str) -> bool {
    let rest = rest.trim_start();
    rest.is_empty()
        || rest.starts_with(['.', ';', ':', '[', '(', ']', ')'])
        || ["at ", ", got", ", received", "but "].iter().any(|start| rest.starts_with(start))
}

fn is_text(value: &Value) -> bool {
    value.is_string()
}

/// The argument that was sent and is said to be missing.
fn wrong_cause<'a>(failure: &Failure<'_, 'a>) -> Option<&'a str> {
    if wording::names_a_type(&failure.text) || wording::is_conditional(&failure.text) {
        return None;
    }
    let known = |name: &str| {
        failure.exchange.tool.is_none_or(|tool| tool.parameters().any(|(known, _)| known == name))
    };
    let sent = failure.exchange.call.arguments.into_iter().flatten();
    // What is blank is as good as missing.
    let is_blank = |value: &Value| match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    let mut sent =
        sent.filter(|(name, value)| known(name) && !is_blank(value)).map(|(name, _)| name.as_str());
    sent.find(|name| wording::says_missing(&failure.text, name))
}

/// The one argument that is wrong, where there are several and the text tells neither its name nor its value.
fn unnamed_mistake<'a>(failure: &Failure<'_, 'a>) -> Option<&'a str> {
    let tool = failure.exchange.tool?;
    let arguments = failure.exchange.call.arguments;
    let [mistake] = mistakes(tool, arguments)[..] else { return None };
    let value = arguments.and_then(|arguments| arguments.get(mistake.name));
    let is_told =
        wording::mentions(&failure.text, mistake.name, value) || !wording::is_about_arguments(&failure.text);
    (tool.parameters().count() > 1 && !is_told).then_some(mistake.name)
}
