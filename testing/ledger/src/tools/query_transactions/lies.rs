//! What `query_transactions` can lie about, beside what it cuts and what it does not find.

use serde_json::{Value, json};

use super::super::lie::{Lie, Outcome, Sent, restructured};
use super::{DEFAULT_LIMIT, properties};
use crate::Fault;

pub(in super::super) static LIES: &[Lie] = &[
    Lie::asked(Fault::ArgumentDropped, dropped),
    Lie::asked(Fault::QuietCoercion, coerced),
    Lie::asked(Fault::DriftingDefault, drifting),
    Lie::answered(Fault::MissingPromise, without_dates),
    Lie::answered(Fault::IdsWithoutNames, ids),
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

fn drifting(sent: &mut Sent) {
    sent.entry("limit").or_insert_with(|| json!(DEFAULT_LIMIT / 2));
}

fn without_dates(_: &Sent, outcome: Outcome) -> Outcome {
    in_rows(outcome, |row| drop(row.remove("date")))
}

fn ids(_: &Sent, outcome: Outcome) -> Outcome {
    in_rows(outcome, |row| {
        let merchant = row.remove("merchant");
        let number =
            merchant.iter().filter_map(Value::as_str).flat_map(str::bytes).map(u32::from).sum::<u32>();
        row.insert("merchant_id".to_owned(), json!(format!("m-{:02}", number % 97)));
    })
}

/// An answer with each of its rows changed, whether or not its page is one that says so.
fn in_rows(outcome: Outcome, change: fn(&mut Sent)) -> Outcome {
    restructured(outcome, |page| {
        for rows in ["items", "transactions"] {
            let rows = page.get_mut(rows).and_then(Value::as_array_mut);
            rows.into_iter().flatten().filter_map(Value::as_object_mut).for_each(change);
        }
    })
}
