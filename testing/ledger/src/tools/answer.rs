//! From what the store found to what the agent reads. Every answer passes through here, so that none is longer
//! than the budget.

use std::fmt;

use frankly_contract::{Budget, Code, Page, ToolError, ToolResult};
use serde::Serialize;

/// The longest answer, in bytes of JSON.
pub(crate) const BUDGET: usize = 25_000;

/// A page as a result.
pub(crate) fn page<T: Serialize>(page: Page<T>) -> Result<ToolResult, ToolError> {
    ToolResult::try_from(Budget::bytes(BUDGET).page(page)?).map_err(unreadable)
}

/// An object as a result; one that is too long loses the end of its longest list, and says so. `next` is what to do
/// then.
pub(crate) fn object(object: &impl Serialize, next: &str) -> Result<ToolResult, ToolError> {
    let budget = Budget::bytes(BUDGET);
    let whole = ToolResult::json(object).map_err(unreadable)?;
    if whole.texts().all(|(_, text)| budget.allows(text)) {
        return Ok(whole);
    }
    let short = budget.json(serde_json::to_value(object).map_err(unreadable)?, next)?;
    ToolResult::json(&short).map_err(unreadable)
}

/// The error of a tool whose ledger cannot be read or written: nothing in the arguments can mend it.
pub(crate) fn unreadable(error: impl fmt::Display) -> ToolError {
    ToolError::new(
        Code::Transient,
        "the ledger could not be read or written",
        "call again once; if it fails again, say that the ledger is unavailable",
    )
    .with_why(error.to_string())
}
