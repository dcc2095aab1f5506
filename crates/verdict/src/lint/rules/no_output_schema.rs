//! Structured results of which nothing is declared.

use serde_json::Value;

use super::super::prose::{Word, has_phrase};
use super::super::{Rule, Subject};
use crate::schema::types;
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct NoOutputSchema;

static DOC: Doc = Doc {
    name: "no-output-schema",
    what: "a tool that by its description returns JSON and has no output schema, or one whose schema only wraps a text",
    why: "The agent learns what comes back by calling, and code that calls the tool has nothing to check the answer by.",
    severity: "information",
    examples: &[
        Example {
            about: "JSON of some shape",
            expected: Expected::Finding(Severity::Info, ""),
            input: r#"{"name": "list_orders", "description": "Lists orders. Returns a JSON array of orders.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "a schema that only wraps a text",
            expected: Expected::Finding(Severity::Info, "/outputSchema"),
            input: r#"{"name": "list_orders", "description": "Lists orders.", "inputSchema": {"type": "object"},
 "outputSchema": {"type": "object", "properties": {"result": {"type": "string"}}, "required": ["result"]}}"#,
        },
        Example {
            about: "the shape is declared",
            expected: Expected::Silence,
            input: r#"{"name": "list_orders", "description": "Lists orders. Returns a JSON array.", "inputSchema": {"type": "object"},
 "outputSchema": {"type": "object", "properties": {"orders": {"type": "array", "items": {"type": "object"}}}}}"#,
        },
        Example {
            about: "text",
            expected: Expected::Silence,
            input: r#"{"name": "summarise", "description": "Returns a summary of the order.", "inputSchema": {"type": "object"}}"#,
        },
    ],
};

impl Rule for NoOutputSchema {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        findings.extend(look(subject));
    }
}

fn look(subject: &Subject<'_>) -> Option<Finding> {
    let say = |at: &str, what: &str| {
        let finding = Finding::suspected(&DOC, subject.server, &subject.label, at);
        Some(Finding { severity: Severity::Info, ..finding }.saying(
            what,
            "what comes back can be known only by calling",
            "declare the shape in `outputSchema`, and send it as `structuredContent`",
        ))
    };
    match subject.tool.output_schema() {
        None if promises_json(subject.said.words()) => {
            say("", "the description promises JSON, and there is no output schema")
        }
        Some(schema) if only_wraps_text(schema) => {
            say("/outputSchema", "the output schema only wraps a text")
        }
        _ => None,
    }
}

fn promises_json(words: &[Word<'_>]) -> bool {
    let returns = words.iter().position(|word| one_of!(word, "return returns returned returning"));
    returns.is_some_and(|at| {
        let after = &words[at..words.len().min(at + 8)];
        after.iter().any(|word| one_of!(word, "json dict dictionary"))
            || has_phrase(after, &["structured", "data"])
    })
}

/// One property, which is a string: what generators make of a function that returns text.
fn only_wraps_text(schema: &Value) -> bool {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return false };
    properties.len() == 1
        && properties.values().all(|only| types(only) == ["string"] && only.get("enum").is_none())
}
