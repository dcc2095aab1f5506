//! What was called, in order. What may not enter: what was expected.

use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use frankly_contract::{NoRunContext, RunContext};

use crate::{Call, Outcome};

/// What a [`Spy`](crate::Spy) has seen so far; it outlives the spy, which may be wrapped in other tools and given away.
///
/// ```
/// use frankly_contract::{Allowlist, Guarded, NoArguments, Registry, RunContext, Tool, ToolCall, Tools};
/// use frankly_spy::{Log, Spy, scoped_run};
///
/// let mut registry = Registry::new();
/// registry.add(Tool::typed("refund", "Pays back.", |_: NoArguments| async { Ok("paid back") }))?;
/// let spy = Spy::new(registry);
/// let reached: Log = spy.log();
/// let tools = Guarded::new(spy);
///
/// let run = RunContext::new("acme", "u_7", "run-1")?.with_allowlist(Allowlist::covering(["search"]));
/// let call = tools.call(ToolCall::new("refund", Default::default()));
/// pollster::block_on(scoped_run(run, call)).unwrap_err();
/// reached.calls().assert_nothing_called();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Seen>>);

#[derive(Default)]
struct Seen {
    calls: Vec<Call>,
    events: u64,
}

impl Log {
    /// The calls up to now. What is called later is not in it.
    #[must_use]
    pub fn calls(&self) -> Calls {
        Calls(self.seen().calls.clone())
    }

    /// Writes down that a call begins; what it gives has to be told how the call ends.
    pub(crate) fn begin(&self, mut call: Call) -> Begun {
        let mut seen = self.seen();
        call.began = seen.next();
        seen.calls.push(call);
        Begun { log: self.clone(), place: seen.calls.len() - 1, start: Instant::now(), ended: false }
    }

    /// Whoever panicked while it held the lock had written down all or nothing.
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seen {
    fn next(&mut self) -> u64 {
        let event = self.events;
        self.events += 1;
        event
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.seen().calls).finish()
    }
}

/// A call that goes on; where it is let go of before it ends, the call was dropped.
#[must_use = "a call that nothing watches looks dropped"]
pub(crate) struct Begun {
    log: Log,
    place: usize,
    start: Instant,
    ended: bool,
}

impl Begun {
    pub(crate) fn end(mut self, outcome: Outcome) {
        self.note(outcome);
    }

    /// Writes down that the call goes on under another name than it began under.
    pub(crate) fn goes_on_under(&self, name: Result<RunContext, NoRunContext>) {
        if let Some(call) = self.log.seen().calls.get_mut(self.place) {
            call.went_on_under = Some(name);
        }
    }

    fn note(&mut self, outcome: Outcome) {
        let duration = self.start.elapsed();
        let mut seen = self.log.seen();
        let ended = seen.next();
        if let Some(call) = seen.calls.get_mut(self.place) {
            call.outcome = outcome;
            call.duration = Some(duration);
            call.ended = Some(ended);
        }
        self.ended = true;
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        if !self.ended {
            self.note(Outcome::Dropped);
        }
    }
}

/// What a panic says, as far as it is text.
pub(crate) fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("something that is no text")
        .to_owned()
}

/// Calls, in the order in which they began, to be looked at or held against what is expected.
///
/// It is a slice of [`Call`]s. Assertions on it are listed below; each panics with the first divergence, in one line, and points
/// at the line of the test.
///
/// ```
/// use frankly_contract::{NoArguments, Registry, Tool, ToolCall, Tools};
/// use frankly_spy::{Calls, Spy};
///
/// let mut registry = Registry::new();
/// registry.add(Tool::typed("ping", "Answers pong.", |_: NoArguments| async { Ok("pong") }))?;
/// let spy = Spy::new(registry);
/// pollster::block_on(spy.call(ToolCall::new("ping", Default::default())))?;
/// let calls: Calls = spy.calls();
/// assert_eq!(calls.len(), 1);
/// assert_eq!(calls.iter().map(|call| call.name.as_str()).collect::<Vec<_>>(), ["ping"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Calls(Vec<Call>);

impl Calls {
    /// Those of them that fit. Sentences of assertions count anew.
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
    /// spy.calls().only(|call| !call.refused()).assert_sequence(["ping"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn only(mut self, fits: impl FnMut(&Call) -> bool) -> Self {
        self.0.retain(fits);
        self
    }

    /// Those of them that came back with a result, and not one that says of itself that it is an error.
    ///
    /// ```
    /// # use frankly_contract::{NoArguments, Registry, Tool, ToolCall, Tools};
    /// # use frankly_spy::Spy;
    /// # let mut registry = Registry::new();
    /// # registry.add(Tool::typed("ping", "Answers pong.", |_: NoArguments| async { Ok("pong") }))?;
    /// # let spy = Spy::new(registry);
    /// pollster::block_on(spy.call(ToolCall::new("pimg", Default::default()))).unwrap_err();
    /// pollster::block_on(spy.call(ToolCall::new("ping", Default::default())))?;
    /// spy.calls().answered().assert_sequence(["ping"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn answered(self) -> Self {
        self.only(|call| matches!(&call.outcome, Outcome::Answered(result) if !result.is_error()))
    }

    /// Those of them that were not turned down; see [`Call::refused`] for what that can tell.
    ///
    /// ```
    /// # use frankly_contract::{NoArguments, Registry, Tool, ToolCall, Tools};
    /// # use frankly_spy::Spy;
    /// # let mut registry = Registry::new();
    /// # registry.add(Tool::typed("ping", "Answers pong.", |_: NoArguments| async { Ok("pong") }))?;
    /// # let spy = Spy::new(registry);
    /// pollster::block_on(spy.call(ToolCall::new("pimg", Default::default()))).unwrap_err();
    /// spy.calls().assert_called_once("pimg");
    /// spy.calls().not_refused().assert_nothing_called();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn not_refused(self) -> Self {
        self.only(|call| !call.refused())
    }

    /// Those of them that began under the name of this tenant.
    ///
    /// ```
    /// # use frankly_contract::{NoArguments, Registry, RunContext, Tool, ToolCall, Tools};
    /// # use frankly_spy::{Spy, scoped_run};
    /// # let mut registry = Registry::new();
    /// # registry.add(Tool::typed("ping", "Answers pong.", |_: NoArguments| async { Ok("pong") }))?;
    /// # let spy = Spy::new(registry);
    /// for tenant in ["acme", "globex"] {
    ///     let run = RunContext::new(tenant, "u_7", "run-1")?;
    ///     pollster::block_on(scoped_run(run, spy.call(ToolCall::new("ping", Default::default()))))?;
    /// }
    /// spy.calls().of_tenant("acme").assert_called_once("ping");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_tenant(self, tenant: &str) -> Self {
        self.only(|call| call.context.as_ref().is_some_and(|run| run.tenant() == tenant))
    }
}

impl Deref for Calls {
    type Target = [Call];

    fn deref(&self) -> &[Call] {
        &self.0
    }
}

impl<'a> IntoIterator for &'a Calls {
    type Item = &'a Call;
    type IntoIter = std::slice::Iter<'a, Call>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
