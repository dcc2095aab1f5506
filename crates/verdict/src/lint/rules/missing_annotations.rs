//! A tool that changes something and does not say so to the host.

use super::super::action::Verb;
use super::super::effect::Effect;
use super::super::{Rule, Subject};
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct MissingAnnotations;

static DOC: Doc = Doc {
    name: "missing-annotations",
    what: "a tool that changes, deletes or sends something, or only reads, and has no hint that says so",
    why: "Without hints every tool counts as destructive. A host that asks each time trains people to agree, and one that \
          does not ask lets the deletion pass with the reading.",
    severity: "warning for a tool that by its name changes, deletes or sends; information for one that only reads",
    examples: &[
        Example {
            about: "deletes, without a word to the host",
            expected: Expected::Finding(Severity::Warning, ""),
            input: r#"{"name": "delete_records", "description": "Deletes records.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "deletes, as only the description says",
            expected: Expected::Finding(Severity::Warning, ""),
            input: r#"{"name": "housekeeping", "description": "Deletes all expired rows.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "deletes nothing",
            expected: Expected::Silence,
            input: r#"{"name": "housekeeping", "description": "Counts all rows that have expired.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "says so",
            expected: Expected::Silence,
            input: r#"{"name": "delete_records", "description": "Deletes records.", "inputSchema": {"type": "object"},
 "annotations": {"destructiveHint": true}}"#,
        },
        Example {
            about: "only reads",
            expected: Expected::Finding(Severity::Info, ""),
            input: r#"{"name": "get_apps", "description": "Gets the apps.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "read-only; whether it is destructive means nothing then",
            expected: Expected::Silence,
            input: r#"{"name": "get_apps", "description": "Gets the apps.", "inputSchema": {"type": "object"},
 "annotations": {"readOnlyHint": true}}"#,
        },
    ],
};

impl Rule for MissingAnnotations {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        findings.extend(look(subject));
    }
}

fn look(subject: &Subject<'_>) -> Option<Finding> {
    let is_stated = |hint| subject.tool.annotation(hint).is_some();
    let is_silent = !is_stated("readOnlyHint") && !is_stated("destructiveHint");
    let finding = Finding::suspected(&DOC, subject.server, &subject.label, "");
    let Some(action) = subject.action() else {
        // A name that says nothing: the description may.
        Effect::of_prose(subject).filter(|effect| is_silent && *effect >= Effect::Changes)?;
        return Some(writes(finding, "description"));
    };
    match Effect::of_name(subject) {
        Some(_) if is_silent => Some(writes(finding, &format!("name (`{}`)", action.word))),
        None if matches!(action.verb, Verb::Get | Verb::List | Verb::Search)
            && !one_of!(&action.word, "download load open query")
            && Effect::besides(subject).is_none()
            && Effect::of_prose(subject).is_none()
            && !is_stated("readOnlyHint") =>
        {
            let finding = Finding { severity: Severity::Info, ..finding };
            Some(finding.saying(
                "by its name the tool only reads, and `readOnlyHint` does not say so",
                "it may destroy something: that is what no hint means",
                "add `annotations` with `readOnlyHint: true`",
            ))
        }
        _ => None,
    }
}

fn writes(finding: Finding, by: &str) -> Finding {
    finding.saying(
        format!("by its {by} the tool does more than read, and no annotation says so"),
        "a host cannot tell this tool from one that only reads",
        "add `annotations` with `destructiveHint`, true or false",
    )
}
