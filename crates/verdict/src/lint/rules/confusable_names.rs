//! Names that are easily taken for one another, and names that say too little.

use std::collections::HashMap;

use super::super::action::singular;
use super::super::{Lint, Prefix, Rule, Subject, prose};
use crate::{Doc, Example, Expected, Finding};

mod slip;

/// See [`DOC`].
pub(super) struct ConfusableNames;

static DOC: Doc = Doc {
    name: "confusable-names",
    what: "two tools of one server whose names are made of the same words, plurals and punctuation apart, or one \
           slip apart, that do not name each other; or a name that is a verb alone",
    why: "The name is what an agent writes. A bare `search` beside ten other servers says nothing of what is searched, \
          and of `get_issue` and `get_issues` it writes the one that it remembers.",
    severity: "warning",
    examples: &[
        Example {
            about: "search, of what?",
            expected: Expected::Finding(crate::Severity::Warning, "/name"),
            input: r#"{"name": "search", "description": "Finds orders by customer.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "a verb with its object",
            expected: Expected::Silence,
            input: r#"{"name": "search_orders", "description": "Finds orders by customer.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "the order of words",
            expected: Expected::Finding(crate::Severity::Warning, "/name"),
            input: r#"{"name": "report_order", "description": "Reports an order to the team.", "inputSchema": {"type": "object"}},
 {"name": "order_report", "description": "Asks for the yearly figures.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "one letter",
            expected: Expected::Finding(crate::Severity::Warning, "/name"),
            input: r#"{"name": "list_notes", "description": "Lists what was written down.", "inputSchema": {"type": "object"}},
 {"name": "list_nodes", "description": "Lists the machines.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "opposites, versions and letters that count",
            expected: Expected::Silence,
            input: r#"{"name": "get_order", "description": "Gets an order.", "inputSchema": {"type": "object"}},
 {"name": "set_order", "description": "Puts things in order.", "inputSchema": {"type": "object"}},
 {"name": "book_a", "description": "Books the first room.", "inputSchema": {"type": "object"}},
 {"name": "book_b", "description": "Books the second room.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "a plural, and each says when to use the other",
            expected: Expected::Silence,
            input: r#"{"name": "get_order", "description": "Gets one order; for all of a customer use get_orders.", "inputSchema": {"type": "object"}},
 {"name": "get_orders", "description": "Gets the orders of a customer; for one use get_order.", "inputSchema": {"type": "object"}}"#,
        },
    ],
};

impl Rule for ConfusableNames {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn compare(&self, lint: &Lint<'_>, findings: &mut Vec<Finding>) {
        let is_qualified =
            matches!(&lint.audience.prefix, Prefix::Template(text) if text.contains("{server}"));
        for (_, tools) in lint.by_set() {
            let mut seen: HashMap<Vec<String>, &Subject<'_>> = HashMap::new();
            let names: Vec<_> = tools.iter().map(Subject::name_words).collect();
            let slips = slip::slips(&names);
            for (at, subject) in tools.iter().enumerate() {
                if !is_qualified {
                    findings.extend(bare(subject));
                }
                let mut key = singular_words(subject);
                key.sort_unstable();
                if let Some(near) = slips.get(&at) {
                    findings.extend(alike(&tools[*near], subject, "one slip apart"));
                }
                match seen.get(&key) {
                    _ if key.len() < 2 => {}
                    Some(other) => findings.extend(alike(other, subject, "made of the same words")),
                    None => {
                        seen.insert(key, subject);
                    }
                }
            }
        }
    }
}

/// The words of a name, without their plurals.
fn singular_words(subject: &Subject<'_>) -> Vec<String> {
    subject.name_words().iter().map(|word| singular(word)).collect()
}

/// A name that is a verb without an object.
fn bare(subject: &Subject<'_>) -> Option<Finding> {
    let [word] = subject.name_words() else { return None };
    // Verbs that do not even say what becomes of their object.
    let is_verb = one_of!(word, "do handle invoke manage perform process")
        || subject.action().is_some_and(|action| action.object.is_empty());
    is_verb.then(|| {
        Finding::suspected(&DOC, subject.server, &subject.label, "/name").saying(
            format!("the name `{}` does not say what the tool works on", subject.label),
            "this works on whatever is being talked about",
            format!("name the object too: `{word}_` and what it works on"),
        )
    })
}

/// Two names with the same words, plurals apart, or with a letter changed.
fn alike(first: &Subject<'_>, second: &Subject<'_>, how: &str) -> Option<Finding> {
    let (one, other) = (first.tool.name(), second.tool.name());
    let names_it = |subject: &Subject<'_>, name: &str| prose::names(subject.tool.description(), name);
    // One and many of a kind, told apart by what they ask for.
    let is_plural =
        singular_words(first) == singular_words(second) && !first.tool.required().eq(second.tool.required());
    if one == other || is_plural || names_it(first, other) || names_it(second, one) {
        return None;
    }
    let finding = Finding::suspected(&DOC, second.server, &second.label, "/name");
    Some(finding.saying(
        format!("the names `{}` and `{}` are {how}", first.label, second.label),
        "either of the two will do",
        "rename one after what it does differently, or say in each description when to use the other",
    ))
}
