//! Relations between two calls: a good one to compare with, and the same one again afterwards, which shows that the data
//! did not move in between.

use frankly_contract::ToolResult;
use frankly_verdict::payload::{holds_nothing, is_longer};
use serde_json::{Map, Value};

use super::bench::{Bench, Reply};
use super::consent::makes;
use super::moved;
use crate::session::ONLY_ENDS;

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
        let again = match self.again().await? {
            Some(again) => match likeness(&self.answer, &again) {
                Likeness::Same => None,
                // Another text need not be a longer one.
                Likeness::Changed | Likeness::Unknown if is_cut(&again) => return Err(TOO_LARGE.to_owned()),
                _ => Some(again).filter(has_moved),
            },
            None => None,
        };
        Ok(again.map(|again| moved::longer_or_shorter(&self.answer, &again)))
    }

    /// The same, and nothing else in the answer may have changed either.
    pub async fn still_the_same(&self) -> Result<(), String> {
        let Some(again) = self.again().await? else { return Ok(()) };
        match likeness(&self.answer, &again) {
            Likeness::Same => Ok(()),
            Likeness::Changed => Err(moved::changed(&self.answer, &again)),
            Likeness::Unknown => Err(TOO_LARGE.to_owned()),
        }
    }

    async fn again(&self) -> Result<Option<ToolResult>, String> {
        match self.bench.reads() {
            true => self.bench.call(&self.arguments).await.map(Some),
            false => Ok(None),
        }
    }
}

const TOO_LARGE: &str = "the answers are too large to be compared: of one of more than 16 MiB only the ends are kept; give arguments with \
                         which they are smaller";

/// Whether two answers say the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Likeness {
    Same,
    Changed,
    /// Not enough of them is kept.
    Unknown,
}

/// Whether two answers say the same; what is told beside the answer is left out. Those of which only the ends were kept go
/// by their digests.
fn likeness(one: &ToolResult, other: &ToolResult) -> Likeness {
    let digest = |answer: &ToolResult| meta(answer).map(|ends| ends["digest"].clone());
    let is_same = match (digest(one), digest(other)) {
        (None, None) => members(one) == members(other),
        (Some(one), Some(other)) if !one.is_null() && !other.is_null() => one == other,
        _ => return Likeness::Unknown,
    };
    if is_same { Likeness::Same } else { Likeness::Changed }
}

/// What is noted of an answer of which only the ends were kept.
fn meta(answer: &ToolResult) -> Option<&Value> {
    answer.raw().get("_meta")?.get(ONLY_ENDS)
}

fn is_cut(answer: &ToolResult) -> bool {
    meta(answer).is_some()
}

fn members(answer: &ToolResult) -> Map<String, Value> {
    let mut members = answer.raw().clone();
    members.remove("_meta");
    members
}

/// Whether two answers say the same, as far as is known of them.
pub(super) fn are_alike(one: &ToolResult, other: &ToolResult) -> bool {
    match likeness(one, other) {
        Likeness::Same => true,
        Likeness::Changed => false,
        Likeness::Unknown => members(one) == members(other),
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answer(text: &str, digest: Option<Value>) -> ToolResult {
        let mut raw = json!({"content": [{"type": "text", "text": text}]});
        if let Some(digest) = digest {
            raw["_meta"] = json!({ ONLY_ENDS: {"bytes": 17_000_000, "digest": digest} });
        }
        ToolResult::from_raw(raw.as_object().cloned().unwrap())
    }

    #[test]
    fn what_is_not_kept_whole_is_compared_by_its_digest_or_not_at_all() {
        let known = |digest: u64| Some(json!(digest));
        let of =
            |one: (&str, _), other: (&str, _)| likeness(&answer(one.0, one.1), &answer(other.0, other.1));
        assert_eq!(of(("a", None), ("a", None)), Likeness::Same);
        assert_eq!(of(("a", None), ("b", None)), Likeness::Changed);
        assert_eq!(of(("head 7", known(1)), ("head 10", known(1))), Likeness::Same);
        assert_eq!(of(("a", known(1)), ("a", known(2))), Likeness::Changed);
        assert_eq!(of(("a", known(1)), ("a", None)), Likeness::Unknown);
        assert_eq!(of(("a", Some(Value::Null)), ("a", Some(Value::Null))), Likeness::Unknown);
    }
}
