//! A mistake that the model could mend, told to the client only.

use serde_json::Value;

use super::reading::{Exchange, Reading};
use super::{Check, wording};
use crate::nonsense::is_nonsense;
use crate::report::shorten;
use crate::transcript::Answer;
use crate::{Doc, Example, Expected, Finding, Severity};

/// The first revision in which a tool's own failures, refused arguments included, are results.
const SINCE: &str = "2025-11-25";
const INVALID_PARAMS: i64 = -32602;
const SHOWN_CHARS: usize = 120;

/// Words of a message about the connection, which no other arguments would mend.
const ABOUT_THE_CONNECTION: &[&str] = &[
    "_meta", "connection closed", "initializ", "mcp-session", "no valid session", "progresstoken",
    "protocol version", "session expired", "session id", "session not found", "unauthorized",
];

/// See [`DOC`].
pub(super) struct ProtocolErrorForToolError;

static DOC: Doc = Doc {
    name: "protocol-error-for-tool-error",
    what: "a tool's own failure, such as a refused argument, sent as a JSON-RPC error instead of a result",
    why: "Clients take a JSON-RPC error for a fault of the connection or of themselves, and many do not show it to the \
          model. What the model could have mended with its next call it never gets to read.",
    severity: "error since the protocol's revision 2025-11-25, where the arguments are what was wrong (-32602, arguments \
               against the schema, a value that cannot exist); warning where they may not be; information in older revisions, which leave it open, and where the revision is unknown",
    examples: &[
        Example {
            about: "a missing argument as a JSON-RPC error",
            expected: Expected::Finding(Severity::Error, "/error"),
            input: r#"{"frankly":"recording","version":1,"revision":"2025-11-25"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing field `path`"}}}"#,
        },
        Example {
            about: "the same as a result that says that it is an error",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"revision":"2025-11-25"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[{"type":"text","text":"`path` is missing. Next: give the file's path."}]}}}"#,
        },
        Example {
            about: "an exception for a value that cannot exist",
            expected: Expected::Finding(Severity::Error, "/error"),
            input: r#"{"frankly":"recording","version":1,"revision":"2025-11-25"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"zz-no-such-value-7f3a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"FileNotFoundError: zz-no-such-value-7f3a"}}}"#,
        },
        Example {
            about: "a failure that may lie with the server alone",
            expected: Expected::Finding(Severity::Warning, "/error"),
            input: r#"{"frankly":"recording","version":1,"revision":"2025-11-25"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"b"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"the store is gone"}}}"#,
        },
        Example {
            about: "a missing argument in a revision that leaves it open",
            expected: Expected::Finding(Severity::Info, "/error"),
            input: r#"{"frankly":"recording","version":1,"revision":"2025-06-18"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing field `path`"}}}"#,
        },
        Example {
            about: "a missing argument of a tool whose name has a word of the protocol",
            expected: Expected::Finding(Severity::Error, "/error"),
            input: r#"{"frankly":"recording","version":1,"revision":"2025-11-25"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cancel_order","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"cancel_order: missing field `id`"}}}"#,
        },
        Example {
            about: "a request that the client took back",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"revision":"2025-11-25"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"a"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"Request cancelled"}}}"#,
        },
        Example {
            about: "an unknown tool",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"revision":"2025-11-25","tools":[{"name":"read_file"}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"raed_file","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Tool raed_file not found"}}}"#,
        },
        Example {
            about: "a malformed request: arguments that are no object",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"revision":"2025-11-25"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":"a"}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"expected struct CallToolRequestParams"}}}"#,
        },
    ],
};

impl Check for ProtocolErrorForToolError {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        findings.extend(reading.exchanges.iter().filter_map(|exchange| look_at(exchange, reading)));
    }
}

fn look_at(exchange: &Exchange<'_>, reading: &Reading<'_>) -> Option<Finding> {
    let Answer::ProtocolError(error) = exchange.call.answer else { return None };
    let code = error.get("code").and_then(Value::as_i64).unwrap_or_default();
    let message = error.get("message").and_then(Value::as_str).unwrap_or_default();
    if is_for_the_protocol(exchange, code, message)
        || is_unknown_tool(exchange, message, reading)
        || exchange.is_malformed
    {
        return None;
    }
    let finding = severity(exchange, code, reading);
    let finding = finding.saying(
        format!("a failure of the tool came as a JSON-RPC error, {code} {:?}", shorten(message, SHOWN_CHARS)),
        "the server is broken; many clients do not show the model even that",
        "answer with a result that has `isError: true` and says what is wrong, why, and what to do next; JSON-RPC errors \
         are for unknown tools and malformed requests",
    );
    Some(exchange.finding(finding, &[]))
}

fn severity(exchange: &Exchange<'_>, code: i64, reading: &Reading<'_>) -> Finding {
    let (server, name) = (reading.server(), exchange.call.name);
    let arguments = exchange.call.arguments;
    let depends_on_arguments = code == INVALID_PARAMS
        || !exchange.mistakes().is_empty()
        || arguments.into_iter().flatten().any(|(_, value)| value.as_str().is_some_and(is_nonsense));
    let is_a_duty = reading.transcript.revision.as_deref().is_some_and(|revision| revision >= SINCE);
    match (is_a_duty, depends_on_arguments) {
        (true, true) => Finding::proven(&DOC, Severity::Error, server, name, "/error"),
        (true, false) => Finding::suspected(&DOC, server, name, "/error"),
        (false, _) => {
            Finding { severity: Severity::Info, ..Finding::suspected(&DOC, server, name, "/error") }
        }
    }
}

/// Whether an error is about a request that could not be read, routed or answered in time, or about the connection.
fn is_for_the_protocol(exchange: &Exchange<'_>, code: i64, message: &str) -> bool {
    let lower = message.to_lowercase();
    let by_code = match code {
        -32600 => !wording::names_an_argument(message, exchange),
        -32001 => lower.contains("time"),
        -32700 | -32601 | -32099..=-32020 => true,
        _ => false,
    };
    // The call itself was taken back; `cancel_order` is a tool, and "cannot cancel" a refusal.
    let is_taken_back = lower
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|word| matches!(word, "canceled" | "cancelled"))
        && ["request", "call", "operation", "by the client", "by client", "by the user"]
            .iter()
            .any(|what| lower.contains(what));
    let is_sign_in =
        lower.contains("bearer token") || lower.contains("bearer error") || lower.contains("invalid_token");
    let is_disabled = lower.contains("tool") && lower.contains("disabled");
    by_code
        || is_disabled
        || is_taken_back
        || is_sign_in
        || ABOUT_THE_CONNECTION.iter().any(|words| lower.contains(words))
}

fn is_unknown_tool(exchange: &Exchange<'_>, message: &str, reading: &Reading<'_>) -> bool {
    let says_so = wording::is_unknown_tool(message)
        || message.to_lowercase().contains(&format!("tool {} not found", exchange.call.name.to_lowercase()));
    exchange.call.name.is_empty()
        || (reading.transcript.tools.is_some() && exchange.tool.is_none())
        || says_so
}
