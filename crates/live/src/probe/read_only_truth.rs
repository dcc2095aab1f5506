//! State that is read before and after a call that claims to change nothing.

#[cfg(test)]
use frankly_contract::ToolDef;
use frankly_contract::{BoxFuture, ToolResult};
use frankly_verdict::{Doc, Example, Expected, Severity};
#[cfg(test)]
use serde_json::{Value, json};

use super::bench::Bench;
use super::moved::changed;
use super::readers::readers;
use super::relation::are_alike;
use super::run::Healthy;
use super::{Outcome, Probe};
use crate::config::Consent;

/// How many tools are asked for the state, those about the same things first.
const MOST_READERS: usize = 12;

/// See [`DOC`].
pub(super) struct ReadOnlyTruth;

static DOC: Doc = Doc {
    name: "read-only-truth",
    what: "asks another tool that reads twice, makes the good call of a tool that is annotated as read-only, and asks twice \
           again; then the call and both questions once more; the same with a second other tool",
    why: "What the others answer must not change with the call. Clients call what is annotated as read-only without asking \
          their user.",
    severity: "needs the consent `mutate` and `sandbox`",
    examples: &[
        Example {
            about: "each time a note is read there is one more",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/notes"),
            input: r#"{"writes": true}"#,
        },
        Example {
            about: "reading a note changes nothing",
            expected: Expected::Silence,
            input: r#"{"writes": false}"#,
        },
    ],
};

impl Probe for ReadOnlyTruth {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn needs(&self, _has_examples: bool) -> Consent {
        Consent::Mutate
    }

    fn needs_sandbox(&self) -> bool {
        true
    }

    fn fits(&self, bench: &Bench<'_>) -> bool {
        bench.tool().annotation("readOnlyHint") == Some(true) && !readers(bench).is_empty()
    }

    fn run<'a>(&'a self, bench: &'a Bench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { look_before_and_after(bench).await.into() })
    }

    #[cfg(test)]
    fn example_tool(&self, _example: &Value) -> ToolDef {
        super::examples::reading("get_note", json!({}), &[])
    }

    #[cfg(test)]
    fn example_reader(&self) -> Option<ToolDef> {
        Some(super::examples::reading("list_notes", json!({}), &[]))
    }

    #[cfg(test)]
    fn example_answer(&self, _example: &Value, _arguments: &Value) -> Value {
        json!({"content": [{"type": "text", "text": "Water the plants."}]})
    }

    /// One note, and one more for each that was read where that `writes`.
    #[cfg(test)]
    fn example_reading(&self, example: &Value, before: &[Value]) -> Value {
        let read = before.iter().filter(|call| call["name"] == "get_note").count();
        let notes = if example["writes"].as_bool().unwrap() { 1 + read } else { 1 };
        let notes: Vec<_> = (0..notes).map(|number| json!({"title": format!("note {number}")})).collect();
        json!({"content": [], "structuredContent":
            {"returned": notes.len(), "matched": notes.len(), "truncated": false, "notes": notes}})
    }
}

async fn look_before_and_after(bench: &Bench<'_>) -> Result<(), String> {
    bench.good().await?;
    let mut readers = readers(bench);
    readers.truncate(MOST_READERS);
    let mut before = Vec::new();
    for reader in &readers {
        before.push(look(bench, reader).await?);
    }
    bench.call(&bench.good_arguments()).await?;
    for (reader, before) in readers.iter().zip(&before) {
        if !are_alike(before, &look(bench, reader).await?) {
            return prove(bench, reader).await;
        }
    }
    Ok(())
}

/// Shows that it is the call that changes what this reader answers: between two looks stands nothing else.
async fn prove(bench: &Bench<'_>, reader: &Healthy) -> Result<(), String> {
    stable(bench, reader).await?;
    for _ in 0..2 {
        bench.call(&bench.good_arguments()).await?;
        stable(bench, reader).await?;
    }
    Ok(())
}

/// Asks for the state, and for it again. An error where it changes by itself.
async fn stable(bench: &Bench<'_>, reader: &Healthy) -> Result<(), String> {
    let (first, second) = (look(bench, reader).await?, look(bench, reader).await?);
    if are_alike(&first, &second) { Ok(()) } else { Err(changed(&first, &second)) }
}

async fn look(bench: &Bench<'_>, reader: &Healthy) -> Result<ToolResult, String> {
    let answer = bench.call_other(&reader.call).await?;
    answer.ok_or_else(|| format!("{} did not answer again", reader.tool.name()))
}
