//! A description that says another default or bound than the schema.

mod stated;

use frankly_contract::ToolDef;
use serde_json::Value;

use super::super::parameters::{Parameter, parameters};
use super::super::prose::has_any;
use super::super::{Rule, Subject};
use crate::report::shorten;
use crate::schema::join;
use crate::{Doc, Example, Expected, Finding, Severity};
use stated::{Stated, stated};

/// See [`DOC`].
pub(super) struct DefaultDrift;

static DOC: Doc = Doc {
    name: "default-drift",
    what: "a parameter whose description states another default or bound than its schema, or one that the schema does not state",
    why: "The agent leaves the argument out because of the one and gets the other, or is refused for a value that the \
          schema allows. Hosts fill in and check by the schema, and people change only one of the two.",
    severity: "warning where the two say different things; information where the schema says nothing",
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
            let stated = stated(parameter.name, parameter.description());
            findings.extend(default(subject, parameter, &stated));
            findings.extend(bare_default(subject, parameter, &stated));
            findings.extend(maximum(subject, parameter, &stated));
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

/// A default that is written without quotes, where the schema states another one among its choices.
fn bare_default(subject: &Subject<'_>, parameter: &Parameter<'_>, stated: &Stated<'_>) -> Option<Finding> {
    let said = stated.bare_default?;
    let real = parameter.stated("default")?.as_str().filter(|real| !real.eq_ignore_ascii_case(said))?;
    parameter.choices().into_iter().find(|choice| choice.as_str() == Some(said))?;
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

/// What only the descriptions of a tool's parameters state: the pointer of the parameter, the keyword and its value. A
/// parameter that only refers to a definition is left out, since others refer to it too.
pub(in super::super) fn only_in_prose(tool: &ToolDef) -> Vec<(String, &'static str, Value)> {
    let mut found = Vec::new();
    // Beside these the schema says more of the value than the prose does.
    const MORE: &[&str] = &[
        "$ref", "allOf", "anyOf", "const", "enum", "examples", "exclusiveMaximum", "exclusiveMinimum",
        "format", "if", "maxLength", "minLength", "minimum", "multipleOf", "not", "oneOf", "pattern",
    ];
    let is_plain = |parameter: &&Parameter<'_>| {
        !MORE.iter().any(|keyword| parameter.states(keyword)) && is_unconditional(parameter.description())
    };
    for parameter in parameters(tool).iter().filter(is_plain) {
        let Stated { default, maximum, .. } = stated(parameter.name, parameter.description());
        let default = default.filter(|said| !parameter.states("default") && fits(said, parameter));
        let is_bounded = parameter.states("maximum") || parameter.states("exclusiveMaximum");
        let real = parameter.stated("default").and_then(Value::as_f64);
        let maximum = maximum.filter(|_| parameter.is_number() && !is_bounded);
        let maximum = maximum.filter(|most| real.is_none_or(|real| real <= *most));
        let names_another =
            |said: &Value| said.as_str().is_some_and(|said| tool.parameters().any(|(name, _)| name == said));
        let default = default.filter(|said| !is_placeholder(said) && !names_another(said));
        // Other numbers may be another bound, or the same one under a condition.
        let stated =
            [default.is_some(), maximum.is_some()].into_iter().filter(|is_stated| *is_stated).count();
        if numbers(parameter.description()) > stated {
            continue;
        }
        // Two statements that contradict each other, and a number that is not what was written, are not to be moved.
        if default.as_ref().and_then(Value::as_f64).zip(maximum).is_some_and(|(default, most)| default > most)
            || default.iter().filter_map(Value::as_f64).chain(maximum).any(|number| number.abs() > EXACT)
        {
            continue;
        }
        let maximum = maximum.and_then(whole_or_not);
        let keywords = [("default", default), ("maximum", maximum)];
        let stated = keywords.into_iter().filter_map(|(keyword, value)| Some((keyword, value?)));
        found.extend(stated.map(|(keyword, value)| (parameter.pointer.clone(), keyword, value)));
    }
    found
}

/// How many numbers a text has.
fn numbers(text: &str) -> usize {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | ','));
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_digit())).count()
}

/// Whether nothing in a text makes what it states depend on something, or says that it is only usual.
fn is_unconditional(text: &str) -> bool {
    const CONDITIONS: &[&str] = &[
        "above", "beyond", "but", "clamp*", "exceed*", "except", "exclusive*", "for", "if", "limited to",
        "may", "more than", "normally", "not", "often", "or", "otherwise", "over", "override*", "recommend*",
        "soft", "treated", "typical*", "unless", "used to", "usual*", "warn*", "when*", "while", "with",
    ];
    !has_any(text, CONDITIONS)
}

/// Whether a text stands for a value that is known only later.
fn is_placeholder(value: &Value) -> bool {
    const LATER: &str = "auto automatic current latest local none now null today tomorrow yesterday";
    value.as_str().is_some_and(|text| {
        text.contains(['$', '<', '>', '{', '}', '…'])
            || one_of!(&text.to_lowercase(), LATER)
            || (text.len() > 2 && text.chars().all(|c| c.is_ascii_uppercase() || !c.is_alphabetic()))
    })
}

/// Beyond this a double does not hold every whole number.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A number as it is written: 200, not 200.0.
fn whole_or_not(number: f64) -> Option<Value> {
    serde_json::from_str(&number.to_string()).ok()
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
