//! A path that does not say where it begins.

use super::super::parameters::Parameter;
use super::super::prose::{Text, WordList};
use super::super::{Rule, Subject};
use crate::report::shorten;
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct AmbiguousPath;

static DOC: Doc = Doc {
    name: "ambiguous-path",
    what: "a parameter for a path of the file system that does not say relative to what, nor shows one",
    why: "The agent thinks in paths of its own workspace, and the server in its own working directory: the file is not \
          found, or another one is.",
    severity: "warning",
    examples: &[
        Example {
            about: "relative to what?",
            expected: Expected::Finding(Severity::Warning, "/inputSchema/properties/path"),
            input: r#"{"name": "read_file", "description": "Reads a file.", "inputSchema": {"type": "object",
 "properties": {"path": {"type": "string", "description": "Path of the file."}}}}"#,
        },
        Example {
            about: "a file, as the tool's own name says",
            expected: Expected::Finding(Severity::Warning, "/inputSchema/properties/path"),
            input: r#"{"name": "read_file", "description": "Read/write access to one of them.", "inputSchema": {"type": "object",
 "properties": {"path": {"type": "string", "description": "Which one."}}}}"#,
        },
        Example {
            about: "from the root of the repository",
            expected: Expected::Silence,
            input: r#"{"name": "read_file", "description": "Reads a file.", "inputSchema": {"type": "object",
 "properties": {"path": {"type": "string", "description": "Path of the file, relative to the repository's root."}}}}"#,
        },
        Example {
            about: "a path within a document",
            expected: Expected::Silence,
            input: r#"{"name": "get_value", "description": "Gets a value of a document.", "inputSchema": {"type": "object",
 "properties": {"path": {"type": "string", "description": "JSONPath of the value."}}}}"#,
        },
    ],
};

impl Rule for AmbiguousPath {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        let mut ambiguous =
            subject.parameters().iter().filter(|parameter| is_ambiguous(parameter, subject)).peekable();
        if ambiguous.peek().is_none() || says_where(&subject.said) {
            return;
        }
        for parameter in ambiguous {
            let at = parameter.pointer.as_str();
            let finding = Finding::suspected(&DOC, subject.server, &subject.label, at).saying(
                format!("nothing says where the path in `{}` begins", shorten(parameter.name, 60)),
                "a path as the agent knows it, from its own workspace",
                "say \"absolute\", or relative to what, with an example",
            );
            findings.push(finding.with_evidence(format!("{:?}", shorten(parameter.description(), 120))));
        }
    }
}

fn is_ambiguous(parameter: &Parameter<'_>, subject: &Subject<'_>) -> bool {
    let words_of_name = parameter.words();
    let Some(head) = words_of_name.last().map(String::as_str) else { return false };
    let is_path =
        one_of!(head, "path filepath folderpath") || (head == "directory" && words_of_name.len() > 1);
    if !is_path {
        return false;
    }
    let is_file = |word: &str| {
        one_of!(
            word,
            "file files filepath folder folders directory directories dir image screenshot pdf video",
        )
    };
    let names_a_file = parameter.said.words().iter().any(|word| is_file(word))
        || words_of_name.iter().chain(subject.name_words()).any(|word| is_file(word));
    let is_free = parameter.is_text()
        && parameter.choices().is_empty()
        && !["format", "pattern", "examples", "default"].iter().any(|keyword| parameter.states(keyword));
    names_a_file && is_free && !says_where(&parameter.said)
}

/// Whether a text says where paths begin, or shows one.
fn says_where(said: &Text<'_>) -> bool {
    static WHERE: WordList = WordList::new(
        "absolute relative root workspace cwd repository repo sandbox allowed bucket vault url uri xpath jsonpath jmespath \
        glob remote container pod",
    );
    let text = said.as_str();
    let shows = text.split_ascii_whitespace().any(|word| {
        let word = word.trim_matches(['"', '\'', '`', '(', ')', ',', '.']);
        // `src/main.rs`, `/tmp`, `~/notes`, `a/b/c`, and not `read/write`.
        let is_path =
            word.starts_with(['/', '.', '~']) || word.contains('.') || word.matches('/').count() > 1;
        word.contains('/') && word.len() > 2 && is_path
    });
    shows || text.contains('\\') || said.words().iter().any(|word| WHERE.has(word)) || is_in_a_folder(said)
}

/// `in the working directory`, `in a workbook folder`, `located like …`
fn is_in_a_folder(said: &Text<'_>) -> bool {
    let words = said.words();
    words.iter().any(|word| word == "located")
        || words.windows(4).any(|window| {
            one_of!(&window[0], "in under within")
                && window[1..].iter().any(|word| one_of!(word, "directory folder folders"))
        })
}
