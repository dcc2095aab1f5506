//! A date, a time, a duration or a currency of which nobody says how it is written.

use std::cell::LazyCell;

use super::super::parameters::Parameter;
use super::super::prose::{has_any, readable};
use super::super::{Rule, Subject};
use crate::names;
use crate::report::shorten;
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct UndocumentedFormat;

static DOC: Doc = Doc {
    name: "undocumented-format",
    what: "a text parameter for a date, a time, a duration or a currency, with neither a format, a pattern nor an example",
    why: "The model picks a form: 03/04, 3 April, an epoch. One of them is refused, another is read as another day.",
    severity: "warning",
    examples: &[
        Example {
            about: "a day, in any form",
            expected: Expected::Finding(Severity::Warning, "/inputSchema/properties/start_date"),
            input: r#"{"name": "list_orders", "description": "Lists orders.", "inputSchema": {"type": "object",
 "properties": {"start_date": {"type": "string", "description": "First day of the period."}}}}"#,
        },
        Example {
            about: "each of these says how",
            expected: Expected::Silence,
            input: r#"{"name": "list_orders", "description": "Lists orders.", "inputSchema": {"type": "object", "properties": {
 "start_date": {"type": "string", "format": "date", "description": "First day."}, "end_date": {"type": "string", "description": "Last day (YYYY-MM-DD)."},
 "due_date": {"type": "string", "description": "Due on, such as 2026-01-31."}, "currency": {"type": "string", "description": "ISO 4217 code."}}}}"#,
        },
    ],
};

impl Rule for UndocumentedFormat {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        let is_told = LazyCell::new(|| is_explained(subject.tool.description()));
        for parameter in subject.parameters() {
            let Some(kind) = kind(parameter.name) else { continue };
            if is_documented(parameter) || *is_told {
                continue;
            }
            let at = parameter.pointer.as_str();
            let finding = Finding::suspected(&DOC, subject.server, &subject.label, at).saying(
                format!("nothing says how the {kind} in `{}` is written", shorten(parameter.name, 60)),
                format!("any way to write a {kind} will do"),
                format!("add a `format` or a `pattern`, or an example such as {}", example(kind)),
            );
            findings.push(finding);
        }
    }
}

/// What a parameter of this name holds.
fn kind(name: &str) -> Option<&'static str> {
    let words = names::words(name);
    let head = words.last()?.as_str();
    match head {
        "date" | "day" | "birthday" | "deadline" => Some("date"),
        "datetime" | "timestamp" => Some("time"),
        "time" if words.len() > 1 => Some("time"),
        "since" | "until" if words.len() == 1 => Some("time"),
        "at" if words.len() > 1
            && one_of!(&words[0], "created due ends expires scheduled starts updated") =>
        {
            Some("time")
        }
        "duration" => Some("duration"),
        "currency" => Some("currency"),
        _ => None,
    }
}

fn example(kind: &str) -> &'static str {
    match kind {
        "date" => "2026-01-31",
        "time" => "2026-01-31T09:00:00Z",
        "duration" => "PT30M or 30m",
        _ => "EUR",
    }
}

fn is_documented(parameter: &Parameter<'_>) -> bool {
    let stated = ["format", "pattern", "examples", "example", "default"];
    !parameter.is_text()
        || !parameter.choices().is_empty()
        || stated.iter().any(|keyword| parameter.stated(keyword).is_some_and(|value| !value.is_null()))
        || is_explained(parameter.description())
}

/// Whether a text says how such values are written: by an example, a standard or a pattern.
fn is_explained(text: &str) -> bool {
    const STANDARDS: &[&str] = &[
        "iso", "rfc", "unix", "epoch", "yyyy", "dd", "hh:mm", "milliseconds", "seconds", "e.g", "such as",
        "format", "natural language",
    ];
    let text = readable(text);
    text.chars().any(|c| c.is_ascii_digit()) || has_any(text, STANDARDS) || text.contains(['"', '\'', '`'])
}
