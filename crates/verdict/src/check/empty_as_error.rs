//! A search that found nothing, and answered with an error.

use std::collections::HashMap;

use super::failure::Failure;
use super::reading::{Exchange, Reading};
use super::{Check, wording};
use crate::names::has_word;
use crate::payload::Payload;
use crate::report::shorten;
use crate::{Doc, Example, Expected, Finding, Severity};

/// Words in the names of tools that look for what may not be there.
const SEEKERS: &[&str] = &["filter", "find", "grep", "list", "lookup", "match", "query", "scan", "search"];
/// Words in the names of arguments that name one thing, which then is missing.
const IDENTIFIERS: &[&str] = &["id", "key", "number", "path", "uri", "url", "uuid"];
/// Words of an answer that names what is missing, or carries a code: no plain empty search.
const CODED: &[&str] = &["404", "does not exist", "doesn't exist", "no such", "not_found", "unknown"];
const SHOWN_CHARS: usize = 120;

/// See [`DOC`].
pub(super) struct EmptyAsError;

static DOC: Doc = Doc {
    name: "empty-as-error",
    what: "a search or a list without a match that is answered with an error",
    why: "That nothing matches is an answer. Under the flag of an error it reads as a tool that is broken: the agent tries \
          again, tries another tool, or tells the user that it cannot look.",
    severity: "warning; silent where one thing was asked for by its id or path, where the answer has a code such as NOT_FOUND, \
               and where the arguments are at fault",
    examples: &[
        Example {
            about: "a query that matches nothing fails without a cause, where another one worked",
            expected: Expected::Finding(Severity::Warning, "/result/isError"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_boats","arguments":{"query":"ferry"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[{\"id\":\"b1\"}]"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search_boats","arguments":{"query":"submarine"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"Unexpected response type"}],"isError":true}}}"#,
        },
        Example {
            about: "no match, flagged as an error",
            expected: Expected::Finding(Severity::Warning, "/result/isError"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_boats","arguments":{"query":"submarine"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"No boats found."}],"isError":true}}}"#,
        },
        Example {
            about: "one boat by its id, which is not there",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_boat","arguments":{"boat_id":"b9"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"No boat found."}],"isError":true}}}"#,
        },
        Example {
            about: "a query that cannot be read, and says so",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_boats","arguments":{"query":"ferry"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[{\"id\":\"b1\"}]"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search_boats","arguments":{"query":"ferry AND ("}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"the query has an open parenthesis at 10"}],"isError":true}}}"#,
        },
    ],
};

impl Check for EmptyAsError {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        let mut worked: HashMap<(&str, Vec<&str>), &Exchange<'_>> = HashMap::new();
        for exchange in reading.exchanges.iter().filter(|exchange| exchange.success().is_some()) {
            worked.entry((exchange.call.name, names(exchange))).or_insert(exchange);
        }
        let failures = reading.exchanges.iter().filter(|one| seeks(one)).filter_map(Failure::of);
        for failure in failures.filter(|failure| failure.pointer.starts_with("/result")) {
            let other = worked.get(&(failure.exchange.call.name, names(failure.exchange))).copied();
            findings.extend(look_at(&failure, other, reading.server()));
        }
    }
}

/// Whether a call looks for what may not be there, and nothing is wrong with its arguments.
fn seeks(exchange: &Exchange<'_>) -> bool {
    let has = |name: &str, known: &[&str]| has_word(name, known);
    let names = names(exchange);
    has(exchange.call.name, SEEKERS)
        && !names.is_empty()
        && !names.iter().any(|name| has(name, IDENTIFIERS))
        && exchange.mistakes().is_empty()
}

fn names<'a>(exchange: &Exchange<'a>) -> Vec<&'a str> {
    exchange.call.arguments.into_iter().flatten().map(|(name, _)| name.as_str()).collect()
}

fn look_at(failure: &Failure<'_, '_>, other: Option<&Exchange<'_>>, server: &str) -> Option<Finding> {
    let call = &failure.exchange.call;
    let shown = shorten(&failure.text, SHOWN_CHARS);
    let lower = failure.text.to_lowercase();
    let coded = CODED.iter().any(|code| lower.contains(code));
    let answer = serde_json::json!({"content": [{"type": "text", "text": failure.text}]});
    let what = if coded || failure.text.trim().is_empty() {
        return None;
    } else if Payload::of(&answer).holds_nothing() {
        format!("the answer says that nothing was found, and is flagged as an error: {shown:?}")
    } else if wording::says_nothing(&failure.text, call.name) || wording::is_own_fault(&failure.text) {
        let text = |exchange: &Exchange<'_>| exchange.call.arguments.cloned().map(serde_json::Value::from);
        let other = other.filter(|other| text(other) != text(failure.exchange))?;
        let (payload, _) = other.success().filter(|(payload, _)| !payload.holds_nothing())?;
        let items = payload.list().map_or(1, |list| list.len);
        format!(
            "the search failed without a cause, {shown:?}, where one for something else found {}",
            crate::report::counted(items, "item")
        )
    } else {
        return None;
    };
    let finding = Finding::suspected(&DOC, server, call.name, "/result/isError").saying(
        what,
        "the tool is broken",
        "answer that nothing matched as a success: an empty list that says what was looked for and where",
    );
    let others: Vec<_> = other.into_iter().collect();
    Some(failure.exchange.finding(finding, &others))
}
