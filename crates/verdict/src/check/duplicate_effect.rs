//! A write that was sent twice and took effect twice.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

mod doc;

use super::Check;
use super::beside::Asked;
use super::effects::{reads, writes};
use super::failure::Failure;
use super::kinds;
use super::reading::{Exchange, Reading};
use crate::names::{is_idempotency_key, singular, words};
use crate::payload::Payload;
use crate::report::shorten;
use crate::transcript::{Answer, Role};
use crate::{Doc, Finding, Severity};
use doc::DOC;

/// Names of members by which what was made is known.
const IDS: &[&str] = &["id", "_id", "uuid", "number", "reference"];
/// How deep in an answer an id is looked for.
const DEPTH: usize = 3;
/// How a failure says that nobody knows what came of the call.
const UNKNOWN_OUTCOME: &[&str] = &[
    "closed", "connection", "gateway", "hang up", "lost", "network", "reset", "timed out", "timeout",
    "unknown outcome",
];

/// See [`DOC`].
pub(super) struct DuplicateEffect;

impl Check for DuplicateEffect {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        let mut last: HashMap<(&str, bool, Asked), &Exchange<'_>> = HashMap::new();
        for second in reading.exchanges.iter().filter(|one| may_write(one)) {
            let arguments = second.call.arguments;
            let same = (second.call.name, arguments.is_some(), second.asked);
            let Some(first) = last.insert(same, second) else { continue };
            findings.extend(
                twice_done(first, second, reading.server()).or_else(|| resent(first, second, reading)),
            );
        }
    }
}

/// Whether a call may change something: a key is there only for that.
fn may_write(exchange: &Exchange<'_>) -> bool {
    let (name, tool) = (exchange.call.name, exchange.tool);
    let is_harmless = tool.and_then(|tool| tool.annotation("idempotentHint")) == Some(true);
    !reads(name, tool) && (key(exchange.call.arguments).is_some() || (writes(name, tool) && !is_harmless))
}

/// The argument that makes the call the same call.
fn key(arguments: Option<&Map<String, Value>>) -> Option<(&str, &str)> {
    let mut named =
        arguments.into_iter().flatten().filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)));
    named.find(|(name, value)| is_idempotency_key(name) && !value.is_empty())
}

/// Two calls with one key, and two things that were made.
fn twice_done(first: &Exchange<'_>, second: &Exchange<'_>, server: &str) -> Option<Finding> {
    let ((one, _), (other, _)) = (first.success()?, second.success()?);
    let (name, value) = key(second.call.arguments)?;
    let (at, made) = made(other, second.call.name)?;
    let (_, before) = made_at(one, &at)?;
    if made == before {
        return None;
    }
    let finding = Finding::proven(&DOC, Severity::Error, server, second.call.name, other.shown(&at)).saying(
        format!(
            "`{name}: {:?}` was sent twice with the same arguments, and made {before} and then {made}",
            shorten(value, 60)
        ),
        "repeating the call with the same key does no harm",
        "keep what each key made, with who sent it, and answer a repeated call with that",
    );
    let finding = Finding { mutation: name.to_owned(), ..finding.with_evidence(made.to_string()) };
    Some(second.finding(finding, &[first]))
}

/// The id of what an answer of this tool says was made.
fn made<'p>(payload: &'p Payload, tool: &str) -> Option<(String, &'p Value)> {
    let kinds = kinds::of_tool(tool);
    fn find<'v>(
        value: &'v Value,
        at: &str,
        depth: usize,
        kinds: &HashSet<String>,
    ) -> Option<(String, &'v Value)> {
        let members = value.as_object()?;
        let is_id = |value: &&Value| value.is_string() || value.is_number();
        let own = IDS.iter().find_map(|id| Some((format!("{at}/{id}"), members.get(*id).filter(is_id)?)));
        let named = || {
            // That of the request, or of whoever sent it, is not that of what was made.
            let ends = |name: &str| {
                let words = words(name);
                matches!(&words[..], [noun, .., id] if id == "id" && kinds.contains(&singular(noun)))
            };
            let mut members = members.iter().filter(|(name, value)| ends(name) && is_id(value));
            members
                .next()
                .filter(|_| members.next().is_none())
                .map(|(name, value)| (format!("{at}/{name}"), value))
        };
        own.or_else(named).or_else(|| {
            let inner = (depth > 0).then_some(members)?;
            inner.iter().find_map(|(name, value)| find(value, &format!("{at}/{name}"), depth - 1, kinds))
        })
    }
    ["/structuredContent", "/content/0/text"]
        .into_iter()
        .find_map(|part| find(payload.at(part)?, part, DEPTH, &kinds))
}

fn made_at<'p>(payload: &'p Payload, at: &str) -> Option<(String, &'p Value)> {
    payload.at(at).map(|value| (at.to_owned(), value))
}

/// A write sent again without a key, when nobody knew what had come of the first one.
fn resent(first: &Exchange<'_>, second: &Exchange<'_>, reading: &Reading<'_>) -> Option<Finding> {
    let is_unknown = match first.call.answer {
        Answer::None => second.call.response.is_some(),
        Answer::Success(_) | Answer::Malformed => false,
        _ => Failure::of(first).is_some_and(|failure| {
            let text = failure.text.to_lowercase();
            UNKNOWN_OUTCOME.iter().any(|words| text.contains(words))
        }),
    };
    if !is_unknown || key(second.call.arguments).is_some() {
        return None;
    }
    let tool = second.call.name;
    let finding = match reading.transcript.role {
        Some(Role::Client) => Finding::proven(&DOC, Severity::Error, reading.server(), tool, "/params"),
        _ => Finding::suspected(&DOC, reading.server(), tool, "/params"),
    };
    let finding = finding.saying(
        "the very same write was sent again, without a key, after one of which nobody knows whether it took effect",
        "it is done once",
        "look whether it took effect before sending it again, or send both with one idempotency key",
    );
    let finding = second.finding(finding, &[first]);
    Some(Finding { frames: vec![second.call.request, first.at()], ..finding })
}
