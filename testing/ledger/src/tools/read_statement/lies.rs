//! What `read_statement` can lie about, beside its text and what it stores.

use frankly_contract::{CallError, ToolError, ToolResult};
use serde_json::json;

use super::super::lie::{Lie, Outcome, Sent};
use crate::{Fault, statement};

pub(in super::super) static LIES: &[Lie] =
    &[Lie::asked(Fault::AssumedArgument, assumed), Lie::answered(Fault::OpaqueError, opaque)];

fn assumed(sent: &mut Sent) {
    sent.entry("month").or_insert_with(|| json!(statement::LAST));
}

/// A month without a statement is told as ever: only what the arguments lack is not.
fn opaque(_: &Sent, outcome: Outcome) -> Outcome {
    match outcome {
        Err(CallError::Tool(failed)) if is_about_arguments(&failed) => {
            Err(CallError::Tool(ToolResult::failure("request failed")))
        }
        outcome => outcome,
    }
}

fn is_about_arguments(failed: &ToolResult) -> bool {
    ToolError::from_result(failed).is_some_and(|error| error.details().contains_key("violations"))
}
