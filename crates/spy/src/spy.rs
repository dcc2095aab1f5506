//! Tools that are watched. What may not enter: anything that changes what the tools do or answer.

use std::fmt;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::pin::pin;

use frankly_contract::{BoxFuture, CallError, Keyed, Keys, RunContext, ToolCall, ToolDef, ToolResult, Tools};
use futures_util::FutureExt;

use crate::log::words;
use crate::{Call, Calls, Log, Outcome};

/// Tools of which every call is written down and handed on as it is.
///
/// A call that failed, panicked, timed out or was dropped is written down too. What is recorded is what was asked for where the spy
/// stands. Outside of a [`Guarded`](frankly_contract::Guarded) it sees what the agent tried; inside, what reached the tools.
/// Listing is handed on and not remembered.
///
/// ```
/// use frankly_contract::{NoArguments, Registry, Tool, ToolCall, Tools};
/// use frankly_spy::Spy;
///
/// let mut registry = Registry::new();
/// registry.add(Tool::typed("ping", "Answers pong.", |_: NoArguments| async { Ok("pong") }))?;
/// let spy = Spy::new(registry);
///
/// pollster::block_on(spy.call(ToolCall::new("ping", Default::default())))?;
/// spy.calls().assert_sequence(["ping"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Spy<T> {
    tools: T,
    log: Log,
    keys: Keys,
}

impl<T: Tools> Spy<T> {
    /// Watches these tools.
    pub fn new(tools: T) -> Self {
        Self { tools, log: Log::default(), keys: Keys::default() }
    }

    /// The same spy, to which this argument of this tool is the idempotency key of its calls, and no other is: a call
    /// without it has none, whatever its context says. As it differs from call to call on purpose, it does not count where
    /// arguments are compared for their key.
    ///
    /// ```
    /// use frankly_contract::{Registry, Tool, ToolCall, ToolDef, Tools};
    /// use frankly_spy::Spy;
    /// use serde_json::{Value, json};
    ///
    /// let schema = json!({"type": "object", "properties": {"cents": {"type": "integer"}, "key": {"type": "string"}}});
    /// let mut registry = Registry::new();
    /// registry.add(Tool::with_definition(ToolDef::new("charge", "Takes money.", schema), |_| async { Ok("taken") }))?;
    /// let spy = Spy::new(registry).keyed_by("charge", "key");
    ///
    /// let Value::Object(arguments) = json!({"cents": 900, "key": "seat-12"}) else { unreachable!() };
    /// pollster::block_on(spy.call(ToolCall::new("charge", arguments)))?;
    /// assert_eq!(spy.calls()[0].key.as_deref(), Some("seat-12"));
    /// spy.calls().assert_stable_key("charge");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn keyed_by(mut self, tool: impl Into<String>, argument: impl Into<String>) -> Self {
        self.keys = self.keys.keyed_by(tool, argument);
        self
    }

    /// The calls up to now. What is called later is not in it.
    #[must_use]
    pub fn calls(&self) -> Calls {
        self.log.calls()
    }

    /// What has been seen and will be, for when the spy itself is given away.
    #[must_use]
    pub fn log(&self) -> Log {
        self.log.clone()
    }

    /// The tools that are watched.
    ///
    /// ```
    /// use frankly_contract::{NoArguments, Registry, Tool, ToolCall, Tools};
    /// use frankly_spy::Spy;
    ///
    /// let spy = Spy::new(Registry::new());
    /// assert_eq!(spy.tools().definitions().count(), 0);
    /// ```
    pub fn tools(&self) -> &T {
        &self.tools
    }

    /// A call as it begins.
    fn begin(&self, call: &ToolCall) -> Call {
        let context = RunContext::current().ok();
        let Keyed { key, arguments, .. } = self.keys.read(call, context.as_ref());
        let keyless = arguments.into_owned();
        Call {
            name: call.name.clone(),
            arguments: call.arguments.clone(),
            context,
            went_on_under: None,
            key,
            outcome: Outcome::Running,
            duration: None,
            began: 0,
            ended: None,
            keyless,
        }
    }
}

impl<T: Tools> Tools for Spy<T> {
    fn list(&self) -> BoxFuture<'_, Result<Vec<ToolDef>, CallError>> {
        self.tools.list()
    }

    fn call(&self, call: ToolCall) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async move {
            let begins = self.begin(&call);
            let run = begins.context.clone();
            let begun = self.log.begin(begins);
            let mut calling = pin!(async { self.tools.call(call).await });
            let mut is_elsewhere = false;
            let watched = poll_fn(|cx| {
                let here = RunContext::current();
                if !is_elsewhere && !is_same_run(run.as_ref(), here.as_ref().ok()) {
                    is_elsewhere = true;
                    begun.goes_on_under(here);
                }
                calling.as_mut().poll(cx)
            });
            // Nobody sees what a panic leaves behind who would not have seen it without the spy: it goes on.
            match AssertUnwindSafe(watched).catch_unwind().await {
                Ok(answer) => {
                    begun.end(match &answer {
                        Ok(result) => Outcome::Answered(result.clone()),
                        Err(error) => Outcome::Failed(error.clone()),
                    });
                    answer
                }
                Err(panic) => {
                    begun.end(Outcome::Panicked(words(panic.as_ref())));
                    resume_unwind(panic)
                }
            }
        })
    }
}

/// Whether both are of one run: what a run changes for a single call, such as its key, makes it no other one.
fn is_same_run(one: Option<&RunContext>, other: Option<&RunContext>) -> bool {
    fn names(run: &RunContext) -> [&str; 3] {
        [run.tenant(), run.user(), run.run_id()]
    }
    one.map(names) == other.map(names)
}

impl<T> fmt::Debug for Spy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spy").field("log", &self.log).finish_non_exhaustive()
    }
}
