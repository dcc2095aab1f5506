//! Why a repeat does not get the answer to the first call, in words. What may not enter: what is remembered.

use super::Repeat;
use crate::shown::{named, shown};
use crate::{Code, RunContext, ToolError};

/// Refuses what is no repeat of the first call, or not for this caller.
pub(super) fn of_repeat(
    repeat: &Repeat,
    (first, sent): (&RunContext, &str),
    (context, arguments): (&RunContext, &str),
) -> Result<(), ToolError> {
    let (key, tool) = (shown(&repeat.key), named(&repeat.tool));
    if first.user() != context.user() {
        let what = format!("the idempotency key {key} belongs to a call of {tool} by another user");
        return Err(ToolError::new(Code::Forbidden, what, "use a key of its own for each user"));
    }
    if first.allowlist().permits(&repeat.tool) && !context.allowlist().permits(&repeat.tool) {
        let what = format!("{tool} may not be called in this run, nor may its earlier answer be had");
        return Err(ToolError::new(Code::Forbidden, what, ""));
    }
    if sent != arguments {
        let what = format!("the idempotency key {key} belongs to a call of {tool} with other arguments");
        let next = "repeat that call with its own arguments, or use a new key for another effect";
        return Err(ToolError::new(Code::InvalidArgs, what, next));
    }
    Ok(())
}

/// Nobody knows what came of the first call.
pub(super) fn unknown(repeat: &Repeat, why: &str) -> ToolError {
    let what = format!(
        "{} was called before under the idempotency key {}, and whether that took effect is not known, so it is not called again",
        named(&repeat.tool),
        shown(&repeat.key)
    );
    let next = "look whether it took effect, and only if it did not call again with a new key";
    ToolError::new(Code::Forbidden, what, next).with_why(why)
}

/// It would wait for itself.
pub(super) fn within_itself(repeat: &Repeat) -> ToolError {
    let what = format!(
        "{} was called from within itself under the idempotency key {}, and would wait for itself",
        named(&repeat.tool),
        shown(&repeat.key)
    );
    ToolError::new(Code::InvalidArgs, what, "use another key for a call that a call makes")
}
