//! Relations between two calls: a good one to compare with, and the same one again afterwards, which shows that the data
//! did not move in between.

use frankly_contract::ToolResult;
use frankly_verdict::payload::{holds_nothing, is_longer};
use serde_json::{Map, Value};

use super::bench::{Bench, Reply};
use super::consent::makes;
use super::moved;

/// A good answer that others are compared with.
pub(super) struct Baseline<'b, 'a> {
    bench: &'b Bench<'a>,
    pub arguments: Map<String, Value>,
    pub answer: ToolResult,
}

impl<'b, 'a> Baseline<'b, 'a> {
    /// The answer to some arguments, which must be a success.
    pub async fn answered(bench: &'b Bench<'a>, arguments: Map<String, Value>) -> Result<Self, String> {
        let answer = bench.first(&arguments).await?;
        Ok(Self { bench, arguments, answer })
    }

    /// An answer that is there already.
    pub fn answered_so(bench: &'b Bench<'a>, arguments: Map<String, Value>, answer: ToolResult) -> Self {
        Self { bench, arguments, answer }
    }

    /// The answer to the good arguments, which must be a success.
    pub async fn good(bench: &'b Bench<'a>) -> Result<Self, String> {
        let answer = bench.good().await?;
        Ok(Self { bench, arguments: bench.good_arguments(), answer })
    }

    /// The same, where the answer must hold something: what an empty one leaves out cannot be seen.
    pub fn that_holds_something(self) -> Result<Self, String> {
        if holds_nothing(&self.answer) {
            let key = self.bench.examples_key();
            return Err(format!("the good call found nothing; give arguments that find something as {key}"));
        }
        Ok(self)
    }

    /// Makes the call again: an error where it gave more or fewer items. A tool that may write is not called again.
    pub async fn still_as_long(&self) -> Result<(), String> {
        self.moved().await?.map_or(Ok(()), Err)
    }

    /// Makes the call again: why nothing is shown, where it gave more or fewer items.
    pub async fn moved(&self) -> Result<Option<String>, String> {
        let has_moved = |again: &ToolResult| is_longer(again, &self.answer) || is_longer(&self.answer, again);
        let again = self.again().await?.filter(has_moved);
        Ok(again.map(|again| moved::longer_or_shorter(&self.answer, &again)))
    }

    /// The same, and nothing else in the answer may have changed either.
    pub async fn still_the_same(&self) -> Result<(), String> {
        match self.again().await? {
            Some(again) if !are_alike(&again, &self.answer) => Err(moved::changed(&self.answer, &again)),
            _ => Ok(()),
        }
    }

    async fn again(&self) -> Result<Option<ToolResult>, String> {
        match self.bench.reads() {
            true => self.bench.call(&self.arguments).await.map(Some),
            false => Ok(None),
        }
    }
}

/// Whether two answers say the same; what is told beside the answer is left out.
pub(super) fn are_alike(one: &ToolResult, other: &ToolResult) -> bool {
    let members = |answer: &ToolResult| {
        let mut members = answer.raw().clone();
        members.remove("_meta");
        members
    };
    members(one) == members(other)
}

/// Makes the good call and then each of these, which may well be refused. To a tool that may write nothing more is sent
/// after one that was accepted.
pub(super) async fn ask_each<'b, 'a>(
    bench: &'b Bench<'a>,
    changed: impl IntoIterator<Item = Map<String, Value>>,
) -> Result<Baseline<'b, 'a>, String> {
    may_try(bench)?;
    let good = Baseline::good(bench).await?;
    for arguments in changed {
        if matches!(bench.ask(&arguments).await?, Reply::Answer(_)) && !bench.reads() {
            break;
        }
    }
    Ok(good)
}

/// Whether a call that is not quite right may be tried: not where it may change more than was meant.
fn may_try(bench: &Bench<'_>) -> Result<(), String> {
    if bench.reads() || bench.in_sandbox() || makes(bench.tool()) {
        return Ok(());
    }
    Err("with other arguments than the good ones it may change more than was meant; allow it with sandbox = true in \
         frankly.toml, or frankly probe --sandbox"
        .to_owned())
}

/// Arguments with one of them set.
pub(super) fn with(
    arguments: &Map<String, Value>,
    name: &str,
    value: impl Into<Value>,
) -> Map<String, Value> {
    let mut arguments = arguments.clone();
    arguments.insert(name.to_owned(), value.into());
    arguments
}
