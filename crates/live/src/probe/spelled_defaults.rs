//! A good call with every default written out.

use frankly_contract::BoxFuture;
#[cfg(test)]
use frankly_contract::ToolDef;
use frankly_verdict::{Doc, Example, Expected, Severity};
use serde_json::{Map, Value};

use super::bench::Bench;
use super::parameter::parameters;
use super::relation::Baseline;
use super::{Outcome, Probe};
use crate::config::Consent;

/// See [`DOC`].
pub(super) struct SpelledDefaults;

static DOC: Doc = Doc {
    name: "spelled-defaults",
    what: "makes the good call without every argument whose default is stated, then with all these defaults written out, \
           then without them again",
    why: "Both must have the same answer. Where they differ the tool does something else than its schema says when an \
          argument is left out, and an agent that leaves it out is misled about what it was told.",
    severity: "needs the consent `mutate`; not sent to a tool that may write",
    examples: &[
        Example {
            about: "5 is the stated default, and 3 come without it",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/rows"),
            input: r#"{"default": 3}"#,
        },
        Example {
            about: "5 is the stated default, and as many come without it",
            expected: Expected::Silence,
            input: r#"{"default": 5}"#,
        },
    ],
};

impl Probe for SpelledDefaults {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn needs(&self, _has_examples: bool) -> Consent {
        Consent::Mutate
    }

    fn fits(&self, bench: &Bench<'_>) -> bool {
        bench.reads() && !defaults(bench).is_empty()
    }

    fn run<'a>(&'a self, bench: &'a Bench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { spell_out(bench).await.into() })
    }

    #[cfg(test)]
    fn example_tool(&self, _example: &Value) -> ToolDef {
        let limit = serde_json::json!({"type": "integer", "description": "At most so many rows; default 5.",
            "minimum": 1, "maximum": 50, "default": 5});
        super::examples::reading("list_orders", serde_json::json!({ "limit": limit }), &[])
    }

    /// As many rows as were asked for, of ten; `default` where nothing was said.
    #[cfg(test)]
    fn example_answer(&self, example: &Value, arguments: &Value) -> Value {
        use serde_json::json;

        let limit = arguments["limit"].as_u64().or(example["default"].as_u64()).unwrap();
        let rows: Vec<Value> = (0..limit.min(10)).map(|id| json!({"id": id})).collect();
        json!({"content": [], "structuredContent": {"returned": rows.len(), "matched": 10,
            "truncated": rows.len() < 10, "hint": "ask for more with `limit`, up to 50", "rows": rows}})
    }
}

/// The defaults that the schema states for what may be left out; `null` is what leaving out is.
fn defaults(bench: &Bench<'_>) -> Map<String, Value> {
    let optional = parameters(bench.tool()).filter(|parameter| !parameter.required);
    let stated = optional.filter_map(|parameter| {
        let at_top = || bench.tool().parameters().find(|(name, _)| *name == parameter.name)?.1.get("default");
        let default = parameter.schema.get("default").or_else(at_top).filter(|default| !default.is_null())?;
        parameter.admits(default).then(|| (parameter.name.to_owned(), default.clone()))
    });
    stated.collect()
}

async fn spell_out(bench: &Bench<'_>) -> Result<(), String> {
    let defaults = defaults(bench);
    let mut without = bench.good_arguments();
    without.retain(|name, _| !defaults.contains_key(name));
    let left_out = Baseline::answered(bench, without.clone()).await?.that_holds_something()?;
    let mut spelled = without;
    spelled.extend(defaults);
    bench.ask(&spelled).await?;
    left_out.still_the_same().await
}

#[cfg(test)]
mod tests {
    use super::super::consent::Nature;
    use super::super::examples::{reading, sent};
    use super::*;
    use serde_json::json;

    #[tokio::test]
    async fn all_defaults_are_left_out_written_out_and_left_out_again() {
        let properties = json!({
            "limit": {"type": "integer", "default": 5}, "order": {"type": "string", "default": "newest"},
            "since": {"type": ["string", "null"], "default": null}, "broken": {"type": "integer", "default": "x"},
            "q": {"type": "string"}
        });
        let accepted = |_: &Value| json!({"content": [{"type": "text", "text": "one\ntwo"}]});
        let tool = reading("list", properties, &[]);
        let (outcome, sent) =
            sent(&SpelledDefaults, tool, json!({"q": "x", "limit": 2}), Nature::Reads, accepted).await;
        assert_eq!(outcome, Some(Outcome::Exercised));
        let without = json!({"q": "x"});
        assert_eq!(sent, [without.clone(), json!({"q": "x", "limit": 5, "order": "newest"}), without]);
    }

    #[tokio::test]
    async fn an_answer_that_changes_by_itself_shows_nothing() {
        let count = std::sync::atomic::AtomicUsize::new(0);
        let counting = move |_: &Value| {
            let n = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            json!({"content": [{"type": "text", "text": format!("one\ntwo\n{n}")}]})
        };
        let tool = reading("list", json!({"limit": {"type": "integer", "default": 5}}), &[]);
        let (outcome, _) = sent(&SpelledDefaults, tool, json!({}), Nature::Reads, counting).await;
        assert!(matches!(outcome, Some(Outcome::NotExercised(why)) if why.contains("the data moved")));
    }
}
