//! A number or a list without an upper end.

use super::super::action::Verb;
use super::super::parameters::Parameter;
use super::super::prose::{has_phrase, readable, words};
use super::super::{Rule, Subject};
use crate::report::shorten;
use crate::{Doc, Example, Expected, Finding, Severity, paging};

/// See [`DOC`].
pub(super) struct UnboundedInput;

static DOC: Doc = Doc {
    name: "unbounded-input",
    what: "a limit without a maximum, a list of arguments without `maxItems`, or a free text without `maxLength`",
    why: "An agent that wants everything asks for a million, and the answer fills its context, or comes back shorter than \
          asked for without a word, which then reads as all there is.",
    severity: "warning for a limit; information for a list and for a text",
    examples: &[
        Example {
            about: "as many as one likes",
            expected: Expected::Finding(Severity::Warning, "/inputSchema/properties/limit"),
            input: r#"{"name": "list_orders", "description": "Lists orders.", "inputSchema": {"type": "object",
 "properties": {"limit": {"type": "integer", "description": "How many orders."}}}}"#,
        },
        Example {
            about: "with an end",
            expected: Expected::Silence,
            input: r#"{"name": "list_orders", "description": "Lists orders.", "inputSchema": {"type": "object",
 "properties": {"limit": {"type": "integer", "description": "How many orders.", "maximum": 200}}}}"#,
        },
        Example {
            about: "an end that the description states",
            expected: Expected::Silence,
            input: r#"{"name": "list_orders", "description": "Lists orders.", "inputSchema": {"type": "object",
 "properties": {"limit": {"type": "integer", "description": "How many orders (1-200)."}}}}"#,
        },
        Example {
            about: "a list of any length",
            expected: Expected::Finding(Severity::Info, "/inputSchema/properties/ids"),
            input: r#"{"name": "get_orders", "description": "Gets orders.", "inputSchema": {"type": "object",
 "properties": {"ids": {"type": "array", "items": {"type": "string"}, "description": "Which orders."}}}}"#,
        },
        Example {
            about: "a text of any length",
            expected: Expected::Finding(Severity::Info, "/inputSchema/properties/body"),
            input: r#"{"name": "send_mail", "description": "Sends a mail.", "inputSchema": {"type": "object",
 "properties": {"to": {"type": "string", "format": "email"}, "body": {"type": "string", "description": "What to say."}}}}"#,
        },
        Example {
            about: "a text with an end",
            expected: Expected::Silence,
            input: r#"{"name": "send_mail", "description": "Sends a mail.", "inputSchema": {"type": "object",
 "properties": {"body": {"type": "string", "maxLength": 4000, "description": "What to say."}}}}"#,
        },
        Example {
            about: "a list that can only be short",
            expected: Expected::Silence,
            input: r#"{"name": "get_orders", "description": "Gets orders.", "inputSchema": {"type": "object",
 "properties": {"states": {"type": "array", "items": {"enum": ["open", "paid"]}, "description": "Which orders."}}}}"#,
        },
    ],
};

impl Rule for UnboundedInput {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        let writes = subject.action().is_some_and(|action| {
            matches!(action.verb, Verb::Create | Verb::Update | Verb::Delete | Verb::Send)
        });
        for parameter in subject.parameters() {
            if !writes {
                findings.extend(limit(subject, parameter));
            }
            findings.extend(list(subject, parameter));
        }
        findings.extend(texts(subject));
    }
}

/// Free texts of any length, told once for a tool.
fn texts(subject: &Subject<'_>) -> Option<Finding> {
    const FREE: &str = "body code comment content description html markdown message note notes prompt query script sql \
                        summary text";
    const ENDS: &[&str] = &["const", "format", "maxLength", "pattern"];
    let is_free = |parameter: &&Parameter<'_>| {
        parameter.is_text()
            && parameter.choices().is_empty()
            && parameter.words().last().is_some_and(|head| one_of!(head, FREE))
            && !ENDS.iter().any(|keyword| parameter.states(keyword))
            && !states_an_end(parameter.description())
    };
    let mut free = subject.parameters().iter().filter(is_free);
    let first = free.next()?;
    let more = match free.count() {
        0 => String::new(),
        more => format!(", and {more} more may"),
    };
    let finding =
        Finding::proven(&DOC, Severity::Info, subject.server, &subject.label, first.pointer.as_str());
    Some(finding.saying(
        format!("the text in `{}` may have any length{more}", shorten(first.name, 60)),
        "a whole file may be sent in one call",
        "add `maxLength`",
    ))
}

fn limit(subject: &Subject<'_>, parameter: &Parameter<'_>) -> Option<Finding> {
    let has_end =
        ["maximum", "exclusiveMaximum", "enum", "const"].iter().any(|keyword| parameter.states(keyword));
    if !parameter.is_number()
        || !parameter.is_argument
        || !paging::is_certain(parameter.name)
        || has_end
        || states_an_end(parameter.description())
        || states_an_end_of(subject.tool.description(), parameter.name)
    {
        return None;
    }
    let at = parameter.pointer.as_str();
    Some(Finding::suspected(&DOC, subject.server, &subject.label, at).saying(
        format!("`{}` has no maximum", shorten(parameter.name, 60)),
        "as many as one asks for come back at once",
        "add a `maximum`, and say when fewer come back than were asked for",
    ))
}

/// Whether a description of a limit states an upper end: `max 100`, `1-100`, `up to 50`.
fn states_an_end(description: &str) -> bool {
    let words = words(description);
    let phrases: &[&[&str]] =
        &[&["up", "to"], &["at", "most"], &["no", "more", "than"], &["capped", "at"], &["between"]];
    let has_number = |text: &str| text.chars().any(|c| c.is_ascii_digit());
    let ends = words.iter().enumerate().any(|(at, word)| {
        one_of!(word, "cap max maximum") && words[at..].iter().skip(1).take(3).any(|word| has_number(word))
    });
    ends || (has_number(description) && phrases.iter().any(|phrase| has_phrase(&words, phrase)))
        || is_range(description)
}

/// Whether a line of the tool's own description about this parameter states one.
fn states_an_end_of(description: &str, name: &str) -> bool {
    readable(description).lines().any(|line| line.contains(name) && states_an_end(line))
}

/// `1-100`, `1 to 100`, `1..100`
fn is_range(text: &str) -> bool {
    let digits = |text: &str| text.trim().starts_with(|c: char| c.is_ascii_digit());
    let ends_in_digit = |text: &str| text.trim_end().ends_with(|c: char| c.is_ascii_digit());
    ["-", "–", " to ", ".."].iter().any(|dash| {
        text.match_indices(dash)
            .any(|(at, dash)| ends_in_digit(&text[..at]) && digits(&text[at + dash.len()..]))
    })
}

fn list(subject: &Subject<'_>, parameter: &Parameter<'_>) -> Option<Finding> {
    let items = parameter.stated("items");
    let is_short = items.is_some_and(|items| items.get("enum").is_some() || items.get("const").is_some());
    if !parameter.is("array")
        || is_short
        || ["maxItems", "enum", "prefixItems"].iter().any(|key| parameter.states(key))
    {
        return None;
    }
    let finding =
        Finding::proven(&DOC, Severity::Info, subject.server, &subject.label, parameter.pointer.as_str());
    Some(finding.saying(
        format!("`{}` may have any number of items", shorten(parameter.name, 60)),
        "thousands may be sent in one call",
        "add `maxItems`",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_read_in_many_forms() {
        for said in [
            "max 100", "Maximum: 50", "1-100", "between 1 and 50", "up to 20 rows", "maximum value is 9",
            "1 to 250",
        ] {
            assert!(states_an_end(said), "{said}");
        }
        for said in ["Maximum number of results", "How many", "default 10", "up to the caller", ""] {
            assert!(!states_an_end(said), "{said}");
        }
    }
}
