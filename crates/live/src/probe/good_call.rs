//! One good call, for the checks to look at.

use frankly_contract::BoxFuture;
use frankly_verdict::{Doc, Example, Expected, Severity};

use super::bench::Bench;
use super::{Outcome, Probe};
use crate::config::Consent;

/// See [`DOC`].
pub(super) struct GoodCall;

static DOC: Doc = Doc {
    name: "good-call",
    what: "makes one call with the user's first example, else with what the schema offers",
    why: "The answer is a success, and every check is silent on it. A tool whose good call fails has exercised nothing.",
    severity: "needs the consent `examples` where there are any, else `mutate`",
    examples: &[
        Example {
            about: "the answer is done at the top, and cut further down",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/status"),
            input: r#"{"status": "completed", "data": {"rows": [[1], [2]], "rows_truncated": 3}}"#,
        },
        Example {
            about: "the answer is whole",
            expected: Expected::Silence,
            input: r#"{"status": "completed", "data": {"rows": [[1], [2]], "rows_truncated": 0}}"#,
        },
    ],
};

impl Probe for GoodCall {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn needs(&self, has_examples: bool) -> Consent {
        if has_examples { Consent::Examples } else { Consent::Mutate }
    }

    fn fits(&self, _bench: &Bench<'_>) -> bool {
        true
    }

    fn run<'a>(&'a self, bench: &'a Bench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { bench.good().await.map(|_| ()).into() })
    }

    #[cfg(test)]
    fn example_answer(
        &self,
        example: &serde_json::Value,
        _arguments: &serde_json::Value,
    ) -> serde_json::Value {
        serde_json::json!({"content": [], "structuredContent": example})
    }
}
