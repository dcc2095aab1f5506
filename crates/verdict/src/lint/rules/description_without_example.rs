//! A tool with several parameters and no call shown.

use super::super::prose::has_any;
use super::super::{Rule, Subject};
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct DescriptionWithoutExample;

static DOC: Doc = Doc {
    name: "description-without-example",
    what: "a tool with three or more parameters, or nested ones, that shows no typical value or call",
    why: "An example says in one line what five descriptions leave open: which parameters go together, and in which form.",
    severity: "information",
    examples: &[
        Example {
            about: "three parameters, no example",
            expected: Expected::Finding(Severity::Info, "/description"),
            input: r#"{"name": "book", "description": "Books a room.", "inputSchema": {"type": "object", "properties": {
 "room": {"type": "string", "description": "Which room."}, "from": {"type": "string", "description": "Begins."}, "to": {"type": "string", "description": "Ends."}}}}"#,
        },
        Example {
            about: "an example",
            expected: Expected::Silence,
            input: r#"{"name": "book", "description": "Books a room, e.g. room A12 from 09:00 to 10:30.", "inputSchema": {"type": "object", "properties": {
 "room": {"type": "string", "description": "Which room."}, "from": {"type": "string", "description": "Begins."}, "to": {"type": "string", "description": "Ends."}}}}"#,
        },
        Example {
            about: "nothing to show",
            expected: Expected::Silence,
            input: r#"{"name": "list_rooms", "description": "Lists the rooms.", "inputSchema": {"type": "object"}}"#,
        },
    ],
};

impl Rule for DescriptionWithoutExample {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        let is_described = !subject.tool.description().is_empty();
        if is_described && is_involved(subject) && !shows_one(subject) {
            let finding = Finding::suspected(&DOC, subject.server, &subject.label, "/description");
            findings.push(Finding { severity: Severity::Info, ..finding }.saying(
                "neither the description nor a parameter shows a typical value",
                "how the parameters go together is left to guess",
                "add a typical call to the description, or `examples` to the parameters",
            ));
        }
    }
}

fn is_involved(subject: &Subject<'_>) -> bool {
    const MANY: usize = 3;
    let arguments = subject.arguments().count();
    arguments >= MANY || subject.parameters().len() > arguments
}

fn shows_one(subject: &Subject<'_>) -> bool {
    shows(subject.tool.description())
        || subject.parameters().iter().any(|parameter| {
            parameter.states("examples") || parameter.states("example") || shows(parameter.description())
        })
}

/// Whether a text gives an example, by its words or as a block of code.
fn shows(text: &str) -> bool {
    const MARKS: &[&str] = &["example*", "e.g", "eg", "for instance", "such as", "i.e"];
    text.contains("```") || has_any(text, MARKS)
}
