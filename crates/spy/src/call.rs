//! What is remembered of a call. What may not enter: whether it should have been made.

use std::fmt;
use std::time::Duration;

use frankly_contract::{CallError, Code, NoRunContext, RunContext, ToolError, ToolResult};
use serde_json::{Map, Value};

/// JSON-RPC's code for parameters that do not fit, which MCP prescribes for an unknown tool.
const INVALID_PARAMS: i64 = -32602;

/// One call, as a [`Spy`](crate::Spy) saw it.
///
/// It is there from the first time that its future was polled: one that was made and never polled called nothing.
///
/// ```
/// use frankly_contract::{NoArguments, Registry, RunContext, Tool, ToolCall, Tools};
/// use frankly_spy::{Call, Outcome, Spy, scoped_run};
///
/// let mut registry = Registry::new();
/// registry.add(Tool::typed("ping", "Answers pong.", |_: NoArguments| async { Ok("pong") }))?;
/// let spy = Spy::new(registry);
///
/// let run = RunContext::new("acme", "u_7", "run-1")?.with_idempotency_key("run-1/ping")?;
/// pollster::block_on(scoped_run(run, spy.call(ToolCall::new("ping", Default::default()))))?;
///
/// let calls = spy.calls();
/// let call: &Call = &calls[0];
/// assert_eq!((call.name.as_str(), call.key.as_deref()), ("ping", Some("run-1/ping")));
/// assert_eq!(call.context.as_ref().map(RunContext::tenant), Some("acme"));
/// assert!(matches!(&call.outcome, Outcome::Answered(result) if result.texts().eq([(0, "pong")])));
/// assert!(call.duration.is_some());
/// assert_eq!((call.began, call.ended), (0, Some(1)));
/// assert_eq!(call.went_on_under, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Call {
    /// The name as asked for, whether there is such a tool or not.
    pub name: String,
    /// The arguments as they were handed over.
    pub arguments: Map<String, Value>,
    /// Under whose name it ran: what was bound when its future was first polled, if anything was.
    pub context: Option<RunContext>,
    /// Under whose name it went on, where that was ever another tenant, user or run than it began under: what was bound when its future
    /// was first polled so. A future that is put into a set of another run goes on under the name of whoever drives that.
    pub went_on_under: Option<Result<RunContext, NoRunContext>>,
    /// The key under which repeats have one effect: the context's, or the argument's that
    /// [`Spy::keyed_by`](crate::Spy::keyed_by) names.
    pub key: Option<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// From the first poll to the end, as the machine's clock has it; `None` while it runs.
    pub duration: Option<Duration>,
    /// The place of its beginning in the order of beginnings and ends, counted from 0.
    pub began: u64,
    /// The place of its end; `None` while it runs.
    pub ended: Option<u64>,
    /// The arguments without the key, where one of them is the key.
    pub(crate) keyless: Map<String, Value>,
}

/// How a [`Call`] ended.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// With a result.
    Answered(ToolResult),
    /// With an error: of the tool, of whatever refused the call, or of the way there. A time-out that the tools keep
    /// themselves is one too.
    Failed(CallError),
    /// With a panic, which went on unwinding; this is what it said.
    Panicked(String),
    /// Its future was dropped before it ended: the caller gave up, as time-outs and `select!` do. The tool may have done its work.
    Dropped,
    /// It has not ended.
    Running,
}

impl Call {
    /// The error of four codes that the tool, or whatever refused the call, answered with; `None` for a result, for an error
    /// without a code, and for a call that had no answer.
    ///
    /// ```
    /// use frankly_contract::{Code, NoArguments, Registry, Tool, ToolCall, ToolError, Tools};
    /// use frankly_spy::Spy;
    ///
    /// let mut registry = Registry::new();
    /// registry.add(Tool::typed("ping", "Answers pong.", |_: NoArguments| async {
    ///     Err::<&str, _>(ToolError::new(Code::Transient, "nobody is there", ""))
    /// }))?;
    /// let spy = Spy::new(registry);
    /// pollster::block_on(spy.call(ToolCall::new("ping", Default::default()))).unwrap_err();
    /// let error = spy.calls()[0].error().ok_or("no error")?;
    /// assert_eq!((error.code(), error.what()), (Code::Transient, "nobody is there"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn error(&self) -> Option<ToolError> {
        match &self.outcome {
            Outcome::Answered(result) | Outcome::Failed(CallError::Tool(result)) => {
                ToolError::from_result(result)
            }
            _ => None,
        }
    }

    /// Whether it was turned down for what was asked, or for who asked: `INVALID_ARGS`, `FORBIDDEN`, or a name or
    /// parameters that the protocol refuses (-32602).
    ///
    /// A `Registry` and a [`Guarded`](frankly_contract::Guarded) refuse so before any tool
    /// hears of the call. A tool may answer so after it ran, and from outside that looks alike: where the difference matters,
    /// put a spy on the inside too. What it did not see never got there.
    ///
    /// ```
    /// use frankly_contract::{NoArguments, Registry, Tool, ToolCall, Tools};
    /// use frankly_spy::Spy;
    /// use serde_json::{Map, json};
    ///
    /// let mut registry = Registry::new();
    /// registry.add(Tool::typed("ping", "Answers pong.", |_: NoArguments| async { Ok("pong") }))?;
    /// let spy = Spy::new(registry);
    /// let typo = Map::from_iter([("hots".to_owned(), json!("a"))]);
    /// pollster::block_on(spy.call(ToolCall::new("ping", typo))).unwrap_err();
    /// pollster::block_on(spy.call(ToolCall::new("ping", Default::default())))?;
    /// let calls = spy.calls();
    /// assert!(calls[0].refused() && !calls[1].refused());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn refused(&self) -> bool {
        if let Outcome::Failed(CallError::Protocol { code: INVALID_PARAMS, .. }) = self.outcome {
            return true;
        }
        self.error().is_some_and(|error| matches!(error.code(), Code::InvalidArgs | Code::Forbidden))
    }
}

/// Everything but the key: it may be as good as a password to whoever can repeat calls.
impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("name", &self.name)
            .field("arguments", &self.keyless)
            .field("context", &self.context)
            .field("went_on_under", &self.went_on_under)
            .field("keyed", &self.key.is_some())
            .field("outcome", &self.outcome)
            .field("duration", &self.duration)
            .finish_non_exhaustive()
    }
}
