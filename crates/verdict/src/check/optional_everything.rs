//! What a schema calls optional, and the tool cannot do without: the proof of the rule of the same name.

use super::failure::Failure;
use super::reading::Reading;
use super::{Check, wording};
use crate::report::shorten;
use crate::schema;
use crate::{Doc, Example, Expected, Finding, Severity};

const SHOWN_CHARS: usize = 120;

/// See [`DOC`].
pub(super) struct OptionalEverything;

static DOC: Doc = Doc {
    name: "optional-everything",
    what: "a tool whose schema requires nothing, and which refuses a call for an argument that is missing",
    why: "The schema is what a model is held to when it writes a call. What is not required is left out, the call is \
          refused, and the logs fill with as many shapes of it as there are guesses.",
    severity: "error: the definition and the refusal contradict each other",
    examples: &[
        Example {
            about: "nothing is required, and `amount` is",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"log_expense","inputSchema":{"type":"object","properties":{"amount":{"type":"number"},"note":{"type":"string"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"log_expense","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[{"type":"text","text":"`amount` is missing: give it in dollars"}]}}}"#,
        },
        Example {
            about: "`amount` is required, and was left out",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"log_expense","inputSchema":{"type":"object","properties":{"amount":{"type":"number"},"note":{"type":"string"}},"required":["amount"]}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"log_expense","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[{"type":"text","text":"`amount` is missing: give it in dollars"}]}}}"#,
        },
        Example {
            about: "one of two is needed, which no list of names can say",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"get_user","inputSchema":{"type":"object","properties":{"id":{"type":"string"},"email":{"type":"string"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_user","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[{"type":"text","text":"id or email is required"}]}}}"#,
        },
    ],
};

impl Check for OptionalEverything {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        let calls = reading.exchanges.iter().filter(|exchange| !exchange.is_malformed);
        let failures = calls.filter_map(Failure::of);
        findings.extend(failures.filter_map(|failure| look_at(&failure, reading.server())));
    }
}

fn look_at(failure: &Failure<'_, '_>, server: &str) -> Option<Finding> {
    let call = &failure.exchange.call;
    let tool = failure.exchange.tool?;
    tool.input_schema().filter(|schema| !schema::requires_something(schema))?;
    // What is missing beside other arguments may be missing because of them.
    let has_arguments = call.arguments.is_some_and(|arguments| !arguments.is_empty());
    if has_arguments {
        return None;
    }
    let (name, _) = tool.parameters().find(|(name, _)| wording::says_missing(&failure.text, name))?;
    if wording::is_conditional(&failure.text) {
        return None;
    }
    let finding = Finding::proven(&DOC, Severity::Error, server, call.name, failure.pointer.as_str()).saying(
        format!(
            "the schema requires nothing, and the call without `{name}` was refused: {:?}",
            shorten(&failure.text, SHOWN_CHARS)
        ),
        format!("`{name}` may be left out"),
        format!("list `{name}`, and whatever else the tool cannot do without, under `required`"),
    );
    Some(Finding { mutation: name.to_owned(), ..failure.exchange.finding(finding, &[]) })
}
