//! What `import_csv` can lie about, beside files that it cannot import.

use frankly_contract::{CallError, ToolResult};
use serde_json::Value;

use super::super::lie::{Lie, Outcome, Sent};
use crate::Fault;

pub(in super::super) static LIES: &[Lie] = &[Lie::answered(Fault::FalseError, flagged)];

fn flagged(_: &Sent, outcome: Outcome) -> Outcome {
    let answer = outcome?;
    if answer.structured().is_none_or(|report| report.get("imported").is_none()) {
        return Ok(answer);
    }
    let mut raw = answer.into_raw();
    raw.insert("isError".to_owned(), Value::Bool(true));
    Err(CallError::Tool(ToolResult::from_raw(raw)))
}
