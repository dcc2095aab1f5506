//! The facts of an error: what of them the text tells, and which may come in from outside. What may not enter: rows
//! of data.

use serde_json::{Map, Value};

use crate::Fact;
use crate::shown::{cut, plain};

/// So many facts are told in the text.
const FACTS: usize = 8;

/// The details of arguments that do not fit, which the sentences tell already.
pub(super) const VIOLATIONS: &str = "violations";
const LEFT_OUT: &str = "violations_left_out";

/// The facts in words, without what the sentences tell already.
pub(super) fn facts(details: &Map<String, Value>) -> Vec<String> {
    let told = details.get(VIOLATIONS).is_some_and(are_violations);
    let others = details.iter().filter(|(name, _)| !(told && matches!(&***name, VIOLATIONS | LEFT_OUT)));
    let mut words: Vec<String> = others
        .filter_map(|(name, value)| Some((name, Fact::read(value.clone())?)))
        .map(|(name, fact)| format!("{}: {}", cut(&plain(name), 60), fact.words()))
        .collect();
    if words.len() > FACTS {
        let more = words.len() - FACTS;
        words.truncate(FACTS);
        words.push(format!("{more} more facts"));
    }
    words
}

/// A detail as it was written, if it is a fact, or says what is wrong with each argument.
pub(super) fn detail((name, value): (String, Value)) -> Option<(String, Value)> {
    if name == VIOLATIONS && are_violations(&value) {
        return Some((name, value));
    }
    Fact::read(value).map(|fact| (name, fact.into_json()))
}

/// Whether this is a list of violations as a registry writes them, and of nothing else.
fn are_violations(value: &Value) -> bool {
    let known = |(name, value): (&String, &Value)| match &**name {
        "pointer" | "problem" | "did_you_mean" => value.is_string(),
        "value" => !value.is_object() && !value.is_array(),
        _ => false,
    };
    let violation = |item: &Value| {
        let members = item.as_object();
        members.is_some_and(|members| members.contains_key("problem") && members.iter().all(known))
    };
    value.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(violation))
}

#[cfg(test)]
mod tests {
    use crate::{Code, ToolError};
    use serde_json::{Value, json};

    #[test]
    fn the_text_tells_the_facts() {
        let error = ToolError::new(Code::InvalidArgs, "w", "n")
            .with_why("y")
            .with_detail("headers", ["date", "a,b"])
            .with_detail("rows", 3)
            .with_kind("k");
        assert_eq!(error.to_string(), "INVALID_ARGS: w (y; headers: date, \"a,b\"; rows: 3). Next: n.");
        let many = (10..30).fold(error, |error, n| error.with_detail(format!("n{n}"), "x".repeat(1_000)));
        let text = many.to_string();
        assert!(text.contains("; 14 more facts). Next") && text.len() < 1_000, "{text}");
    }

    #[test]
    fn rows_do_not_come_in_with_the_details() {
        let read = |details: Value| {
            let error = json!({"code": "NOT_FOUND", "what": "w", "next": "n", "details": details});
            json!(serde_json::from_value::<ToolError>(error).unwrap().details())
        };
        let rows = json!([{"date": "2025-01-01"}]);
        assert_eq!(read(json!({"rows": rows, "row": rows[0], "none": null, "n": 1})), json!({"n": 1}));
        assert_eq!(read(json!({"violations": rows})), json!({}));
        let violations = json!({"violations": [{"pointer": "/a", "problem": "p", "value": 1}]});
        assert_eq!(read(violations.clone()), violations);
    }
}
