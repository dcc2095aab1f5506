//! Where the numbers of an answer may come from.

use serde_json::Value;

use super::figures::{Figure, values};
use super::units::conversions;
use crate::check::reading::Reading;
use crate::payload::Payload;

/// So many numbers are combined with each other; each further one would make more of them by chance.
const MOST: usize = 120;
/// How far a number is from another that is only about right.
const ABOUT: f64 = 0.06;
/// Longer texts are read up to here.
const LONGEST: usize = 200_000;

/// Every number that was said, and those that follow from lists.
pub(super) struct Sources {
    said: Vec<f64>,
}

impl Sources {
    /// Gathers the numbers of a session but for those of the answer itself.
    pub fn of(reading: &Reading<'_>, answer: usize) -> Self {
        let mut said = vec![reading.exchanges.len() as f64];
        for (at, frame) in reading.transcript.frames.iter().enumerate() {
            if let Some(msg) = frame.msg().filter(|_| at != answer) {
                collect(msg, &mut said);
            }
        }
        for (payload, _) in reading.exchanges.iter().filter_map(|one| one.success()) {
            follow(payload, &mut said);
        }
        said.retain(|value| value.is_finite());
        said.sort_by(f64::total_cmp);
        said.dedup();
        Self { said }
    }

    /// Whether a figure is one of them, rounded or not, or what two of them make.
    pub fn explain(&self, figure: &Figure) -> bool {
        figure.readings.iter().any(|wanted| {
            let near = if figure.is_about { wanted.value.abs() * ABOUT } else { wanted.unit * 0.500_001 };
            let is_it = |value: f64| (value - wanted.value).abs() <= near;
            self.said
                .iter()
                .any(|one| is_it(*one) || is_it(100.0 - one) || is_it(one * 100.0) || is_it(one / 100.0))
                || self
                    .said
                    .iter()
                    .any(|one| conversions(*one, &figure.unit, &figure.around).into_iter().any(is_it))
                || (self.said.len() <= MOST && self.pairs(&is_it))
        })
    }

    fn pairs(&self, is_it: &dyn Fn(f64) -> bool) -> bool {
        self.said.iter().any(|one| {
            self.said.iter().any(|other| {
                let ratio = one / other;
                [one + other, one - other, one * other, ratio, ratio * 100.0, (ratio - 1.0).abs() * 100.0]
                    .into_iter()
                    .any(is_it)
            })
        })
    }
}

/// The numbers of a message, in its texts as well, and how long its lists are.
fn collect(value: &Value, found: &mut Vec<f64>) {
    match value {
        Value::Number(number) => found.extend(number.as_f64()),
        Value::String(text) => {
            let end = (0..=text.len().min(LONGEST)).rev().find(|end| text.is_char_boundary(*end));
            found.extend(values(&text[..end.unwrap_or_default()]));
            found.push(text.lines().count() as f64);
        }
        Value::Array(items) => {
            found.push(items.len() as f64);
            items.iter().for_each(|item| collect(item, found));
        }
        Value::Object(members) => members.values().for_each(|member| collect(member, found)),
        _ => {}
    }
}

/// What follows from the rows of a list: how many there are, and the sum and mean of each column.
fn follow(payload: &Payload, found: &mut Vec<f64>) {
    let Some(list) = payload.list() else { return };
    let rows = payload.at(&list.pointer).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    found.push(rows.len() as f64);
    let names = rows.iter().filter_map(Value::as_object).flatten().map(|(name, _)| name);
    let mut names: Vec<&String> = names.collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let column: Vec<f64> = rows.iter().filter_map(|row| row.get(name)?.as_f64()).collect();
        let sum: f64 = column.iter().sum();
        found.extend([sum, sum / column.len() as f64]);
        // How many rows have the same value.
        for other in rows.iter().take(MOST).filter_map(|row| row.get(name)) {
            found.push(rows.iter().filter(|row| row.get(name) == Some(other)).count() as f64);
        }
    }
}
