//! All pages of `tools/list`, and again.

use frankly_contract::{BoxFuture, Tools};
use frankly_verdict::Doc;

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
    examples: &[],
};

impl ServerProbe for ListTwice {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn run<'a>(&'a self, bench: &'a ServerBench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            for _ in 0..2 {
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
}
