//! What the answers of a session say is not there.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::failure::Failure;
use super::kinds;
use super::reading::{Exchange, Reading};

/// How an answer says that what was asked for is not there.
const DENIALS: &[&str] =
    &["does not exist", "doesn't exist", "enoent", "no such", "not exist", "not found", "not_found"];
/// Only so long a text is one sentence about one thing.
const LONGEST: usize = 400;
/// So far apart a value and what is said of it stand at most.
const NEAR_CHARS: usize = 40;
/// A shorter value is in many sentences by chance.
const LEAST_CHARS: usize = 2;

/// So many answers that deny one value are looked at.
const MOST: usize = 64;

/// The values that an answer said are not there, with that answer.
pub(super) struct Absences<'r, 'a> {
    denied: HashMap<&'a str, Vec<&'r Exchange<'a>>>,
    exchanges: &'r [Exchange<'a>],
}

impl<'r, 'a> Absences<'r, 'a> {
    /// Gathers them. A text that the client itself sent before is data and says nothing.
    pub fn of(reading: &'r Reading<'a>) -> Self {
        let mut denied = HashMap::<_, Vec<_>>::new();
        let mut sent: HashSet<&str> = HashSet::new();
        for exchange in &reading.exchanges {
            let texts: Vec<&str> =
                exchange.call.arguments.into_iter().flat_map(Map::values).filter_map(Value::as_str).collect();
            if let Some(said) =
                denial(exchange).filter(|said| !sent.contains(said.as_str()) && !reading.sight.had_sent(said))
            {
                let meant = texts.iter().filter(|text| text.len() >= LEAST_CHARS && denies(&said, text));
                meant.for_each(|text| denied.entry(*text).or_default().push(exchange));
            }
            sent.extend(texts);
        }
        Self { denied, exchanges: &reading.exchanges }
    }

    /// The answer that said before this call that the value is not there, if nothing was done with the value since.
    pub fn before(&self, exchange: &Exchange<'a>, value: &str) -> Option<&'r Exchange<'a>> {
        let at = exchange.call.index;
        let is_denial = |by: &&&Exchange<'a>| by.call.index < at && kinds::may_be_one(by, exchange, value);
        let denied = self.denied.get(value)?;
        let near = denied.partition_point(|by| by.call.index < at);
        let denial = denied[near.saturating_sub(MOST)..near].iter().rfind(is_denial)?;
        let between = self.exchanges.get(denial.call.index + 1..at).unwrap_or_default();
        let mut between = between.iter().filter(|one| one.success().is_some());
        let is_about = |one: &Exchange<'_>| {
            one.call.arguments.into_iter().flat_map(Map::values).any(|sent| holds(sent, value))
        };
        (!between.any(is_about)).then_some(*denial)
    }
}

/// The words with which an answer says that something is not there.
pub(super) fn denial(exchange: &Exchange<'_>) -> Option<String> {
    let text = match exchange.success() {
        Some((payload, _)) => payload.at("/content/0/text")?.as_str()?.to_owned(),
        None => Failure::of(exchange)?.text,
    };
    if text.len() > LONGEST {
        return None;
    }
    let lower = text.to_lowercase();
    DENIALS.iter().any(|denial| lower.contains(denial)).then_some(text)
}

/// Whether a text says just of this value that it is not there; of a path its last part will do.
fn denies(text: &str, value: &str) -> bool {
    let last = value.rsplit(['/', '\\']).next().unwrap_or(value);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    // "no column x in table orders" is about `x`.
    let leads_on = |between: &str| {
        let elsewhere = [" in ", " from ", " on ", " of "].iter().any(|word| between.contains(word));
        between.chars().count() <= NEAR_CHARS && !elsewhere
    };
    [value, last].into_iter().filter(|value| value.len() >= LEAST_CHARS).any(|value| {
        let lower = text.to_lowercase();
        let value = value.to_lowercase();
        lower.match_indices(&value).any(|(at, _)| {
            let (before, after) = (&lower[..at], &lower[at + value.len()..]);
            let is_whole = !before.ends_with(is_part) && !after.starts_with(is_part);
            is_whole
                && DENIALS.iter().any(|denial| {
                    let behind = after.find(denial).is_some_and(|to| leads_on(&after[..to]));
                    let ahead =
                        before.rfind(denial).is_some_and(|from| leads_on(&before[from + denial.len()..]));
                    behind || ahead
                })
        })
    })
}

/// Whether a value is this text, or holds it.
fn holds(value: &Value, wanted: &str) -> bool {
    match value {
        Value::String(text) => text == wanted,
        Value::Array(items) => items.iter().any(|item| holds(item, wanted)),
        Value::Object(members) => members.values().any(|member| holds(member, wanted)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_denied_is_told_from_where_it_was_looked_for() {
        for (text, value) in [
            ("Error: ENOENT: no such file or directory, stat '/s/nope.txt'", "/s/nope.txt"),
            ("[NOT_FOUND] nope — path does not exist", "/s/nope"),
            ("Key not found: nope", "nope"),
            ("Table \"ordres\" does not exist", "ordres"),
        ] {
            assert!(denies(text, value), "{text}");
        }
        for (text, value) in [
            ("Column \"statsu\" does not exist in table \"orders\"", "orders"),
            ("nope.txt: not found", "/s/nope"),
            ("orders: 3 rows; the page after it was asked for and was not found", "orders"),
        ] {
            assert!(!denies(text, value), "{text}");
        }
    }
}
