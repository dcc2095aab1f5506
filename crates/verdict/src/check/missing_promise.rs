//! A member that the description promises, and the answer does not have.

use std::collections::HashSet;

use serde_json::Value;

use super::reading::Exchange;
use super::{Check, Reading};
use crate::names::normalise;
use crate::payload::Payload;
use crate::report::shorten;
use crate::{Doc, Example, Expected, Finding, Severity};

/// How a sentence begins that says what comes back.
const PROMISES: &[&str] = &[
    "answers with", "gives back", "return", "returns", "the answer has", "the response contains",
    "the result has",
];
/// Words of a promise with a condition.
const CONDITIONS: &[&str] = &[" if ", " may ", " optional", " or ", " unless ", " when ", " where "];
const DEEPEST: usize = 8;
const SHOWN_CHARS: usize = 160;

/// See [`DOC`].
pub(super) struct MissingPromise;

static DOC: Doc = Doc {
    name: "missing-promise",
    what: "a member that the description says comes back, between back-ticks, and that the answer does not have",
    why: "The agent plans with it. Where it is not there, it takes it for empty, or for zero, or makes one up.",
    severity: "warning, since it goes by the words of the description. Only where the answer is JSON that has another one of \
               the members promised in the same sentence, and the sentence makes no condition.",
    examples: &[
        Example {
            about: "a total that never comes",
            expected: Expected::Finding(Severity::Warning, "/result/structuredContent"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list_boats","description":"Lists boats. Returns `boats` and `total`.","inputSchema":{"type":"object"}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"boats":["Tern"]}}}}"#,
        },
        Example {
            about: "a cursor that comes only where there is more",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list_boats","description":"Lists boats. Returns `boats`, and `next_cursor` when there are more.","inputSchema":{"type":"object"}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"boats":["Tern"]}}}}"#,
        },
        Example {
            about: "all that was promised, further down",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list_boats","description":"Lists boats. Returns `boats` and `total`.","inputSchema":{"type":"object"}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"boats":["Tern"],"page":{"total":1}}}}}"#,
        },
    ],
};

impl Check for MissingPromise {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        findings.extend(reading.exchanges.iter().filter_map(|exchange| look_at(exchange, reading.server())));
    }
}

fn look_at(exchange: &Exchange<'_>, server: &str) -> Option<Finding> {
    let (payload, _) = exchange.success().filter(|_| exchange.cut_bytes().is_none())?;
    let tool = exchange.tool?;
    let (part, body) = body(payload)?;
    let mut members = HashSet::new();
    collect(body, &mut members, 0);
    let has = |name: &&str| members.contains(&normalise(name));
    let is_parameter = |name: &str| tool.parameters().any(|(parameter, _)| parameter == name);
    let (sentence, missing) = sentences(tool.description()).find_map(|sentence| {
        let promised: Vec<&str> = quoted(sentence).filter(|name| !is_parameter(name)).collect();
        let missing: Vec<&str> = promised.iter().copied().filter(|name| !has(name)).collect();
        let is_about_this = !missing.is_empty() && missing.len() < promised.len();
        is_about_this.then_some((sentence, missing))
    })?;
    let names: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
    let names = names.join(", ");
    let finding = Finding::suspected(&DOC, server, tool.name(), payload.shown(part)).saying(
        format!("the description promises {names}, and the answer has no such member"),
        "it is empty, or zero",
        format!(
            "return {names}, also where there is nothing to say of it; or take it out of the description"
        ),
    );
    Some(exchange.finding(finding.with_evidence(shorten(sentence.trim(), SHOWN_CHARS)), &[]))
}

/// The object that an answer is, with its pointer.
fn body(payload: &Payload) -> Option<(&'static str, &Value)> {
    let parts = ["/structuredContent", "/content/0/text"];
    parts.into_iter().find_map(|part| Some((part, payload.at(part).filter(|value| value.is_object())?)))
}

fn collect(value: &Value, members: &mut HashSet<String>, depth: usize) {
    match value {
        _ if depth > DEEPEST => {}
        Value::Object(object) => {
            members.extend(object.keys().map(|name| normalise(name)));
            object.values().for_each(|member| collect(member, members, depth + 1));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, members, depth + 1)),
        _ => {}
    }
}

/// The sentences of a description that promise something without a condition.
fn sentences(description: &str) -> impl Iterator<Item = &str> {
    description.split(['.', '\n', ';']).filter(|sentence| {
        let lower = sentence.trim().to_lowercase();
        let promises = PROMISES
            .iter()
            .any(|start| lower.strip_prefix(start).is_some_and(|rest| rest.starts_with([' ', ':'])));
        promises && !CONDITIONS.iter().any(|condition| lower.contains(condition))
    })
}

/// The names between back-ticks.
fn quoted(sentence: &str) -> impl Iterator<Item = &str> {
    let is_name =
        |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    sentence.split('`').skip(1).step_by(2).filter(is_name)
}
