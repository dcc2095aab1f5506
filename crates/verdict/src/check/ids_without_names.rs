//! Rows that are nothing but ids.

use serde_json::{Map, Value};

use super::reading::Exchange;
use super::{Check, Reading};
use crate::names::words;
use crate::report::{counted, shorten};
use crate::{Doc, Example, Expected, Finding, Severity};

/// Fewer rows are looked up one by one.
const LEAST_ROWS: usize = 3;
/// A text that is at least so long, of letters and digits mixed, is nobody's name.
const LEAST_OPAQUE: usize = 12;
const SHOWN_CHARS: usize = 120;

/// See [`DOC`].
pub(super) struct IdsWithoutNames;

static DOC: Doc = Doc {
    name: "ids-without-names",
    what: "a list of opaque ids with nothing beside them that says what they stand for",
    why: "The agent has to ask for each of them before it can choose, or it chooses by chance.",
    severity: "information",
    examples: &[
        Example {
            about: "ids and no more",
            expected: Expected::Finding(Severity::Info, "/result/structuredContent/boats"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"boats":["3f2c9a71b04e","9d0e5b1177aa","0c4f66d2e983"]}}}}"#,
        },
        Example {
            about: "a reference by id alone",
            expected: Expected::Finding(Severity::Info, "/result/structuredContent/boats"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"boats":[{"name":"Tern","pier_id":"p-1"},{"name":"Skua","pier_id":"p-2"},{"name":"Gull","pier_id":"p-1"}]}}}}"#,
        },
        Example {
            about: "the same with its name beside it",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"boats":[{"name":"Tern","pier_id":"p-1","pier":"North"},{"name":"Skua","pier_id":"p-2","pier":"South"},{"name":"Gull","pier_id":"p-1","pier":"North"}]}}}}"#,
        },
        Example {
            about: "ids beside names",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"boats":[{"id":"3f2c9a71b04e","name":"Tern"},{"id":"9d0e5b1177aa","name":"Skua"},{"id":"0c4f66d2e983","name":"Gull"}]}}}}"#,
        },
    ],
};

impl Check for IdsWithoutNames {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        findings.extend(reading.exchanges.iter().filter_map(|exchange| look_at(exchange, reading.server())));
    }
}

fn look_at(exchange: &Exchange<'_>, server: &str) -> Option<Finding> {
    let (payload, _) = exchange.success()?;
    let list = payload.list().filter(|list| list.len >= LEAST_ROWS)?;
    let items = payload.at(&list.pointer)?.as_array()?;
    // Who asks for ids, hashes or keys by name gets what was asked for.
    let asked = words(exchange.call.name);
    if asked.iter().any(|word| {
        matches!(word.as_str(), "commit" | "commits" | "hash" | "hashes" | "id" | "ids" | "uuid" | "uuids")
    }) {
        return None;
    }
    let what = if items.iter().all(is_opaque) {
        format!("the answer holds {} of opaque ids, and no name beside any", counted(list.len, "row"))
    } else {
        let name = bare_reference(items)?;
        format!("each row has `{name}`, and nothing beside it says what that stands for")
    };
    let at = payload.shown(&list.pointer);
    let finding = Finding::suspected(&DOC, server, exchange.call.name, at).saying(
        what,
        "any of these will do",
        "put beside each id what a person would call it, so that one can be chosen without asking for each",
    );
    let evidence = shorten(&items.first()?.to_string(), SHOWN_CHARS);
    Some(Finding { severity: Severity::Info, evidence, ..exchange.finding(finding, &[]) })
}

/// A member of every row that refers to something else by its id, without its name beside it: `pier_id`, and no `pier`.
fn bare_reference(items: &[Value]) -> Option<&str> {
    let first = items.first()?.as_object()?;
    first.keys().map(String::as_str).find(|name| {
        let mut noun = words(name);
        let is_reference = noun.len() > 1 && noun.pop().is_some_and(|last| last == "id");
        let is_bare = |item: &Value| {
            item.as_object().is_some_and(|row| {
                let named = row
                    .keys()
                    .any(|other| other != name && words(other).iter().any(|word| noun.contains(word)));
                row.get(*name).is_some_and(Value::is_string) && !named
            })
        };
        is_reference && items.iter().all(is_bare)
    })
}

/// Whether an item is an id, or a row of nothing but ids.
fn is_opaque(item: &Value) -> bool {
    match item {
        Value::String(text) => is_id(text),
        Value::Object(members) => !members.is_empty() && is_row_of_ids(members),
        _ => false,
    }
}

fn is_row_of_ids(members: &Map<String, Value>) -> bool {
    let is_named_id =
        |name: &str| words(name).last().is_some_and(|word| matches!(word.as_str(), "id" | "guid" | "uuid"));
    members.iter().all(|(name, value)| match value {
        Value::String(text) => is_id(text) || (is_named_id(name) && !text.contains(' ')),
        Value::Number(_) => is_named_id(name),
        _ => false,
    })
}

fn is_id(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    text.len() >= LEAST_OPAQUE
        && text.chars().all(is_part)
        && text.chars().filter(char::is_ascii_digit).count() * 5 >= text.len()
        && text.chars().any(|c| c.is_ascii_alphabetic())
}
