//! A call that is taken back, then a healthy one.

use frankly_contract::BoxFuture;
use frankly_verdict::{Doc, Example, Expected, Severity};
#[cfg(test)]
use serde_json::Value;

use super::super::Outcome;
use super::{ServerBench, ServerProbe};

/// See [`DOC`].
pub(super) struct CancelThenCall;

static DOC: Doc = Doc {
    name: "cancel-then-call",
    what: "makes a call that succeeded before, takes it back at once (notifications/cancelled), and makes it again",
    why: "The second call must be answered as before. Agents take calls back whenever their user interrupts them. That \
          the call that was taken back is not answered is right.",
    severity: "sent once, where a call to a tool that reads succeeded",
    examples: &[
        Example {
            about: "after a cancel nothing is answered",
            expected: Expected::Finding(Severity::Error, ""),
            input: r#"{"dies": true}"#,
        },
        Example {
            about: "after a cancel everything is answered",
            expected: Expected::Silence,
            input: r#"{"dies": false}"#,
        },
    ],
};

impl ServerProbe for CancelThenCall {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn run<'a>(&'a self, bench: &'a ServerBench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { cancel(bench).await.into() })
    }

    #[cfg(test)]
    fn example_answer(&self, example: &Value, before: &[Value], request: &Value) -> Vec<Value> {
        let was_cancelled = before.iter().any(|earlier| earlier["method"] == "notifications/cancelled");
        match was_cancelled && example["dies"] == true {
            true => Vec::new(),
            false => super::tests::answers(before, request),
        }
    }
}

async fn cancel(bench: &ServerBench<'_>) -> Result<(), String> {
    let healthy = bench.healthy()?;
    bench.run.spend()?;
    bench.session.call_and_cancel(&healthy.call).await;
    bench.still_answers(&healthy).await.map(|_| ())
}
