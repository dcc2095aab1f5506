//! The same good call, and again, and again.

use frankly_contract::BoxFuture;
use frankly_verdict::{Doc, Example, Expected, Severity};
#[cfg(test)]
use serde_json::Value;

use super::bench::Bench;
use super::relation::Baseline;
use super::{Outcome, Probe};
use crate::config::Consent;

/// See [`DOC`].
pub(super) struct SameTwice;

static DOC: Doc = Doc {
    name: "same-twice",
    what: "makes the good call three times",
    why: "A tool that reads must answer the same call alike. The same items in another order make pages overlap and leave \
          items out, and what is first, newest or largest differs from one time to the next. Values that count or tell \
          the time may change.",
    severity: "needs the consent `mutate`; not sent to a tool that may write",
    examples: &[
        Example {
            about: "the same rows in another order each time",
            expected: Expected::Finding(Severity::Warning, "/result/structuredContent/rows"),
            input: r#"{"shuffles": true}"#,
        },
        Example {
            about: "the same rows each time",
            expected: Expected::Silence,
            input: r#"{"shuffles": false}"#,
        },
    ],
};

impl Probe for SameTwice {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn needs(&self, _has_examples: bool) -> Consent {
        Consent::Mutate
    }

    fn fits(&self, bench: &Bench<'_>) -> bool {
        bench.reads()
    }

    fn run<'a>(&'a self, bench: &'a Bench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { repeat(bench).await.into() })
    }

    /// Three rows, which a tool that `shuffles` gives in another order each time.
    #[cfg(test)]
    fn example_answer(&self, example: &Value, _arguments: &Value) -> Value {
        use serde_json::json;
        use std::sync::atomic::{AtomicUsize, Ordering};

        static CALLS: AtomicUsize = AtomicUsize::new(0);
        let mut rows = [json!({"id": "a"}), json!({"id": "b"}), json!({"id": "c"})];
        if example["shuffles"].as_bool().unwrap() {
            rows.rotate_left(CALLS.fetch_add(1, Ordering::Relaxed) % 3);
        }
        json!({"content": [], "structuredContent":
            {"returned": 3, "matched": 3, "truncated": false, "rows": rows}})
    }
}

async fn repeat(bench: &Bench<'_>) -> Result<(), String> {
    let good = Baseline::good(bench).await?.that_holds_something()?;
    bench.call(&good.arguments).await?;
    good.still_as_long().await
}

#[cfg(test)]
mod tests {
    use super::super::consent::Nature;
    use super::super::examples::{reading, sent};
    use super::*;
    use serde_json::json;

    #[tokio::test]
    async fn a_reader_is_called_three_times_and_a_writer_not_at_all() {
        let answer = |_: &Value| json!({"content": [{"type": "text", "text": "one\ntwo"}]});
        let tool = || reading("list", json!({}), &[]);
        let (outcome, calls) = sent(&SameTwice, tool(), json!({}), Nature::Reads, answer).await;
        assert_eq!((outcome, calls), (Some(Outcome::Exercised), vec![json!({}); 3]));
        assert_eq!(sent(&SameTwice, tool(), json!({}), Nature::Writes, answer).await.0, None);
    }
}
