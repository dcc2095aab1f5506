//! How a lie is told around a tool that is honest itself: in what it is asked, or in what it answers. What may not
//! enter: the lies, each of which stands with its tool.

use frankly_contract::{BoxFuture, CallError, ToolCall, ToolDef, ToolResult, Tools};
use serde_json::{Map, Value};

use crate::{Fault, Faults};

/// Arguments as they are sent.
pub(super) type Sent = Map<String, Value>;
/// What comes of a call.
pub(super) type Outcome = Result<ToolResult, CallError>;

/// A fault that is told around a tool.
pub(super) struct Lie {
    fault: Fault,
    how: How,
}

enum How {
    Asked(fn(&mut Sent)),
    Answered(fn(&Sent, Outcome) -> Outcome),
}

impl Lie {
    /// One that changes the arguments before the tool, or its schema, sees them.
    pub const fn asked(fault: Fault, change: fn(&mut Sent)) -> Self {
        Self { fault, how: How::Asked(change) }
    }

    /// One that changes what the tool answered to these arguments.
    pub const fn answered(fault: Fault, change: fn(&Sent, Outcome) -> Outcome) -> Self {
        Self { fault, how: How::Answered(change) }
    }
}

/// Tools, and the lies that are told around each, by its name.
pub(crate) struct Lying<T> {
    inner: T,
    lies: Vec<(&'static str, &'static Lie)>,
    /// Whether a tool that does not exist seems to.
    runs_unknown: bool,
}

impl<T: Tools> Lying<T> {
    /// The tools, with those lies that are switched on.
    pub(super) fn new(inner: T, all: &[(&'static str, &'static [Lie])], faults: &Faults) -> Self {
        let lies = all.iter().flat_map(|(tool, lies)| lies.iter().map(|lie| (*tool, lie)));
        let lies = lies.filter(|(_, lie)| faults.contains(lie.fault)).collect();
        Self { inner, lies, runs_unknown: faults.contains(Fault::UnknownToolRuns) }
    }

    async fn answer(&self, mut call: ToolCall) -> Outcome {
        let name = call.name.clone();
        if self.runs_unknown && !self.inner.list().await?.iter().any(|tool| tool.name() == name) {
            return Ok(ToolResult::text("Done."));
        }
        let lies: Vec<&Lie> =
            self.lies.iter().filter(|(tool, _)| *tool == name).map(|(_, lie)| *lie).collect();
        for lie in &lies {
            if let How::Asked(change) = lie.how {
                change(&mut call.arguments);
            }
        }
        let sent = call.arguments.clone();
        let mut outcome = self.inner.call(call).await;
        for lie in lies {
            if let How::Answered(change) = lie.how {
                outcome = change(&sent, outcome);
            }
        }
        outcome
    }
}

impl<T: Tools> Tools for Lying<T> {
    fn list(&self) -> BoxFuture<'_, Result<Vec<ToolDef>, CallError>> {
        self.inner.list()
    }

    fn call(&self, call: ToolCall) -> BoxFuture<'_, Outcome> {
        Box::pin(self.answer(call))
    }
}

/// A successful answer with its structured content changed, and its text with it.
pub(super) fn restructured(outcome: Outcome, change: impl FnOnce(&mut Value)) -> Outcome {
    let answer = outcome?;
    let Some(mut content) = answer.structured().cloned() else { return Ok(answer) };
    change(&mut content);
    Ok(ToolResult::json(&content).unwrap_or(answer))
}

/// An answer with other texts, and the rest of it as it was.
pub(super) fn reworded(answer: ToolResult, text: &str) -> ToolResult {
    let mut raw = answer.into_raw();
    raw.insert("content".to_owned(), Value::from(vec![serde_json::json!({"type": "text", "text": text})]));
    ToolResult::from_raw(raw)
}
