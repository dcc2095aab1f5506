//! Tools as they are guarded, approved and repeated: what reaches them, and what does not.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod access;
mod approval;
mod retry;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use frankly_contract::{
    BoxFuture, CallError, Code, RunContext, ToolCall, ToolDef, ToolError, ToolResult, Tools,
};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// Tools that do whatever they are asked, and note each effect with the tenant it was for.
#[derive(Default)]
struct Acts {
    effects: Mutex<Vec<String>>,
    began: AtomicUsize,
    /// Calls of `slow` wait for this.
    go_on: Notify,
}

impl Acts {
    fn new() -> Arc<Self> {
        Arc::default()
    }

    fn effects(&self) -> Vec<String> {
        self.effects.lock().unwrap().clone()
    }

    fn began(&self) -> usize {
        self.began.load(Ordering::Relaxed)
    }
}

impl Tools for Acts {
    fn list(&self) -> BoxFuture<'_, Result<Vec<ToolDef>, CallError>> {
        let tools = ["charge", "refund", "slow"].map(|name| ToolDef::new(name, "Acts.", json!({})));
        Box::pin(async move { Ok(tools.to_vec()) })
    }

    fn call(&self, call: ToolCall) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async move {
            let first = self.began.fetch_add(1, Ordering::Relaxed) == 0;
            match &*call.name {
                "slow" => self.go_on.notified().await,
                "flaky" if first => return Err(ToolError::new(Code::Transient, "busy", "").into()),
                "lost" => return Err(CallError::TimedOut),
                "unclear" => return Err(CallError::Tool(ToolResult::failure("it broke"))),
                "panics" => panic!("broken"),
                _ => {}
            }
            let tenant = RunContext::current()?.tenant().to_owned();
            let effect = format!("{} for {tenant}", call.name);
            let mut effects = self.effects.lock().unwrap();
            effects.push(effect.clone());
            Ok(ToolResult::text(format!("{effect}, effect {}", effects.len())))
        })
    }
}

fn run(tenant: &str) -> RunContext {
    RunContext::new(tenant, "u_7", "run-1").unwrap()
}

fn call(tool: &str, arguments: Value) -> ToolCall {
    ToolCall::new(tool, arguments.as_object().unwrap().clone())
}

/// What a call that is refused tells the agent.
fn refusal(outcome: Result<ToolResult, CallError>) -> ToolError {
    match outcome {
        Err(CallError::Tool(result)) => ToolError::from_result(&result).unwrap(),
        other => panic!("{other:?} is no refusal"),
    }
}
