//! What `query_transactions` can lie about, beside what it cuts and what it does not find.

use serde_json::{Value, json};

use super::super::lie::{Lie, Outcome, Sent, restructured};
use super::{DEFAULT_LIMIT, MAX_LIMIT, properties};
use crate::Fault;

pub(in super::super) static LIES: &[Lie] = &[
    Lie::asked(Fault::ArgumentDropped, dropped),
    Lie::asked(Fault::QuietCoercion, coerced),
    Lie::asked(Fault::SilentClamp, clamped),
    Lie::asked(Fault::DriftingDefault, drifting),
    Lie::answered(Fault::MissingPromise, without_dates),
];

fn dropped(sent: &mut Sent) {
    let properties = properties();
    sent.retain(|name, _| properties.get(name).is_some());
}

fn coerced(sent: &mut Sent) {
    let limit = sent.get("limit").and_then(Value::as_str).and_then(|limit| limit.trim().parse::<u64>().ok());
    if let Some(limit) = limit {
        sent.insert("limit".to_owned(), json!(limit));
    }
}

fn clamped(sent: &mut Sent) {
    if sent.get("limit").and_then(Value::as_f64).is_some_and(|limit| limit > MAX_LIMIT as f64) {
        sent.insert("limit".to_owned(), json!(MAX_LIMIT));
    }
}

fn drifting(sent: &mut Sent) {
    sent.entry("limit").or_insert_with(|| json!(DEFAULT_LIMIT / 2));
}

fn without_dates(_: &Sent, outcome: Outcome) -> Outcome {
    restructured(outcome, |page| {
        for rows in ["items", "transactions"] {
            let rows = page.get_mut(rows).and_then(Value::as_array_mut);
            for row in rows.into_iter().flatten().filter_map(Value::as_object_mut) {
                row.remove("date");
            }
        }
    })
}
