//! Many calls at the same time.

use std::collections::BTreeSet;
use std::future::{Future, poll_fn};
use std::task::Poll;
use std::time::Duration;

use frankly_contract::{BoxFuture, CallError, ToolCall};
use frankly_verdict::{Doc, Example, Expected, Severity};
use serde_json::{Value, json};

use super::super::Outcome;
use super::super::bench::shown;
use super::super::relation::with;
use super::{ServerBench, ServerProbe};

/// How many tools are called at once.
const TOOLS: usize = 8;
/// How often each of them is.
const OF_EACH: usize = 3;

/// See [`DOC`].
pub(super) struct AtOnce;

static DOC: Doc = Doc {
    name: "at-once",
    what: "makes 3 calls to each of at most 8 tools at once, calls that succeeded before, or with a text of their own in an \
           argument that the tool repeats; then one more",
    why: "Each must be answered once, with the answer to its own call. Agents call tools in parallel; answers that are \
          mixed up or lost read as true. Calls that wait for each other cost the time of all of them.",
    severity: "sent once, where a call to a tool that reads succeeded; needs `sandbox`",
    examples: &[
        Example {
            about: "two calls have the answer to the other",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/customer"),
            input: r#"{"mixes": true}"#,
        },
        Example {
            about: "each call has its own answer",
            expected: Expected::Silence,
            input: r#"{"mixes": false}"#,
        },
    ],
};

impl ServerProbe for AtOnce {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn needs_sandbox(&self) -> bool {
        true
    }

    fn run<'a>(&'a self, bench: &'a ServerBench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { crowd(bench).await.into() })
    }

    #[cfg(test)]
    fn example_answer(&self, example: &Value, before: &[Value], request: &Value) -> Vec<Value> {
        let is_marked = |message: &&Value| message["params"]["arguments"].get("customer").is_some();
        if example["mixes"] == false || !is_marked(&request) {
            return super::tests::answers(before, request);
        }
        // The first is held back, and then it and the second have the answer to the other.
        let marked: Vec<&Value> = before.iter().filter(is_marked).collect();
        match marked[..] {
            [] => Vec::new(),
            [other] => {
                let answer = |to: &Value, of: &Value| {
                    let mut answer = super::tests::honest(of);
                    answer["id"] = to["id"].clone();
                    answer
                };
                vec![answer(request, other), answer(other, request)]
            }
            _ => super::tests::answers(before, request),
        }
    }
}

async fn crowd(bench: &ServerBench<'_>) -> Result<(), String> {
    let healthy = bench.healthy()?;
    let calls = calls(bench);
    (0..calls.len()).try_for_each(|_| bench.run.spend())?;
    let mut sent = Vec::new();
    for call in calls {
        let pending = bench.session.leave(json!(call)).await.map_err(|error| shown(&error))?;
        // Not taken back where it is not answered: what is lost is missed.
        sent.push(bench.session.late_answer(pending, Duration::MAX));
    }
    let results = all(sent).await;
    let is_late = |result: &Result<Value, CallError>| matches!(result, Err(CallError::TimedOut));
    bench.run.heard(!results.iter().any(is_late));
    results.iter().filter_map(|result| result.as_ref().err()).for_each(|error| bench.refused(error));
    bench.still_answers(&healthy).await.map(|_| ())
}

/// So many calls of each tool, with texts of their own where it repeats one.
fn calls(bench: &ServerBench<'_>) -> Vec<ToolCall> {
    let echoes = bench.run.echoes();
    let mut tools: BTreeSet<&str> = BTreeSet::new();
    let healthy = bench.run.healthy();
    let of_each = healthy.iter().filter(|healthy| tools.insert(&healthy.call.name)).take(TOOLS);
    let several = of_each.flat_map(|healthy| {
        let echo = echoes.iter().find(|(call, _)| call.name == healthy.call.name);
        (0..OF_EACH).map(move |_| match echo {
            Some((call, name)) => {
                ToolCall::new(call.name.as_str(), with(&call.arguments, name, bench.run.marker()))
            }
            None => healthy.call.clone(),
        })
    });
    several.collect()
}

/// Waits for all of them together.
async fn all<T>(futures: Vec<impl Future<Output = T>>) -> Vec<T> {
    let mut waiting: Vec<_> = futures.into_iter().map(|future| (Box::pin(future), None)).collect();
    poll_fn(|context| {
        let mut is_done = true;
        for (future, result) in waiting.iter_mut().filter(|(_, result)| result.is_none()) {
            match future.as_mut().poll(context) {
                Poll::Ready(value) => *result = Some(value),
                Poll::Pending => is_done = false,
            }
        }
        if is_done { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    waiting.into_iter().filter_map(|(_, result)| result).collect()
}
