//! A description that says another default or bound than the schema.

mod movable;
mod stated;

use serde_json::Value;

use super::super::parameters::Parameter;
use super::super::prose::readable;
use super::super::{Rule, Subject};
use crate::report::shorten;
use crate::schema::join;
use crate::{Doc, Example, Expected, Finding, Severity};
pub(in super::super) use movable::only_in_prose;
use stated::{Stated, stated};

/// See [`DOC`].
pub(super) struct DefaultDrift;

static DOC: Doc = Doc {
    name: "default-drift",
    what: "a parameter whose description states another default or bound than its schema, or one that the schema does not state",
    why: "The agent leaves the argument out because of the one and gets the other, or is refused for a value that the \
          schema allows. Hosts fill in and check by the schema, and people change only one of the two.",
    severity: "warning where the two say different things, also of whether it is required; information where the schema says \
               nothing, and for a default of what is required",
    examples: &[
        Example {
            about: "two defaults",
            expected: Expected::Finding(Severity::Warning, "/inputSchema/properties/limit/default"),
            input: r#"{"name": "list_orders", "description": "Lists orders.", "inputSchema": {"type": "object", "properties": {
 "limit": {"type": "integer", "description": "How many (default: 50).", "default": 20}}}}"#,
        },
        Example {
            about: "one default, said twice",
            expected: Expected::Silence,
            input: r#"{"name": "list_orders", "description": "Lists orders.", "inputSchema": {"type": "object", "properties": {
 "limit": {"type": "integer", "description": "How many (default: 50).", "default": 50}}}}"#,
        },
        Example {
            about: "two maxima",
            expected: Expected::Finding(Severity::Warning, "/inputSchema/properties/limit/maximum"),
            input: r#"{"name": "list_orders", "description": "Lists orders.", "inputSchema": {"type": "object", "properties": {
 "limit": {"type": "integer", "description": "How many, max 200.", "maximum": 100}}}}"#,
        },
        Example {
            about: "a default in words only",
            expected: Expected::Finding(Severity::Info, "/inputSchema/properties/sort"),
            input: r#"{"name": "list_orders", "description": "Lists orders.", "inputSchema": {"type": "object", "properties": {
 "sort": {"type": "string", "description": "Order of the list. Defaults to \"newest\"."}}}}"#,
        },
        Example {
            about: "another default in the tool's own description",
            expected: Expected::Finding(Severity::Warning, "/inputSchema/properties/limit/default"),
            input: r#"{"name": "list_orders", "description": "Lists orders. Arguments: `limit` (optional, default: 50).",
 "inputSchema": {"type": "object", "properties": {"limit": {"type": "integer", "description": "How many.", "default": 10}}}}"#,
        },
        Example {
            about: "optional, and required",
            expected: Expected::Finding(Severity::Warning, "/inputSchema/properties/port"),
            input: r#"{"name": "open_app", "description": "Opens the app.", "inputSchema": {"type": "object", "properties": {
 "port": {"type": "integer", "description": "Optional. Where it listens."}}, "required": ["port"]}}"#,
        },
        Example {
            about: "another choice, without quotes",
            expected: Expected::Finding(Severity::Warning, "/inputSchema/properties/state/default"),
            input: r#"{"name": "list_orders", "description": "Lists orders.", "inputSchema": {"type": "object", "properties": {
 "state": {"enum": ["open", "all"], "description": "Which ones (default: open)", "default": "all"}}}}"#,
        },
        Example {
            about: "a number of something else",
            expected: Expected::Silence,
            input: r#"{"name": "list_orders", "description": "Lists orders.", "inputSchema": {"type": "object", "properties": {
 "page": {"type": "integer", "description": "Page number (max 100 items per page)."},
 "amount": {"type": "number", "maximum": 10000, "description": "At most 2 decimal places."},
 "formats": {"type": "array", "items": {"type": "string"}, "default": ["csv"], "description": "Formats (default: \"csv\")."}}}}"#,
        },
        Example {
            about: "a default that depends on something",
            expected: Expected::Silence,
            input: r#"{"name": "list_orders", "description": "Lists orders.", "inputSchema": {"type": "object", "properties": {
 "until": {"type": "string", "description": "Last day. Defaults to today."}}}}"#,
        },
    ],
};

impl Rule for DefaultDrift {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        for parameter in subject.parameters() {
            let own = stated(parameter.name, parameter.description());
            // What the tool's own description says of a parameter that says nothing itself.
            let said = || said_of(subject.tool.description(), parameter);
            let stated = match (own == Stated::default()).then(said).flatten() {
                Some(said) => stated(parameter.name, said),
                None => own,
            };
            findings.extend(default(subject, parameter, &stated));
            findings.extend(bare_default(subject, parameter, &stated));
            findings.extend(maximum(subject, parameter, &stated));
            findings.extend(required(subject, parameter));
        }
    }
}

const READS_AS: &str = "one of the two, by luck";

fn default(subject: &Subject<'_>, parameter: &Parameter<'_>, stated: &Stated<'_>) -> Option<Finding> {
    let said = stated.default.as_ref()?;
    // Another parameter's value, and not its name.
    if said.as_str().is_some_and(|said| subject.parameters().iter().any(|other| other.name == said)) {
        return None;
    }
    let name = shorten(parameter.name, 60);
    let shown = shorten(&said.to_string(), 40);
    // `null` is how generators write that there is none.
    let Some(real) = parameter.stated("default").filter(|value| !value.is_null()) else {
        let finding =
            Finding::proven(&DOC, Severity::Info, subject.server, &subject.label, parameter.pointer.as_str());
        return fits(said, parameter).then(|| {
            finding.saying(
                format!("the description of `{name}` states the default {shown}, and the schema none"),
                "nothing is filled in when the argument is left out",
                format!("add `\"default\": {shown}`"),
            )
        });
    };
    if is_same(said, real) || !(fits(said, parameter) || kind(said) == kind(real)) {
        return None;
    }
    let at = join(&parameter.pointer, "default");
    let finding = Finding::proven(&DOC, Severity::Warning, subject.server, &subject.label, at);
    let what = format!(
        "the description of `{name}` states the default {shown}, and the schema {}",
        shorten(&real.to_string(), 40)
    );
    Some(
        finding
            .saying(what, READS_AS, "let both state what the tool does")
            .with_evidence(evidence(parameter)),
    )
}

/// What a tool's description says of an argument: `limit: how many (default 50)`, `` `limit` (default 50) ``.
fn said_of<'a>(description: &'a str, parameter: &Parameter<'_>) -> Option<&'a str> {
    if !parameter.is_argument {
        return None;
    }
    let text = readable(description);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    text.match_indices(parameter.name).find_map(|(at, name)| {
        let rest = text[at + name.len()..].trim_start_matches(['`', '*', '"', ' ']);
        let is_whole = !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part);
        let line = rest.lines().next().unwrap_or_default();
        match line.chars().next().filter(|_| is_whole)? {
            ':' => Some(line[1..].split([';', ')']).next().unwrap_or_default()),
            '(' => line[1..].split(')').next(),
            _ => None,
        }
    })
}

/// A parameter that its description calls optional, and that is required; or one with a default that never applies.
fn required(subject: &Subject<'_>, parameter: &Parameter<'_>) -> Option<Finding> {
    if !parameter.is_argument || !subject.tool.required().any(|name| name == parameter.name) {
        return None;
    }
    let name = shorten(parameter.name, 60);
    let opening = parameter.description().trim_start_matches(['(', '[', '*']).to_lowercase();
    let is_called_optional =
        opening.strip_prefix("optional").is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
            && !opening.contains(" if ")
            && !opening.contains(" when ");
    let has_default = parameter.stated("default").is_some_and(|value| !value.is_null());
    let at = parameter.pointer.as_str();
    let next = "take it off `required`, or correct the description";
    if is_called_optional {
        let finding = Finding::proven(&DOC, Severity::Warning, subject.server, &subject.label, at);
        let what = format!("the description calls `{name}` optional, and the schema requires it");
        return Some(finding.saying(what, "it may be left out, and is then refused", next));
    }
    let finding = Finding::proven(&DOC, Severity::Info, subject.server, &subject.label, at);
    has_default.then(|| {
        let what = format!("`{name}` is required and has a default, which then never applies");
        finding.saying(what, "a value has to be made up", "take it off `required`, or the default out")
    })
}

/// A default that is written without quotes, where the schema states another one among its choices.
fn bare_default(subject: &Subject<'_>, parameter: &Parameter<'_>, stated: &Stated<'_>) -> Option<Finding> {
    let said = stated.bare_default?;
    parameter.choices().into_iter().find(|choice| choice.as_str() == Some(said))?;
    let Some(real) = parameter.stated("default").filter(|value| !value.is_null()) else {
        let name = shorten(parameter.name, 60);
        let at = parameter.pointer.as_str();
        let finding = Finding::proven(&DOC, Severity::Info, subject.server, &subject.label, at);
        return Some(finding.saying(
            format!("the description of `{name}` states the default {said:?}, and the schema none"),
            "nothing is filled in when the argument is left out",
            format!("add `\"default\": {said:?}`"),
        ));
    };
    let real = real.as_str().filter(|real| !real.eq_ignore_ascii_case(said))?;
    let at = join(&parameter.pointer, "default");
    let name = shorten(parameter.name, 60);
    let what = format!("the description of `{name}` states the default {said:?}, and the schema {real:?}");
    let finding = Finding::proven(&DOC, Severity::Warning, subject.server, &subject.label, at);
    let finding = finding.saying(what, READS_AS, "let both state what the tool does");
    Some(finding.with_evidence(evidence(parameter)))
}

/// What a value is, with all numbers alike.
fn kind(value: &Value) -> &'static str {
    match crate::schema::type_name(value) {
        "integer" => "number",
        other => other,
    }
}

/// Whether a value is of a type that the parameter takes.
fn fits(said: &Value, parameter: &Parameter<'_>) -> bool {
    parameter.schemas.iter().any(|schema| {
        let types = crate::schema::types(schema);
        let name = crate::schema::type_name(said);
        types.contains(&name) || (name == "integer" && types.contains(&"number"))
    })
}

fn maximum(subject: &Subject<'_>, parameter: &Parameter<'_>, stated: &Stated<'_>) -> Option<Finding> {
    let said = stated.maximum.filter(|_| parameter.is_number())?;
    let real = ["maximum", "exclusiveMaximum"].into_iter().find_map(|keyword| {
        let value = parameter.stated(keyword)?.as_f64()?;
        Some(if keyword == "maximum" { value } else { value - 1.0 })
    });
    let name = shorten(parameter.name, 60);
    let proven = |severity, at: String| Finding::proven(&DOC, severity, subject.server, &subject.label, at);
    match real {
        // What a generator writes where there is no bound.
        Some(real) if real.abs() >= 2f64.powi(31) - 1.0 => None,
        Some(real) if (real - said).abs() < 0.5 => None,
        Some(real) => Some(
            proven(Severity::Warning, join(&parameter.pointer, "maximum"))
                .saying(
                    format!("the description of `{name}` states the maximum {said}, and the schema {real}"),
                    READS_AS,
                    "let both state what the tool does",
                )
                .with_evidence(evidence(parameter)),
        ),
        // Beside a default that only the description states, which is told at the parameter.
        None => Some(proven(Severity::Info, join(&parameter.pointer, "description")).saying(
            format!("the description of `{name}` states the maximum {said}, and the schema none"),
            "any number may be given here",
            format!("add `\"maximum\": {said}`"),
        )),
    }
}

fn evidence(parameter: &Parameter<'_>) -> String {
    format!("{:?}", shorten(parameter.description(), 120))
}

/// Whether two defaults are one: `5` and `5.0`, `"true"` and `true`.
fn is_same(said: &Value, real: &Value) -> bool {
    let text = |value: &Value| match value {
        Value::String(text) => text.trim().to_lowercase(),
        other => other.to_string().to_lowercase(),
    };
    if let Some([only]) = real.as_array().map(Vec::as_slice) {
        return is_same(said, only);
    }
    let numbers = said.as_f64().zip(real.as_f64());
    numbers.is_some_and(|(said, real)| (said - real).abs() < 1e-9) || text(said) == text(real)
}
