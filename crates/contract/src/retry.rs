//! Calls that are repeated under a key, and have one effect. What may not enter: a clock, and a store.

mod effect;
mod refusal;

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::{
    BoxFuture, CallError, Code, Keyed, Keys, RunContext, ToolCall, ToolDef, ToolError, ToolResult, Tools,
    canonical,
};
use effect::{Effect, Ended};

type Outcome = Result<ToolResult, CallError>;
type Spawn = Arc<dyn Fn(BoxFuture<'static, ()>) + Send + Sync>;

/// Tools of which a call that is repeated under one idempotency key has one effect.
///
/// The key is the run's ([`RunContext::with_idempotency_key`]) or an argument ([`Keys`]). Per tenant, tool and key the first call is
/// made, and whoever repeats it gets its result; who comes while it is under way waits for it. A repeat with other
/// arguments is `INVALID_ARGS`, and one of another user, or of a run that may not make the call, is `FORBIDDEN`: none of them may get
/// the answer to this one. Without a key every call is made. The key of a call is not that of the calls it makes itself.
///
/// What it remembers:
///
/// - A result, also one that tells of a failure, for good.
/// - `TRANSIENT` not at all. It is a word that nothing was done, and the retry that it asks for may succeed.
/// - That nobody knows what came of it: after a time-out, a lost peer, a panic, or where every caller gave up. Then a repeat is
///   `FORBIDDEN`, with the advice to look whether it took effect.
///
/// A call whose callers all gave up is dropped, as any future is; with [`Once::spawning`] it goes on, and a repeat gets its result.
///
/// All of that is kept in memory for as long as this lives, or until [`Once::forget`]: for more, keep keys where the effects are.
///
/// ```
/// # #[cfg(feature = "registry")]
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// use frankly_contract::{NoArguments, Once, Registry, RunContext, Tool, ToolCall, Tools};
///
/// let charged = Arc::new(AtomicUsize::new(0));
/// let effects = Arc::clone(&charged);
/// let mut registry = Registry::new();
/// registry.add(Tool::typed("charge", "Charges the card.", move |_: NoArguments| {
///     let effects = Arc::clone(&effects);
///     async move { Ok(format!("charge {}", effects.fetch_add(1, Ordering::Relaxed))) }
/// }))?;
///
/// let tools = Once::new(registry);
/// let step = RunContext::new("acme", "u_7", "run-1")?.with_idempotency_key("run-1/charge")?;
/// let call = || step.clone().scope(tools.call(ToolCall::new("charge", Default::default())));
/// let (first, retry) = (pollster::block_on(call())?, pollster::block_on(call())?);
/// assert_eq!(first, retry);
/// assert_eq!(charged.load(Ordering::Relaxed), 1);
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "registry"))]
/// # fn main() {}
/// ```
pub struct Once<T> {
    tools: Arc<T>,
    keys: Keys,
    free: BTreeSet<String>,
    spawn: Option<Spawn>,
    made: Mutex<HashMap<Repeat, Made>>,
}

/// What makes two calls the same one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Repeat {
    tenant: String,
    tool: String,
    key: String,
}

impl Repeat {
    pub(crate) fn key(&self) -> &str {
        &self.key
    }
}

/// A call that was made first.
struct Made {
    context: RunContext,
    arguments: String,
    state: State,
    /// How many callers wait for it.
    waiting: usize,
}

enum State {
    Known(Effect),
    /// Nobody knows what came of it, for this reason.
    Unknown(String),
}

impl<T: Tools + 'static> Once<T> {
    /// Makes repeats of calls to these tools have one effect.
    pub fn new(tools: T) -> Self {
        let (keys, free) = (Keys::default(), BTreeSet::new());
        Self { tools: Arc::new(tools), keys, free, spawn: None, made: Mutex::default() }
    }

    /// The same, where this argument of this tool is its key; see [`Keys::keyed_by`].
    ///
    /// ```
    /// use frankly_contract::{Once, Tools};
    ///
    /// fn around(tools: impl Tools + 'static) -> impl Tools {
    ///     Once::new(tools).keyed_by("charge", "reference")
    /// }
    /// ```
    #[must_use]
    pub fn keyed_by(mut self, tool: impl Into<String>, argument: impl Into<String>) -> Self {
        self.keys = self.keys.keyed_by(tool, argument);
        self
    }

    /// The same, where every call of these tools is made, whatever its key: those that only read, and would else give their first
    /// answer for ever.
    ///
    /// ```
    /// use frankly_contract::{Once, Tools};
    ///
    /// fn around(tools: impl Tools + 'static) -> impl Tools {
    ///     Once::new(tools).repeating_freely(["status", "search"])
    /// }
    /// ```
    #[must_use]
    pub fn repeating_freely<N: Into<String>>(mut self, tools: impl IntoIterator<Item = N>) -> Self {
        self.free.extend(tools.into_iter().map(Into::into));
        self
    }

    /// The same, where a call goes on though all its callers gave up: each one is handed to this, such as to `tokio::spawn`.
    ///
    /// ```
    /// use frankly_contract::{Once, Tools};
    ///
    /// fn around(tools: impl Tools + 'static) -> impl Tools {
    ///     Once::new(tools).spawning(|call| drop(tokio::spawn(call)))
    /// }
    /// ```
    #[must_use]
    pub fn spawning(mut self, spawn: impl Fn(BoxFuture<'static, ()>) + Send + Sync + 'static) -> Self {
        self.spawn = Some(Arc::new(spawn));
        self
    }

    /// The tools that are called.
    ///
    /// ```
    /// use frankly_contract::{BoxFuture, CallError, Once, ToolDef, Tools};
    ///
    /// fn list<T: Tools + 'static>(once: &Once<T>) -> BoxFuture<'_, Result<Vec<ToolDef>, CallError>> {
    ///     once.tools().list()
    /// }
    /// ```
    pub fn tools(&self) -> &T {
        &self.tools
    }

    /// Forgets the call of this tool under this key, so that the next one is made; what is under way goes on.
    ///
    /// ```
    /// use frankly_contract::{Once, Tools};
    ///
    /// fn starts_anew<T: Tools + 'static>(once: &Once<T>) -> bool {
    ///     once.forget("acme", "charge", "run-1/charge")
    /// }
    /// ```
    pub fn forget(&self, tenant: &str, tool: &str, key: &str) -> bool {
        let repeat = Repeat { tenant: tenant.to_owned(), tool: tool.to_owned(), key: key.to_owned() };
        let forgotten = self.made().remove(&repeat);
        forgotten.is_some()
    }

    async fn once(&self, call: ToolCall) -> Outcome {
        let context = RunContext::current()?;
        let Keyed { key, arguments } = self.keys.read(&call, Some(&context));
        let inherited = context.is_within(key.as_deref()) && key.as_deref() == context.idempotency_key();
        let Some(key) = key.filter(|_| !inherited && !self.free.contains(&call.name)) else {
            return context.scope(self.tools.call(call)).await;
        };
        let repeat = Repeat { tenant: context.tenant().to_owned(), tool: call.name.clone(), key };
        if context.is_inside(&repeat) {
            return Err(refusal::within_itself(&repeat).into());
        }
        let waiting = self.join(repeat, canonical(&arguments), call, context)?;
        let ended = waiting.effect.ended().await;
        waiting.end(ended)
    }

    /// The effect of a call: a new one, or that of the call which it repeats.
    fn join(
        &self,
        repeat: Repeat,
        arguments: String,
        call: ToolCall,
        context: RunContext,
    ) -> Result<Waiting<'_, T>, ToolError> {
        let mut made = self.made();
        let effect = match made.entry(repeat.clone()) {
            Entry::Occupied(mut first) => {
                let first = first.get_mut();
                refusal::of_repeat(&repeat, (&first.context, &first.arguments), (&context, &arguments))?;
                match &first.state {
                    State::Known(effect) => {
                        first.waiting += 1;
                        effect.clone()
                    }
                    State::Unknown(why) => return Err(refusal::unknown(&repeat, why)),
                }
            }
            Entry::Vacant(slot) => {
                let tools = Arc::clone(&self.tools);
                let inside = context.clone().inside(repeat.clone());
                let effect = Effect::of(inside.scope(async move { tools.call(call).await }));
                slot.insert(Made { context, arguments, state: State::Known(effect.clone()), waiting: 1 });
                drop(made);
                if let Some(spawn) = &self.spawn {
                    spawn(effect.by_itself());
                }
                effect
            }
        };
        Ok(Waiting { once: self, repeat, effect, has_ended: false })
    }

    fn made(&self) -> MutexGuard<'_, HashMap<Repeat, Made>> {
        // What is under the lock is whole at any time.
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A caller who waits for an effect.
struct Waiting<'o, T: Tools + 'static> {
    once: &'o Once<T>,
    repeat: Repeat,
    effect: Effect,
    has_ended: bool,
}

impl<T: Tools + 'static> Waiting<'_, T> {
    /// What this caller is told, and what is remembered.
    fn end(mut self, ended: Ended) -> Outcome {
        self.has_ended = true;
        let outcome = match ended {
            Ended::Outcome(outcome) => outcome,
            Ended::Panicked => {
                self.remember(Some(State::Unknown("it panicked".to_owned())));
                let told = || refusal::unknown(&self.repeat, "it panicked").into();
                return Err(self.effect.panic().map_or_else(told, |payload| resume_unwind(payload)));
            }
        };
        match &outcome {
            Err(CallError::Tool(result)) if is_transient(result) => self.remember(None),
            Ok(_) | Err(CallError::Tool(_)) => {}
            Err(CallError::Protocol { code, .. }) if *code != CallError::INTERNAL => {}
            Err(error) => self.remember(Some(State::Unknown(error.to_string()))),
        }
        outcome
    }

    /// Puts this in the place of the very effect; one that was made since under the same key stays.
    fn remember(&self, state: Option<State>) {
        let mut made = self.once.made();
        let Entry::Occupied(mut first) = made.entry(self.repeat.clone()) else { return };
        if !first.get().is(&self.effect) {
            return;
        }
        // What stood there is let go of after the lock, since that may run code of others.
        let before = match state {
            Some(state) => Err(std::mem::replace(&mut first.get_mut().state, state)),
            None => Ok(first.remove()),
        };
        drop(made);
        drop(before);
    }
}

impl<T: Tools + 'static> Drop for Waiting<'_, T> {
    fn drop(&mut self) {
        let is_last = {
            let mut made = self.once.made();
            match made.get_mut(&self.repeat).filter(|first| first.is(&self.effect)) {
                Some(first) => {
                    first.waiting -= 1;
                    first.waiting == 0
                }
                None => false,
            }
        };
        if is_last && !self.has_ended && self.once.spawn.is_none() && !self.effect.has_ended() {
            self.remember(Some(State::Unknown("whoever made it gave it up before it ended".to_owned())));
        }
    }
}

impl Made {
    fn is(&self, other: &Effect) -> bool {
        matches!(&self.state, State::Known(effect) if effect.is(other))
    }
}

fn is_transient(result: &ToolResult) -> bool {
    ToolError::from_result(result).is_some_and(|error| error.code() == Code::Transient)
}

impl<T: Tools + 'static> Tools for Once<T> {
    fn list(&self) -> BoxFuture<'_, Result<Vec<ToolDef>, CallError>> {
        self.tools.list()
    }

    fn call(&self, call: ToolCall) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(self.once(call))
    }
}

impl<T: fmt::Debug> fmt::Debug for Once<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Once").field("tools", &self.tools).finish_non_exhaustive()
    }
}
