//! Valid values of a closed set, against each other.

use frankly_contract::BoxFuture;
#[cfg(test)]
use frankly_contract::ToolDef;
use frankly_verdict::{Doc, Example, Expected, Severity};
use serde_json::{Map, Value};

use super::bench::Bench;
use super::consent::{writing_value, writing_verb};
use super::nonsense_value::only_shapes;
use super::parameter::{Parameter, parameters};
use super::relation::{Baseline, ask_each, with};
use super::rows::values_in_rows;
use super::{Outcome, Probe};
use crate::config::Consent;

/// How many parameters are given other values.
const MOST_PARAMETERS: usize = 3;
/// How many values each is given.
const MOST_CHOICES: usize = 3;

/// See [`DOC`].
pub(super) struct OtherChoice;

static DOC: Doc = Doc {
    name: "other-choice",
    what: "makes the good call, then gives each parameter with a closed set of texts, at most 3, other values of the set, at \
           most 3: one that the rows of the good call show under its name, and those that they do not; then makes the good \
           call again. What only shapes the answer is left alone",
    why: "Rows that are the same whatever is chosen, and show other values under that name, were not chosen by it: an agent \
          takes them for those that it asked for.",
    severity: "needs the consent `mutate`; not sent to a tool that may write",
    examples: &[
        Example {
            about: "whatever status is asked for, all orders come back",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/orders"),
            input: r#"{"filters": false}"#,
        },
        Example {
            about: "the orders of the status that is asked for come back",
            expected: Expected::Silence,
            input: r#"{"filters": true}"#,
        },
    ],
};

impl Probe for OtherChoice {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn needs(&self, _has_examples: bool) -> Consent {
        Consent::Mutate
    }

    fn fits(&self, bench: &Bench<'_>) -> bool {
        bench.reads() && !others(bench, |_| Vec::new()).is_empty()
    }

    fn run<'a>(&'a self, bench: &'a Bench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { choose(bench).await.into() })
    }

    #[cfg(test)]
    fn example_tool(&self, _example: &Value) -> ToolDef {
        let status = serde_json::json!({"type": "string", "description": "Only orders with this status.",
            "enum": ["open", "sent", "lost"]});
        super::examples::reading("list_orders", serde_json::json!({ "status": status }), &[])
    }

    /// Two orders, one of them open and one sent.
    #[cfg(test)]
    fn example_answer(&self, example: &Value, arguments: &Value) -> Value {
        use serde_json::json;

        let rows = [json!({"id": "o-1", "status": "open"}), json!({"id": "o-2", "status": "sent"})];
        let wanted = arguments.get("status").filter(|_| example["filters"] == true);
        let rows: Vec<_> =
            rows.into_iter().filter(|row| wanted.is_none_or(|wanted| row["status"] == *wanted)).collect();
        json!({"content": [], "structuredContent":
            {"returned": rows.len(), "matched": rows.len(), "truncated": false, "orders": rows}})
    }
}

async fn choose(bench: &Bench<'_>) -> Result<(), String> {
    let good = Baseline::good(bench).await?.that_holds_something()?;
    let calls = others(bench, |name| values_in_rows(&good.answer, name));
    ask_each(bench, calls).await?.still_as_long().await
}

/// Calls in each of which one parameter has another value of its closed set; `shown` are the values that rows have under
/// its name.
fn others(bench: &Bench<'_>, shown: impl Fn(&str) -> Vec<String>) -> Vec<Map<String, Value>> {
    let good = bench.good_arguments();
    let choices = parameters(bench.tool()).filter_map(|parameter| {
        let others = choices(&parameter, good.get(parameter.name));
        (!only_shapes(parameter.name) && !others.is_empty()).then_some((parameter.name, others))
    });
    let calls = choices.take(MOST_PARAMETERS).flat_map(|(name, others)| {
        let good = &good;
        to_send(others, &shown(name)).into_iter().map(move |value| with(good, name, value))
    });
    calls.collect()
}

/// The texts that a parameter lets choose from, but for the one it has; none that tells to change something.
fn choices<'t>(parameter: &Parameter<'t>, good: Option<&Value>) -> Vec<&'t str> {
    let listed = parameter.schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    let may_send = |choice: &&Value| {
        let sent = Map::from_iter([(parameter.name.to_owned(), (*choice).clone())]);
        Some(*choice) != good && writing_value(&sent).is_none()
    };
    let texts = listed.filter(may_send).filter_map(Value::as_str);
    texts.filter(|text| !text.is_empty() && writing_verb(text).is_none()).collect()
}

/// As many as are sent: one that rows show, since by it some are found, and first those that they do not.
fn to_send<'t>(choices: Vec<&'t str>, shown: &[String]) -> Vec<&'t str> {
    let is_shown = |choice: &&str| shown.iter().any(|value| value.eq_ignore_ascii_case(choice));
    let (known, unknown): (Vec<_>, Vec<_>) = choices.into_iter().partition(is_shown);
    let from_known = known.len().min(MOST_CHOICES.saturating_sub(unknown.len()).max(1));
    let from_unknown = MOST_CHOICES - from_known;
    unknown.into_iter().take(from_unknown).chain(known.into_iter().take(from_known)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::consent::Nature;
    use super::super::examples::{reading, sent};
    use super::*;
    use serde_json::json;

    #[test]
    fn one_that_is_shown_is_sent_and_those_that_are_not() {
        let shown = ["Open".to_owned(), "sent".to_owned()];
        for (choices, expected) in [
            (vec!["open", "sent", "lost"], vec!["lost", "open", "sent"]),
            (vec!["open", "a", "b", "c", "sent"], vec!["a", "b", "open"]),
            (vec!["a", "b", "c", "d"], vec!["a", "b", "c"]),
            (vec!["open", "sent"], vec!["open", "sent"]),
        ] {
            assert_eq!(to_send(choices, &shown), expected);
        }
    }

    #[tokio::test]
    async fn a_closed_set_is_tried_between_two_good_calls_and_nothing_else_is() {
        let properties = json!({
            "a": {"anyOf": [{"type": "string", "enum": ["x", "y"]}, {"type": "null"}]}, "b": {"type": "string"},
            "c": {"type": "string", "enum": ["look", "delete"]}, "sort": {"type": "string", "enum": ["p", "q"]}
        });
        let answer = |_: &Value| json!({"content": [{"type": "text", "text": "one\ntwo"}]});
        let tool = || reading("list", properties.clone(), &[]);
        let good = json!({"a": "x", "b": "z"});
        let (outcome, calls) = sent(&OtherChoice, tool(), good.clone(), Nature::Reads, answer).await;
        assert_eq!(outcome, Some(Outcome::Exercised));
        let look = json!({"a": "x", "b": "z", "c": "look"});
        assert_eq!(calls, [good.clone(), json!({"a": "y", "b": "z"}), look, good.clone()]);
        assert_eq!(sent(&OtherChoice, tool(), good, Nature::Writes, answer).await.0, None);
    }
}
