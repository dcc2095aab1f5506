//! An object that takes more than it declares.

use serde_json::Value;

use super::super::{Lint, Rule};
use crate::schema::{self, types};
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct OpenObject;

static DOC: Doc = Doc {
    name: "open-object",
    what: "an input schema, or an object in it, that does not forbid what it does not declare",
    why: "A misspelt argument passes the schema, and most servers drop it without a word: the filter was not applied, and \
          the answer looks as if it was.",
    severity: "information",
    examples: &[
        Example {
            about: "anything else may be sent too",
            expected: Expected::Finding(Severity::Info, "/inputSchema"),
            input: r#"{"name": "list_orders", "description": "Lists orders.", "inputSchema": {"type": "object", "properties": {"state": {"type": "string"}}}}"#,
        },
        Example {
            about: "nothing else may be sent",
            expected: Expected::Silence,
            input: r#"{"name": "list_orders", "description": "Lists orders.", "inputSchema": {"type": "object", "properties": {"state": {"type": "string"}}, "additionalProperties": false}}"#,
        },
        Example {
            about: "a map of anything, on purpose",
            expected: Expected::Silence,
            input: r#"{"name": "tag", "description": "Tags an order.", "inputSchema": {"type": "object", "additionalProperties": false, "properties": {
 "tags": {"type": "object", "description": "Any names and values.", "additionalProperties": {"type": "string"}}}}}"#,
        },
    ],
};

impl Rule for OpenObject {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, lint: &Lint<'_>, findings: &mut Vec<Finding>) {
        for subject in lint.subjects() {
            let Some(root) = subject.tool.input_schema() else { continue };
            let mut open = Vec::new();
            schema::walk(root, "/inputSchema", &mut |node, at, _| {
                if is_open(node) {
                    open.push(at.to_owned());
                }
            });
            let Some(first) = open.first() else { continue };
            let more = if open.len() > 1 {
                format!(", and so are {} within it", open.len() - 1)
            } else {
                String::new()
            };
            let finding =
                Finding::proven(&DOC, Severity::Info, subject.server, &subject.label, first.as_str());
            findings.push(finding.saying(
                format!("the object is open to what it does not declare{more}"),
                "a misspelt argument is an argument",
                "add `\"additionalProperties\": false`, and refuse what is not declared",
            ));
        }
    }
}

/// An object with properties that says nothing of others, or allows any.
pub(in super::super) fn is_open(node: &Value) -> bool {
    let has_properties =
        node.get("properties").and_then(Value::as_object).is_some_and(|members| !members.is_empty());
    let more = node.get("additionalProperties");
    let is_combined = ["$ref", "allOf", "unevaluatedProperties", "patternProperties"]
        .iter()
        .any(|key| node.get(key).is_some());
    let is_object = types(node).is_empty() || types(node).contains(&"object");
    has_properties && is_object && !is_combined && (more.is_none() || more == Some(&Value::Bool(true)))
}
