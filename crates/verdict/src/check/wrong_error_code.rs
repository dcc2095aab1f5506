//! A JSON-RPC error with a code that names another cause.

use serde_json::Value;

use super::reading::{Exchange, Reading};
use super::{Check, wording};
use crate::report::shorten;
use crate::transcript::Answer;
use crate::{Doc, Example, Expected, Finding, Severity};

const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const SHOWN_CHARS: usize = 120;

/// See [`DOC`].
pub(super) struct WrongErrorCode;

static DOC: Doc = Doc {
    name: "wrong-error-code",
    what: "an unknown tool that is answered with a code of another cause, such as -32603 (internal error)",
    why: "Clients and agents go by the code. An internal error reads as a server that is broken or busy: they try again, or \
          give the server up, and the name stays wrong.",
    severity: "warning. The protocol's code for an unknown tool is -32602; -32601 is let pass.",
    examples: &[
        Example {
            about: "a name that is not listed is an internal error",
            expected: Expected::Finding(Severity::Warning, "/error/code"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list_boats"}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Unknown tool: boats"}}}"#,
        },
        Example {
            about: "the same with the protocol's code",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list_boats"}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool: boats"}}}"#,
        },
    ],
};

impl Check for WrongErrorCode {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        let unlisted = |one: &&Exchange<'_>| reading.transcript.tools.is_some() && one.tool.is_none();
        findings.extend(
            reading.exchanges.iter().filter(unlisted).filter_map(|one| look_at(one, reading.server())),
        );
    }
}

fn look_at(exchange: &Exchange<'_>, server: &str) -> Option<Finding> {
    let Answer::ProtocolError(error) = exchange.call.answer else { return None };
    let code = error.get("code").and_then(Value::as_i64)?;
    let message = error.get("message").and_then(Value::as_str).unwrap_or_default();
    // What fails for another reason may have another code.
    let is_about_it = wording::is_unknown_tool(message) || message.contains(exchange.call.name);
    if matches!(code, METHOD_NOT_FOUND | INVALID_PARAMS) || !is_about_it || exchange.call.name.is_empty() {
        return None;
    }
    let finding = Finding::suspected(&DOC, server, exchange.call.name, "/error/code").saying(
        format!(
            "a tool that is not listed is answered with the code {code}: {:?}",
            shorten(message, SHOWN_CHARS)
        ),
        "the server is broken or busy: try again",
        format!("answer with the code {INVALID_PARAMS}, and name the tool and the nearest one that there is"),
    );
    Some(exchange.finding(finding, &[]))
}
