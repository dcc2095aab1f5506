//! All pages of `tools/list`, and again.

use frankly_contract::{BoxFuture, Tools};
use frankly_verdict::{Doc, Example, Expected, Severity};
#[cfg(test)]
use serde_json::{Value, json};

use super::super::Outcome;
use super::super::bench::shown;
use super::{ServerBench, ServerProbe};

/// See [`DOC`].
pub(super) struct ListTwice;

static DOC: Doc = Doc {
    name: "list-twice",
    what: "lists the tools twice more, all pages of them",
    why: "The same tools must come in the same order each time: clients keep the list as a prefix of what they send to the \
          model, and one that changes costs its whole cache. A server that announces a change may change it.",
    severity: "sent once, where any tool may be called",
    examples: &[
        Example {
            about: "the second time a tool is missing",
            expected: Expected::Finding(Severity::Error, "/result/tools"),
            input: r#"{"loses": true}"#,
        },
        Example {
            about: "the same tools each time",
            expected: Expected::Silence,
            input: r#"{"loses": false}"#,
        },
    ],
};

impl ServerProbe for ListTwice {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn run<'a>(&'a self, bench: &'a ServerBench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            for _ in 0..2 {
                if let Err(why) = bench.run.spend() {
                    return Outcome::NotExercised(why);
                }
                if let Err(error) = bench.session.list().await {
                    return Outcome::NotExercised(format!(
                        "the tools were not listed again: {}",
                        shown(&error)
                    ));
                }
            }
            Outcome::Exercised
        })
    }

    #[cfg(test)]
    fn example_answer(&self, example: &Value, before: &[Value], request: &Value) -> Vec<Value> {
        let pages = before.iter().filter(|earlier| earlier["method"] == "tools/list").count();
        let tool = |name: &str| json!({"name": name, "description": "For an example.", "inputSchema": {"type": "object"}});
        let page = match request["params"]["cursor"].as_str() {
            None => json!({"tools": [tool("find_orders")], "nextCursor": "p"}),
            Some(_) if example["loses"] == true && pages > 2 => json!({"tools": [tool("find_customers")]}),
            Some(_) => json!({"tools": [tool("find_customers"), tool("find_invoices")]}),
        };
        match request["method"].as_str() {
            Some("tools/list") => vec![json!({"jsonrpc": "2.0", "id": request["id"], "result": page})],
            _ => super::tests::answers(before, request),
        }
    }
}
