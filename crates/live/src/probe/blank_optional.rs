//! A good call with an empty text for what may be left out.

use frankly_contract::BoxFuture;
#[cfg(test)]
use frankly_contract::ToolDef;
use frankly_verdict::{Doc, Example, Expected, Severity};
use serde_json::{Map, Value, json};

use super::bench::Bench;
use super::parameter::{Parameter, parameters};
use super::relation::{Baseline, ask_each, with};
use super::{Outcome, Probe};
use crate::config::Consent;

/// How many parameters are given an empty text.
const MOST_CALLS: usize = 6;

/// See [`DOC`].
pub(super) struct BlankOptional;

static DOC: Doc = Doc {
    name: "blank-optional",
    what: "makes the good call, then gives each optional text, at most 6, an empty one; then makes the good call again",
    why: "An empty text must do what leaving the argument out does, or be refused by name. Models fill in every argument: \
          a filter for nothing finds nothing, which reads as an honest empty answer.",
    severity: "needs the consent `mutate`; not sent to a tool that may write",
    examples: &[
        Example {
            about: "an empty category is looked for, and found nowhere",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/orders"),
            input: r#"{"blank": "a value"}"#,
        },
        Example {
            about: "an empty category is as good as none",
            expected: Expected::Silence,
            input: r#"{"blank": "nothing"}"#,
        },
    ],
};

impl Probe for BlankOptional {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn needs(&self, _has_examples: bool) -> Consent {
        Consent::Mutate
    }

    fn fits(&self, bench: &Bench<'_>) -> bool {
        bench.reads() && !blank(bench).is_empty()
    }

    fn run<'a>(&'a self, bench: &'a Bench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let asked = async {
                Baseline::good(bench).await?.that_holds_something()?;
                ask_each(bench, blank(bench)).await?.still_as_long().await
            };
            asked.await.into()
        })
    }

    #[cfg(test)]
    fn example_tool(&self, _example: &Value) -> ToolDef {
        let category = json!({"type": "string", "description": "Exact name of a category."});
        super::examples::reading("list_orders", json!({ "category": category }), &[])
    }

    #[cfg(test)]
    fn example_answer(&self, example: &Value, arguments: &Value) -> Value {
        let rows = match (arguments.get("category"), example["blank"].as_str()) {
            (Some(category), Some("a value")) if category == "" => json!([]),
            _ => json!([{"id": "o-1", "category": "Rent"}, {"id": "o-2", "category": "Food"}]),
        };
        let returned = rows.as_array().unwrap().len();
        json!({"content": [], "structuredContent":
            {"returned": returned, "matched": returned, "truncated": false, "orders": rows}})
    }
}

/// Calls in each of which one optional text is empty. What must have a form cannot be empty, and what is closed is not.
fn blank(bench: &Bench<'_>) -> Vec<Map<String, Value>> {
    let good = bench.good_arguments();
    let may_be_blank = |parameter: &Parameter<'_>| {
        !parameter.required && parameter.is_open_text() && parameter.admits(&json!(""))
    };
    let optional = parameters(bench.tool()).filter(may_be_blank);
    let optional = optional.filter(|parameter| parameter.schema.get("format").is_none());
    optional.take(MOST_CALLS).map(|parameter| with(&good, parameter.name, "")).collect()
}

#[cfg(test)]
mod tests {
    use super::super::consent::Nature;
    use super::super::examples::{reading, sent};
    use super::*;

    #[tokio::test]
    async fn only_open_texts_that_may_be_left_out_are_blank() {
        let properties = json!({
            "a": {"type": "string"}, "b": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "c": {"type": "string", "minLength": 1}, "d": {"type": "string", "enum": ["x"]},
            "e": {"type": "string", "format": "date"}, "f": {"type": "integer"}, "g": {"type": "string"}
        });
        let accepted = |_: &Value| json!({"content": [{"type": "text", "text": "one\ntwo"}]});
        let tool = reading("list", properties, &["g"]);
        let good = json!({"g": "x"});
        let sent = sent(&BlankOptional, tool, good.clone(), Nature::Reads, accepted).await.1;
        assert_eq!(sent, [good.clone(), json!({"g": "x", "a": ""}), json!({"g": "x", "b": ""}), good]);
    }
}
