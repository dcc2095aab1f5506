//! A closed set of values that only the description knows.

use serde_json::Value;

use super::super::parameters::Parameter;
use super::super::prose::{has_any, readable, words};
use super::super::{Rule, Subject};
use crate::names;
use crate::report::shorten;
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct ClosedSetInProse;

static DOC: Doc = Doc {
    name: "closed-set-in-prose",
    what: "a parameter whose few possible values stand in its description and not in an `enum`",
    why: "The model is free to write what sounds right, and nothing checks it before the call. With an `enum`, providers \
          offer only what is possible.",
    severity: "warning",
    examples: &[
        Example {
            about: "one of three, in words",
            expected: Expected::Finding(Severity::Warning, "/inputSchema/properties/state"),
            input: r#"{"name": "list_issues", "description": "Lists issues.", "inputSchema": {"type": "object", "properties": {
 "state": {"type": "string", "description": "One of 'open', 'closed' or 'all'."}}}}"#,
        },
        Example {
            about: "the same as an enum",
            expected: Expected::Silence,
            input: r#"{"name": "list_issues", "description": "Lists issues.", "inputSchema": {"type": "object", "properties": {
 "state": {"type": "string", "description": "One of 'open', 'closed' or 'all'.", "enum": ["open", "closed", "all"]}}}}"#,
        },
        Example {
            about: "examples of an open set",
            expected: Expected::Silence,
            input: r#"{"name": "list_issues", "description": "Lists issues.", "inputSchema": {"type": "object", "properties": {
 "label": {"type": "string", "description": "A label, e.g. 'bug', 'docs' or 'feature'."},
 "type": {"type": "string", "description": "One of the project's types, such as 'bug' or 'task'."}}}}"#,
        },
    ],
};

impl Rule for ClosedSetInProse {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        for parameter in subject.parameters().iter().filter(|parameter| is_free(parameter)) {
            let is_name = |value: &&str| subject.parameters().iter().any(|other| other.name == *value);
            let set =
                closed_set(parameter.name, parameter.description()).filter(|set| !set.iter().any(is_name));
            let Some(set) = set else { continue };
            let at = parameter.pointer.as_str();
            let values = set.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(", ");
            let finding = Finding::suspected(&DOC, subject.server, &subject.label, at).saying(
                format!(
                    "`{}` takes one of {} values, and only the description says so",
                    shorten(parameter.name, 60),
                    set.len()
                ),
                "any text may be given here",
                format!("add `\"enum\": [{}]`", shorten(&values, 200)),
            );
            findings.push(finding.with_evidence(format!("{:?}", shorten(parameter.description(), 160))));
        }
    }
}

/// Whether it takes any text, or a list of any texts.
fn is_free(parameter: &Parameter<'_>) -> bool {
    const BOUND: &[&str] = &["pattern", "format", "const", "x-enum"];
    let bound = BOUND.iter().any(|keyword| parameter.states(keyword));
    let items = parameter.stated("items").filter(|_| parameter.is("array"));
    let lists_texts = items.is_some_and(|items| {
        items.get("type").and_then(Value::as_str) == Some("string")
            && items.get("enum").is_none()
            && !BOUND.iter().any(|keyword| items.get(keyword).is_some())
    });
    (parameter.is_text() || lists_texts) && parameter.choices().is_empty() && !bound
}

/// The values of a set that is said to be all there is.
fn closed_set<'a>(name: &str, description: &'a str) -> Option<Vec<&'a str>> {
    const CLOSES: &[&str] = &[
        "one of", "either", "allowed values", "valid values", "possible values", "valid options", "allowed",
        "supported values", "accepted values", "options", "must be",
    ];
    const OPENS: &[&str] = &[
        "e.g", "such as", "for example", "etc", "like", "custom", "any", "other", "others", "example",
        "examples", "default values", "comma*", "and more", "including",
    ];
    let text = readable(description);
    if text.contains("...") || text.contains('…') || has_any(text, OPENS) {
        return None;
    }
    if !has_any(text, CLOSES) {
        return shown(name, text);
    }
    let lower = text.to_ascii_lowercase();
    CLOSES.iter().find_map(|closing| {
        let at = lower.find(closing)?;
        let is_word = lower[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        let rest = &text[at + closing.len()..];
        let rest = rest.strip_prefix(" are").unwrap_or(rest);
        // `Either 'a' or 'b' must be given` says something else, and `either a or b` may be prose.
        let quoted = Some(listed(rest)).filter(|(values, after)| is_end(after) && values.len() >= 2);
        let bare = || {
            let names_values = !one_of!(closing, "either allowed options must be") || rest.starts_with(':');
            Some(bare(rest)).filter(|(values, after)| names_values && is_end(after) && values.len() >= 3)
        };
        quoted.or_else(bare).filter(|_| is_word).map(|(values, _)| values)
    })
}

/// A list that stands by itself, after a colon or in brackets: `Which box: 'in', 'out'.`, `Order (newest, oldest, top)`,
/// `a|b|c`. A parameter of many may take several of what is listed, or anything like it.
fn shown<'a>(name: &str, text: &'a str) -> Option<Vec<&'a str>> {
    let is_many = names::words(name).last().is_some_and(|head| names::is_plural(head));
    if is_many
        || has_any(
            text,
            &[
                "common*", "default*", "if", "optional", "required", "supports", "typical*", "usual*",
                "when", "with",
            ],
        )
    {
        return None;
    }
    let begins = text.match_indices([':', '(']).map(|(at, _)| &text[at + 1..]);
    let mut lists = begins.map(str::trim_start).filter_map(|rest| {
        let quoted = Some(listed(rest)).filter(|(values, after)| values.len() >= 2 && is_end(after));
        let bare = || Some(bare(rest)).filter(|(values, after)| values.len() >= 3 && is_end(after));
        quoted.or_else(bare).map(|(values, _)| values)
    });
    let is_value = |value: &&str| {
        value.len() > 1
            && value.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-'))
    };
    lists.find(|values| values.iter().all(is_value)).or_else(|| barred(text))
}

/// Words parted by bars, at least three: `future|active|closed`.
fn barred(text: &str) -> Option<Vec<&str>> {
    let mut parts = text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '.' | ':' | ','));
    let is_value = |value: &&str| {
        !value.is_empty() && value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
    };
    parts.find_map(|part| {
        let values: Vec<_> = part.split('|').collect();
        (values.len() >= 3 && values.iter().all(is_value)).then_some(values)
    })
}

/// Whether a list is all that is said.
fn is_end(after: &str) -> bool {
    after.is_empty() || after.starts_with(['.', ';', ')', ']', '\n', '-', '–', '—'])
}

/// Words without quotes, parted by commas, bars and an `or` before the last, and what follows them.
fn bare(text: &str) -> (Vec<&str>, &str) {
    let mut values = Vec::new();
    let mut rest = text.trim_start_matches([' ', ':', '(', '[']);
    loop {
        let end =
            rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-')).unwrap_or(rest.len());
        let (value, after) = rest.split_at(end);
        if value.is_empty() || value.ends_with('-') || one_of!(value, "a an or the") {
            return (Vec::new(), rest);
        }
        values.push(value);
        let parted = after.trim_start_matches([',', '|', '/', ' ']);
        let or = parted.strip_prefix("or ");
        // What is parted by nothing but a space is a sentence.
        if after.len() == parted.len() || (or.is_none() && !after.trim_start().starts_with([',', '|', '/'])) {
            return (values, after.trim_start_matches(' '));
        }
        rest = or.unwrap_or(parted);
    }
}

/// Quoted values parted by commas, `or` and `|`, and what follows the last of them.
fn listed(text: &str) -> (Vec<&str>, &str) {
    let mut values = Vec::new();
    let mut rest = text.trim_start_matches([' ', ':', '(', '[']);
    while let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '`')) {
        let Some(end) = rest[1..].find(quote) else { break };
        let value = &rest[1..=end];
        if value.is_empty() || value.contains(char::is_whitespace) || words(value).is_empty() {
            return (Vec::new(), rest);
        }
        values.push(value);
        rest = &rest[end + 2..];
        // What a value means, in brackets.
        if let Some(after) = rest.strip_prefix(" (") {
            rest = after.split_once(')').map_or("", |(_, after)| after);
        }
        let parted = rest.trim_start_matches([' ', ',', '|', '/']);
        let word = parted.split_ascii_whitespace().next().unwrap_or_default();
        rest = if one_of!(word, "or and") { parted[word.len()..].trim_start() } else { parted };
    }
    (values, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_parameters_are_no_values() {
        let schema = r#"{"type": "object", "properties": {"by": {"type": "string", "description": "One of name, mail, phone."},
 "name": {"type": "string"}}}"#;
        let input = format!(r#"{{"name": "find_user", "inputSchema": {schema}}}"#);
        assert_eq!(super::super::super::testing::found(&ClosedSetInProse, &input), []);
    }

    #[test]
    fn a_closed_set_is_told_from_examples_and_from_prose() {
        let set = |text: &str| closed_set("state", text).unwrap_or_default().join(" ");
        assert_eq!(set("Which box to read: 'inbox', 'outbox', 'all'."), "inbox outbox all");
        assert_eq!(set("Action to perform: start, pause, resume, cancel"), "start pause resume cancel");
        assert_eq!(set("Sort order (newest, oldest, top)"), "newest oldest top");
        assert_eq!(set("State of the sprints, future|active|closed"), "future active closed");
        assert_eq!(set("The place (city, country)"), "");
        assert_eq!(set("A key such as: one, two, three"), "");
        assert_eq!(closed_set("fields", "What to show: id, name, mail"), None);
        assert_eq!(set("Must be one of: \"asc\", \"desc\""), "asc desc");
        assert_eq!(set("Either `a` or `b`."), "a b");
        assert_eq!(set("Allowed values: 'low' (cheap), 'high' (dear)"), "low high");
        assert_eq!(set("Possible values: 'x' | 'y' | 'z'"), "x y z");
        assert_eq!(set("One of: open, closed, all."), "open closed all");
        assert_eq!(set("Which ones, one of open, closed or all"), "open closed all");
        assert_eq!(set("Which issues to fetch. One of 'open' or 'all'."), "open all");
        assert_eq!(
            set("Customer status. Allowed values are active | inactive | gone"),
            "active inactive gone"
        );
        assert_eq!(set("One of open, closed or all must be given"), "");
        assert_eq!(set("One of the team, the user or the org."), "");
        assert_eq!(set("Either open, closed or all."), "");
        assert_eq!(set("One of: open, closed and others"), "");
        assert_eq!(set("One of the user's teams"), "");
        assert_eq!(set("One of 'a', 'b', etc."), "");
        assert_eq!(set("For example one of 'a' or 'b'"), "");
        assert_eq!(set("Must be 'a'"), "");
        assert_eq!(set("Either 'a' or 'b' must be given"), "");
        assert_eq!(set("neither 'a' nor 'b'"), "");
    }
}
