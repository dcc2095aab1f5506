//! What `log_expense` can lie about, beside what it requires and which keys it knows.

use frankly_contract::{CallError, Code, ToolError, ToolResult};
use serde_json::{Value, json};

use super::super::lie::{Lie, Outcome, Sent};
use super::MAX_AMOUNT;
use crate::store::Expense;
use crate::{Fault, Faults};

/// How much of a merchant's name is stored with the fault, in characters.
const KEPT: usize = 5;

pub(in super::super) static LIES: &[Lie] =
    &[Lie::asked(Fault::SilentClamp, clamped), Lie::answered(Fault::WrongCause, missing)];

fn clamped(sent: &mut Sent) {
    if sent.get("amount").and_then(Value::as_f64).is_some_and(|amount| amount > f64::from(MAX_AMOUNT)) {
        sent.insert("amount".to_owned(), json!(MAX_AMOUNT));
    }
}

/// The arguments that do not fit are read as if they were not there, which is then what is told.
fn missing(sent: &Sent, outcome: Outcome) -> Outcome {
    let Err(CallError::Tool(failed)) = &outcome else { return outcome };
    let about_amount = sent.contains_key("amount")
        && ToolError::from_result(failed).is_some_and(|error| {
            error.details().contains_key("violations") && error.what().contains("`amount`")
        });
    if !about_amount {
        return outcome;
    }
    let next = "call it again with `amount` and `category`";
    let error = ToolError::new(Code::InvalidArgs, "`amount` is missing", next);
    Err(CallError::Tool(ToolResult::from(error)))
}

/// What the faults do to an expense on its way into the ledger, and the merchant to answer with where that is not the
/// one that is stored.
pub(super) fn on_the_way(faults: &Faults, expense: &mut Expense) -> Option<String> {
    if faults.contains(Fault::LostText) {
        expense.merchant = damaged(&expense.merchant);
    }
    if !faults.contains(Fault::EchoNotStored) {
        return None;
    }
    let kept: String = expense.merchant.chars().take(KEPT).collect();
    Some(std::mem::replace(&mut expense.merchant, kept.trim_end().to_owned()))
}

/// A text whose bytes were each taken for a letter: UTF-8 read as Latin-1.
fn damaged(text: &str) -> String {
    text.bytes().map(char::from).collect()
}
