//! From what the store found to what the agent reads: JSON that is no longer than the budget. Texts are bounded where
//! they are made, and a fault that answers with more goes around this room.

use std::fmt;

use frankly_contract::{Answer, Budget, Code, Page, ToolError};
use serde::Serialize;

/// The longest answer, in bytes of JSON.
pub(crate) const BUDGET: usize = 25_000;

/// As much of a page as fits.
pub(crate) fn short<T: Serialize>(page: Page<T>) -> Result<Page<T>, ToolError> {
    Budget::bytes(BUDGET).page(page)
}

/// A page as an answer.
pub(crate) fn page<T: Serialize>(page: Page<T>) -> Result<Answer, ToolError> {
    Answer::try_from(short(page)?).map_err(unreadable)
}

/// An object as an answer; one that is too long loses the end of its longest list, and says so. `next` is what to do
/// then.
pub(crate) fn object(object: &impl Serialize, next: &str) -> Result<Answer, ToolError> {
    let budget = Budget::bytes(BUDGET);
    // In the order in which the object writes its members, which its JSON value would lose.
    if budget.allows(&serde_json::to_string(object).map_err(unreadable)?) {
        return Answer::json(object).map_err(unreadable);
    }
    let short = budget.json(serde_json::to_value(object).map_err(unreadable)?, next)?;
    Answer::json(&short).map_err(unreadable)
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
