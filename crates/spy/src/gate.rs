//! Whoever is asked for approval, in a test. What may not enter: a second way to gate calls.

use std::fmt;
use std::future::pending;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use frankly_contract::{Approval, ApprovalGate, ApprovalRequest, BoxFuture};

/// Stands in for whoever approves calls: it gives always the same answer, and remembers what it was asked.
///
/// Clones share what they remember, so that one can be given to a [`Gated`](frankly_contract::Gated), and another be looked at.
///
/// ```
/// use std::time::Duration;
///
/// use frankly_contract::{Gated, NoArguments, Patience, Registry, RunContext, Tool, ToolCall, Tools};
/// use frankly_spy::{Spy, StubGate, denying, scoped_run};
///
/// let mut registry = Registry::new();
/// registry.add(Tool::typed("refund", "Pays back.", |_: NoArguments| async { Ok("paid back") }))?;
/// let (spy, gate): (_, StubGate) = (Spy::new(registry), denying("over the limit"));
/// let reached = spy.log();
/// // Patience that ends at once: no clock is needed.
/// let tools = Gated::new(spy, gate.clone(), Patience::new(Duration::ZERO, |_| std::future::ready(())));
///
/// let run = RunContext::new("acme", "u_7", "run-1")?;
/// let denied = pollster::block_on(scoped_run(run, tools.call(ToolCall::new("refund", Default::default()))));
/// assert!(denied.unwrap_err().to_string().contains("was not approved (over the limit)"));
/// assert_eq!(gate.asked()[0].call.name, "refund");
/// assert_eq!(gate.asked()[0].context.user(), "u_7");
/// reached.calls().assert_nothing_called();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct StubGate(Arc<Stub>);

struct Stub {
    /// `None`: it never answers.
    answer: Option<Approval>,
    asked: Mutex<Vec<ApprovalRequest>>,
}

/// A gate that approves of everything.
///
/// ```
/// use frankly_contract::{Approval, ApprovalGate, ApprovalRequest, RunContext, ToolCall};
/// use frankly_spy::approving;
///
/// let call = ToolCall::new("refund", Default::default());
/// let request = ApprovalRequest::new(call, RunContext::new("acme", "u_7", "run-1")?);
/// let gate = approving();
/// assert_eq!(pollster::block_on(gate.ask(request.clone())), Approval::Granted);
/// assert_eq!(gate.asked(), [request]);
/// # Ok::<(), frankly_contract::InvalidContext>(())
/// ```
#[must_use]
pub fn approving() -> StubGate {
    StubGate::answering(Some(Approval::Granted))
}

/// A gate that denies everything, for this reason.
///
/// ```
/// use frankly_contract::{Approval, ApprovalGate, ApprovalRequest, RunContext, ToolCall};
/// use frankly_spy::denying;
///
/// let call = ToolCall::new("refund", Default::default());
/// let request = ApprovalRequest::new(call, RunContext::new("acme", "u_7", "run-1")?);
/// let denied = Approval::Denied { reason: "over the limit".to_owned() };
/// assert_eq!(pollster::block_on(denying("over the limit").ask(request)), denied);
/// # Ok::<(), frankly_contract::InvalidContext>(())
/// ```
#[must_use]
pub fn denying(reason: impl Into<String>) -> StubGate {
    StubGate::answering(Some(Approval::Denied { reason: reason.into() }))
}

/// A gate at which nobody ever answers: its future stays pending, so that what ends it is the patience of whoever asked.
///
/// ```
/// use std::time::Duration;
///
/// use frankly_contract::{Gated, NoArguments, Patience, Registry, RunContext, Tool, ToolCall, Tools};
/// use frankly_spy::{scoped_run, unanswered};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut registry = Registry::new();
/// registry.add(Tool::typed("refund", "Pays back.", |_: NoArguments| async { Ok("paid back") }))?;
/// let gate = unanswered();
/// let tools = Gated::new(registry, gate.clone(), Patience::new(Duration::from_secs(30), tokio::time::sleep));
/// let run = RunContext::new("acme", "u_7", "run-1")?;
/// let denied = scoped_run(run, tools.call(ToolCall::new("refund", Default::default()))).await;
/// assert!(denied.unwrap_err().to_string().contains("nobody answered"));
/// assert_eq!(gate.asked().len(), 1);
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn unanswered() -> StubGate {
    StubGate::answering(None)
}

impl StubGate {
    fn answering(answer: Option<Approval>) -> Self {
        Self(Arc::new(Stub { answer, asked: Mutex::default() }))
    }

    /// What it was asked so far, in order.
    #[must_use]
    pub fn asked(&self) -> Vec<ApprovalRequest> {
        self.requests().clone()
    }

    fn requests(&self) -> MutexGuard<'_, Vec<ApprovalRequest>> {
        self.0.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ApprovalGate for StubGate {
    fn ask(&self, request: ApprovalRequest) -> BoxFuture<'_, Approval> {
        Box::pin(async move {
            self.requests().push(request);
            match &self.0.answer {
                Some(answer) => answer.clone(),
                None => pending().await,
            }
        })
    }
}

impl fmt::Debug for StubGate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StubGate").field("answer", &self.0.answer).field("asked", &self.requests()).finish()
    }
}
