//! A date, a time, a duration, a currency or an id of which nobody says how it is written.

use super::super::parameters::Parameter;
use super::super::prose::{self, Word, has_any, readable, sentences};
use super::super::{Rule, Subject};
use crate::report::shorten;
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct UndocumentedFormat;

static DOC: Doc = Doc {
    name: "undocumented-format",
    what: "a text parameter for a date, a time, a time zone, a duration, a currency or an id, with neither a format, a pattern nor \
           an example; a number for a time without a unit",
    why: "The model picks a form: 03/04, 3 April, an epoch. One of them is refused, another is read as another day.",
    severity: "warning; information for an id of which nothing says from where it comes",
    examples: &[
        Example {
            about: "a day, in any form",
            expected: Expected::Finding(Severity::Warning, "/inputSchema/properties/start_date"),
            input: r#"{"name": "list_orders", "description": "Lists orders.", "inputSchema": {"type": "object",
 "properties": {"start_date": {"type": "string", "description": "First day of the period."}}}}"#,
        },
        Example {
            about: "seconds, or milliseconds?",
            expected: Expected::Finding(Severity::Warning, "/inputSchema/properties/timeout"),
            input: r#"{"name": "run_job", "description": "Runs a job.", "inputSchema": {"type": "object",
 "properties": {"timeout": {"type": "integer", "description": "How long to wait."}}}}"#,
        },
        Example {
            about: "seconds",
            expected: Expected::Silence,
            input: r#"{"name": "run_job", "description": "Runs a job.", "inputSchema": {"type": "object", "properties": {
 "timeout": {"type": "integer", "description": "How many seconds to wait."}, "delay_ms": {"type": "integer", "description": "Before it."}}}}"#,
        },
        Example {
            about: "an id from nowhere",
            expected: Expected::Finding(Severity::Info, "/inputSchema/properties/order_id"),
            input: r#"{"name": "get_order", "description": "Gets an order.", "inputSchema": {"type": "object",
 "properties": {"order_id": {"type": "string", "description": "The order."}}}}"#,
        },
        Example {
            about: "an id that another tool gives",
            expected: Expected::Silence,
            input: r#"{"name": "get_order", "description": "Gets an order.", "inputSchema": {"type": "object",
 "properties": {"order_id": {"type": "string", "description": "The order, from list_orders."}}}}"#,
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
        for parameter in subject.parameters() {
            findings.extend(unit(subject, parameter));
            let Some(kind) = kind(parameter) else { continue };
            if is_documented(parameter) || is_told(subject.tool.description(), parameter) {
                continue;
            }
            if kind == "id" && is_handed_on(parameter, subject) {
                continue;
            }
            let at = parameter.pointer.as_str();
            let finding = Finding::suspected(&DOC, subject.server, &subject.label, at);
            let severity = if kind == "id" { Severity::Info } else { finding.severity };
            let finding = Finding { severity, ..finding }.saying(
                format!("nothing says how the {kind} in `{}` is written", shorten(parameter.name, 60)),
                format!("any way to write {} {kind} will do", if kind == "id" { "an" } else { "a" }),
                format!("add a `format` or a `pattern`, or an example such as {}", example(kind)),
            );
            findings.push(finding);
        }
    }
}

/// A number that is a time or a length of time, of which nothing says in which unit.
fn unit(subject: &Subject<'_>, parameter: &Parameter<'_>) -> Option<Finding> {
    const TIMES: &str = "delay duration expiry interval since timeout timestamp ttl until";
    const UNITS: &str = "day days epoch h hour hours hrs micros millis milliseconds min mins minute minutes month months ms ns \
                         s sec second seconds secs unix week weeks year years";
    let words = parameter.words();
    let is_time = words.last().is_some_and(|head| one_of!(head, TIMES));
    let has_unit = |words: &[Word<'_>]| words.iter().any(|word| one_of!(word, UNITS));
    let in_name = words.iter().any(|word| one_of!(word, UNITS));
    let in_tool = || {
        sentences(readable(subject.tool.description()))
            .any(|sentence| sentence.contains(parameter.name) && has_unit(&prose::words(sentence)))
    };
    // `30s`, `1h`.
    let is_shown = || {
        parameter
            .description()
            .bytes()
            .zip(parameter.description().bytes().skip(1))
            .any(|(digit, unit)| digit.is_ascii_digit() && matches!(unit, b's' | b'm' | b'h' | b'd'))
    };
    if !parameter.is_number()
        || !is_time
        || in_name
        || has_unit(parameter.said.words())
        || is_shown()
        || in_tool()
    {
        return None;
    }
    let finding = Finding::suspected(&DOC, subject.server, &subject.label, parameter.pointer.as_str());
    Some(finding.saying(
        format!("nothing says in which unit `{}` is", shorten(parameter.name, 60)),
        "seconds, or milliseconds",
        "say the unit in the description, or in the name, such as `_ms` or `_seconds`",
    ))
}

/// What a parameter of this name holds.
fn kind(parameter: &Parameter<'_>) -> Option<&'static str> {
    let words = parameter.words();
    let head = words.last()?.as_str();
    let is_of_time = || has_any(parameter.description(), &["date*", "day", "time", "times", "timestamp*"]);
    match head {
        "date" | "day" | "birthday" | "deadline" => Some("date"),
        "datetime" | "timestamp" => Some("time"),
        "time" if words.len() > 1 => Some("time"),
        "since" | "until" if words.len() == 1 => Some("time"),
        "at" if words.len() > 1
            && (words[0].ends_with("ed") || one_of!(&words[0], "due ends expires starts")) =>
        {
            Some("time")
        }
        "start" | "end" | "from" | "to" | "after" | "before" if is_of_time() => Some("time"),
        "timezone" | "tz" => Some("time zone"),
        "zone" if words.len() > 1 && words[words.len() - 2] == "time" => Some("time zone"),
        "duration" => Some("duration"),
        "currency" => Some("currency"),
        "id" | "uuid" | "guid" => Some("id"),
        _ => None,
    }
}

fn example(kind: &str) -> &'static str {
    match kind {
        "date" => "2026-01-31",
        "time" => "2026-01-31T09:00:00Z",
        "duration" => "PT30M or 30m",
        "time zone" => "Europe/Berlin",
        "id" => "`ord_8f3a`, or name the tool that returns it",
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

/// Whether it says from where an id comes, so that it need not be written but handed on.
fn is_handed_on(parameter: &Parameter<'_>, subject: &Subject<'_>) -> bool {
    const SOURCES: &[&str] = &[
        "as returned", "from", "gid", "given by", "guid", "key", "name", "obtain*", "returned", "slug",
        "uri", "url", "use", "username", "uuid", "via",
    ];
    has_any(parameter.description(), SOURCES)
        || has_any(subject.tool.description(), &["id from", "ids from", "obtain*", "to get the"])
}

/// Whether a text says how such values are written: by an example, a standard or a pattern.
fn is_explained(text: &str) -> bool {
    let text = readable(text);
    text.chars().any(|c| c.is_ascii_digit()) || has_any(text, STANDARDS) || is_shown(text)
}

const STANDARDS: &[&str] = &[
    "iso", "rfc*", "unix", "epoch", "yyyy*", "dd*", "mm-dd*", "hh:mm*", "milliseconds", "ms", "seconds",
    "minutes", "hours", "days", "e.g", "such as", "format*", "natural language", "like",
];

/// Whether something stands in quotes; the mark in `the user's` parts nothing.
fn is_shown(text: &str) -> bool {
    let mut before = ' ';
    text.chars().any(|c| {
        let opens = matches!(c, '"' | '`') || (c == '\'' && !before.is_alphanumeric());
        before = c;
        opens
    })
}

/// Whether the tool's own description says how: in a sentence about dates and times, or that names the parameter.
fn is_told(tool: &str, parameter: &Parameter<'_>) -> bool {
    let about = ["currency", "currencies", "date*", "duration*", "time*", "when"];
    sentences(readable(tool)).any(|sentence| {
        let is_about = has_any(sentence, &about) || sentence.contains(parameter.name);
        is_about && is_explained(sentence)
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::found;
    use super::*;

    #[test]
    fn a_word_within_another_explains_nothing() {
        let count = |said: &str, of: &str| {
            let input = format!(
                r#"{{"name": "create_event", "description": "{said}", "inputSchema": {{"type": "object",
 "properties": {{"start_date": {{"type": "string", "description": "{of}"}}}}}}}}"#
            );
            found(&UndocumentedFormat, &input).len()
        };
        assert_eq!(count("Adds an event to the 3 main calendars.", "First day."), 1);
        assert_eq!(count("Adds an event.", "First day in the user's comparison."), 1);
        assert_eq!(count("Adds an event. Dates are written as in ISO 8601.", "First day."), 0);
        assert_eq!(count("Adds an event.", "First day, '2026-01-31'."), 0);
    }
}
