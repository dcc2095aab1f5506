//! A good call with one required argument left out.

use frankly_contract::BoxFuture;
#[cfg(test)]
use frankly_contract::ToolDef;
use frankly_verdict::{Doc, Example, Expected, Severity};
use serde_json::{Map, Value};

use super::bench::Bench;
use super::relation::ask_each;
use super::{Outcome, Probe};
use crate::config::Consent;

/// How many required arguments are left out at most, each in a call of its own.
const MOST_ARGUMENTS: usize = 8;

/// See [`DOC`].
pub(super) struct OmitRequired;

static DOC: Doc = Doc {
    name: "omit-required",
    what: "makes the good call, then leaves out each required argument in turn, at most 8; where the schema requires \
           none and the good call has some, makes one call without arguments",
    why: "Each call must be refused as a tool error that names the argument that is missing, so that the agent can mend \
          it. A tool that refuses a call without arguments cannot work without what its schema calls optional. Where a \
          call is accepted nothing is found yet: the tool does more than it says, and the agent is not misled.",
    severity: "needs the consent `mutate`; to a tool that may write, the good call is not sent a second time, and \
               nothing more after a call that was accepted; outside a sandbox, a tool that writes is left alone unless \
               it only makes something",
    examples: &[
        Example {
            about: "a call without the key is refused, and nobody could say why",
            expected: Expected::Finding(Severity::Warning, "/result/content/0/text"),
            input: r#"{"required": ["fileKey"], "refusal": "Something went wrong."}"#,
        },
        Example {
            about: "nothing is required, and a call without the key is refused",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text"),
            input: r#"{"good": {"fileKey": "f-1"}, "required": [], "refusal": "`fileKey` is missing; take one from list_files"}"#,
        },
        Example {
            about: "a call without the key is refused, and the refusal names it",
            expected: Expected::Silence,
            input: r#"{"required": ["fileKey"], "refusal": "INVALID_ARGS: `fileKey` is missing; take one from list_files"}"#,
        },
        Example {
            about: "nothing is required, and a call without arguments lists everything",
            expected: Expected::Silence,
            input: r#"{"good": {"fileKey": "f-1"}, "required": [], "refusal": null}"#,
        },
    ],
};

impl Probe for OmitRequired {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn needs(&self, _has_examples: bool) -> Consent {
        Consent::Mutate
    }

    fn fits(&self, bench: &Bench<'_>) -> bool {
        !omissions(bench).is_empty()
    }

    fn run<'a>(&'a self, bench: &'a Bench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { ask_each(bench, omissions(bench)).await.map(|_| ()).into() })
    }

    #[cfg(test)]
    fn example_tool(&self, example: &Value) -> ToolDef {
        let required: Vec<&str> =
            example["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let key = serde_json::json!({"type": "string", "description": "A key from list_files.", "examples": ["f-1"]});
        super::examples::reading("inspect_csv", serde_json::json!({ "fileKey": key }), &required)
    }

    #[cfg(test)]
    fn example_answer(&self, example: &Value, arguments: &Value) -> Value {
        use serde_json::json;

        match example["refusal"].as_str() {
            Some(refusal) if arguments.get("fileKey").is_none() => {
                json!({"content": [{"type": "text", "text": refusal}], "isError": true})
            }
            _ => json!({"content": [], "structuredContent": {"file": "f-1", "columns": "id, name"}}),
        }
    }
}

/// Calls that lack what they need.
fn omissions(bench: &Bench<'_>) -> Vec<Map<String, Value>> {
    let good = bench.good_arguments();
    let tool = bench.tool();
    if tool.required().next().is_none() {
        // Whether such a call is refused is open, and one that writes is for trying out in a sandbox only.
        let may_try = bench.reads() || bench.in_sandbox();
        return if good.is_empty() || !may_try { Vec::new() } else { vec![Map::new()] };
    }
    let given = tool.required().filter(|name| good.contains_key(*name)).take(MOST_ARGUMENTS);
    given
        .map(|name| {
            let mut arguments = good.clone();
            arguments.remove(name);
            arguments
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::consent::Nature;
    use super::super::examples::{reading, send, sent};
    use super::*;
    use serde_json::json;

    fn refused(_: &Value) -> Value {
        json!({"content": [{"type": "text", "text": "no"}], "isError": true})
    }

    fn accepted(_: &Value) -> Value {
        json!({"content": [{"type": "text", "text": "done"}]})
    }

    /// Accepts only calls with all three arguments.
    fn strict(arguments: &Value) -> Value {
        if arguments.as_object().unwrap().len() == 3 { accepted(arguments) } else { refused(arguments) }
    }

    async fn calls(nature: Nature, answer: fn(&Value) -> Value) -> (Option<Outcome>, Vec<Value>) {
        let text = json!({"type": "string"});
        let tool = reading("create_t", json!({"a": text, "b": text, "c": text}), &["a", "b"]);
        sent(&OmitRequired, tool, json!({"a": "1", "b": "2", "c": "3"}), nature, answer).await
    }

    #[tokio::test]
    async fn each_required_argument_is_left_out_once() {
        let (good, without_a, without_b) =
            (json!({"a": "1", "b": "2", "c": "3"}), json!({"b": "2", "c": "3"}), json!({"a": "1", "c": "3"}));
        let strictly = calls(Nature::Reads, strict).await;
        assert_eq!(strictly.0, Some(Outcome::Exercised));
        assert_eq!(strictly.1, [good.clone(), without_a.clone(), without_b.clone()]);
        let (_, laxly) = calls(Nature::Reads, accepted).await;
        assert_eq!(laxly, [good.clone(), without_a.clone(), without_b]);
        let (_, writing) = calls(Nature::Writes, accepted).await;
        assert_eq!(
            writing,
            [good, without_a],
            "nothing is written twice, and nothing more than was accepted"
        );
    }

    #[tokio::test]
    async fn a_good_call_that_fails_exercises_nothing_and_a_refusal_is_no_failure() {
        let (outcome, sent) = calls(Nature::Reads, refused).await;
        assert!(
            matches!(outcome, Some(Outcome::NotExercised(why)) if why.starts_with("the tool failed: no"))
        );
        assert_eq!(sent.len(), 1);
        let good = [json!({"a": "1", "b": "2", "c": "3"}).as_object().unwrap().clone()];
        let tool = reading("t", json!({"a": {}, "b": {}, "c": {}}), &["a", "b"]);
        let (_, refusals, _) = send(&OmitRequired, tool, &good, Nature::Reads, strict).await;
        assert_eq!(refusals, 2);
    }

    #[tokio::test]
    async fn what_may_change_more_is_sent_nothing_less_outside_a_sandbox() {
        for name in ["delete_records", "edit_records", "replace_records", "records"] {
            let tool = reading(name, json!({"table": {"type": "string"}}), &["table"]);
            let (outcome, calls) =
                sent(&OmitRequired, tool, json!({"table": "a"}), Nature::Writes, accepted).await;
            assert!(matches!(outcome, Some(Outcome::NotExercised(why)) if why.contains("sandbox = true")));
            assert!(calls.is_empty(), "{name}");
        }
    }

    #[tokio::test]
    async fn a_call_without_arguments_is_made_where_nothing_is_required_and_nothing_may_be_written() {
        let tool = || reading("t", json!({"a": {"type": "string"}}), &[]);
        let calls = async |good: Value, nature| sent(&OmitRequired, tool(), good, nature, accepted).await.1;
        assert_eq!(calls(json!({"a": "1"}), Nature::Unmarked).await, [json!({"a": "1"}), json!({})]);
        assert!(calls(json!({"a": "1"}), Nature::Writes).await.is_empty());
        assert!(calls(json!({}), Nature::Reads).await.is_empty());
    }
}
