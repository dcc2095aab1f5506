//! The same definition twice.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde_json::Value;

use super::super::{Lint, Rule, Subject};
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct DuplicateDefinitions;

static DOC: Doc = Doc {
    name: "duplicate-definitions",
    what: "tools whose description and schema are the same, word for word",
    why: "Nothing that an agent reads tells them apart, so it stays with one of them, and never asks the other \
          database, account or region.",
    severity: "error where one server lists one definition twice; warning across servers, and for two names in one server",
    examples: &[
        Example {
            about: "one server mounted for two databases",
            expected: Expected::Finding(Severity::Warning, "/description"),
            input: r#"{"servers": {
 "hr": [{"name": "query", "description": "Runs a query on the database.", "inputSchema": {"type": "object"}}],
 "stock": [{"name": "query", "description": "Runs a query on the database.", "inputSchema": {"type": "object"}}]}}"#,
        },
        Example {
            about: "each says what is its own",
            expected: Expected::Silence,
            input: r#"{"servers": {
 "hr": [{"name": "query", "description": "Runs a query on the people database.", "inputSchema": {"type": "object"}}],
 "stock": [{"name": "query", "description": "Runs a query on the parts database.", "inputSchema": {"type": "object"}}]}}"#,
        },
        Example {
            about: "replicas that say so",
            expected: Expected::Silence,
            input: r#"{"servers": {
 "a": [{"name": "query", "description": "Runs a query. The servers a and b are replicas.", "inputSchema": {"type": "object"}}],
 "b": [{"name": "query", "description": "Runs a query. The servers a and b are replicas.", "inputSchema": {"type": "object"}}]}}"#,
        },
        Example {
            about: "one server that lists a tool twice",
            expected: Expected::Finding(Severity::Error, ""),
            input: r#"{"name": "query", "description": "Runs a query on the database.", "inputSchema": {"type": "object"}},
 {"name": "query", "description": "Runs a query on the database.", "inputSchema": {"type": "object"}}"#,
        },
    ],
};

impl Rule for DuplicateDefinitions {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn depends(&self) -> bool {
        true
    }

    fn compare(&self, lint: &Lint<'_>, findings: &mut Vec<Finding>) {
        // Few descriptions are there twice, and only beside those a schema is worth reading.
        let mut times: HashMap<&str, usize> = HashMap::new();
        for tool in lint.sets.iter().flat_map(|set| &set.tools) {
            *times.entry(tool.description()).or_default() += 1;
        }
        let mut seen: HashMap<(&str, Option<&Value>), &Subject<'_>> = HashMap::new();
        let is_alone = |subject: &Subject<'_>| times.get(subject.tool.description()) == Some(&1);
        for subject in lint.subjects().filter(|subject| !is_alone(subject)) {
            match seen.entry((subject.tool.description(), subject.tool.input_schema())) {
                Entry::Vacant(new) => {
                    new.insert(subject);
                }
                Entry::Occupied(first) if says_something(subject) => {
                    let finding = duplicate(first.get(), subject);
                    findings.extend(
                        finding.map(|finding| Finding { definition: Some(subject.index), ..finding }),
                    );
                }
                Entry::Occupied(_) => {}
            }
        }
    }
}

/// Whether there is a text that could tell a tool from others; what has none is another rule's.
fn says_something(subject: &Subject<'_>) -> bool {
    const FEWEST: usize = 3;
    /// Words of those who mean it.
    const MEANT: &str = "alias deprecated identical interchangeable mirror mirrors replica replicas synonym";
    let words = subject.said.words();
    words.len() >= FEWEST && !words.iter().any(|word| one_of!(word, MEANT))
}

fn duplicate(first: &Subject<'_>, second: &Subject<'_>) -> Option<Finding> {
    let (server, label) = (second.server, second.label.as_str());
    let (same_server, same_name) = (first.server == server, first.tool.name() == second.tool.name());
    let name_what = "say in each description what only this one works on";
    if same_server && same_name {
        // Those that differ in something else are a collision of names.
        return (first.tool == second.tool).then(|| {
            Finding::proven(&DOC, Severity::Error, server, label, "").saying(
                format!("the server lists `{label}` twice, with the same definition"),
                "there are two tools, and they differ in something",
                "list it once",
            )
        });
    }
    let other = if same_server {
        format!("`{}`", first.label)
    } else {
        format!("`{}` of {}", first.label, first.server)
    };
    let what = format!("description and schema are those of {other}, word for word");
    let finding = Finding::proven(&DOC, Severity::Warning, server, label, "/description");
    Some(finding.saying(what, "it does not matter which of the two is called", name_what).with_evidence(
        format!(
            "{:?}",
            crate::report::shorten(
                second.tool.raw().get("description").and_then(Value::as_str).unwrap_or_default(),
                120
            )
        ),
    ))
}
