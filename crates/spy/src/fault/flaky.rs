//! The first calls fail, and then it works.

use frankly_contract::{BoxFuture, CallError, ToolCall, ToolDef, ToolResult, Tools};

use super::Touched;

/// Tools of which the first calls fail, and no later one.
///
/// They are counted together, whichever tool is called, as when a connection is down for a while; calls at the same time are
/// counted one by one. For a count of its own, wrap a tool once more with [`Flaky::only`].
///
/// ```
/// use frankly_contract::{CallError, NoArguments, Registry, Tool, ToolCall, Tools};
/// use frankly_spy::fault::Flaky;
///
/// let mut registry = Registry::new();
/// registry.add(Tool::typed("search", "Finds flights.", |_: NoArguments| async { Ok("LX 14") }))?;
/// let tools = Flaky::new(registry, 2, CallError::TimedOut).only(["search"]);
///
/// let call = || pollster::block_on(tools.call(ToolCall::new("search", Default::default())));
/// assert_eq!([call(), call()], [Err(CallError::TimedOut), Err(CallError::TimedOut)]);
/// assert!(call().is_ok());
/// assert_eq!(tools.struck(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// With [`Flaky::after_running`] the tool does its work each time, and only its first answers are lost: what shows whether a retry
/// does the work twice.
///
/// ```
/// use frankly_contract::{CallError, NoArguments, Registry, Tool, ToolCall, Tools};
/// use frankly_spy::{Spy, fault::Flaky};
///
/// let mut registry = Registry::new();
/// registry.add(Tool::typed("refund", "Pays back.", |_: NoArguments| async { Ok("paid back") }))?;
/// let reached = Spy::new(registry);
/// let log = reached.log();
/// let tools = Flaky::new(reached, 1, CallError::TimedOut).after_running();
/// for answered in [false, true] {
///     let answer = pollster::block_on(tools.call(ToolCall::new("refund", Default::default())));
///     assert_eq!(answer.is_ok(), answered);
/// }
/// log.calls().assert_sequence(["refund", "refund"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Flaky<T> {
    tools: T,
    times: usize,
    error: CallError,
    touched: Touched,
    runs: bool,
}

impl<T: Tools> Flaky<T> {
    /// These tools, of which so many calls fail with this error before they work.
    pub fn new(tools: T, times: usize, error: impl Into<CallError>) -> Self {
        Self { tools, times, error: error.into(), touched: Touched::default(), runs: false }
    }

    /// The same fault, for the tools of these names only.
    #[must_use]
    pub fn only<N: Into<String>>(mut self, tools: impl IntoIterator<Item = N>) -> Self {
        self.touched.only(tools);
        self
    }

    /// The same fault, which comes after the tool has run: its work is done, and its answer is lost.
    ///
    /// The error has to be one that says so little: [`CallError::TimedOut`], a lost peer, or a result without a code. A code is a word that
    /// nothing was done (see [`Code::Transient`](frankly_contract::Code::Transient)), and whoever is told it after the work was done is told
    /// a lie: an honest caller then does it again, and an [`Once`](frankly_contract::Once) around it forgets the call.
    #[must_use]
    pub fn after_running(mut self) -> Self {
        self.runs = true;
        self
    }

    /// How many calls failed by it.
    #[must_use]
    pub fn struck(&self) -> usize {
        self.touched.struck()
    }
}

impl<T: Tools> Tools for Flaky<T> {
    fn list(&self) -> BoxFuture<'_, Result<Vec<ToolDef>, CallError>> {
        self.tools.list()
    }

    fn call(&self, call: ToolCall) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async move {
            if !self.touched.covers(&call.name) || !self.touched.strike_up_to(self.times) {
                return self.tools.call(call).await;
            }
            if self.runs {
                drop(self.tools.call(call).await);
            }
            Err(self.error.clone())
        })
    }
}
