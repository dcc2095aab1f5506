//! A good call with one value just outside what its schema states.

use frankly_contract::BoxFuture;
#[cfg(test)]
use frankly_contract::ToolDef;
use frankly_verdict::nonsense::VALUES;
use frankly_verdict::paging::limit_of;
use frankly_verdict::{Doc, Example, Expected, Severity};
use serde_json::{Map, Value, json};

use super::bench::Bench;
use super::parameter::{Parameter, parameters};
use super::relation::{ask_each, with};
use super::{Outcome, Probe};
use crate::config::Consent;

/// How many calls are made at most outside the bounds.
const MOST_CALLS: usize = 8;
/// Longer texts and arrays than this are not sent: such a bound is for `large-argument`.
const LONGEST: u64 = 20_000;
/// A larger bound is the end of all numbers, as schema generators state it.
const LARGEST: f64 = 1e9;

/// See [`DOC`].
pub(super) struct OutOfBounds;

static DOC: Doc = Doc {
    name: "out-of-bounds",
    what: "makes the good call, then gives each argument a value just outside its bounds, at most 8 calls: below the \
           minimum, above the maximum, a text or an array that is too short or too long, a choice that is not offered; \
           then makes the good call again. The limit of a list is left to page-growth",
    why: "Each must be refused as a tool error that names the argument and the bound, or it must be said what was taken \
          instead. A choice that is not offered must not run another one.",
    severity: "needs the consent `mutate`; outside a sandbox, a tool that writes is left alone unless it only makes \
               something, and to such a tool nothing more is sent after a call that was accepted",
    examples: &[
        Example {
            about: "an order that is not offered runs the default one",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/orders"),
            input: r#"{"refusal": null}"#,
        },
        Example {
            about: "an order that is not offered is refused with those that are",
            expected: Expected::Silence,
            input: r#"{"refusal": "INVALID_ARGS: `order` must be newest or oldest; send one of them"}"#,
        },
    ],
};

impl Probe for OutOfBounds {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn needs(&self, _has_examples: bool) -> Consent {
        Consent::Mutate
    }

    fn fits(&self, bench: &Bench<'_>) -> bool {
        !outside(bench).is_empty()
    }

    fn run<'a>(&'a self, bench: &'a Bench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let asked = async { ask_each(bench, outside(bench)).await?.still_as_long().await };
            asked.await.into()
        })
    }

    #[cfg(test)]
    fn example_tool(&self, _example: &Value) -> ToolDef {
        let order =
            json!({"type": "string", "description": "The order of the rows.", "enum": ["newest", "oldest"]});
        super::examples::reading("list_orders", json!({ "order": order }), &[])
    }

    #[cfg(test)]
    fn example_answer(&self, example: &Value, arguments: &Value) -> Value {
        let known = arguments.get("order").is_none_or(|order| order == "newest" || order == "oldest");
        match example["refusal"].as_str() {
            Some(refusal) if !known => {
                json!({"content": [{"type": "text", "text": refusal}], "isError": true})
            }
            _ => json!({"content": [], "structuredContent": {"returned": 2, "matched": 2, "truncated": false,
                "orders": [{"id": "o-1", "total": 3}, {"id": "o-2", "total": 4}]}}),
        }
    }
}

/// Calls in each of which one argument is just outside its bounds: one for each argument first, then the second ones.
fn outside(bench: &Bench<'_>) -> Vec<Map<String, Value>> {
    let good = bench.good_arguments();
    let limit = limit_of(bench.tool()).map(|limit| limit.name);
    let wrong: Vec<(&str, Vec<Value>)> = parameters(bench.tool())
        .filter(|parameter| limit.as_deref() != Some(parameter.name))
        .map(|parameter| (parameter.name, beyond(&parameter)))
        .collect();
    let nth = |at: usize| {
        let good = &good;
        wrong.iter().filter_map(move |(name, values)| Some(with(good, name, values.get(at)?.clone())))
    };
    nth(0).chain(nth(1)).take(MOST_CALLS).collect()
}

/// Values that the schema does not admit, though their type is right.
fn beyond(parameter: &Parameter<'_>) -> Vec<Value> {
    let values = match (parameter.kind(), parameter.schema.get("enum")) {
        (_, Some(Value::Array(choices))) => vec![not_offered(choices)],
        (Some(kind @ ("integer" | "number")), None) => numbers(parameter, kind == "integer"),
        (Some("string"), None) => texts(parameter),
        (Some("array"), None) => arrays(parameter),
        _ => Vec::new(),
    };
    values.into_iter().filter(|value| !parameter.admits(value)).collect()
}

fn not_offered(choices: &[Value]) -> Value {
    match choices.iter().filter_map(Value::as_i64).max() {
        Some(most) if choices.iter().all(Value::is_i64) => json!(most.saturating_add(1)),
        _ => json!(VALUES[0]),
    }
}

fn numbers(parameter: &Parameter<'_>, whole: bool) -> Vec<Value> {
    let stated = |keyword: &str| {
        parameter.schema.get(keyword).and_then(Value::as_f64).filter(|bound| bound.abs() < LARGEST)
    };
    let over = stated("maximum").map(|bound| bound + 1.0).or_else(|| stated("exclusiveMaximum"));
    let under = stated("minimum").map(|bound| bound - 1.0).or_else(|| stated("exclusiveMinimum"));
    #[expect(clippy::cast_possible_truncation, reason = "the bounds are below 1e9")]
    let number = |value: f64| if whole { json!(value.round() as i64) } else { json!(value) };
    over.into_iter().chain(under).map(number).collect()
}

fn texts(parameter: &Parameter<'_>) -> Vec<Value> {
    let over = parameter.bound("maxLength").filter(|most| *most < LONGEST).map(|most| most + 1);
    let under = parameter.bound("minLength").filter(|least| *least > 0).map(|least| least - 1);
    let text = |length: u64| json!("a".repeat(usize::try_from(length).unwrap_or_default()));
    over.into_iter().chain(under).map(text).collect()
}

fn arrays(parameter: &Parameter<'_>) -> Vec<Value> {
    let item =
        parameter.schema.get("items").and_then(super::arguments::offered).unwrap_or_else(|| json!("a"));
    let over = parameter.bound("maxItems").filter(|most| *most < LONGEST).map(|most| most + 1);
    let under = parameter.bound("minItems").filter(|least| *least > 0).map(|least| least - 1);
    let array = |length: u64| json!(vec![item.clone(); usize::try_from(length).unwrap_or_default()]);
    over.into_iter().chain(under).map(array).collect()
}

#[cfg(test)]
mod tests {
    use super::super::consent::Nature;
    use super::super::examples::{reading, sent};
    use super::*;

    fn values(schema: Value) -> Vec<Value> {
        let tool = ToolDef::new("t", "", json!({"type": "object", "properties": {"x": schema}}));
        parameters(&tool).flat_map(|parameter| beyond(&parameter)).collect()
    }

    #[test]
    fn a_value_is_just_outside() {
        for (schema, expected) in [
            (json!({"type": "integer", "minimum": 1, "maximum": 9}), vec![json!(10), json!(0)]),
            (json!({"type": "number", "exclusiveMinimum": 0}), vec![json!(0.0)]),
            (json!({"type": "string", "maxLength": 3, "minLength": 1}), vec![json!("aaaa"), json!("")]),
            (json!({"type": "array", "maxItems": 2, "items": {"enum": ["b"]}}), vec![json!(["b", "b", "b"])]),
            (json!({"enum": ["a", "b"]}), vec![json!(VALUES[0])]),
            (json!({"type": "integer", "enum": [1, 2]}), vec![json!(3)]),
            (json!({"type": "integer", "maximum": u64::MAX}), vec![]),
            (json!({"type": "string", "maxLength": 100_000}), vec![]),
            (json!({"type": "string"}), vec![]),
        ] {
            assert_eq!(values(schema.clone()), expected, "{schema}");
        }
    }

    #[tokio::test]
    async fn the_limit_of_a_list_is_left_alone_and_the_good_call_comes_again() {
        let accepted = |_: &Value| json!({"content": [{"type": "text", "text": "one\ntwo"}]});
        let properties =
            json!({"limit": {"type": "integer", "maximum": 5}, "page": {"type": "integer", "minimum": 1}});
        let tool = reading("list", properties, &[]);
        let sent = sent(&OutOfBounds, tool, json!({}), Nature::Reads, accepted).await.1;
        assert_eq!(sent, [json!({}), json!({"page": 0}), json!({})]);
    }
}
