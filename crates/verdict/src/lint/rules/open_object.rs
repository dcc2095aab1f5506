//! An object that takes more than it declares.

use serde_json::Value;

use super::super::prose::{has_any, readable};
use super::super::{Rule, Subject};
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
            about: "more than it declares, on purpose",
            expected: Expected::Silence,
            input: r#"{"name": "edit_page", "description": "Edits a page.", "inputSchema": {"type": "object", "additionalProperties": false, "properties": {
 "values": {"type": "object", "description": "The title, and any other property of the page.", "properties": {"title": {"type": "string"}}}}}}"#,
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

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        let Some(root) = subject.tool.input_schema() else { return };
        let mut first = None;
        let mut more = 0;
        schema::walk(root, "/inputSchema", &mut |node, at, _| {
            if is_open(node) {
                more += usize::from(first.is_some());
                first.get_or_insert_with(|| at.to_string());
            }
        });
        let Some(first) = first else { return };
        let more = if more > 0 { format!(", and so are {more} within it") } else { String::new() };
        let finding = Finding::proven(&DOC, Severity::Info, subject.server, &subject.label, first);
        findings.push(finding.saying(
            format!("the object is open to what it does not declare{more}"),
            "a misspelt argument is an argument",
            "add `\"additionalProperties\": false`, and refuse what is not declared",
        ));
    }
}

/// Whether the description says that it takes more than it declares.
fn is_said(node: &Value) -> bool {
    const MORE: &[&str] = &[
        "any key*", "any name*", "any other", "any propert*", "additional", "arbitrary", "as well as others",
        "custom", "free-form", "freeform", "other field*", "other propert*",
    ];
    node.get("description").and_then(Value::as_str).is_some_and(|said| has_any(readable(said), MORE))
}

/// An object with properties that says nothing of others, or allows any.
pub(in super::super) fn is_open(node: &Value) -> bool {
    let has_properties =
        node.get("properties").and_then(Value::as_object).is_some_and(|members| !members.is_empty());
    if !has_properties {
        return false;
    }
    let more = node.get("additionalProperties");
    let is_combined = ["$ref", "allOf", "unevaluatedProperties", "patternProperties"]
        .iter()
        .any(|key| node.get(key).is_some());
    let is_object = types(node).is_empty() || types(node).contains(&"object");
    is_object && !is_combined && !is_said(node) && (more.is_none() || more == Some(&Value::Bool(true)))
}
