//! Calls as tests make them: through the same door as those of an agent.

use frankly_contract::{CallError, ToolCall, ToolDef, ToolError, ToolResult, Tools};
use serde_json::Value;

use crate::{Fault, Faults, Ledger};

/// A ledger to which several calls are made.
pub(crate) struct Patient(Ledger);

impl Patient {
    pub fn honest() -> Self {
        Self::with(&[])
    }

    pub fn with(faults: &[Fault]) -> Self {
        Self(Ledger::new(faults.iter().copied().collect::<Faults>()).unwrap())
    }

    pub fn definitions(&self) -> Vec<ToolDef> {
        block_on(self.0.list()).unwrap()
    }

    pub fn call(&self, tool: &str, arguments: Value) -> Result<ToolResult, CallError> {
        let Value::Object(arguments) = arguments else { panic!("{arguments} is no object") };
        block_on(self.0.call(ToolCall::new(tool, arguments)))
    }

    /// The structured content of a successful call.
    pub fn answer(&self, tool: &str, arguments: Value) -> Value {
        self.call(tool, arguments).unwrap().structured().unwrap().clone()
    }

    /// The error of a call that is refused.
    pub fn refusal(&self, tool: &str, arguments: Value) -> ToolError {
        match self.call(tool, arguments) {
            Err(CallError::Tool(result)) => ToolError::from_result(&result).unwrap(),
            other => panic!("{other:?} is no refusal"),
        }
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}
