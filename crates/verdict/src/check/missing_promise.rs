//! A member that the description promises, and the answer does not have.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use frankly_contract::ToolDef;
use serde_json::Value;

use super::reading::Exchange;
use super::{Check, Reading};
use crate::names::{each_word, run_together};
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
/// How a description begins to say what rows have.
const ROWS: &[&str] = &["entries with ", "items with ", "objects with ", "records with ", "rows with "];
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
            about: "rows without a member that they are said to have",
            expected: Expected::Finding(Severity::Warning, "/result/structuredContent"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list_boats","description":"Lists boats, as rows with id, name, pier and length in metres.","inputSchema":{"type":"object"}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"boats":[{"id":1,"name":"Tern","length":9}]}}}}"#,
        },
        Example {
            about: "rows with all of it, in words of their own",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list_boats","description":"Lists boats, as rows with id, name, pier and length in metres.","inputSchema":{"type":"object"}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"boats":[{"id":1,"boat_name":"Tern","pier_no":2,"length_m":9}]}}}}"#,
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
        let mut promised: HashMap<&str, Promised<'_>> = HashMap::new();
        for exchange in &reading.exchanges {
            let Some(tool) = exchange.tool else { continue };
            let promised = promised.entry(tool.name()).or_insert_with(|| Promised::by(tool));
            findings.extend(look_at(exchange, tool, promised, reading.server()));
        }
    }
}

/// A sentence of a description, and the members that it promises.
type Promise<'a> = (&'a str, Vec<String>);

/// What a description promises.
struct Promised<'a> {
    of_all: Vec<Promise<'a>>,
    /// That of answers that are rows.
    of_rows: Option<Promise<'a>>,
}

impl<'a> Promised<'a> {
    fn by(tool: &'a ToolDef) -> Self {
        let is_parameter = |name: &str| tool.parameters().any(|(parameter, _)| parameter == name);
        let of_answers = |(sentence, mut names): Promise<'a>| {
            names.retain(|name| !sentence.contains('`') || !is_parameter(name));
            (sentence, names)
        };
        let quoted = |sentence: &'a str| (sentence, quoted(sentence).map(str::to_owned).collect());
        Self {
            of_all: sentences(tool.description()).map(quoted).map(of_answers).collect(),
            of_rows: enumerated(tool.description()).map(of_answers),
        }
    }
}

fn look_at(
    exchange: &Exchange<'_>,
    tool: &ToolDef,
    promised: &Promised<'_>,
    server: &str,
) -> Option<Finding> {
    if promised.of_all.is_empty() && promised.of_rows.is_none() {
        return None;
    }
    let (payload, _) = exchange.success().filter(|_| exchange.cut_bytes().is_none())?;
    let (part, body) = body(payload)?;
    let mut members = HashSet::new();
    collect(body, &mut members, 0);
    let has = |name: &&String| members.contains(&run_together(name));
    let of_rows = promised.of_rows.as_ref().filter(|_| rows_of(payload));
    let (sentence, missing) = promised.of_all.iter().chain(of_rows).find_map(|(sentence, promised)| {
        let missing: Vec<&String> = promised.iter().filter(|name| !has(name)).collect();
        // Prose names things in its own words: most of them have to be there.
        let most = if sentence.contains('`') { promised.len() } else { promised.len().div_ceil(3) + 1 };
        let is_about_this = !missing.is_empty() && missing.len() < most;
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

/// Whether an answer is rows with members.
fn rows_of(payload: &Payload) -> bool {
    let rows = payload.list().and_then(|list| payload.at(&list.pointer)?.as_array()?.first());
    rows.is_some_and(Value::is_object)
}

/// The members that a description says that rows have: "rows with id, date, category and amount".
fn enumerated(description: &str) -> Option<(&str, Vec<String>)> {
    const LEAST: usize = 3;
    description.split(['.', '\n', ';']).find_map(|sentence| {
        let lower = sentence.to_lowercase();
        let (at, start) = ROWS.iter().find_map(|start| Some((lower.find(start)?, start)))?;
        let rest = lower.get(at + start.len()..)?.replace(", and ", ", ").replace(" and ", ", ");
        let names: Vec<String> = rest
            .split(", ")
            .map(|part| part.split_whitespace().next().unwrap_or_default().to_owned())
            .filter(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.is_empty())
            .collect();
        let is_list = names.len() >= LEAST && !CONDITIONS.iter().any(|condition| lower.contains(condition));
        is_list.then_some((sentence, names))
    })
}

/// The object that an answer is, with its pointer.
fn body(payload: &Payload) -> Option<(&'static str, &Value)> {
    let parts = ["/structuredContent", "/content/0/text"];
    parts.into_iter().find_map(|part| Some((part, payload.at(part).filter(|value| value.is_object())?)))
}

fn collect<'v>(value: &'v Value, members: &mut HashSet<Cow<'v, str>>, depth: usize) {
    match value {
        _ if depth > DEEPEST => {}
        Value::Object(object) => {
            members.extend(object.keys().map(|name| run_together(name)));
            // `merchant_id` has something to say of the merchant.
            members.extend(object.keys().flat_map(|name| each_word(name)));
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
