//! Records that tell of a failure: a job that failed, a flag that is off. They are data, and no error of the call.

use serde_json::{Map, Value};

use super::body::is_called;
use super::shape::is_empty;
use crate::check::effects::{reads, writes};
use crate::names::{run_together, words};

/// Words in the name of a tool whose answer may be a single value, whatever its name.
const VALUES: &[&str] = &[
    "cell", "column", "config", "field", "flag", "flags", "property", "record", "row", "rows", "setting",
    "settings", "state", "value", "variable",
];
/// Names of members that a record has as well as an error.
const OF_RECORDS: &[&str] = &["description", "kind", "name", "path", "title", "type"];
/// States that things are in; "error" and "not found" are what an error says of the call as well.
const STATES: &[&str] = &[
    "aborted", "active", "canceled", "cancelled", "closed", "complete", "completed", "crashed", "dead",
    "declined", "done", "errored", "expired", "failed", "failure", "finished", "inprogress", "killed",
    "open", "paused", "pending", "queued", "retrying", "running", "stopped", "succeeded", "timedout",
    "timeout",
];
/// Names of ids that an error has.
const ID_OF_CALLS: &[&str] = &["correlationid", "requestid", "spanid", "traceid"];

/// What a denial without a reason is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Denial {
    /// The outcome of something that was done.
    Outcome,
    /// The outcome, or a value that was looked up.
    Doubtful,
    /// A fact of a record.
    Fact,
}

/// Whether a body has an id, other than that of the call.
pub(super) fn has_id(body: &Map<String, Value>) -> bool {
    body.keys().any(|name| {
        let words = words(name);
        words.last().is_some_and(|last| last == "id" || last == "uuid")
            && !ID_OF_CALLS.contains(&words.concat().as_str())
    })
}

/// Whether a body has a state that things are in.
pub(super) fn has_state(body: &Map<String, Value>) -> bool {
    body.iter().any(|(name, value)| {
        let is_known = value.as_str().is_some_and(|text| STATES.contains(&&*run_together(text)));
        is_known && matches!(&*run_together(name), "phase" | "state" | "status")
    })
}

/// What a denial is where nothing explains it: what a tool that acts did, or what a tool that looks saw.
pub(super) fn denial(named: &[(String, &Value)], tool: &str) -> Denial {
    let is_value = is_called(tool, VALUES);
    if writes(tool, None) || (!reads(tool, None) && !is_value) {
        return Denial::Outcome;
    }
    let is_fact = named.iter().any(|(name, value)| OF_RECORDS.contains(&name.as_str()) && !is_empty(value));
    if is_fact || is_value { Denial::Fact } else { Denial::Doubtful }
}
