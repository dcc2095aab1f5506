//! A description that says hardly more than the name.

use super::super::prose::WordList;
use super::super::{Rule, Subject};
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct VagueDescription;

static DOC: Doc = Doc {
    name: "vague-description",
    what: "a tool's description that adds only words to the name that fit any tool: data, information, manage, various",
    why: "It reads like an answer and gives none: neither what comes back nor when to use the tool.",
    severity: "warning",
    examples: &[
        Example {
            about: "data",
            expected: Expected::Finding(Severity::Warning, "/description"),
            input: r#"{"name": "get_account", "description": "Gets various account data and information.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "as short, and specific",
            expected: Expected::Silence,
            input: r#"{"name": "get_account", "description": "Gets balance, currency and owner.", "inputSchema": {"type": "object"}}"#,
        },
    ],
};

impl Rule for VagueDescription {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        if !is_vague(subject) {
            return;
        }
        let finding = Finding::suspected(&DOC, subject.server, &subject.label, "/description").saying(
            "the description adds nothing to the name that would not fit any tool",
            format!("whatever the name `{}` suggests", subject.label),
            "say what comes back, when to use the tool, and when to use another",
        );
        findings.push(finding.with_evidence(format!("{:?}", subject.tool.description())));
    }
}

fn is_vague(subject: &Subject<'_>) -> bool {
    /// Words that carry a sentence.
    static LITTLE: WordList = WordList::new(
        "a about all an and any are as at be by can for from given in into is it its of on or our some \
        specified that the their this to used using via with your",
    );
    /// Words that fit any tool.
    static ANY: WordList = WordList::new(
        "data detail details different do does everything function functionality get gets handle handles \
        help helper helpers helps info information manage manages operation operations other perform performs provide \
        provides related result results retrieve retrieves return returns stuff thing things tool tools useful utility \
        various work works",
    );
    let name = subject.name_words();
    let repeats = |word: &str| {
        name.iter().any(|part| {
            part == word || word.strip_suffix('s') == Some(part) || part.strip_suffix('s') == Some(word)
        })
    };
    let mut adds = false;
    for word in subject.said.words() {
        let word = &**word;
        if !repeats(word) && !LITTLE.has(word) {
            if !ANY.has(word) {
                return false;
            }
            // A mere `Get the …` is the name said again, which is another rule's.
            adds |= !one_of!(word, "function get gets retrieve retrieves return returns tool");
        }
    }
    adds && subject.said.is_english()
}
