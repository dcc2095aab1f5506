//! A call that nobody waits for any more, then a healthy one.

use std::time::Duration;

use frankly_contract::{BoxFuture, CallError};
use frankly_verdict::{Doc, Example, Expected, Severity};
#[cfg(test)]
use serde_json::Value;
use serde_json::json;

use super::super::Outcome;
use super::super::bench::shown;
use super::{ServerBench, ServerProbe};

/// See [`DOC`].
pub(super) struct SlowThenCall;

static DOC: Doc = Doc {
    name: "slow-then-call",
    what: "makes the call that took longest so far and does not wait for its answer, as clients do whose time is over; \
           meanwhile makes a healthy call; at last waits for the first answer",
    why: "The healthy call must be answered as before, and the first one too: a late answer must not be taken for another \
          one, and work that nobody waits for must not hold up the next call.",
    severity: "sent once, where a call to a tool that reads succeeded",
    examples: &[
        Example {
            about: "a call that nobody waits for is never answered",
            expected: Expected::Finding(Severity::Error, ""),
            input: r#"{"forgets": true}"#,
        },
        Example {
            about: "a call that nobody waits for is answered late",
            expected: Expected::Silence,
            input: r#"{"forgets": false}"#,
        },
    ],
};

impl ServerProbe for SlowThenCall {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn run<'a>(&'a self, bench: &'a ServerBench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { leave(bench).await.into() })
    }

    #[cfg(test)]
    fn example_answer(&self, example: &Value, before: &[Value], request: &Value) -> Vec<Value> {
        let calls = before.iter().filter(|earlier| earlier["method"] == "tools/call").count();
        match example["forgets"] == true && calls == 1 {
            true => Vec::new(),
            false => super::tests::answers(before, request),
        }
    }
}

async fn leave(bench: &ServerBench<'_>) -> Result<(), String> {
    let healthy = bench.healthy()?;
    let slowest =
        bench.run.healthy().into_iter().max_by_key(|call| call.took).unwrap_or_else(|| healthy.clone());
    bench.run.spend()?;
    let pending = bench.session.leave(json!(slowest.call)).await.map_err(|error| shown(&error))?;
    bench.still_answers(&healthy).await?;
    let late = bench.session.late_answer(pending, Duration::MAX).await;
    bench.run.heard(!matches!(late, Err(CallError::TimedOut)));
    Ok(())
}
