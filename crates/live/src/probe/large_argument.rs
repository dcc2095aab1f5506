//! Very long text in an argument, then a healthy call.

use frankly_contract::BoxFuture;
use frankly_verdict::Doc;
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
    examples: &[],
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
        let most = example["most"].as_u64().unwrap();
        match arguments.get("text").and_then(Value::as_str) {
            Some(text) if text.len() as u64 > most => json!({"content": [{"type": "text",
                "text": format!("INVALID_ARGS: `text` is longer than {most} bytes; send a part of it")}], "isError": true}),
            _ => json!({"content": [{"type": "text", "text": "12 words"}]}),
        }
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
    for size in SIZES {
        let call = with(&bench.good_arguments(), name, "a".repeat(size));
        ask_each(bench, [call]).await?;
        bench.still_answers().await?;
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
