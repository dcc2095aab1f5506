//! A structure in a string.

use super::super::parameters::Parameter;
use super::super::prose::has_phrase;
use super::super::{Rule, Subject};
use crate::report::shorten;
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct StringlyTyped;

static DOC: Doc = Doc {
    name: "stringly-typed",
    what: "a string parameter that is meant to hold JSON",
    why: "The agent has to write JSON within JSON, and escapes quotes and newlines wrong. The schema says nothing of what \
          may stand in it, so nothing can be checked before the call.",
    severity: "warning",
    examples: &[
        Example {
            about: "a list, as text",
            expected: Expected::Finding(Severity::Warning, "/inputSchema/properties/datasets"),
            input: r#"{"name": "chart", "description": "Draws a chart.", "inputSchema": {"type": "object", "properties": {
 "datasets": {"type": "string", "description": "JSON array of objects with table, filters and split_by."}}}}"#,
        },
        Example {
            about: "a payload of any shape",
            expected: Expected::Finding(Severity::Warning, "/inputSchema/properties/payload"),
            input: r#"{"name": "send_event", "description": "Sends an event.", "inputSchema": {"type": "object",
 "properties": {"payload": {"type": "string", "description": "What the event holds."}}}}"#,
        },
        Example {
            about: "bytes, and the form of the answer",
            expected: Expected::Silence,
            input: r#"{"name": "send_event", "description": "Sends an event.", "inputSchema": {"type": "object", "properties": {
 "payload": {"type": "string", "description": "The event in base64."}, "form": {"type": "string", "description": "Rows come back as JSON."}}}}"#,
        },
        Example {
            about: "the list itself",
            expected: Expected::Silence,
            input: r#"{"name": "chart", "description": "Draws a chart.", "inputSchema": {"type": "object", "properties": {
 "datasets": {"type": "array", "description": "What to draw.", "items": {"type": "object", "properties": {"table": {"type": "string"}}}}}}}"#,
        },
        Example {
            about: "languages, files and formats are text",
            expected: Expected::Silence,
            input: r#"{"name": "load", "description": "Loads a table.", "inputSchema": {"type": "object", "properties": {
 "sql": {"type": "string", "description": "SQL, such as SELECT * FROM t."}, "path": {"type": "string", "description": "Path of a JSON file."},
 "format": {"type": "string", "description": "Format of the answer: text or JSON."}}}}"#,
        },
    ],
};

impl Rule for StringlyTyped {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        for parameter in subject.parameters().iter().filter(|parameter| holds_json(parameter)) {
            let at = parameter.pointer.as_str();
            let finding = Finding::suspected(&DOC, subject.server, &subject.label, at).saying(
                format!("`{}` is a string, and is to hold JSON", shorten(parameter.name, 60)),
                "any text may be given here",
                "declare the object or the array; where a client can only send text, say in the description what \
                 it must hold, with an example",
            );
            let evidence = format!("{:?}", shorten(parameter.description(), 120));
            findings.push(finding.with_evidence(evidence));
        }
    }
}

/// Whether the description promises JSON in a string.
fn holds_json(parameter: &Parameter<'_>) -> bool {
    /// What a text of this kind is named after.
    const TEXTS: &str = "content contents code file filename filepath format jq jsonpath language path query script \
        source sql template text uri url yaml";
    if !parameter.is_text() || parameter.states("contentMediaType") || !parameter.choices().is_empty() {
        return false;
    }
    let name = parameter.words();
    if name.last().is_some_and(|head| one_of!(head, TEXTS)) {
        return false;
    }
    let words = parameter.said.words();
    if name.last().is_some_and(|head| one_of!(head, "json payload")) {
        return !words
            .iter()
            .any(|word| one_of!(word, "base64 binary csv encrypted html markdown plain raw signed xml"));
    }
    // How the answer is written, not the argument.
    const BACK: &str =
        "output outputs respond response responses result results return returned returns rows";
    if words.iter().any(|word| one_of!(word, BACK)) {
        return false;
    }
    let promises = words.windows(2).any(|pair| {
        (pair[1] == "json" && one_of!(&pair[0], "serialised serialized stringified"))
            || pair[0] == "json"
                && one_of!(
                    &pair[1],
                    "array dict dictionary encoded formatted list map object objects payload string"
                )
    });
    let asks = [["as", "json"], ["in", "json"], ["valid", "json"]];
    let is_file = || words.iter().any(|word| one_of!(word, "file files filename path yaml url"));
    (promises || asks.iter().any(|phrase| has_phrase(words, phrase))) && !is_file()
}
