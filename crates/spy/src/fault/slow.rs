//! Every call takes its time.

use std::fmt;
use std::future::Future;

use frankly_contract::{BoxFuture, CallError, ToolCall, ToolDef, ToolResult, Tools};

use super::Touched;

/// Tools of which every call waits before it runs.
///
/// How it waits is up to the caller, since this crate has no clock: with tokio, `|| tokio::time::sleep(…)`, best under a clock that
/// is paused, so that the test takes no time itself.
///
/// ```
/// use std::time::Duration;
///
/// use frankly_contract::{NoArguments, Registry, Tool, ToolCall, Tools};
/// use frankly_spy::{Outcome, Spy, fault::Slow};
/// use tokio::time::{sleep, timeout};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut registry = Registry::new();
/// registry.add(Tool::typed("search", "Finds flights.", |_: NoArguments| async { Ok("LX 14") }))?;
/// let slow = Slow::new(registry, || sleep(Duration::from_secs(60))).only(["search"]);
/// let spy = Spy::new(slow);
///
/// let call = spy.call(ToolCall::new("search", Default::default()));
/// assert!(timeout(Duration::from_secs(10), call).await.is_err());
/// assert_eq!(spy.calls()[0].outcome, Outcome::Dropped);
/// assert_eq!(spy.tools().struck(), 1);
/// # Ok(())
/// # }
/// ```
pub struct Slow<T, D> {
    tools: T,
    delay: D,
    touched: Touched,
}

impl<T, D, F> Slow<T, D>
where
    T: Tools,
    D: Fn() -> F + Send + Sync,
    F: Future<Output = ()> + Send,
{
    /// These tools, each call of which waits for what the closure gives. It is asked once for each call.
    pub fn new(tools: T, delay: D) -> Self {
        Self { tools, delay, touched: Touched::default() }
    }

    /// The same fault, for the tools of these names only.
    #[must_use]
    pub fn only<N: Into<String>>(mut self, tools: impl IntoIterator<Item = N>) -> Self {
        self.touched.only(tools);
        self
    }

    /// How many calls began to wait.
    #[must_use]
    pub fn struck(&self) -> usize {
        self.touched.struck()
    }
}

impl<T, D, F> Tools for Slow<T, D>
where
    T: Tools,
    D: Fn() -> F + Send + Sync,
    F: Future<Output = ()> + Send,
{
    fn list(&self) -> BoxFuture<'_, Result<Vec<ToolDef>, CallError>> {
        self.tools.list()
    }

    fn call(&self, call: ToolCall) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async move {
            if self.touched.covers(&call.name) {
                self.touched.strike();
                (self.delay)().await;
            }
            self.tools.call(call).await
        })
    }
}

impl<T: fmt::Debug, D> fmt::Debug for Slow<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slow")
            .field("tools", &self.tools)
            .field("touched", &self.touched)
            .finish_non_exhaustive()
    }
}
