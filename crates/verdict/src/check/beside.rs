//! Calls of one tool that differ in one argument, found beside each other: A, B, and A again.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hasher};

use serde_json::{Map, Value};

use super::reading::{Exchange, Reading};

/// Longer texts are compared by their length and a hash.
const LONG: usize = 1024;

/// The successful calls of a transcript, by tool and all their arguments but one.
pub(super) struct Beside<'r, 'a> {
    groups: HashMap<(&'a str, String), Vec<&'r Exchange<'a>>>,
}

/// Two answers to the same call, one before and one after another call.
pub(super) struct Around<'r, 'a> {
    /// The nearest one before.
    pub before: Option<&'r Exchange<'a>>,
    /// The nearest one after.
    pub after: Option<&'r Exchange<'a>>,
}

impl<'r, 'a> Beside<'r, 'a> {
    /// Sorts the successful calls by tool and arguments.
    pub fn of(reading: &'r Reading<'a>) -> Self {
        let mut groups: HashMap<_, Vec<_>> = HashMap::new();
        let answered = |one: &&Exchange<'a>| one.success().is_some() && !one.is_malformed;
        for exchange in reading.exchanges.iter().filter(answered) {
            let key = (exchange.call.name, text(exchange.call.arguments, None));
            groups.entry(key).or_default().push(exchange);
        }
        Self { groups }
    }

    /// The answers to the same call without this argument, nearest before and after.
    pub fn without(&self, exchange: &Exchange<'a>, name: &str) -> Around<'r, 'a> {
        self.around(exchange, text(exchange.call.arguments, Some(name)))
    }

    /// The answers to the same call without any of these arguments, nearest before and after.
    pub fn without_all(&self, exchange: &Exchange<'a>, names: &[&str]) -> Around<'r, 'a> {
        let mut arguments = exchange.call.arguments.cloned().unwrap_or_default();
        arguments.retain(|name, _| !names.contains(&name.as_str()));
        self.around(exchange, text(Some(&arguments), None))
    }

    /// The answers to the very same call with another value of this argument, nearest before and after.
    pub fn with(&self, exchange: &Exchange<'a>, name: &str, value: &Value) -> Around<'r, 'a> {
        let mut arguments = exchange.call.arguments.cloned().unwrap_or_default();
        arguments.insert(name.to_owned(), value.clone());
        self.around(exchange, text(Some(&arguments), None))
    }

    fn around(&self, exchange: &Exchange<'a>, arguments: String) -> Around<'r, 'a> {
        let group = self.groups.get(&(exchange.call.name, arguments)).map(Vec::as_slice).unwrap_or_default();
        let at = exchange.call.index;
        // A group is in the order of its calls.
        let before = group.partition_point(|other| other.call.index < at).checked_sub(1);
        let after = group.partition_point(|other| other.call.index <= at);
        Around {
            before: before.and_then(|before| group.get(before)).copied(),
            after: group.get(after).copied(),
        }
    }
}

impl<'r, 'a> Around<'r, 'a> {
    /// Both answers, where both are there and alike: then the data did not move.
    pub fn still(&self) -> Option<[&'r Exchange<'a>; 2]> {
        let (before, after) = (self.before?, self.after?);
        is_same(before, after).then_some([before, after])
    }

    /// Whichever is there.
    pub fn either(&self) -> Option<&'r Exchange<'a>> {
        self.before.or(self.after)
    }
}

/// Whether two answers hold the same: what is said about an answer in `_meta` is none of it.
pub(super) fn is_same(one: &Exchange<'_>, other: &Exchange<'_>) -> bool {
    let (Some((one, _)), Some((other, _))) = (one.success(), other.success()) else { return false };
    ["/structuredContent", "/content"].into_iter().all(|part| one.at(part) == other.at(part))
}

/// Arguments as a text that is the same for the same arguments, one of them left out.
pub(super) fn text(arguments: Option<&Map<String, Value>>, without: Option<&str>) -> String {
    let others = arguments.into_iter().flatten().filter(|(name, _)| Some(name.as_str()) != without);
    let sorted: BTreeMap<_, _> = others.collect();
    let mut text = String::new();
    for (name, value) in sorted {
        text.push_str(&format!("{name:?}:"));
        write(value, &mut text);
        text.push(',');
    }
    text
}

/// Writes a value as JSON, with a long text as its length and a hash: it is compared with many others.
fn write(value: &Value, text: &mut String) {
    match value {
        Value::String(long) if long.len() > LONG => {
            let mut hasher = DefaultHasher::new();
            hasher.write(long.as_bytes());
            text.push_str(&format!("{} bytes {:x}", long.len(), hasher.finish()));
        }
        Value::Array(items) => {
            text.push('[');
            items.iter().for_each(|item| {
                write(item, text);
                text.push(',');
            });
            text.push(']');
        }
        Value::Object(members) => {
            text.push('{');
            members.iter().for_each(|(name, member)| {
                text.push_str(&format!("{name:?}:"));
                write(member, text);
                text.push(',');
            });
            text.push('}');
        }
        other => text.push_str(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn long_texts_are_told_apart_at_any_depth() {
        let of = |end: &str| {
            let long = "x".repeat(2 * LONG) + end;
            text(json!({"b": [{"c": long}], "a": end.len(), "w": end}).as_object(), Some("w"))
        };
        assert_eq!(of("y"), of("y"));
        assert_ne!(of("y"), of("z"));
        assert!(of("y").len() < LONG);
    }
}
