//! A call of a tool that is not listed.

use frankly_contract::{BoxFuture, ToolCall};
use frankly_verdict::nonsense::VALUES;
use frankly_verdict::{Doc, Example, Expected, Severity};
#[cfg(test)]
use serde_json::{Value, json};

use super::super::Outcome;
use super::{ServerBench, ServerProbe};

/// See [`DOC`].
pub(super) struct UnknownTool;

static DOC: Doc = Doc {
    name: "unknown-tool",
    what: "calls a tool by a name that is not listed and cannot exist",
    why: "It must be refused, as a protocol error. A success reads as something that was done.",
    severity: "sent once, where any tool may be called",
    examples: &[
        Example {
            about: "a tool that does not exist answers with a success",
            expected: Expected::Finding(Severity::Error, "/result"),
            input: r#"{"says": "Unknown tool: it is not known here."}"#,
        },
        Example {
            about: "a tool that does not exist is refused",
            expected: Expected::Silence,
            input: r#"{"says": null}"#,
        },
    ],
};

impl ServerProbe for UnknownTool {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn run<'a>(&'a self, bench: &'a ServerBench<'a>) -> BoxFuture<'a, Outcome> {
        // The second value: its form is the one that names of tools have.
        Box::pin(async move { bench.ask(ToolCall::new(VALUES[1], serde_json::Map::new())).await.into() })
    }

    #[cfg(test)]
    fn example_answer(&self, example: &Value, before: &[Value], request: &Value) -> Vec<Value> {
        match request["params"]["name"].as_str() {
            Some(name) if name != "find_orders" && example["says"].is_string() => {
                let content = json!([{"type": "text", "text": example["says"]}]);
                vec![json!({"jsonrpc": "2.0", "id": request["id"], "result": {"content": content}})]
            }
            _ => super::tests::answers(before, request),
        }
    }
}
