//! A call of a tool that is not listed.

use frankly_contract::{BoxFuture, ToolCall};
use frankly_verdict::Doc;
use frankly_verdict::nonsense::VALUES;

use super::super::Outcome;
use super::{ServerBench, ServerProbe};

/// See [`DOC`].
pub(super) struct UnknownTool;

static DOC: Doc = Doc {
    name: "unknown-tool",
    what: "calls a tool by a name that is not listed and cannot exist",
    why: "It must be refused, as a protocol error. A success reads as something that was done.",
    severity: "sent once, where any tool may be called",
    examples: &[],
};

impl ServerProbe for UnknownTool {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn run<'a>(&'a self, bench: &'a ServerBench<'a>) -> BoxFuture<'a, Outcome> {
        // The second value: its form is the one that names of tools have.
        Box::pin(async move { bench.ask(ToolCall::new(VALUES[1], serde_json::Map::new())).await.into() })
    }
}
