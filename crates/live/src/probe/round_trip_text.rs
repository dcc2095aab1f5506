//! Text beyond ASCII in an argument that comes back.

use frankly_contract::BoxFuture;
#[cfg(test)]
use frankly_contract::ToolDef;
use frankly_verdict::{Doc, Example, Expected, Severity};
#[cfg(test)]
use serde_json::Value;
use serde_json::json;

use super::bench::{Bench, Reply};
use super::consent::makes;
use super::parameter::{Parameter, parameters};
use super::relation::with;
use super::write_then_read::is_own_text;
use super::{Outcome, Probe};
use crate::config::Consent;

/// How many arguments are tried.
const MOST_ARGUMENTS: usize = 2;

/// See [`DOC`].
pub(super) struct RoundTripText;

static DOC: Doc = Doc {
    name: "round-trip-text",
    what: "gives an argument that the tool was seen to repeat, at most 2, a text in plain ASCII, then one with accents, \
           quotes, other scripts and an emoji, then one with line ends",
    why: "The text must come back as it was sent, in an answer or in a refusal. Where letters are lost the agent reads, \
          and passes on, something else than was stored or asked for.",
    severity: "needs the consent `mutate`; of tools that may write, only those that make something, in a sandbox",
    examples: &[
        Example {
            about: "letters beyond ASCII come back as question marks",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text"),
            input: r#"{"keeps": false}"#,
        },
        Example {
            about: "every letter comes back",
            expected: Expected::Silence,
            input: r#"{"keeps": true}"#,
        },
    ],
};

impl Probe for RoundTripText {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn needs(&self, _has_examples: bool) -> Consent {
        Consent::Mutate
    }

    fn fits(&self, bench: &Bench<'_>) -> bool {
        !subjects(bench).is_empty()
    }

    fn run<'a>(&'a self, bench: &'a Bench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { send_and_look(bench).await.into() })
    }

    #[cfg(test)]
    fn example_tool(&self, _example: &Value) -> ToolDef {
        let category = json!({"type": "string", "description": "Exact name of a category."});
        super::examples::reading("list_orders", json!({ "category": category }), &[])
    }

    #[cfg(test)]
    fn example_answer(&self, example: &Value, arguments: &Value) -> Value {
        let category = arguments["category"].as_str().unwrap_or("Rent");
        let shown = match example["keeps"].as_bool().unwrap() {
            true => category.to_owned(),
            false => category.chars().map(|c| if c.is_ascii() { c } else { '?' }).collect(),
        };
        json!({"content": [{"type": "text", "text": format!("No category is named {shown}; list_categories lists them.")}]})
    }

    /// The argument must have been seen to come back.
    #[cfg(test)]
    fn before_example<'a>(&'a self, bench: &'a Bench<'a>) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            bench.good().await.unwrap();
            bench.ask(&with(&bench.good_arguments(), "category", bench.run().marker())).await.unwrap();
        })
    }
}

/// The arguments that are given other text: of a tool that reads those that came back; of one that makes something, in a
/// sandbox, any open text.
fn subjects<'b>(bench: &'b Bench<'_>) -> Vec<Parameter<'b>> {
    let echoed = bench.echoed();
    let may_make = bench.in_sandbox() && makes(bench.tool());
    let comes_back = |parameter: &Parameter<'_>| match bench.reads() {
        true => echoed.contains(parameter.name),
        false => may_make && parameter.schema.get("format").is_none(),
    };
    let open = parameters(bench.tool()).filter(Parameter::is_open_text);
    let mut subjects: Vec<_> =
        open.filter(comes_back).filter(|parameter| parameter.admits(&json!("Zoë"))).collect();
    // Stable: what is the writer's own is rather stored than looked up.
    subjects.sort_by_key(|parameter| !is_own_text(parameter.name));
    subjects.truncate(MOST_ARGUMENTS);
    subjects
}

async fn send_and_look(bench: &Bench<'_>) -> Result<(), String> {
    bench.good().await?;
    let mut was_sent = false;
    for parameter in subjects(bench) {
        let run = bench.run();
        let marker = if bench.reads() { run.marker() } else { run.marker_to_write() };
        let texts = [
            format!("{marker} plain"),
            format!("{marker} Zoë «Ü» “x” \"y\" 日本語 Ωμ 🙂 z"),
            format!("{marker} one\ntwo\tthree"),
        ];
        for text in texts.into_iter().filter(|text| parameter.admits(&json!(text))) {
            let reply = bench.ask(&with(&bench.good_arguments(), parameter.name, text)).await?;
            was_sent = true;
            // What refuses plain text has no use for any other.
            if matches!(reply, Reply::Refused(_)) && !bench.reads() {
                break;
            }
        }
    }
    if was_sent { Ok(()) } else { Err("the schema leaves no room for other text than plain".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::super::consent::Nature;
    use super::super::examples::{reading, sent};
    use super::*;

    #[tokio::test]
    async fn an_argument_that_was_never_repeated_is_left_alone() {
        let accepted = |_: &Value| json!({"content": [{"type": "text", "text": "one\ntwo"}]});
        let tool = reading("list", json!({"q": {"type": "string"}}), &[]);
        assert_eq!(sent(&RoundTripText, tool, json!({}), Nature::Reads, accepted).await, (None, Vec::new()));
    }
}
