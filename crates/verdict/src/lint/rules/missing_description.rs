//! A tool or a parameter without a description.

use std::collections::HashSet;

use serde_json::Value;

use super::super::parameters::Parameter;
use super::super::{Rule, Subject};
use crate::names::normalise;
use crate::schema;
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct MissingDescription;

static DOC: Doc = Doc {
    name: "missing-description",
    what: "a tool or a parameter without a description, or with one that only repeats its name",
    why: "The description is all that an agent has to go by. Without one it guesses from the name: which tool is \
          meant, what a value means, in which unit and which form.",
    severity: "error for a tool without one; warning for a parameter without one and for a description that only \
               repeats the name; information for nested parameters and for those that an enum, a constant or the \
               boolean type explains",
    examples: &[
        Example {
            about: "a tool without a description",
            expected: Expected::Finding(Severity::Error, ""),
            input: r#"{"name": "sync", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "a description that only repeats the name",
            expected: Expected::Finding(Severity::Warning, "/description"),
            input: r#"{"name": "list_orders", "description": "List orders.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "a parameter without a description",
            expected: Expected::Finding(Severity::Warning, "/inputSchema/properties/since"),
            input: r#"{"name": "list_orders", "description": "Lists the orders of the signed-in customer, newest first.",
 "inputSchema": {"type": "object", "properties": {"since": {"type": "string"}}}}"#,
        },
        Example {
            about: "a flag explains itself",
            expected: Expected::Finding(Severity::Info, "/inputSchema/properties/include_archived"),
            input: r#"{"name": "list_orders", "description": "Lists the orders of the signed-in customer, newest first.",
 "inputSchema": {"type": "object", "properties": {"include_archived": {"type": "boolean"}}}}"#,
        },
        Example {
            about: "the tool's description explains the parameter",
            expected: Expected::Finding(Severity::Info, "/inputSchema/properties/since"),
            input: r#"{"name": "list_orders", "description": "Lists the orders of the customer.\n\nArgs:\n  since: first day, such as 2026-01-31",
 "inputSchema": {"type": "object", "properties": {"since": {"type": "string"}}}}"#,
        },
        Example {
            about: "everything is described, one parameter where its reference leads",
            expected: Expected::Silence,
            input: r##"{"name": "list_orders", "description": "Lists the orders of the signed-in customer, newest first.",
 "inputSchema": {"type": "object", "properties": {"since": {"$ref": "#/$defs/day"}},
  "$defs": {"day": {"type": "string", "description": "First day, such as 2026-01-31."}}}}"##,
        },
    ],
};

impl Rule for MissingDescription {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        findings.extend(tool_description(subject));
        parameter_descriptions(subject, findings);
    }
}

fn tool_description(subject: &Subject<'_>) -> Option<Finding> {
    let description = subject.tool.description().trim();
    let name = subject.tool.name();
    if is_empty(description) {
        let finding = Finding::proven(&DOC, Severity::Error, subject.server, &subject.label, "").saying(
            "the tool has no description",
            format!("whatever the name `{}` suggests", subject.label),
            "say what the tool does, when to use it, and when to use another, with an example",
        );
        return Some(finding);
    }
    repeats(description, name).then(|| {
        Finding::suspected(&DOC, subject.server, &subject.label, "/description")
            .saying(
                "the description only repeats the name",
                format!("whatever the name `{name}` suggests"),
                "say what the name cannot: what comes back, when to use the tool, and when to use another",
            )
            .with_evidence(format!("{description:?}"))
    })
}

fn parameter_descriptions(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let explained = explained_in_prose(subject.tool.description());
    for parameter in subject.parameters() {
        let is_explained = explained.contains(parameter.name);
        findings.extend(parameter_description(subject, parameter, is_explained));
    }
}

fn parameter_description(
    subject: &Subject<'_>,
    parameter: &Parameter<'_>,
    is_explained: bool,
) -> Option<Finding> {
    let (name, pointer) = (parameter.name, parameter.pointer.as_str());
    let described = parameter.schemas.iter();
    let mut descriptions = described.filter_map(|schema| schema.get("description")?.as_str()).map(str::trim);
    let description = descriptions.find(|text| !is_empty(text)).unwrap_or_default();
    let what = if description.is_empty() {
        format!("the parameter `{name}` has no description")
    } else if repeats(description, name) {
        format!("the description of the parameter `{name}` only repeats its name")
    } else {
        return None;
    };
    let is_clear = parameter.branches().iter().any(|schema| explains_itself(schema)) || is_explained;
    let severity = if parameter.is_argument && !is_clear { Severity::Warning } else { Severity::Info };
    let finding = if description.is_empty() {
        Finding::proven(&DOC, severity, subject.server, &subject.label, pointer)
    } else {
        Finding { severity, ..Finding::suspected(&DOC, subject.server, &subject.label, pointer) }
    };
    Some(finding.saying(
        what,
        format!("whatever the name `{name}` suggests"),
        "say what the value means and in which form or unit, with an example",
    ))
}

fn explains_itself(schema: &Value) -> bool {
    schema.get("enum").is_some()
        || schema.get("const").is_some()
        || schema::types(schema).contains(&"boolean")
}

/// The names that lines of the tool's description are about, as in docstrings: `limit: how many rows`.
fn explained_in_prose(description: &str) -> HashSet<&str> {
    let heads = description.lines().filter_map(|line| {
        let line = line.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '_');
        let end = line.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '-')?;
        let (name, rest) = line.split_at(end);
        let rest = rest.trim_start_matches(['`', '*', '"', ' ']);
        (rest.starts_with([':', '(', '-', '–', '—', '=']) && rest.len() > 3).then_some(name)
    });
    heads.collect()
}

/// Whether a text says nothing: neither letters nor digits, or a placeholder.
fn is_empty(text: &str) -> bool {
    const PLACEHOLDERS: &[&str] =
        &["description", "n/a", "na", "none", "placeholder", "string", "tbd", "to do", "todo"];
    let text = text.trim().trim_end_matches(['.', ':']);
    let is = |placeholder: &&str| text.eq_ignore_ascii_case(placeholder);
    !text.chars().any(char::is_alphanumeric) || PLACEHOLDERS.iter().any(is)
}

/// Whether a text has no word that the name does not have.
fn repeats(text: &str, name: &str) -> bool {
    const FILLERS: &[&str] = &[
        "a", "an", "field", "for", "function", "method", "of", "parameter", "the", "this", "to", "tool",
        "value",
    ];
    let name = normalise(name);
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).peekable();
    words.peek().is_some()
        && words.all(|word| {
            let word = word.to_lowercase();
            let word = word.as_str();
            FILLERS.contains(&word) || name.contains(word) || name.contains(word.trim_end_matches('s'))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_words_of_the_name_repeat_it() {
        assert!(repeats("Lists the orders.", "list_orders"));
        assert!(repeats("The order id", "orderId"));
        assert!(repeats("Tool to list orders", "list_orders"));
        assert!(!repeats("Orders of the last 30 days", "list_orders"));
        assert!(!repeats("注文の一覧", "list_orders"));
    }
}
