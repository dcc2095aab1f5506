//! Every call fails.

use frankly_contract::{BoxFuture, CallError, ToolCall, ToolDef, ToolResult, Tools};

use super::Touched;

/// Tools of which every call fails with the same error. They are listed as before, and never run.
///
/// ```
/// use frankly_contract::{CallError, Code, NoArguments, Registry, Tool, ToolCall, ToolError, Tools};
/// use frankly_spy::fault::Failing;
///
/// let mut registry = Registry::new();
/// registry.add(Tool::typed("search", "Finds flights.", |_: NoArguments| async { Ok("LX 14") }))?;
/// registry.add(Tool::typed("refund", "Pays back.", |_: NoArguments| async { Ok("paid back") }))?;
/// let down = ToolError::new(Code::Transient, "the bank is down", "");
/// let tools = Failing::new(registry, down.clone()).only(["refund"]);
///
/// let call = |name: &str| pollster::block_on(tools.call(ToolCall::new(name, Default::default())));
/// assert!(call("search").is_ok());
/// assert_eq!(call("refund"), Err(CallError::from(down)));
/// assert_eq!(tools.struck(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// With [`Failing::after_running`] the tool does its work and the answer is lost, as when a connection breaks too late. Whoever
/// then calls again without an idempotency key does it twice:
///
/// ```
/// use frankly_contract::{CallError, NoArguments, Registry, Tool, ToolCall, Tools};
/// use frankly_spy::{Spy, fault::Failing};
///
/// let mut registry = Registry::new();
/// registry.add(Tool::typed("refund", "Pays back.", |_: NoArguments| async { Ok("paid back") }))?;
/// let reached = Spy::new(registry);
/// let log = reached.log();
/// let tools = Failing::new(reached, CallError::TimedOut).after_running();
/// assert_eq!(pollster::block_on(tools.call(ToolCall::new("refund", Default::default()))), Err(CallError::TimedOut));
/// log.calls().assert_sequence(["refund"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Failing<T> {
    tools: T,
    error: CallError,
    touched: Touched,
    runs: bool,
}

impl<T: Tools> Failing<T> {
    /// These tools, each call of which fails with this error: a [`ToolError`](frankly_contract::ToolError), or any other
    /// [`CallError`].
    pub fn new(tools: T, error: impl Into<CallError>) -> Self {
        Self { tools, error: error.into(), touched: Touched::default(), runs: false }
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

impl<T: Tools> Tools for Failing<T> {
    fn list(&self) -> BoxFuture<'_, Result<Vec<ToolDef>, CallError>> {
        self.tools.list()
    }

    fn call(&self, call: ToolCall) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async move {
            if !self.touched.covers(&call.name) {
                return self.tools.call(call).await;
            }
            if self.runs {
                drop(self.tools.call(call).await);
            }
            self.touched.strike();
            Err(self.error.clone())
        })
    }
}
