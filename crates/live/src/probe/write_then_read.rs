//! A write with a marker, then whatever can show it.

use frankly_contract::{BoxFuture, ToolDef};
use frankly_verdict::Doc;
use serde_json::{Map, Value, json};

use super::bench::{Bench, Reply};
use super::consent::{among, words};
use super::parameter::{Parameter, parameters};
use super::readers::{look_for, readers};
use super::relation::with;
use super::{Outcome, Probe};
use crate::config::Consent;

/// How many tools are asked what was stored.
const MOST_READERS: usize = 3;
/// Words in the name of a parameter whose text is the writer's own.
const OWN_TEXT: &str = "body comment content description label memo merchant message name note notes payee remark subject \
                        summary text title";

/// See [`DOC`].
pub(super) struct WriteThenRead;

static DOC: Doc = Doc {
    name: "write-then-read",
    what: "makes the good call with a text that stands nowhere else in one argument, then asks at most 3 tools that read, \
           those about the same things first, with the id that came back and the arguments that both take",
    why: "What the write says it stored must be what is read afterwards, or it must have said what was changed. A write \
          that repeats the request reads as proof that it was stored.",
    severity: "needs the consent `writes`; sent only to tools that may write",
    examples: &[],
};

impl Probe for WriteThenRead {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn needs(&self, _has_examples: bool) -> Consent {
        Consent::Writes
    }

    fn fits(&self, bench: &Bench<'_>) -> bool {
        !bench.reads() && !readers(bench).is_empty()
    }

    fn run<'a>(&'a self, bench: &'a Bench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { write(bench).await.into() })
    }

    #[cfg(test)]
    fn example_answer(&self, _example: &Value, arguments: &Value) -> Value {
        json!({"content": [], "structuredContent": {"id": "n-1", "stored": arguments}})
    }
}

/// The good arguments, with a marker in the argument whose text is the writer's own, if there is one.
pub(super) fn marked(tool: &ToolDef, good: &Map<String, Value>, marker: &str) -> Map<String, Value> {
    let marker = json!(marker);
    let is_own = |parameter: &Parameter<'_>| {
        parameter.is_open_text()
            && words(parameter.name).last().is_some_and(|word| among(word, OWN_TEXT))
            && parameter.admits(&marker)
    };
    match parameters(tool).find(is_own) {
        Some(parameter) => with(good, parameter.name, marker),
        None => good.clone(),
    }
}

async fn write(bench: &Bench<'_>) -> Result<(), String> {
    let arguments = marked(bench.tool(), &bench.good_arguments(), &bench.run().marker());
    let answer = match bench.ask(&arguments).await? {
        Reply::Answer(answer) => answer,
        Reply::Refused(why) => return Err(format!("the write was refused: {why}")),
    };
    for reader in readers(bench).iter().take(MOST_READERS) {
        bench.call_other(&look_for(reader, &arguments, &answer, bench.tool())).await?;
    }
    Ok(())
}
