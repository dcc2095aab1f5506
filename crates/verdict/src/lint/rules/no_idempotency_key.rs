//! A write that cannot be repeated safely, beside one that can.

use super::super::action::Verb;
use super::super::{Lint, Rule, Subject};
use crate::names::normalise;
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct NoIdempotencyKey;

static DOC: Doc = Doc {
    name: "no-idempotency-key",
    what: "a tool that creates, sends or pays without an idempotency key, beside others of the same server that have one",
    why: "After a time-out an agent tries again. With a key the second try changes nothing; without one there are two orders.",
    severity: "warning",
    examples: &[
        Example {
            about: "the order has one, the refund has not",
            expected: Expected::Finding(Severity::Warning, "/inputSchema"),
            input: r#"{"name": "create_order", "description": "Creates an order.", "inputSchema": {"type": "object", "properties": {"idempotency_key": {"type": "string"}}}},
 {"name": "create_refund", "description": "Creates a refund.", "inputSchema": {"type": "object", "properties": {"order": {"type": "string"}}}}"#,
        },
        Example {
            about: "idempotent by annotation, and by nature",
            expected: Expected::Silence,
            input: r#"{"name": "create_order", "description": "Creates an order.", "inputSchema": {"type": "object", "properties": {"idempotency_key": {"type": "string"}}}},
 {"name": "create_folder", "description": "Creates a folder.", "inputSchema": {"type": "object"}, "annotations": {"idempotentHint": true}},
 {"name": "delete_order", "description": "Deletes an order.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "a server that knows no keys",
            expected: Expected::Silence,
            input: r#"{"name": "create_order", "description": "Creates an order.", "inputSchema": {"type": "object"}}"#,
        },
    ],
};

/// How many tools without a key one with it may speak for.
const MOST_WITHOUT: usize = 3;

impl Rule for NoIdempotencyKey {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn compare(&self, lint: &Lint<'_>, findings: &mut Vec<Finding>) {
        for (_, subjects) in lint.by_set() {
            let (with, without): (Vec<&Subject<'_>>, Vec<_>) = subjects
                .iter()
                .filter(|subject| repeats_matter(subject))
                .partition(|subject| key(subject).is_some());
            // One of many that has a key is the odd one out, and not those that have none.
            if with.len() * MOST_WITHOUT < without.len() {
                continue;
            }
            let Some((with, key_name)) = with.first().and_then(|with| Some((with, key(with)?))) else {
                continue;
            };
            for subject in without {
                let finding = Finding::suspected(&DOC, subject.server, &subject.label, "/inputSchema");
                findings.push(finding.saying(
                    format!("`{}` has `{key_name}`, and this tool has nothing like it", with.label),
                    "a call that timed out can be made again without harm",
                    format!(
                        "add `{key_name}`, or `idempotentHint: true` where a repeated call changes nothing"
                    ),
                ));
            }
        }
    }
}

/// The parameter that makes a repeated call harmless.
fn key(subject: &Subject<'_>) -> Option<String> {
    const KEYS: &[&str] = &[
        "clienttoken", "clientrequestid", "dedupkey", "deduplicationid", "idempotencykey", "idempotencytoken",
    ];
    let found =
        subject.parameters().iter().find(|parameter| KEYS.contains(&normalise(parameter.name).as_str()));
    found.map(|parameter| parameter.name.to_owned())
}

fn repeats_matter(subject: &Subject<'_>) -> bool {
    let is_harmless =
        ["idempotentHint", "readOnlyHint"].iter().any(|hint| subject.tool.annotation(hint) == Some(true));
    let words = subject.name_words();
    let pays = words.first().is_some_and(|word| one_of!(word, "charge pay refund transfer"));
    let makes = subject.action().is_some_and(|action| matches!(action.verb, Verb::Create | Verb::Send));
    !is_harmless && (pays || makes)
}
