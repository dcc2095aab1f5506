//! A success under the flag of a failure.

use serde_json::{Map, Value};

use super::reading::Exchange;
use super::{Check, Reading};
use crate::names::normalise;
use crate::report::shorten;
use crate::transcript::Answer;
use crate::{Doc, Example, Expected, Finding, Severity};

/// Members that say that a call worked, with the values by which they do.
const WORKED: &[(&str, &str)] = &[
    ("ok", "true"),
    ("status", "\"completed\""),
    ("status", "\"ok\""),
    ("status", "\"success\""),
    ("success", "true"),
    ("successful", "true"),
];
/// Members that say what went wrong.
const FAULTS: &[&str] =
    &["code", "detail", "error", "errors", "exception", "failed", "failures", "fault", "reason"];
/// How a text says that a call worked.
const DONE: &[&str] = &["completed successfully", "success:", "successfully "];
/// Words of a text that says that something did not.
const NOT: &[&str] = &[
    "but", "cannot", "could not", "couldn't", "denied", "error", "except", "fail", "however", "invalid",
    "not ", "n't ", "unable", "unsuccess", "warning",
];
/// Words of a member that says what went wrong.
const FAILED: &[&str] = &[
    "cannot", "could not", "denied", "error", "exceeded", "fail", "invalid", "refused", "timed out", "unable",
];
/// Only so long a text is one sentence about the call.
const LONGEST: usize = 300;
const SHOWN_CHARS: usize = 120;

/// See [`DOC`].
pub(super) struct FalseError;

static DOC: Doc = Doc {
    name: "false-error",
    what: "a result with `isError: true` that says that the call worked",
    why: "The agent takes it for a failure and does it again: a second order, a second message. Or it tells the user that it \
          did not work.",
    severity: "error where a member of the answer says so, such as `success: true`; warning where its words do, and where it is data without a word of what failed",
    examples: &[
        Example {
            about: "`success: true` under the flag of an error",
            expected: Expected::Finding(Severity::Error, "/result/isError"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book_berth","arguments":{"boat":"Tern"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"success\":true,\"berth\":7}"}],"isError":true}}}"#,
        },
        Example {
            about: "the same in words",
            expected: Expected::Finding(Severity::Warning, "/result/isError"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book_berth","arguments":{"boat":"Tern"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Successfully booked berth 7."}],"isError":true}}}"#,
        },
        Example {
            about: "data, and not a word of what failed",
            expected: Expected::Finding(Severity::Warning, "/result/isError"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"moor_boats","arguments":{"pier":"N"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"pier\":\"N\",\"moored\":2,\"boats\":[\"Tern\",\"Skua\"]}"}],"isError":true}}}"#,
        },
        Example {
            about: "an error with the rows that it is about",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"moor_boats","arguments":{"pier":"N"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"what\":\"two boats are too long\",\"most\":9,\"boats\":[\"Tern\",\"Skua\"]}"}],"isError":true}}}"#,
        },
        Example {
            about: "a command that ran to its end and failed",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_tests","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"status\":\"completed\",\"exit_code\":1,\"stdout\":\"3 tests fell over\"}"}],"isError":true}}}"#,
        },
        Example {
            about: "a part of it worked",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book_berth","arguments":{"boat":"Tern"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Successfully booked berth 7, but the letter could not be sent"}],"isError":true}}}"#,
        },
        Example {
            about: "an error in words and flag",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book_berth","arguments":{"boat":"Tern"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"success\":false,\"reason\":\"no berth is free\"}"}],"isError":true}}}"#,
        },
    ],
};

impl Check for FalseError {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        findings.extend(reading.exchanges.iter().filter_map(|exchange| look_at(exchange, reading.server())));
    }
}

fn look_at(exchange: &Exchange<'_>, server: &str) -> Option<Finding> {
    let Answer::Failure(result) = exchange.call.answer else { return None };
    let text = match result.get("content").and_then(Value::as_array).map(Vec::as_slice) {
        Some([block]) => block.get("text").and_then(Value::as_str),
        _ => None,
    };
    let document = text.and_then(|text| serde_json::from_str::<Value>(text).ok());
    let bodies = [result.get("structuredContent"), document.as_ref()];
    let bodies: Vec<_> = bodies.into_iter().flatten().filter_map(Value::as_object).collect();
    let member = bodies.iter().find_map(|body| says_it_worked(body));
    let (finding, words) = match (member, text) {
        (Some(member), _) => {
            let finding =
                Finding::proven(&DOC, Severity::Error, server, exchange.call.name, "/result/isError");
            (finding, format!("`{member}`"))
        }
        _ if bodies.iter().any(is_plain_data) => {
            let finding = Finding::suspected(&DOC, server, exchange.call.name, "/result/isError");
            (finding, "it is data, without a word of what failed".to_owned())
        }
        (None, Some(text)) if document.is_none() && reads_as_done(text) => {
            let finding = Finding::suspected(&DOC, server, exchange.call.name, "/result/isError");
            (finding, format!("{:?}", shorten(text, SHOWN_CHARS)))
        }
        _ => return None,
    };
    let finding = finding.saying(
        format!("the result is flagged `isError: true`, and says that the call worked: {words}"),
        "it failed",
        "leave `isError` out of what worked, and say what did not where only a part did",
    );
    Some(exchange.finding(finding, &[]))
}

fn says_it_worked(members: &Map<String, Value>) -> Option<String> {
    let has_fault = members.iter().any(|(name, value)| {
        FAULTS.contains(&name.as_str()) && !matches!(value, Value::Null | Value::Bool(false)) && *value != 0
    });
    let is_code = |name: &str| {
        matches!(&*normalise(name), "exitcode" | "exitstatus" | "rc" | "returncode" | "statuscode")
    };
    let has_fault = has_fault
        || members.iter().any(|(name, value)| {
            is_code(name) && value.as_i64().is_some_and(|code| code != 0 && !(200..300).contains(&code))
        });
    let worked =
        WORKED.iter().find(|(name, said)| members.get(*name).map(Value::to_string).as_deref() == Some(*said));
    worked.filter(|_| !has_fault).map(|(name, said)| format!("{name}: {said}"))
}

/// Whether an object holds results, and nothing that would say what went wrong.
fn is_plain_data(members: &&Map<String, Value>) -> bool {
    const LEAST_MEMBERS: usize = 3;
    let holds_results = members.values().any(|value| value.as_array().is_some_and(|items| !items.is_empty()))
        && members.values().any(Value::is_number);
    let is_fault = |(name, value): (&String, &Value)| {
        let text = value.as_str().unwrap_or_default().to_lowercase();
        FAULTS.contains(&name.as_str())
            || ["what", "why", "success"].contains(&name.as_str())
            || FAILED.iter().any(|word| text.contains(word))
    };
    members.len() >= LEAST_MEMBERS && holds_results && !members.iter().any(is_fault)
}

fn reads_as_done(text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    text.len() <= LONGEST
        && DONE.iter().any(|done| lower.starts_with(done) || lower.ends_with(done.trim_end()))
        && !NOT.iter().any(|not| lower.contains(not))
}
