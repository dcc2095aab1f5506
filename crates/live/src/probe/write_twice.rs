//! The same write with the same key, twice.

use frankly_contract::BoxFuture;
#[cfg(test)]
use frankly_contract::ToolDef;
use frankly_verdict::{Doc, Example, Expected, Severity};
use serde_json::{Map, Value, json};

use super::bench::{Bench, Reply};
use super::consent::words;
use super::parameter::{Parameter, parameters};
use super::readers::{look_for, readers};
use super::relation::with;
use super::{Outcome, Probe};
use crate::config::Consent;

/// Names of keys that make a call the same call, without case and punctuation.
const KEYS: &[&str] = &[
    "clientrequestid", "clienttoken", "dedupid", "dedupekey", "dedupkey", "deduplicationid",
    "idempotencekey", "idempotencyid", "idempotencykey", "idempotencytoken", "requestid", "requestkey",
];

/// See [`DOC`].
pub(super) struct WriteTwice;

static DOC: Doc = Doc {
    name: "write-twice",
    what: "makes the good call twice with the same idempotency key; a tool without one is called so where it is annotated \
           as idempotent; then asks one tool that reads",
    why: "The second call must have no effect of its own and say so, or give what the first one gave. Agents repeat calls \
          whose answer was late.",
    severity: "needs the consent `writes`; sent only to tools that may write",
    examples: &[
        Example {
            about: "one key makes two orders",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/id"),
            input: r#"{"again": true}"#,
        },
        Example {
            about: "one key makes one order",
            expected: Expected::Silence,
            input: r#"{"again": false}"#,
        },
    ],
};

impl Probe for WriteTwice {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn needs(&self, _has_examples: bool) -> Consent {
        Consent::Writes
    }

    fn fits(&self, bench: &Bench<'_>) -> bool {
        let is_idempotent = bench.tool().annotation("idempotentHint") == Some(true);
        !bench.reads() && (is_idempotent || key_of(bench).is_some())
    }

    fn run<'a>(&'a self, bench: &'a Bench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { write_twice(bench).await.into() })
    }

    #[cfg(test)]
    fn example_writes(&self) -> bool {
        true
    }

    #[cfg(test)]
    fn example_tool(&self, _example: &Value) -> ToolDef {
        let (item, key) = (
            json!({"type": "string", "description": "What is ordered.", "examples": ["tea"]}),
            json!({"type": "string", "description": "A text of your own for this one order."}),
        );
        ToolDef::from_raw(json!({
            "name": "create_order", "description": "Orders something.", "annotations": {"readOnlyHint": false},
            "inputSchema": {"type": "object", "properties": {"item": item, "idempotency_key": key},
                "required": ["item"], "additionalProperties": false}
        }))
    }

    /// An order whose id goes by the key, unless each call makes one `again`.
    #[cfg(test)]
    fn example_answer(&self, example: &Value, arguments: &Value) -> Value {
        use std::sync::atomic::{AtomicUsize, Ordering};

        static ORDERS: AtomicUsize = AtomicUsize::new(0);
        let key = arguments["idempotency_key"].as_str().unwrap_or("none");
        let id = match example["again"].as_bool().unwrap() {
            true => format!("o-{}", ORDERS.fetch_add(1, Ordering::Relaxed)),
            false => format!("o-of-{key}"),
        };
        json!({"content": [], "structuredContent": {"id": id, "item": arguments["item"], "created": true}})
    }
}

fn key_of<'b>(bench: &'b Bench<'_>) -> Option<Parameter<'b>> {
    let is_key = |parameter: &Parameter<'_>| KEYS.contains(&words(parameter.name).concat().as_str());
    parameters(bench.tool()).filter(Parameter::is_open_text).find(is_key)
}

/// The good arguments, with a key of their own where the tool takes one.
fn keyed(bench: &Bench<'_>) -> Result<Map<String, Value>, String> {
    let good = bench.good_arguments();
    let Some(key) = key_of(bench) else { return Ok(good) };
    let marker = json!(bench.run().marker_to_write());
    match key.admits(&marker) {
        true => Ok(with(&good, key.name, marker)),
        false if good.contains_key(key.name) => Ok(good),
        false => {
            Err(format!("no key for `{}` could be made up; give one as {}", key.name, bench.examples_key()))
        }
    }
}

async fn write_twice(bench: &Bench<'_>) -> Result<(), String> {
    let arguments = keyed(bench)?;
    let answer = match bench.ask(&arguments).await? {
        Reply::Answer(answer) => answer,
        Reply::Refused(why) => return Err(format!("the write was refused: {why}")),
    };
    bench.ask(&arguments).await?;
    if let Some(reader) = readers(bench).first() {
        bench.call_other(&look_for(reader, &arguments, &answer, bench.tool())).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::consent::Nature;
    use super::super::examples::{reading, sent};
    use super::*;

    #[tokio::test]
    async fn both_writes_have_one_key_and_what_has_none_is_left_alone() {
        let answer = |arguments: &Value| WriteTwice.example_answer(&json!({"again": false}), arguments);
        let tool = reading(
            "create_note",
            json!({"text": {"type": "string"}, "idempotencyKey": {"type": "string"}}),
            &[],
        );
        let (outcome, calls) = sent(&WriteTwice, tool, json!({"text": "x"}), Nature::Writes, answer).await;
        assert_eq!((outcome, calls.len()), (Some(Outcome::Exercised), 2));
        assert!(calls[0]["idempotencyKey"].is_string() && calls[0] == calls[1]);
        let tool = reading("create_note", json!({"text": {"type": "string"}}), &[]);
        assert_eq!(sent(&WriteTwice, tool, json!({"text": "x"}), Nature::Writes, answer).await.0, None);
    }
}
