//! Very long text in an argument, then a healthy call.

use frankly_contract::BoxFuture;
#[cfg(test)]
use frankly_contract::ToolDef;
use frankly_verdict::{Doc, Example, Expected, Severity};
#[cfg(test)]
use serde_json::{Value, json};

use super::bench::Bench;
use super::parameter::{Parameter, parameters};
use super::relation::{ask_each, with};
use super::{Outcome, Probe};
use crate::config::Consent;

/// How long the texts are, in bytes.
const SIZES: [usize; 3] = [4 << 10, 64 << 10, 1 << 20];

/// See [`DOC`].
pub(super) struct LargeArgument;

static DOC: Doc = Doc {
    name: "large-argument",
    what: "gives one text argument 4 KiB, 64 KiB and 1 MiB, and makes a call that succeeded before after each of them",
    why: "Each must be answered or refused, and the healthy call be answered as before: agents pass on whole files, and a \
          server that stops at one is lost for every later call.",
    severity: "needs the consent `mutate` and `sandbox`",
    examples: &[
        Example {
            about: "nothing is answered any more after a long text",
            expected: Expected::Finding(Severity::Error, ""),
            input: r#"{"most": 1000000, "breaks": true}"#,
        },
        Example {
            about: "a long text is refused, and the next call answered",
            expected: Expected::Silence,
            input: r#"{"most": 1000000, "breaks": false}"#,
        },
    ],
};

impl Probe for LargeArgument {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn needs(&self, _has_examples: bool) -> Consent {
        Consent::Mutate
    }

    fn needs_sandbox(&self) -> bool {
        true
    }

    fn fits(&self, bench: &Bench<'_>) -> bool {
        subject(bench).is_some()
    }

    fn run<'a>(&'a self, bench: &'a Bench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { enlarge(bench).await.into() })
    }

    #[cfg(test)]
    fn example_answer(&self, example: &Value, arguments: &Value) -> Value {
        use std::sync::atomic::{AtomicBool, Ordering};

        static BROKEN: AtomicBool = AtomicBool::new(false);
        let most = example["most"].as_u64().unwrap();
        let is_long =
            arguments.get("text").and_then(Value::as_str).is_some_and(|text| text.len() as u64 > most);
        let breaks = example["breaks"] == true;
        if breaks && BROKEN.fetch_or(is_long, Ordering::Relaxed) {
            return Value::Null;
        }
        match is_long {
            true => json!({"content": [{"type": "text",
                "text": "INVALID_ARGS: `text` is too long; send a part of it"}], "isError": true}),
            false => json!({"content": [{"type": "text", "text": "12 words"}]}),
        }
    }

    #[cfg(test)]
    fn example_tool(&self, _example: &Value) -> ToolDef {
        let text = json!({"type": "string", "description": "The text whose words are counted."});
        super::examples::reading("count_words", json!({ "text": text }), &[])
    }
}

/// The text that has the most room: one without a stated length, else the longest.
fn subject<'b>(bench: &'b Bench<'_>) -> Option<Parameter<'b>> {
    let texts = parameters(bench.tool()).filter(Parameter::is_open_text);
    let texts = texts.filter(|parameter| parameter.schema.get("format").is_none());
    let room = |parameter: &Parameter<'_>| {
        (parameter.schema.get("pattern").is_none(), parameter.bound("maxLength").unwrap_or(u64::MAX))
    };
    // Of equals the first: `max_by_key` would give the last.
    texts.reduce(|best, next| if room(&next) > room(&best) { next } else { best })
}

async fn enlarge(bench: &Bench<'_>) -> Result<(), String> {
    let name = subject(bench).ok_or("it takes no text")?.name;
    let good = ask_each(bench, []).await?;
    for size in SIZES {
        let reply = bench.ask(&with(&good.arguments, name, "a".repeat(size))).await;
        bench.still_answers().await?;
        if reply.is_err() {
            // Whatever became of it shows in the call afterwards.
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::consent::Nature;
    use super::super::examples::{reading, sent};
    use super::*;

    #[tokio::test]
    async fn the_roomiest_text_grows_and_a_healthy_call_follows_each() {
        let accepted = |_: &Value| json!({"content": [{"type": "text", "text": "one\ntwo"}]});
        let properties = json!({"id": {"type": "string", "maxLength": 9}, "text": {"type": "string"}});
        let good = json!({"id": "x"});
        let tool = reading("count", properties, &[]);
        let (outcome, sent) = sent(&LargeArgument, tool, good.clone(), Nature::Reads, accepted).await;
        assert_eq!(outcome, Some(Outcome::Exercised));
        let lengths: Vec<_> = sent.iter().map(|call| call["text"].as_str().map(str::len)).collect();
        let [small, medium, large] = SIZES;
        assert_eq!(lengths, [None, Some(small), None, Some(medium), None, Some(large), None]);
    }
}
