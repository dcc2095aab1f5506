//! A good call with one argument whose name is misspelled.

use frankly_contract::{BoxFuture, ToolDef};
use frankly_verdict::{Doc, Example, Expected, Severity};
use serde_json::{Map, Value, json};

use super::arguments::offered;
use super::bench::Bench;
use super::parameter::{Parameter, parameters};
use super::relation::{ask_each, with};
use super::{Outcome, Probe};
use crate::config::Consent;

/// What is given where the tool has no parameter whose name could be misspelled.
const NO_SUCH: &str = "no_such_argument";

/// See [`DOC`].
pub(super) struct UnknownArgument;

static DOC: Doc = Doc {
    name: "unknown-argument",
    what: "makes the good call, then adds one argument that is not declared, the name of an optional one with two letters \
           exchanged; then makes the good call again",
    why: "It must be refused as a tool error that names the nearest argument, or the answer must say that it was ignored. \
          The same answer as without it reads as one to which the argument was applied.",
    severity: "needs the consent `mutate`; not sent where the schema takes further arguments on purpose; outside a sandbox, \
               a tool that writes is left alone unless it only makes something",
    examples: &[
        Example {
            about: "the answer is the same with a misspelled argument as without",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/orders"),
            input: r#"{"refusal": null}"#,
        },
        Example {
            about: "a misspelled argument is refused, and the nearest one named",
            expected: Expected::Silence,
            input: r#"{"refusal": "INVALID_ARGS: there is no argument of this name; did you mean `category`?"}"#,
        },
    ],
};

impl Probe for UnknownArgument {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn needs(&self, _has_examples: bool) -> Consent {
        Consent::Mutate
    }

    fn fits(&self, bench: &Bench<'_>) -> bool {
        !takes_more(bench.tool())
    }

    fn run<'a>(&'a self, bench: &'a Bench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let asked = async { ask_each(bench, [misspelled(bench)]).await?.still_as_long().await };
            asked.await.into()
        })
    }

    #[cfg(test)]
    fn example_tool(&self, _example: &Value) -> ToolDef {
        let category =
            json!({"type": "string", "description": "Exact name of a category.", "examples": ["Rent"]});
        ToolDef::from_raw(json!({
            "name": "list_orders", "description": "Lists orders.", "annotations": {"readOnlyHint": true},
            "inputSchema": {"type": "object", "properties": {"category": category}}
        }))
    }

    #[cfg(test)]
    fn example_answer(&self, example: &Value, arguments: &Value) -> Value {
        let is_known = arguments.as_object().unwrap().keys().all(|name| name == "category");
        match example["refusal"].as_str() {
            Some(refusal) if !is_known => {
                json!({"content": [{"type": "text", "text": refusal}], "isError": true})
            }
            _ => json!({"content": [], "structuredContent": {"returned": 2, "matched": 2, "truncated": false,
                "orders": [{"id": "o-1", "category": "Rent"}, {"id": "o-2", "category": "Food"}]}}),
        }
    }
}

/// Whether the schema says that it takes arguments that it does not name.
fn takes_more(tool: &ToolDef) -> bool {
    let says = |keyword: &str| tool.input_schema().and_then(|schema| schema.get(keyword));
    says("patternProperties").is_some()
        || says("additionalProperties").is_some_and(|more| !matches!(more, Value::Bool(false)))
}

/// The good arguments and one more: an optional one that is left out, so that its value would change the answer.
fn misspelled(bench: &Bench<'_>) -> Map<String, Value> {
    let good = bench.good_arguments();
    let known: Vec<Parameter<'_>> = parameters(bench.tool()).collect();
    let is_taken = |name: &str| known.iter().any(|parameter| parameter.name == name);
    let mut by_use: Vec<&Parameter<'_>> = known.iter().collect();
    by_use.sort_by_key(|parameter| (good.contains_key(parameter.name), parameter.required));
    let slip = |parameter: &&Parameter<'_>| {
        let name = slip(parameter.name).filter(|slip| !is_taken(slip))?;
        Some((name, value(parameter)))
    };
    let (name, value) = by_use.iter().find_map(slip).unwrap_or_else(|| (NO_SUCH.to_owned(), json!("a")));
    with(&good, &name, value)
}

/// A name with two letters in its middle exchanged; `None` where that changes nothing.
fn slip(name: &str) -> Option<String> {
    let mut letters: Vec<char> = name.chars().collect();
    let middle = (letters.len() / 2).max(1);
    let at = (middle..letters.len()).find(|at| letters[*at] != letters[*at - 1])?;
    letters.swap(at, at - 1);
    Some(letters.into_iter().collect())
}

/// A value that the argument would take under its right name.
fn value(parameter: &Parameter<'_>) -> Value {
    offered(parameter.schema).unwrap_or_else(|| match parameter.kind() {
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(true),
        Some("array") => json!([]),
        Some("object") => json!({}),
        _ => json!("a"),
    })
}

#[cfg(test)]
mod tests {
    use super::super::consent::Nature;
    use super::super::examples::{reading, sent};
    use super::*;

    async fn calls(properties: Value, good: Value) -> Vec<Value> {
        let accepted = |_: &Value| json!({"content": [{"type": "text", "text": "one\ntwo"}]});
        sent(&UnknownArgument, reading("list", properties, &[]), good, Nature::Reads, accepted).await.1
    }

    #[tokio::test]
    async fn the_name_of_what_is_left_out_is_misspelled() {
        let properties = json!({"category": {"type": "string"}, "limit": {"type": "integer"}});
        let good = json!({"category": "Rent"});
        let sent = calls(properties, good.clone()).await;
        assert_eq!(sent, [good.clone(), json!({"category": "Rent", "lmiit": 1}), good]);
        assert_eq!(calls(json!({}), json!({})).await[1], json!({"no_such_argument": "a"}));
    }

    #[test]
    fn a_slip_is_another_name() {
        for (name, expected) in
            [("q", None), ("id", Some("di")), ("limit", Some("lmiit")), ("aab", Some("aba"))]
        {
            assert_eq!(slip(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn a_tool_that_takes_anything_is_left_alone() {
        let takes = |schema: Value| takes_more(&ToolDef::new("t", "", schema));
        assert!(takes(json!({"additionalProperties": true})) && takes(json!({"additionalProperties": {}})));
        assert!(takes(json!({"patternProperties": {"^x-": {}}})));
        assert!(!takes(json!({})) && !takes(json!({"additionalProperties": false})));
    }
}
