//! Calls that somebody has to approve first. What may not enter: a clock, and any answer that nobody gave.

use std::collections::BTreeSet;
use std::fmt;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{Either, select};

use crate::shown::named;
use crate::{BoxFuture, CallError, Code, RunContext, ToolCall, ToolDef, ToolError, ToolResult, Tools};

/// What somebody is asked to approve: this call, in this run.
///
/// ```
/// use frankly_contract::{ApprovalRequest, RunContext, ToolCall};
///
/// let call = ToolCall::new("refund", Default::default());
/// let request = ApprovalRequest::new(call, RunContext::new("acme", "u_7", "run-1")?);
/// let question = format!("May {} of {} call {}?", request.context.user(), request.context.tenant(), request.call.name);
/// assert_eq!(question, "May u_7 of acme call refund?");
/// # Ok::<(), frankly_contract::InvalidContext>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ApprovalRequest {
    /// The call as it would be made.
    pub call: ToolCall,
    /// Under whose name.
    pub context: RunContext,
}

impl ApprovalRequest {
    /// A request for this call in this run.
    #[must_use]
    pub fn new(call: ToolCall, context: RunContext) -> Self {
        Self { call, context }
    }
}

/// What came of asking.
///
/// ```
/// use frankly_contract::Approval;
///
/// assert_ne!(Approval::Denied { reason: "over the limit".to_owned() }, Approval::Unanswered);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Approval {
    /// The call may be made, once.
    Granted,
    /// It may not.
    Denied {
        /// Why, a clause for the agent to read; a blank one is none.
        reason: String,
    },
    /// Nobody said anything, which is no approval.
    Unanswered,
}

/// Whoever is asked: a person at a screen, a queue, a policy; or a closure, see [`gate_fn`].
///
/// ```
/// use frankly_contract::{Approval, ApprovalGate, ApprovalRequest, BoxFuture};
///
/// struct OnlyFor(&'static str);
///
/// impl ApprovalGate for OnlyFor {
///     fn ask(&self, request: ApprovalRequest) -> BoxFuture<'_, Approval> {
///         let known = request.context.user() == self.0;
///         let denied = || Approval::Denied { reason: format!("only {} may", self.0) };
///         Box::pin(async move { if known { Approval::Granted } else { denied() } })
///     }
/// }
/// ```
pub trait ApprovalGate: Send + Sync {
    /// Asks, and waits for the answer for as long as it takes. The future is dropped when patience ends, and an answer that
    /// comes after that changes nothing.
    fn ask(&self, request: ApprovalRequest) -> BoxFuture<'_, Approval>;
}

/// A gate that asks a closure.
///
/// ```
/// use frankly_contract::{Approval, ApprovalGate, ApprovalRequest, gate_fn};
///
/// fn gate() -> impl ApprovalGate {
///     gate_fn(|request: ApprovalRequest| async move {
///         if request.call.name == "refund" { Approval::Unanswered } else { Approval::Granted }
///     })
/// }
/// # let _ = gate();
/// ```
pub fn gate_fn<F, A>(ask: F) -> GateFn<F>
where
    F: Fn(ApprovalRequest) -> A + Send + Sync,
    A: Future<Output = Approval> + Send + 'static,
{
    GateFn(ask)
}

/// A closure as a gate, made by [`gate_fn`].
///
/// ```
/// use frankly_contract::{Approval, ApprovalRequest, GateFn, gate_fn};
///
/// let gate: GateFn<_> = gate_fn(|_: ApprovalRequest| async { Approval::Granted });
/// assert_eq!(format!("{gate:?}"), "GateFn");
/// ```
#[derive(Clone)]
pub struct GateFn<F>(F);

impl<F> fmt::Debug for GateFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GateFn")
    }
}

impl<F, A> ApprovalGate for GateFn<F>
where
    F: Fn(ApprovalRequest) -> A + Send + Sync,
    A: Future<Output = Approval> + Send + 'static,
{
    fn ask(&self, request: ApprovalRequest) -> BoxFuture<'_, Approval> {
        Box::pin((self.0)(request))
    }
}

impl<G: ApprovalGate + ?Sized> ApprovalGate for &G {
    fn ask(&self, request: ApprovalRequest) -> BoxFuture<'_, Approval> {
        (**self).ask(request)
    }
}

impl<G: ApprovalGate + ?Sized> ApprovalGate for Box<G> {
    fn ask(&self, request: ApprovalRequest) -> BoxFuture<'_, Approval> {
        (**self).ask(request)
    }
}

impl<G: ApprovalGate + ?Sized> ApprovalGate for Arc<G> {
    fn ask(&self, request: ApprovalRequest) -> BoxFuture<'_, Approval> {
        (**self).ask(request)
    }
}

/// How long an answer is waited for, and how waiting is done: this crate has no clock, so the executor's is passed in.
///
/// ```
/// use std::time::Duration;
///
/// use frankly_contract::Patience;
///
/// let patience = Patience::new(Duration::from_secs(30), tokio::time::sleep);
/// assert_eq!(format!("{patience:?}"), "Patience(30s)");
/// ```
#[derive(Clone)]
pub struct Patience {
    limit: Duration,
    sleep: Arc<dyn Fn(Duration) -> BoxFuture<'static, ()> + Send + Sync>,
}

impl Patience {
    /// Patience for so long, by this way to sleep, such as `tokio::time::sleep`.
    pub fn new<S, F>(limit: Duration, sleep: S) -> Self
    where
        S: Fn(Duration) -> F + Send + Sync + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        Self { limit, sleep: Arc::new(move |limit| Box::pin(sleep(limit))) }
    }

    /// What came of asking before patience ended.
    async fn wait(&self, answer: BoxFuture<'_, Approval>) -> Approval {
        let end = pin!((self.sleep)(self.limit));
        match select(answer, end).await {
            Either::Left((answer, _)) => answer,
            Either::Right(_) => Approval::Unanswered,
        }
    }
}

impl fmt::Debug for Patience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Patience({:?})", self.limit)
    }
}

/// Tools that are called only after somebody approved the very call.
///
/// Every call is asked for, but for tools that are named as free of it: a name that is misspelled there asks once too
/// often, and lets nothing through. A denial and silence are `FORBIDDEN`, and the tools hear of neither. A gate that hangs, one that
/// answers too late, and one that says itself that nobody answered are told to the agent with the same words.
///
/// ```
/// # #[cfg(feature = "registry")]
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::time::Duration;
///
/// use frankly_contract::{
///     Approval, ApprovalRequest, Gated, NoArguments, Patience, Registry, RunContext, Tool, ToolCall, Tools, gate_fn,
/// };
///
/// let mut registry = Registry::new();
/// registry.add(Tool::typed("refund", "Pays back.", |_: NoArguments| async { Ok("paid back") }))?;
///
/// let gate = gate_fn(|_: ApprovalRequest| async { Approval::Denied { reason: "over the limit".to_owned() } });
/// let tools = Gated::new(registry, gate, Patience::new(Duration::from_secs(30), tokio::time::sleep));
/// let run = RunContext::new("acme", "u_7", "run-1")?;
/// let denied = run.scope(tools.call(ToolCall::new("refund", Default::default()))).await;
/// assert_eq!(
///     denied.unwrap_err().to_string(),
///     "the tool failed: FORBIDDEN: the call of `refund` was not approved (over the limit). \
///      Next: stop, and tell the user; do not look for another way to the same effect."
/// );
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "registry"))]
/// # fn main() {}
/// ```
pub struct Gated<T, G> {
    tools: T,
    gate: G,
    patience: Patience,
    free: BTreeSet<String>,
}

impl<T: Tools, G: ApprovalGate> Gated<T, G> {
    /// Puts this gate before these tools, every one of them.
    pub fn new(tools: T, gate: G, patience: Patience) -> Self {
        Self { tools, gate, patience, free: BTreeSet::new() }
    }

    /// The same, with these tools called without asking.
    ///
    /// ```
    /// use frankly_contract::{ApprovalGate, Gated, Patience, Tools};
    ///
    /// fn around(tools: impl Tools, gate: impl ApprovalGate, patience: Patience) -> impl Tools {
    ///     Gated::new(tools, gate, patience).without_asking(["search", "hold_seat"])
    /// }
    /// ```
    #[must_use]
    pub fn without_asking<N: Into<String>>(mut self, tools: impl IntoIterator<Item = N>) -> Self {
        self.free.extend(tools.into_iter().map(Into::into));
        self
    }

    /// The run in which a call was approved of.
    async fn approve(&self, call: &ToolCall) -> Result<RunContext, CallError> {
        let context = RunContext::current()?;
        if self.free.contains(&call.name) {
            return Ok(context);
        }
        let request = ApprovalRequest::new(call.clone(), context.clone());
        match self.patience.wait(self.gate.ask(request)).await {
            Approval::Granted => Ok(context),
            Approval::Denied { reason } => Err(denied(&call.name, reason).into()),
            Approval::Unanswered => Err(denied(&call.name, "nobody answered the request").into()),
        }
    }
}

fn denied(tool: &str, why: impl Into<String>) -> ToolError {
    let what = format!("the call of {} was not approved", named(tool));
    let next = "stop, and tell the user; do not look for another way to the same effect";
    ToolError::new(Code::Forbidden, what, next).with_why(why)
}

impl<T: fmt::Debug, G> fmt::Debug for Gated<T, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gated")
            .field("tools", &self.tools)
            .field("patience", &self.patience)
            .field("free", &self.free)
            .finish_non_exhaustive()
    }
}

impl<T: Tools, G: ApprovalGate> Tools for Gated<T, G> {
    fn list(&self) -> BoxFuture<'_, Result<Vec<ToolDef>, CallError>> {
        self.tools.list()
    }

    fn call(&self, call: ToolCall) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async move {
            let context = self.approve(&call).await?;
            // Under the very name that was asked for, whoever polls this from here on.
            context.scope(self.tools.call(call)).await
        })
    }
}
