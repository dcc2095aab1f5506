//! What `list_accounts` can lie about, beside its limit and blank names.

use frankly_contract::{CallError, ToolResult};
use serde_json::{Value, json};

use super::super::lie::{Lie, Outcome, Sent, reworded};
use crate::Fault;
use crate::accounts::Kind;

pub(in super::super) static LIES: &[Lie] = &[
    Lie::asked(Fault::EnumFallback, any_kind),
    Lie::asked(Fault::RepeatingCursor, starting_early),
    Lie::answered(Fault::EmptyAsError, failed),
    Lie::answered(Fault::TextAtOdds, rounded),
];

fn any_kind(sent: &mut Sent) {
    let known = |kind: &Value| Kind::ALL.iter().any(|known| kind == known.name());
    sent.retain(|name, value| name != "kind" || known(value));
}

/// One row early, as where rows are counted from 1 in one place and from 0 in another.
fn starting_early(sent: &mut Sent) {
    let place = sent.get("cursor").and_then(Value::as_str).and_then(|cursor| cursor.strip_prefix("row-"));
    if let Some(place) = place.and_then(|place| place.parse::<u64>().ok()).filter(|place| *place > 0) {
        sent.insert("cursor".to_owned(), json!(format!("row-{}", place - 1)));
    }
}

fn failed(sent: &Sent, outcome: Outcome) -> Outcome {
    let answer = outcome?;
    let named = sent.get("name").and_then(Value::as_str).is_some_and(|name| !name.is_empty());
    let empty = answer.structured().is_some_and(|page| page["matched"] == 0);
    if named && empty {
        return Err(CallError::Tool(ToolResult::failure("no accounts found; try another `name`")));
    }
    Ok(answer)
}

/// The text copy is made for people, who like their figures round.
fn rounded(_: &Sent, outcome: Outcome) -> Outcome {
    let answer = outcome?;
    let Some(mut copy) = answer.structured().cloned() else { return Ok(answer) };
    for account in copy["items"].as_array_mut().into_iter().flatten() {
        account["balance"] = json!(account["balance"].as_f64().unwrap_or_default().floor());
    }
    Ok(reworded(answer, &copy.to_string()))
}
