//! "Deleted", said of what never was.

use serde_json::{Map, Value};

use super::DOC;
use crate::check::absence::Absences;
use crate::check::reading::Exchange;
use crate::names::has_word;
use crate::report::shorten;
use crate::{Finding, Severity};

/// Verbs of tools that take something away.
const VERBS: &[&str] =
    &["cancel", "clear", "close", "delete", "drop", "erase", "kill", "purge", "remove", "stop", "unset"];
/// How an answer says that it was done.
const DONE: &[&str] = &[
    "cancelled", "closed", "deleted", "dropped", "erased", "killed", "purged", "removed", "stopped", "unset",
];
/// How it says that it was not, or that nothing was there.
const NOT: &[&str] = &[": 0", " 0 ", "already", "did not", "didn't", "no ", "none", "not ", "nothing"];
const SHOWN_CHARS: usize = 120;

/// A deletion that succeeded on what another answer had said is not there.
pub(super) fn look_at<'a>(
    exchange: &Exchange<'a>,
    absences: &Absences<'_, 'a>,
    server: &str,
) -> Option<Finding> {
    let (payload, _) = exchange.success()?;
    let takes_away = has_word(exchange.call.name, VERBS);
    let text = payload.at("/content/0/text").filter(|_| takes_away)?;
    let text = text.as_str().map_or_else(|| text.to_string(), str::to_owned);
    let lower = text.to_lowercase();
    if !DONE.iter().any(|done| lower.contains(done)) || NOT.iter().any(|not| lower.contains(not)) {
        return None;
    }
    let values = exchange.call.arguments.into_iter().flat_map(Map::values).filter_map(Value::as_str);
    let (value, denial) =
        values.into_iter().find_map(|value| Some((value, absences.before(exchange, value)?)))?;
    let finding = Finding::proven(&DOC, Severity::Error, server, exchange.call.name, "/result").saying(
        format!(
            "the answer says that {:?} is gone, and {} had said that there is no such thing",
            shorten(value, SHOWN_CHARS),
            denial.call.name
        ),
        "it was there, and was taken away",
        "say that there was nothing to take away (`deleted: 0`), or answer NOT_FOUND",
    );
    Some(exchange.finding(finding.with_evidence(shorten(&text, SHOWN_CHARS)), &[denial]))
}
