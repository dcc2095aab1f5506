//! A bound that only an error tells.

use serde_json::Value;

use super::failure::Failure;
use super::{Check, Reading, wording};
use crate::report::shorten;
use crate::schema::join;
use crate::transcript::Transcript;
use crate::{Doc, Example, Expected, Finding, Severity};

/// Words by which an error tells a bound; a number stands near.
const BOUNDS: &[&str] = &[
    "at least", "at most", "between", "cannot be more", "cannot exceed", "exceeds", "greater than",
    "less than", "longer than", "max ", "maximum", "may not exceed", "min ", "minimum", "must be positive",
    "must not exceed", "no more than", "non-negative", "out of range", "shorter than", "smaller than",
    "too high", "too large", "too long", "too low", "too many", "too short", "up to", "valid range",
    "valid values are",
];
/// Words of a bound that is one of what there is at the time, which no schema can state.
const OF_STATE: &[&str] = &[
    "allowance", "balance", "budget", "credit", "funds", "in stock", "inventory", "left", "on hand",
    "overdraft", "quota", "remaining", "seats", "stock", "vacancies", "what is there",
];
/// What there may be so many of.
const THINGS: &[&str] =
    &["entries", "files", "lines", "messages", "pages", "records", "results", "rows", "sheets", "slides"];
/// Keywords by which a schema states a bound.
const KEYWORDS: &[&str] = &[
    "const", "enum", "exclusiveMaximum", "exclusiveMinimum", "format", "maxItems", "maxLength",
    "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum", "multipleOf", "pattern",
];
/// A longer refusal is not one sentence about one value.
const LONGEST: usize = 16 << 10;
/// How far behind such words the number stands at most.
const NEAR_CHARS: usize = 60;
const SHOWN_CHARS: usize = 160;

/// See [`DOC`].
pub(super) struct UndeclaredBound;

static DOC: Doc = Doc {
    name: "undeclared-bound",
    what: "an argument that its schema allows, refused for a bound that the schema does not state",
    why: "The agent has only the schema to go by. It asks for 300, is refused, and learns the limit by trial, in every \
          conversation anew.",
    severity: "warning, at the parameter; information where the description states the bound; a bound of what there is at the time, \
               such as a balance, no schema can state",
    examples: &[
        Example {
            about: "a page size of at most 100, of which the schema says nothing",
            expected: Expected::Finding(Severity::Warning, "/inputSchema/properties/top"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list_boats","description":"Lists boats.","inputSchema":{"type":"object","properties":{"top":{"type":"integer"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boats","arguments":{"top":300}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"300 is out of range for top: valid values are 1 to 100"}],"isError":true}}}"#,
        },
        Example {
            about: "the same, and the schema has it",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list_boats","description":"Lists boats.","inputSchema":{"type":"object","properties":{"top":{"type":"integer","minimum":1,"maximum":100}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boats","arguments":{"top":300}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"300 is out of range for top: valid values are 1 to 100"}],"isError":true}}}"#,
        },
        Example {
            about: "a refusal that is about something else",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list_boats","description":"Lists boats.","inputSchema":{"type":"object","properties":{"top":{"type":"integer"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boats","arguments":{"top":300}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"too many requests; try again in 20 s"}],"isError":true}}}"#,
        },
        Example {
            about: "more than there is",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"transfer","description":"Transfers an amount.","inputSchema":{"type":"object","properties":{"amount":{"type":"number"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"transfer","arguments":{"amount":900}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"amount: 900 is more than the balance; give at most 120.40"}],"isError":true}}}"#,
        },
        Example {
            about: "more than is ever allowed",
            expected: Expected::Finding(Severity::Warning, "/inputSchema/properties/amount"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"transfer","description":"Transfers an amount.","inputSchema":{"type":"object","properties":{"amount":{"type":"number"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"transfer","arguments":{"amount":900}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"amount: 900 is more than may be sent at once; give at most 500"}],"isError":true}}}"#,
        },
        Example {
            about: "a bound of an argument that is called like something there is",
            expected: Expected::Finding(Severity::Warning, "/inputSchema/properties/budget"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"plan","description":"Plans.","inputSchema":{"type":"object","properties":{"budget":{"type":"number"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"plan","arguments":{"budget":900}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"budget must be at most 500"}],"isError":true}}}"#,
        },
    ],
};

impl Check for UndeclaredBound {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        for failure in reading.exchanges.iter().filter_map(Failure::of) {
            findings.extend(look_at(&failure, reading.server(), reading.transcript));
        }
    }
}

fn look_at(failure: &Failure<'_, '_>, server: &str, transcript: &Transcript) -> Option<Finding> {
    let exchange = failure.exchange;
    let tool = exchange.tool?;
    if failure.text.len() > LONGEST {
        return None;
    }
    let lower = failure.text.to_lowercase();
    let bound = BOUNDS.iter().find(|bound| tells(&lower, bound))?;
    if wording::is_about_else(&failure.text) || !exchange.mistakes().is_empty() {
        return None;
    }
    let (name, schema, value) = exchange.call.arguments?.iter().find_map(|(name, value)| {
        let (_, schema) = tool.parameters().find(|(parameter, _)| parameter == name)?;
        let is_meant =
            names(&failure.text, name) && (value.is_number() || value.is_string() || value.is_array());
        is_meant.then_some((name, schema, value))
    })?;
    if is_of_state(&lower, name) || KEYWORDS.iter().any(|keyword| states(schema, keyword)) {
        return None;
    }
    let documented =
        [schema.get("description").and_then(Value::as_str).unwrap_or_default(), tool.description()];
    let is_documented = documented.iter().any(|text| {
        let text = text.to_lowercase();
        BOUNDS.iter().any(|bound| tells(&text, bound))
    });
    let severity = if is_documented { Severity::Info } else { Severity::Warning };
    let pointer = join("/inputSchema/properties", name);
    let suspicion = Finding::suspected(&DOC, server, tool.name(), pointer);
    let finding = Finding { severity, ..suspicion }.saying(
        format!(
            "`{name}: {}` fits the schema, and was refused: {:?}",
            shorten(&value.to_string(), SHOWN_CHARS),
            shorten(&failure.text, SHOWN_CHARS)
        ),
        "any value of this type will do",
        format!("state the bound in the schema of `{name}` ({}), and in its description", keywords(value)),
    );
    let definition = transcript.tools.as_ref()?.iter().position(|one| one.name() == tool.name());
    let finding = exchange.finding(finding.with_evidence((*bound).trim()), &[]);
    Some(Finding { definition, mutation: name.clone(), ..finding })
}

/// Whether a text tells a bound in these words: a number stands behind them, or they need none.
fn tells(text: &str, bound: &str) -> bool {
    text.match_indices(bound).any(|(at, _)| {
        let rest: String = text[at + bound.len()..].chars().take(NEAR_CHARS).collect();
        let is_word = !text[..at].ends_with(char::is_alphanumeric);
        is_word
            && (rest.contains(|c: char| c.is_ascii_digit())
                || bound.contains("posi")
                || bound.contains("nega"))
    })
}

/// Whether a refusal is about what there is at the time: "the file has 120 lines", "more than the balance".
fn is_of_state(text: &str, name: &str) -> bool {
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let spaced = format!(" {} ", words.join(" "));
    let counts = words.windows(3).any(|three| {
        matches!(three[0], "are" | "has" | "holds" | "is" | "only")
            && three[1].parse::<u64>().is_ok()
            && THINGS.contains(&three[2])
    });
    // A `budget` that is refused is not what is left of one.
    let own = crate::names::words(name);
    let is_other = |words: &&&str| !own.iter().any(|own| own == **words);
    counts || OF_STATE.iter().filter(is_other).any(|words| spaced.contains(&format!(" {words} ")))
}

/// Whether a text names an argument as a word of its own.
fn names(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    // What is also a word of any sentence is named only in quotes.
    let is_word = matches!(name, "as" | "at" | "by" | "for" | "from" | "in" | "of" | "on" | "to" | "with");
    let is_quoted = |at: usize| text[..at].ends_with(['`', '\'', '"']);
    text.match_indices(name)
        .filter(|(at, _)| !is_word || is_quoted(*at))
        .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part))
}

/// Whether a schema or one of its branches has a keyword.
fn states(schema: &Value, keyword: &str) -> bool {
    let branches =
        ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
    schema.get(keyword).is_some()
        || schema.get("$ref").is_some()
        || branches.into_iter().any(|branch| states(branch, keyword))
}

fn keywords(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "`minLength`, `maxLength` or `pattern`",
        Value::Array(_) => "`minItems`, `maxItems`",
        _ => "`minimum`, `maximum`",
    }
}
