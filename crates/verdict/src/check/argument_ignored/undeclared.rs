//! Arguments that the schema does not declare, and that were dropped.

use super::{finding, shown};
use crate::Finding;
use serde_json::Value;

use crate::check::absence::denial;
use crate::check::announced::Announcement;
use crate::check::beside::{Beside, is_same};
use crate::check::mistakes::undeclared;
use crate::check::reading::{Exchange, Reading};

/// What a call with undeclared arguments shows.
pub(super) fn look_at<'a>(
    exchange: &Exchange<'a>,
    beside: &Beside<'_, 'a>,
    reading: &Reading<'a>,
) -> Vec<Finding> {
    let server = reading.server();
    let Some((payload, _)) = exchange.success() else { return Vec::new() };
    let names = exchange.tool.map(|tool| undeclared(tool, exchange.call.arguments)).unwrap_or_default();
    if names.is_empty() {
        return Vec::new();
    }
    let said = Announcement::of(payload);
    let look = |name: &&str| {
        if said.names(name) || said.tells() {
            return None;
        }
        let around = beside.without(exchange, name);
        let still = around.still();
        // An argument that changes the answer is not ignored, only not declared.
        let has_effect = |other: &Exchange<'_>| !is_same(exchange, other);
        let moved = around.before.is_some() && around.after.is_some() && still.is_none();
        if !moved && around.either().is_some_and(has_effect) {
            return None;
        }
        let value = exchange.call.arguments.and_then(|arguments| arguments.get(*name));
        // What failed anyway, or asks for nothing else than without it, is the same for another reason.
        let shows = !payload.holds_nothing() && denial(exchange).is_none() && !asks_nothing(value, exchange);
        let proof = still.filter(|_| shows);
        let others = proof.map_or_else(
            || around.either().filter(|other| !has_effect(other)).into_iter().collect(),
            |both| both.to_vec(),
        );
        // An answer that shows its effect may be out of sight.
        if others.is_empty() && !reading.sight.is_whole() {
            return None;
        }
        let sent = shown(name, value);
        let what = if others.is_empty() {
            format!("{sent} is no argument of this tool, and the call succeeded without a word about it")
        } else {
            format!(
                "{sent} is no argument of this tool; the answer is the very same as without it, and does not say so"
            )
        };
        let found = finding(exchange, payload, server, proof.is_some()).saying(
            what,
            "the argument had its effect",
            format!(
                "refuse `{name}` with the nearest known name (`additionalProperties: false`), or say in the answer that \
                 it was ignored"
            ),
        );
        let found = exchange.finding(found, &others);
        Some(Finding { mutation: (*name).to_owned(), ..found })
    };
    names.iter().filter_map(look).collect()
}

/// Whether a value is blank, off, or what the tool takes by default for some parameter, which it may have been meant for.
fn asks_nothing(value: Option<&Value>, exchange: &Exchange<'_>) -> bool {
    let is_blank = match value {
        None | Some(Value::Null | Value::Bool(false)) => true,
        Some(Value::String(text)) => text.trim().is_empty(),
        Some(Value::Array(items)) => items.is_empty(),
        Some(Value::Object(members)) => members.is_empty(),
        Some(Value::Number(_) | Value::Bool(true)) => false,
    };
    let parameters = exchange.tool.into_iter().flat_map(|tool| tool.parameters());
    let mut defaults = parameters.filter_map(|(_, schema)| schema.get("default"));
    is_blank || defaults.any(|default| Some(default) == value)
}
