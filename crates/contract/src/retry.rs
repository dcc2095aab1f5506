//! Calls that are repeated under a key, and have one effect. What may not enter: a clock, and a store.

use std::any::Any;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::future::Future;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt;
use futures_util::future::Shared;
use serde_json::{Map, Value};

use crate::shown::{named, shown};
use crate::{BoxFuture, CallError, Code, RunContext, ToolCall, ToolDef, ToolError, ToolResult, Tools};

/// The protocol's codes for requests that were refused as such: parse error, invalid request, no such method, invalid
/// parameters. Source: JSON-RPC 2.0, section 5.1.
const REFUSED: [i64; 4] = [-32700, -32600, -32601, -32602];

type Outcome = Result<ToolResult, CallError>;
type Panic = Box<dyn Any + Send>;

/// Tools of which a call that is repeated under one idempotency key has one effect.
///
/// The key is the run's ([`RunContext::with_idempotency_key`]), or the argument that [`Once::keyed_by`] names. Per tenant, tool and
/// key the first call is made, and whoever repeats it gets its result; who comes while it is under way waits for
/// it. A repeat with other arguments is `INVALID_ARGS`: it is another call, and would get the answer to this one. Without a key
/// every call is made.
///
/// A call whose callers all gave up stops where it stands and goes on with the next repeat, under the name of the first one.
/// An error with a code is a tool's word that nothing was done. It is forgotten, so that the retry it asks for may succeed, and
/// so is a request that the protocol refuses. Whatever may have had an effect is remembered: results, failures without a code,
/// time-outs, lost peers, panics.
///
/// It is remembered as long as this lives, in memory: for more, keep keys where the effects are.
///
/// ```
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
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Once<T> {
    tools: Arc<T>,
    argument: Option<String>,
    made: Mutex<HashMap<Repeat, Made>>,
}

/// What makes two calls the same one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Repeat {
    tenant: String,
    tool: String,
    key: String,
}

struct Made {
    arguments: Map<String, Value>,
    effect: Effect,
}

/// A call that goes on no matter who of its callers waits for it.
#[derive(Clone)]
struct Effect {
    /// What it came to; where it panicked, nothing.
    outcome: Shared<BoxFuture<'static, Option<Outcome>>>,
    /// For the first of its callers.
    panic: Arc<Mutex<Option<Panic>>>,
}

impl Effect {
    fn of(call: impl Future<Output = Outcome> + Send + 'static) -> Self {
        let panic = Arc::new(Mutex::new(None));
        let slot = Arc::clone(&panic);
        let outcome = AssertUnwindSafe(call).catch_unwind().map(move |ended| match ended {
            Ok(outcome) => Some(outcome),
            Err(payload) => {
                *lock(&slot) = Some(payload);
                None
            }
        });
        Self { outcome: outcome.boxed().shared(), panic }
    }
}

impl<T: Tools + 'static> Once<T> {
    /// Makes repeats of calls to these tools have one effect.
    pub fn new(tools: T) -> Self {
        Self { tools: Arc::new(tools), argument: None, made: Mutex::default() }
    }

    /// The same for tools that take their key as an argument of this name: where it is given, it counts in the place of the
    /// run's.
    ///
    /// ```
    /// use frankly_contract::{Once, Registry};
    ///
    /// let tools = Once::new(Registry::new()).keyed_by("idempotency_key");
    /// ```
    #[must_use]
    pub fn keyed_by(mut self, argument: impl Into<String>) -> Self {
        self.argument = Some(argument.into());
        self
    }

    fn key(&self, call: &ToolCall, context: &RunContext) -> Result<Option<String>, ToolError> {
        let given = |name: &String| call.arguments.get(name).filter(|key| !key.is_null());
        match self.argument.as_ref().and_then(given) {
            Some(Value::String(key)) if key.trim().is_empty() => Err(blank(&call.name)),
            Some(Value::String(key)) => Ok(Some(key.clone())),
            Some(other) => Ok(Some(other.to_string())),
            None => Ok(context.idempotency_key().map(str::to_owned)),
        }
    }

    /// The effect of a call: a new one, or that of the call which it repeats.
    fn effect(&self, repeat: &Repeat, call: ToolCall, context: RunContext) -> Result<Effect, ToolError> {
        match lock(&self.made).entry(repeat.clone()) {
            Entry::Occupied(made) if made.get().arguments == call.arguments => Ok(made.get().effect.clone()),
            Entry::Occupied(made) => Err(taken(repeat, &made.get().arguments, &call.arguments)),
            Entry::Vacant(slot) => {
                let arguments = call.arguments.clone();
                let tools = Arc::clone(&self.tools);
                let effect = Effect::of(context.scope(async move { tools.call(call).await }));
                Ok(slot.insert(Made { arguments, effect }).effect.clone())
            }
        }
    }

    /// Forgets this very effect; one that was made since under the same key stays.
    fn forget(&self, repeat: &Repeat, effect: &Effect) {
        if let Entry::Occupied(made) = lock(&self.made).entry(repeat.clone())
            && made.get().effect.outcome.ptr_eq(&effect.outcome)
        {
            made.remove();
        }
    }

    async fn once(&self, call: ToolCall) -> Outcome {
        let context = RunContext::current()?;
        let Some(key) = self.key(&call, &context)? else { return self.tools.call(call).await };
        let repeat = Repeat { tenant: context.tenant().to_owned(), tool: call.name.clone(), key };
        let effect = self.effect(&repeat, call, context)?;
        let Some(outcome) = effect.outcome.clone().await else {
            let panic = lock(&effect.panic).take();
            return Err(panic.map_or_else(|| panicked(&repeat), |payload| resume_unwind(payload)));
        };
        if did_nothing(&outcome) {
            self.forget(&repeat, &effect);
        }
        outcome
    }
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

fn did_nothing(outcome: &Outcome) -> bool {
    match outcome {
        Err(CallError::Tool(result)) => ToolError::from_result(result).is_some(),
        Err(CallError::Protocol { code, .. }) => REFUSED.contains(code),
        _ => false,
    }
}

fn taken(repeat: &Repeat, first: &Map<String, Value>, second: &Map<String, Value>) -> ToolError {
    let names = first.keys().chain(second.keys());
    let differs = names.into_iter().find(|name| first.get(*name) != second.get(*name));
    let what = format!(
        "the idempotency key {} belongs to another call of {}",
        shown(&repeat.key),
        named(&repeat.tool)
    );
    let next = "repeat that call with its own arguments, or use a new key for another effect";
    let error = ToolError::new(Code::InvalidArgs, what, next);
    match differs {
        Some(name) => error.with_why(format!("{} differs", named(name))),
        None => error,
    }
}

fn blank(tool: &str) -> ToolError {
    let what = format!(
        "{} was called with a blank idempotency key, by which no repeat can be recognised",
        named(tool)
    );
    ToolError::new(Code::InvalidArgs, what, "send a key of its own for each effect, or leave it out")
}

fn panicked(repeat: &Repeat) -> CallError {
    CallError::internal(format!(
        "the first call of {} under the idempotency key {} panicked; whether it had an effect is not known",
        named(&repeat.tool),
        shown(&repeat.key)
    ))
}

/// What is under a lock is whole at any time.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
