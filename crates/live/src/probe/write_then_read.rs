//! A write with a marker, then whatever can show it.

use frankly_contract::{BoxFuture, ToolCall, ToolDef};
use frankly_verdict::{Doc, Example, Expected, Severity};
use serde_json::{Map, Value, json};

use super::bench::{Bench, Reply};
use super::consent::{among, words};
use super::cursor_walk::{cursor_of, next_cursor};
use super::parameter::{Parameter, parameters};
use super::readers::{look_for, readers};
use super::relation::with;
use super::run::Healthy;
use super::{Outcome, Probe};
use crate::config::Consent;

/// How many tools are asked what was stored.
const MOST_READERS: usize = 3;
/// How many pages of each are read.
const MOST_PAGES: usize = 4;
/// Words in the name of a parameter whose text is the writer's own.
const OWN_TEXT: &str = "body comment content description label memo merchant message name note notes payee remark subject \
                        summary text title";

/// See [`DOC`].
pub(super) struct WriteThenRead;

static DOC: Doc = Doc {
    name: "write-then-read",
    what: "makes the good call with a text that stands nowhere else in each argument that takes the writer's own, then asks at most 3 tools that read, \
           those about the same things first and 4 pages of each, with the id that came back and the arguments that both \
           take; then the same with four decimals in a number, if it takes one",
    why: "What the write says it stored must be what is read afterwards, or it must have said what was changed. A write \
          that repeats the request reads as proof that it was stored.",
    severity: "needs the consent `writes`; sent only to tools that may write",
    examples: &[
        Example {
            about: "more decimals are reported than were stored",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/amount"),
            input: r#"{"reports": "request"}"#,
        },
        Example {
            about: "what was stored is reported",
            expected: Expected::Silence,
            input: r#"{"reports": "stored"}"#,
        },
    ],
};

impl Probe for WriteThenRead {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn needs(&self, _has_examples: bool) -> Consent {
        Consent::Writes
    }

    fn fits(&self, bench: &Bench<'_>) -> bool {
        !bench.reads() && !readers(bench).is_empty()
    }

    fn run<'a>(&'a self, bench: &'a Bench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { write(bench).await.into() })
    }

    #[cfg(test)]
    fn example_writes(&self) -> bool {
        true
    }

    #[cfg(test)]
    fn example_tool(&self, _example: &Value) -> ToolDef {
        let (amount, note, title) = (
            json!({"type": "number", "description": "In euro.", "examples": [12]}),
            json!({"type": "string", "description": "What it was for.", "examples": ["lunch"]}),
            json!({"type": "string", "description": "Has to be unique.", "examples": ["Monday"]}),
        );
        ToolDef::from_raw(json!({
            "name": "log_expense", "description": "Stores an expense.", "annotations": {"readOnlyHint": false},
            "inputSchema": {"type": "object", "properties": {"amount": amount, "note": note, "title": title},
                "required": ["amount", "note", "title"], "additionalProperties": false}
        }))
    }

    #[cfg(test)]
    fn example_reader(&self) -> Option<ToolDef> {
        Some(super::examples::reading("list_expenses", json!({}), &[]))
    }

    /// The expense with the amount as it was stored, or as it was sent; refused under the title of the good call, which
    /// an earlier one has.
    #[cfg(test)]
    fn example_answer(&self, example: &Value, arguments: &Value) -> Value {
        if arguments["title"] == "Monday" {
            let refusal =
                "INVALID_ARGS: the `title` Monday is taken; give one that list_expenses does not show";
            return json!({"content": [{"type": "text", "text": refusal}], "isError": true});
        }
        let mut expense = stored(arguments);
        if example["reports"] == "request" {
            expense["amount"] = arguments["amount"].clone();
        }
        json!({"content": [], "structuredContent": expense})
    }

    #[cfg(test)]
    fn example_reading(&self, _example: &Value, before: &[Value]) -> Value {
        let written = before.iter().filter(|call| call["name"] == "log_expense");
        let rows: Vec<_> = written.map(|call| stored(&call["arguments"])).collect();
        json!({"content": [], "structuredContent":
            {"returned": rows.len(), "matched": rows.len(), "truncated": false, "expenses": rows}})
    }
}

/// What the server of the examples stores: whole cents.
#[cfg(test)]
fn stored(arguments: &Value) -> Value {
    let amount = arguments["amount"].as_f64().unwrap();
    json!({"title": arguments["title"], "note": arguments["note"], "amount": (amount * 100.0).round() / 100.0})
}

/// The good arguments, with a marker in each argument whose text is the writer's own: a title that has to be unique
/// would be refused where only the body is another. Where none is given, the first that there is.
pub(super) fn marked(tool: &ToolDef, good: &Map<String, Value>, marker: &str) -> Map<String, Value> {
    let is_own = |parameter: &Parameter<'_>| {
        parameter.is_open_text() && is_own_text(parameter.name) && parameter.admits(&json!(marker))
    };
    let own: Vec<_> = parameters(tool).filter(is_own).collect();
    let given = own.iter().filter(|parameter| good.get(parameter.name).is_some_and(Value::is_string)).count();
    let subjects = own.iter().filter(|parameter| given == 0 || good.contains_key(parameter.name));
    let mut arguments = good.clone();
    for (at, parameter) in subjects.take(given.max(1)).enumerate() {
        // Each its own text, so that none passes for another; all of them hold the marker.
        let text = json!(if at == 0 { marker.to_owned() } else { format!("{marker}-{}", at + 1) });
        if parameter.admits(&text) {
            arguments.insert(parameter.name.to_owned(), text);
        }
    }
    arguments
}

/// The same with more decimals than most keep in the first number, if there is one.
fn with_decimals(tool: &ToolDef, arguments: &Map<String, Value>) -> Option<Map<String, Value>> {
    let decimals = |parameter: Parameter<'_>| {
        let given = arguments.get(parameter.name)?.as_f64().filter(|_| parameter.kind() == Some("number"))?;
        let value = json!(given.trunc() + 0.4567);
        parameter.admits(&value).then(|| with(arguments, parameter.name, value))
    };
    parameters(tool).find_map(decimals)
}

/// Whether by its name a parameter takes a text that is the writer's own.
pub(super) fn is_own_text(name: &str) -> bool {
    words(name).last().is_some_and(|word| among(word, OWN_TEXT))
}

async fn write(bench: &Bench<'_>) -> Result<(), String> {
    let marked = || marked(bench.tool(), &bench.good_arguments(), &bench.run().marker_to_write());
    write_and_read(bench, &marked()).await?;
    // In a write of its own: where the one thing is announced, nobody looks for the other.
    match with_decimals(bench.tool(), &marked()) {
        Some(arguments) => write_and_read(bench, &arguments).await,
        None => Ok(()),
    }
}

async fn write_and_read(bench: &Bench<'_>, arguments: &Map<String, Value>) -> Result<(), String> {
    let answer = match bench.ask(arguments).await? {
        Reply::Answer(answer) => answer,
        Reply::Refused(why) => return Err(format!("the write was refused: {why}")),
    };
    for reader in readers(bench).iter().take(MOST_READERS) {
        read_pages(bench, reader, look_for(reader, arguments, &answer, bench.tool())).await?;
    }
    Ok(())
}

/// Reads on, since what is new may well stand at the end.
async fn read_pages(bench: &Bench<'_>, reader: &Healthy, mut call: ToolCall) -> Result<(), String> {
    let cursor = cursor_of(&reader.tool);
    for _ in 0..MOST_PAGES {
        let next = bench.call_other(&call).await?.as_ref().and_then(next_cursor);
        let (Some(next), Some(cursor)) = (next, &cursor) else { break };
        call.arguments.insert(cursor.name.to_owned(), next);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::examples::reading;
    use super::*;

    fn tool(names: &[&str]) -> ToolDef {
        let texts = names.iter().map(|name| ((*name).to_owned(), json!({"type": "string"})));
        reading("create_note", Value::Object(texts.collect()), &[])
    }

    fn marked_so(names: &[&str], good: Value) -> Value {
        Value::Object(marked(&tool(names), good.as_object().unwrap(), "m"))
    }

    #[test]
    fn every_text_of_the_writers_own_is_another_and_nothing_else_is() {
        let good = json!({"body": "a", "category": "Dining", "title": "hello"});
        assert_eq!(
            marked_so(&["body", "category", "title"], good),
            json!({"body": "m", "category": "Dining", "title": "m-2"})
        );
        assert_eq!(marked_so(&["note", "title"], json!({"title": "hello"})), json!({"title": "m"}));
        assert_eq!(marked_so(&["category", "note", "title"], json!({})), json!({"note": "m"}));
        assert_eq!(marked_so(&["category"], json!({"category": "Rent"})), json!({"category": "Rent"}));
    }
}
