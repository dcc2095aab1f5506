//! A hint that the rest of the definition contradicts.

use super::super::action::Verb;
use super::super::effect::{Effect, choices};
use super::super::prose::has_phrase;
use super::super::{Rule, Subject};
use crate::report::shorten;
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct FalseAnnotation;

static DOC: Doc = Doc {
    name: "false-annotation",
    what: "`readOnlyHint: true` or `destructiveHint: false` on a tool that by its own words changes or destroys something",
    why: "Hosts go by the hints: what is read-only or not destructive runs without asking anybody.",
    severity: "error where name and description both say otherwise with a word for what is stored (delete, update, send), or \
               the choices of an action do; else warning; information where a tool that only reads says that it does not",
    examples: &[
        Example {
            about: "writes over what was there",
            expected: Expected::Finding(Severity::Warning, "/annotations/destructiveHint"),
            input: r#"{"name": "edit_page", "description": "Replaces the body of a page.", "inputSchema": {"type": "object"},
 "annotations": {"readOnlyHint": false, "destructiveHint": false}}"#,
        },
        Example {
            about: "only adds",
            expected: Expected::Silence,
            input: r#"{"name": "add_comment", "description": "Adds a comment to a page; replaces nothing.", "inputSchema": {"type": "object"},
 "annotations": {"readOnlyHint": false, "destructiveHint": false}}"#,
        },
        Example {
            about: "reads, and deletes",
            expected: Expected::Finding(Severity::Warning, "/annotations/readOnlyHint"),
            input: r#"{"name": "get_message", "description": "Gets a message and deletes it.", "inputSchema": {"type": "object"},
 "annotations": {"readOnlyHint": true}}"#,
        },
        Example {
            about: "adds again with each call",
            expected: Expected::Finding(Severity::Warning, "/annotations/idempotentHint"),
            input: r#"{"name": "append_note", "description": "Appends to a note.", "inputSchema": {"type": "object"},
 "annotations": {"readOnlyHint": false, "destructiveHint": false, "idempotentHint": true}}"#,
        },
        Example {
            about: "only reads, and does not say so",
            expected: Expected::Finding(Severity::Info, "/annotations/readOnlyHint"),
            input: r#"{"name": "list_notes", "description": "Lists the notes.", "inputSchema": {"type": "object"},
 "annotations": {"readOnlyHint": false}}"#,
        },
        Example {
            about: "deletes, and is said not to be destructive",
            expected: Expected::Finding(Severity::Error, "/annotations/destructiveHint"),
            input: r#"{"name": "delete_label", "description": "Permanently delete a label.", "inputSchema": {"type": "object"},
 "annotations": {"readOnlyHint": false, "destructiveHint": false}}"#,
        },
        Example {
            about: "the same, annotated as it is",
            expected: Expected::Silence,
            input: r#"{"name": "delete_label", "description": "Permanently delete a label.", "inputSchema": {"type": "object"},
 "annotations": {"readOnlyHint": false, "destructiveHint": true}}"#,
        },
        Example {
            about: "a state that is called deleted",
            expected: Expected::Silence,
            input: r#"{"name": "list_deleted_labels", "description": "Lists labels that were deleted. Does not delete anything.", "inputSchema": {"type": "object"},
 "annotations": {"readOnlyHint": true, "destructiveHint": false}}"#,
        },
        Example {
            about: "annotated by the mildest of its actions",
            expected: Expected::Finding(Severity::Error, "/annotations/readOnlyHint"),
            input: r#"{"name": "environment", "description": "Manage environments.", "inputSchema": {"type": "object",
 "properties": {"action": {"type": "string", "enum": ["get", "create", "delete"]}}}, "annotations": {"readOnlyHint": true}}"#,
        },
        Example {
            about: "actions that only add",
            expected: Expected::Silence,
            input: r#"{"name": "environment", "description": "Manage environments.", "inputSchema": {"type": "object",
 "properties": {"action": {"type": "string", "enum": ["get", "create"]}}}, "annotations": {"readOnlyHint": false, "destructiveHint": false}}"#,
        },
        Example {
            about: "what is added are numbers",
            expected: Expected::Silence,
            input: r#"{"name": "calculator", "description": "Works with numbers.", "inputSchema": {"type": "object",
 "properties": {"operation": {"type": "string", "enum": ["add", "subtract"]}}}, "annotations": {"readOnlyHint": true}}"#,
        },
        Example {
            about: "what is replaced is a text in the call",
            expected: Expected::Finding(Severity::Warning, "/annotations/readOnlyHint"),
            input: r#"{"name": "replace_text", "description": "Replaces words in the given text.", "inputSchema": {"type": "object"},
 "annotations": {"readOnlyHint": true}}"#,
        },
        Example {
            about: "deletes, and there is a way back",
            expected: Expected::Finding(Severity::Warning, "/annotations/destructiveHint"),
            input: r#"{"name": "delete_page", "description": "Deletes a page; it can be restored for 30 days.", "inputSchema": {"type": "object"},
 "annotations": {"readOnlyHint": false, "destructiveHint": false}}"#,
        },
        Example {
            about: "only the name says that it sends",
            expected: Expected::Finding(Severity::Warning, "/annotations/readOnlyHint"),
            input: r#"{"name": "send_report", "description": "Weekly figures for the team.", "inputSchema": {"type": "object"},
 "annotations": {"readOnlyHint": true}}"#,
        },
    ],
};

impl Rule for FalseAnnotation {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        let hints = [
            ("readOnlyHint", true, Effect::Changes, "is read-only"),
            ("destructiveHint", false, Effect::Destroys, "destroys nothing"),
        ];
        for (hint, value, least, claim) in hints {
            if subject.tool.annotation(hint) == Some(value) {
                findings.extend(contradicted(subject, hint, least, claim));
            }
        }
        findings.extend(repeated(subject));
        findings.extend(worse_than_it_is(subject));
    }
}

/// Each call adds one more, says the description, and the hint says that calling twice is calling once.
fn repeated(subject: &Subject<'_>) -> Option<Finding> {
    const TIMES: &[&[&str]] = &[&["each", "call"], &["each", "time"], &["every", "call"], &["every", "time"]];
    let words = subject.said.words();
    let adds = subject.name_words().iter().any(|word| one_of!(word, "append increment push"))
        || (TIMES.iter().any(|phrase| has_phrase(words, phrase))
            && words.iter().any(|word| one_of!(word, "add adds another append appends create creates new")));
    if subject.tool.annotation("idempotentHint") != Some(true)
        || !adds
        || subject.tool.annotation("readOnlyHint") == Some(true)
    {
        return None;
    }
    let finding = Finding::suspected(&DOC, subject.server, &subject.label, "/annotations/idempotentHint");
    Some(finding.saying(
        "`idempotentHint` says that a repeated call changes nothing more, and name or description say that it adds again",
        "it may be called again after a time-out",
        "correct `idempotentHint`, or take a key by which a repeated call is known",
    ))
}

/// A tool that reads, by its name, and by its hints does not.
fn worse_than_it_is(subject: &Subject<'_>) -> Option<Finding> {
    let action = subject.action()?;
    let reads = matches!(action.verb, Verb::Get | Verb::List | Verb::Search)
        && one_of!(&action.word, "describe find get inspect list retrieve search show view")
        && Effect::of_prose(subject).is_none()
        && Effect::besides(subject).is_none()
        && !subject.name_words().iter().any(|word| Effect::of(word).is_some());
    if !reads || subject.tool.annotation("readOnlyHint") != Some(false) {
        return None;
    }
    let finding = Finding::suspected(&DOC, subject.server, &subject.label, "/annotations/readOnlyHint");
    Some(Finding { severity: Severity::Info, ..finding }.saying(
        "by its name the tool only reads, and `readOnlyHint` is false",
        "it may change something, so each call is asked about",
        "set `readOnlyHint: true`, or say in the description what it changes",
    ))
}

fn contradicted(subject: &Subject<'_>, hint: &str, least: Effect, claim: &str) -> Option<Finding> {
    let at = format!("/annotations/{hint}");
    let proven = || Finding::proven(&DOC, Severity::Error, subject.server, &subject.label, at.as_str());
    let suspected = || Finding::suspected(&DOC, subject.server, &subject.label, at.as_str());
    let says = |finding: Finding, what: String| {
        let next = format!("correct `{hint}`, or the words that say otherwise");
        finding.saying(what, format!("the tool {claim}, so it may run without asking"), next)
    };
    // Any choice that makes something is against read-only.
    let from = if hint == "readOnlyHint" { Effect::Makes } else { least };
    // Beside choices that read, `add` and `replace` are said of what is stored, and not of numbers or a text.
    let choice = choices(subject).into_iter().find_map(|choice| {
        let from = if choice.reading.is_empty() { Effect::Destroys } else { from };
        let (value, _) = *choice.changing.iter().find(|(_, effect)| *effect >= from)?;
        Some((choice.parameter, value))
    });
    if let Some((parameter, value)) = choice {
        let what =
            format!("`{hint}` says that the tool {claim}, and `{parameter}` can be {:?}", shorten(value, 40));
        return Some(says(proven(), what));
    }
    let [name, prose] = [Effect::of_name(subject), Effect::of_prose(subject)]
        .map(|effect| effect.filter(|effect| *effect >= least));
    let both = format!("`{hint}` says that the tool {claim}, and name and description say otherwise");
    match (name, prose) {
        (Some(_), Some(_)) if Effect::is_plain(subject) && !can_be_undone(subject) => {
            Some(says(proven(), both))
        }
        (Some(_), Some(_)) => Some(says(suspected(), both)),
        (None, None) => {
            let also = match hint {
                "destructiveHint" => {
                    Effect::replaces(subject).then_some("something is taken away or written over")
                }
                _ => Effect::besides(subject).map(|_| "it does more than read"),
            };
            let what =
                format!("`{hint}` says that the tool {claim}, and by its name or description {}", also?);
            Some(says(suspected(), what))
        }
        (name, _) => {
            let who = if name.is_some() { "name" } else { "description" };
            let what = format!("`{hint}` says that the tool {claim}, and its {who} says otherwise");
            Some(says(suspected(), what))
        }
    }
}

/// Whether the description says that there is a way back, so that `destroys` is a matter of view.
fn can_be_undone(subject: &Subject<'_>) -> bool {
    const WAYS_BACK: &str = "archive archived bin recover recoverable recovered recycle restorable restore restored reversible soft trash undo undone";
    subject.said.words().iter().any(|word| one_of!(word, WAYS_BACK))
}
