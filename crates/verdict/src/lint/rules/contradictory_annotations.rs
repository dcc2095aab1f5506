//! Annotations that cannot both hold.

use super::super::{Rule, Subject};
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct ContradictoryAnnotations;

static DOC: Doc = Doc {
    name: "contradictory-annotations",
    what: "a tool that is annotated as read-only and as destructive",
    why: "One client goes by the first hint and asks nobody, the other goes by the second and asks each time.",
    severity: "warning",
    examples: &[
        Example {
            about: "both at once",
            expected: Expected::Finding(Severity::Warning, "/annotations/destructiveHint"),
            input: r#"{"name": "rebuild", "description": "Rebuilds the index.", "inputSchema": {"type": "object"},
 "annotations": {"readOnlyHint": true, "destructiveHint": true}}"#,
        },
        Example {
            about: "read-only; what is destructive by default does not count then",
            expected: Expected::Silence,
            input: r#"{"name": "read_index", "description": "Reads the index.", "inputSchema": {"type": "object"},
 "annotations": {"readOnlyHint": true}}"#,
        },
    ],
};

impl Rule for ContradictoryAnnotations {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        let holds = |hint| subject.tool.annotation(hint) == Some(true);
        if holds("readOnlyHint") && holds("destructiveHint") {
            let at = "/annotations/destructiveHint";
            let finding = Finding::proven(&DOC, Severity::Warning, subject.server, &subject.label, at);
            findings.push(finding.saying(
                "the tool is annotated as read-only and as destructive",
                "it changes nothing, and it destroys something",
                "leave out the hint that is wrong",
            ));
        }
    }
}
