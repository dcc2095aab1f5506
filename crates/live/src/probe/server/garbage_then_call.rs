//! Requests that are no proper calls, then a healthy one.

use std::time::Duration;

use frankly_contract::BoxFuture;
use frankly_verdict::{Doc, Example, Expected, Severity};
use serde_json::{Value, json};

use super::super::Outcome;
use super::super::bench::shown;
use super::{ServerBench, ServerProbe};

/// How long a refusal is waited for: a server that says nothing to it is asked on.
const PATIENCE: Duration = Duration::from_secs(5);

/// See [`DOC`].
pub(super) struct GarbageThenCall;

static DOC: Doc = Doc {
    name: "garbage-then-call",
    what: "sends two malformed calls, one whose arguments are a text and one without parameters, and after each of them \
           a call that succeeded before",
    why: "Malformed calls must be refused with an error, and the healthy call be answered as before: one slip of a model \
          must not take the server away from everybody.",
    severity: "sent once, where a call to a tool that reads succeeded",
    examples: &[
        Example {
            about: "after a malformed call nothing is answered any more",
            expected: Expected::Finding(Severity::Error, ""),
            input: r#"{"dies": true}"#,
        },
        Example {
            about: "a malformed call is refused, and the next one answered",
            expected: Expected::Silence,
            input: r#"{"dies": false}"#,
        },
    ],
};

impl ServerProbe for GarbageThenCall {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn run<'a>(&'a self, bench: &'a ServerBench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { send(bench).await.into() })
    }

    #[cfg(test)]
    fn example_answer(&self, example: &Value, before: &[Value], request: &Value) -> Vec<Value> {
        let is_malformed = |earlier: &Value| {
            earlier["method"] == "tools/call" && !earlier["params"]["arguments"].is_object()
        };
        match example["dies"] == true && before.iter().any(is_malformed) {
            true => Vec::new(),
            false => super::tests::answers(before, request),
        }
    }
}

async fn send(bench: &ServerBench<'_>) -> Result<(), String> {
    let healthy = bench.healthy()?;
    let as_text = json!({"name": healthy.call.name, "arguments": "no object"});
    for params in [as_text, Value::Null] {
        bench.run.spend()?;
        let pending = bench.session.leave(params).await.map_err(|error| shown(&error))?;
        if let Err(error) = bench.session.late_answer(pending, PATIENCE).await {
            bench.refused(&error);
        }
        if !bench.still_answers(&healthy).await? {
            break;
        }
    }
    Ok(())
}
