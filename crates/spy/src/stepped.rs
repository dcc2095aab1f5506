//! Tools at which a run gives way. What may not enter: a clock.

use std::future::poll_fn;
use std::task::Poll;

use frankly_contract::{BoxFuture, CallError, ToolCall, ToolDef, ToolResult, Tools};

/// Gives way once: whoever else is to be polled comes next. A store of one's own that never waits can be made to with it.
///
/// ```
/// use frankly_spy::give_way;
///
/// pollster::block_on(give_way());
/// ```
pub async fn give_way() {
    let mut gave_way = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut gave_way, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Tools that give way before and after each call, as those do that wait for a network.
///
/// Tools in process answer without waiting, so that nothing else ever runs between a call's beginning and its end, and what would
/// go wrong there does not. With this the next one runs there every time, in an order that does not change; see
/// [`Isolation::interleaved`](crate::isolation::Isolation::interleaved).
///
/// ```
/// use frankly_contract::{NoArguments, Registry, Tool, ToolCall, Tools};
/// use frankly_spy::{Spy, Stepped};
/// use futures_util::future::join;
///
/// let mut registry = Registry::new();
/// registry.add(Tool::typed("ping", "Answers pong.", |_: NoArguments| async { Ok("pong") }))?;
/// let spy = Spy::new(Stepped::new(registry));
/// let ping = || spy.call(ToolCall::new("ping", Default::default()));
/// let _ = pollster::block_on(join(ping(), ping()));
/// assert!(spy.calls()[1].began < spy.calls()[0].ended.unwrap_or(0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Stepped<T> {
    tools: T,
}

impl<T: Tools> Stepped<T> {
    /// These tools, with a step before and after each call.
    pub fn new(tools: T) -> Self {
        Self { tools }
    }
}

impl<T: Tools> Tools for Stepped<T> {
    fn list(&self) -> BoxFuture<'_, Result<Vec<ToolDef>, CallError>> {
        self.tools.list()
    }

    fn call(&self, call: ToolCall) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async move {
            give_way().await;
            let answer = self.tools.call(call).await;
            give_way().await;
            answer
        })
    }
}

#[cfg(test)]
mod tests {
    use frankly_contract::{NoArguments, Registry, Tool};
    use futures_util::FutureExt;

    use super::*;
    use crate::Spy;

    #[test]
    fn a_call_gives_way_before_and_after_the_tool_runs() {
        let mut registry = Registry::new();
        registry.add(Tool::typed("ping", "Answers pong.", |_: NoArguments| async { Ok("pong") })).unwrap();
        let reached = Spy::new(registry);
        let log = reached.log();
        let stepped = Stepped::new(reached);
        let mut call = stepped.call(ToolCall::new("ping", serde_json::Map::new()));
        for ran in [0, 1] {
            assert!((&mut call).now_or_never().is_none());
            assert_eq!(log.calls().len(), ran);
        }
        assert!(call.now_or_never().is_some_and(|answer| answer.is_ok()));
    }
}
