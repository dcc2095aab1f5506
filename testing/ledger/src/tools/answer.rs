//! From what the store found to what the agent reads.

use std::fmt;

use frankly_contract::{Code, Page, ToolError, ToolResult};
use serde::Serialize;

/// A page as a result.
pub(crate) fn page<T: Serialize>(page: Page<T>) -> Result<ToolResult, ToolError> {
    ToolResult::try_from(page).map_err(unreadable)
}

/// The error of a tool whose ledger cannot be read: nothing in the arguments can mend it.
pub(crate) fn unreadable(error: impl fmt::Display) -> ToolError {
    ToolError::new(
        Code::Transient,
        "the ledger could not be read",
        "call again once; if it fails again, say that the ledger is unavailable",
    )
    .with_why(error.to_string())
}
