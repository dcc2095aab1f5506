//! Many parameters that hardly anybody needs, and that nobody explains.

use std::collections::HashSet;

use super::super::{Rule, Subject};
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct RareKnobs;

/// As many as a reader takes in.
const MANY: usize = 8;

static DOC: Doc = Doc {
    name: "rare-knobs",
    what: "a tool with more than eight parameters, most of them optional and without a description",
    why: "Each of them costs tokens in every request and is one more thing to get wrong, and the few that matter drown.",
    severity: "information",
    examples: &[
        Example {
            about: "nine knobs",
            expected: Expected::Finding(Severity::Info, "/inputSchema/properties"),
            input: r#"{"name": "render", "description": "Renders a page.", "inputSchema": {"type": "object", "required": ["url"], "properties": {
 "url": {"type": "string"}, "a": {}, "b": {}, "c": {}, "d": {}, "e": {}, "f": {}, "g": {}, "h": {}}}}"#,
        },
        Example {
            about: "eight",
            expected: Expected::Silence,
            input: r#"{"name": "render", "description": "Renders a page.", "inputSchema": {"type": "object", "required": ["url"], "properties": {
 "url": {"type": "string"}, "a": {}, "b": {}, "c": {}, "d": {}, "e": {}, "f": {}, "g": {}}}}"#,
        },
    ],
};

impl Rule for RareKnobs {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        findings.extend(look(subject));
    }
}

fn look(subject: &Subject<'_>) -> Option<Finding> {
    let required: HashSet<&str> = subject.tool.required().collect();
    let (mut all, mut unexplained) = (0, 0);
    for parameter in subject.arguments() {
        all += 1;
        let is_optional = !required.contains(parameter.name);
        unexplained += usize::from(is_optional && parameter.description().is_empty());
    }
    (all > MANY && unexplained * 2 > all).then(|| {
        let finding =
            Finding::proven(&DOC, Severity::Info, subject.server, &subject.label, "/inputSchema/properties");
        finding.saying(
            format!("of {all} parameters {unexplained} are optional and have no description"),
            "any of them may matter",
            "describe those that are needed, and take the others out, or gather them in one object",
        )
    })
}
