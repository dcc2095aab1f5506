//! Several tools in one.

use super::super::effect::{Choice, Effect, choices};
use super::super::{Rule, Subject};
use crate::report::shorten;
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct ModeSwitch;

static DOC: Doc = Doc {
    name: "mode-switch",
    what: "one tool whose `action` decides whether it reads, or changes and destroys",
    why: "Hints and approvals go by the tool, so reading needs the leave that deleting needs, or deleting gets the one of \
          reading. Which parameters belong to which action only prose can say.",
    severity: "warning",
    examples: &[
        Example {
            about: "many, or one of them",
            expected: Expected::Finding(Severity::Warning, "/inputSchema/properties/action"),
            input: r#"{"name": "orders", "description": "Orders of the shop.", "inputSchema": {"type": "object",
 "properties": {"action": {"enum": ["list", "get"]}, "id": {"type": "string"}}}}"#,
        },
        Example {
            about: "how a search goes",
            expected: Expected::Silence,
            input: r#"{"name": "orders", "description": "Orders of the shop.", "inputSchema": {"type": "object",
 "properties": {"mode": {"enum": ["search", "semantic"]}, "method": {"enum": ["GET", "POST", "DELETE"]}}}}"#,
        },
        Example {
            about: "reads or deletes",
            expected: Expected::Finding(Severity::Warning, "/inputSchema/properties/action"),
            input: r#"{"name": "environment", "description": "Manage environments.", "inputSchema": {"type": "object",
 "properties": {"action": {"type": "string", "enum": ["get", "create", "delete"]}}}}"#,
        },
        Example {
            about: "how much comes back",
            expected: Expected::Silence,
            input: r#"{"name": "get_environment", "description": "Gets an environment.", "inputSchema": {"type": "object",
 "properties": {"mode": {"type": "string", "enum": ["short", "full"]}}}}"#,
        },
        Example {
            about: "only changes",
            expected: Expected::Silence,
            input: r#"{"name": "label", "description": "Changes labels.", "inputSchema": {"type": "object",
 "properties": {"action": {"type": "string", "enum": ["add", "remove"]}}}}"#,
        },
    ],
};

impl Rule for ModeSwitch {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        findings.extend(look(subject));
    }
}

fn look(subject: &Subject<'_>) -> Option<Finding> {
    let choices = choices(subject);
    choices
        .iter()
        .find_map(|choice| safety(subject, choice))
        .or_else(|| choices.iter().find_map(|choice| shape(subject, choice)))
}

/// One choice reads, and another does not.
fn safety(subject: &Subject<'_>, choice: &Choice<'_>) -> Option<Finding> {
    let reads = choice.reading.first()?;
    let (worst, _) = *choice
        .changing
        .iter()
        .rev()
        .max_by_key(|(_, effect)| *effect)
        .filter(|(_, effect)| *effect > Effect::Makes || choice.changing.len() > 1)?;
    let finding = Finding::suspected(&DOC, subject.server, &subject.label, choice.pointer.as_str());
    Some(finding.saying(
        format!(
            "`{}` can be {:?}, which reads, or {:?}, which does not",
            choice.parameter,
            shorten(reads, 40),
            shorten(worst, 40)
        ),
        "whoever allows the one allows the other",
        "make a tool of each, at least one that only reads",
    ))
}

/// One choice gives back many things, and another one or a number.
fn shape(subject: &Subject<'_>, choice: &Choice<'_>) -> Option<Finding> {
    let (many, one) = choice.shapes()?;
    let finding = Finding::suspected(&DOC, subject.server, &subject.label, choice.pointer.as_str());
    Some(finding.saying(
        format!(
            "`{}` can be {:?} or {:?}, and what comes back has another shape for each",
            choice.parameter,
            shorten(many, 40),
            shorten(one, 40)
        ),
        "one kind of answer, with one set of arguments that belong to it",
        "make a tool of each, with the arguments that it needs",
    ))
}
