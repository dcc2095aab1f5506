//! A good call with one argument of a wrong type.

use frankly_contract::BoxFuture;
#[cfg(test)]
use frankly_contract::ToolDef;
use frankly_verdict::{Doc, Example, Expected, Severity};
use serde_json::{Map, Value, json};

use super::bench::Bench;
use super::parameter::{Parameter, parameters};
use super::relation::{ask_each, with};
use super::{Outcome, Probe};
use crate::config::Consent;

/// How many calls with a wrong value are made at most.
const MOST_CALLS: usize = 8;

/// See [`DOC`].
pub(super) struct WrongType;

static DOC: Doc = Doc {
    name: "wrong-type",
    what: "makes the good call, then gives each argument a value of another type, at most 8 calls: a number for a text, \
           a text for a number or a flag, a text for an object or an array, and for numbers also the number written as \
           a text; then makes the good call again",
    why: "Each must be refused as a tool error that names the argument, or it must be said what was made of the value. \
          An answer without a word reads as the answer to what was asked.",
    severity: "needs the consent `mutate`; outside a sandbox, a tool that writes is left alone unless it only makes \
               something, and to such a tool nothing more is sent after a call that was accepted",
    examples: &[
        Example {
            about: "a limit that is a text is taken without a word",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/orders"),
            input: r#"{"refusal": null}"#,
        },
        Example {
            about: "a limit that is a text is refused, and the refusal names it",
            expected: Expected::Silence,
            input: r#"{"refusal": "INVALID_ARGS: `limit` must be an integer from 1 to 50; send one, such as 10"}"#,
        },
    ],
};

impl Probe for WrongType {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn needs(&self, _has_examples: bool) -> Consent {
        Consent::Mutate
    }

    fn fits(&self, bench: &Bench<'_>) -> bool {
        !mistyped(bench).is_empty()
    }

    fn run<'a>(&'a self, bench: &'a Bench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let asked = async { ask_each(bench, mistyped(bench)).await?.still_as_long().await };
            asked.await.into()
        })
    }

    #[cfg(test)]
    fn example_tool(&self, _example: &Value) -> ToolDef {
        let limit =
            json!({"type": "integer", "description": "At most so many rows.", "minimum": 1, "maximum": 50});
        super::examples::reading("list_orders", json!({ "limit": limit }), &[])
    }

    #[cfg(test)]
    fn example_answer(&self, example: &Value, arguments: &Value) -> Value {
        match (arguments.get("limit"), example["refusal"].as_str()) {
            (Some(Value::String(_)), Some(refusal)) => {
                json!({"content": [{"type": "text", "text": refusal}], "isError": true})
            }
            _ => json!({"content": [], "structuredContent": {"returned": 2, "matched": 2, "truncated": false,
                "orders": [{"id": "o-1", "total": 3}, {"id": "o-2", "total": 4}]}}),
        }
    }
}

/// Calls in each of which one argument has a wrong type: one for each argument first, then the second ones.
fn mistyped(bench: &Bench<'_>) -> Vec<Map<String, Value>> {
    let good = bench.good_arguments();
    let wrong: Vec<(&str, Vec<Value>)> = parameters(bench.tool())
        .map(|parameter| (parameter.name, wrong_values(&parameter, good.get(parameter.name))))
        .collect();
    let nth = |at: usize| {
        let good = &good;
        wrong.iter().filter_map(move |(name, values)| Some(with(good, name, values.get(at)?.clone())))
    };
    nth(0).chain(nth(1)).take(MOST_CALLS).collect()
}

/// Values of other types than the schema states. Where it states none nothing is wrong.
fn wrong_values(parameter: &Parameter<'_>, good: Option<&Value>) -> Vec<Value> {
    let number =
        |good: Option<&Value>| good.filter(|good| good.is_number()).map_or("5".to_owned(), Value::to_string);
    let values = match parameter.kind() {
        Some("string") => vec![json!(12345)],
        Some("integer" | "number") => vec![json!("many"), json!(number(good))],
        Some("boolean") => vec![json!("perhaps")],
        Some("object") => vec![json!("{\"a\": 1}")],
        Some("array") => vec![json!("[\"a\"]")],
        _ => Vec::new(),
    };
    values.into_iter().filter(|value| !parameter.admits(value)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::consent::Nature;
    use super::super::examples::{reading, sent};
    use super::*;

    fn accepted(_: &Value) -> Value {
        json!({"content": [{"type": "text", "text": "one\ntwo"}]})
    }

    async fn calls(name: &str, properties: Value, nature: Nature) -> Vec<Value> {
        sent(&WrongType, reading(name, properties, &[]), json!({"t": "x", "n": 7}), nature, accepted).await.1
    }

    #[tokio::test]
    async fn each_argument_is_given_another_type_and_then_all_are_right_again() {
        let properties = json!({"t": {"type": "string"}, "n": {"type": "integer"}, "b": {"type": "boolean"},
            "o": {"anyOf": [{"type": "object"}, {"type": "null"}]}, "any": {}});
        let good = json!({"t": "x", "n": 7});
        let with = |name: &str, value: Value| {
            let mut call = good.clone();
            call[name] = value;
            call
        };
        let mut sent = calls("list", properties, Nature::Reads).await;
        assert_eq!((sent.remove(0), sent.pop()), (good.clone(), Some(good.clone())));
        let expected = [
            with("b", json!("perhaps")),
            with("n", json!("many")),
            with("o", json!("{\"a\": 1}")),
            with("t", json!(12345)),
            with("n", json!("7")),
        ];
        assert_eq!(sent, expected);
    }

    #[tokio::test]
    async fn what_writes_is_sent_nothing_more_than_it_accepted() {
        let properties = json!({"t": {"type": "string"}, "n": {"type": "integer"}});
        assert_eq!(calls("create_note", properties.clone(), Nature::Writes).await.len(), 2);
        assert!(calls("update_note", properties, Nature::Writes).await.is_empty());
        assert!(calls("list", json!({"any": {}}), Nature::Reads).await.is_empty(), "no type, no wrong one");
    }
}
