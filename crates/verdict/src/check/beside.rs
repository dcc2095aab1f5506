//! Calls of one tool that differ in one argument, found beside each other: A, B, and A again.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::{Map, Value};

use super::reading::{Exchange, Reading};

/// The successful calls of a transcript, by tool and all their arguments but one.
pub(super) struct Beside<'r, 'a> {
    groups: HashMap<(&'a str, Asked), Vec<&'r Exchange<'a>>>,
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
            let key = (exchange.call.name, exchange.asked);
            groups.entry(key).or_default().push(exchange);
        }
        Self { groups }
    }

    /// The answers to the same call without this argument, nearest before and after.
    pub fn without(&self, exchange: &Exchange<'a>, name: &str) -> Around<'r, 'a> {
        self.around(exchange, asked(exchange.call.arguments, Some(name)))
    }

    /// The answers to the same call without any of these arguments, nearest before and after.
    pub fn without_all(&self, exchange: &Exchange<'a>, names: &[&str]) -> Around<'r, 'a> {
        let mut arguments = exchange.call.arguments.cloned().unwrap_or_default();
        arguments.retain(|name, _| !names.contains(&name.as_str()));
        self.around(exchange, asked(Some(&arguments), None))
    }

    /// The answers to the very same call with another value of this argument, nearest before and after.
    pub fn with(&self, exchange: &Exchange<'a>, name: &str, value: &Value) -> Around<'r, 'a> {
        let mut arguments = exchange.call.arguments.cloned().unwrap_or_default();
        arguments.insert(name.to_owned(), value.clone());
        self.around(exchange, asked(Some(&arguments), None))
    }

    fn around(&self, exchange: &Exchange<'a>, arguments: Asked) -> Around<'r, 'a> {
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

/// Which arguments a call was made with, as a hash: two calls with others have the same by chance in no recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Asked(u64);

/// The same for the same arguments, in whichever order they were sent; one of them is left out.
pub(super) fn asked(arguments: Option<&Map<String, Value>>, without: Option<&str>) -> Asked {
    let mut hasher = DefaultHasher::new();
    members(arguments.into_iter().flatten(), without, &mut hasher);
    Asked(hasher.finish())
}

fn members<'v>(
    members: impl Iterator<Item = (&'v String, &'v Value)>,
    without: Option<&str>,
    hasher: &mut DefaultHasher,
) {
    let mut others: Vec<_> = members.filter(|(name, _)| Some(name.as_str()) != without).collect();
    others.sort_unstable_by_key(|(name, _)| *name);
    for (name, member) in others {
        name.hash(hasher);
        hash(member, hasher);
    }
    // No name ends so.
    hasher.write(b"\xfe");
}

fn hash(value: &Value, hasher: &mut DefaultHasher) {
    match value {
        // `1` and `1.0` are not the same here: they are not written so.
        Value::Number(number) => (0, number.is_f64(), number.is_u64(), number).hash(hasher),
        Value::Array(items) => {
            (1, items.len()).hash(hasher);
            items.iter().for_each(|item| hash(item, hasher));
        }
        Value::Object(inner) => {
            2.hash(hasher);
            members(inner.iter(), None, hasher);
        }
        other => (3, other).hash(hasher),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn calls_are_told_apart_by_every_value_at_any_depth_and_not_by_what_is_left_out() {
        let of = |arguments: Value, without| asked(arguments.as_object(), without);
        let long = |end: &str| json!({"b": [{"c": "x".repeat(2048) + end}], "a": 1, "w": end});
        assert_eq!(of(long("y"), None), of(long("y"), None));
        assert_eq!(of(long("y"), Some("a")), of(json!({"w": "y", "b": long("y")["b"]}), None));
        let different = [
            json!({}),
            json!({"a": 0}),
            json!({"a": 0.0}),
            json!({"a": "0"}),
            json!({"a": -1}),
            json!({"a": u64::MAX}),
            json!({"a": null}),
            json!({"a": []}),
            json!({"a": {}}),
            json!({"a": {"b": 1}}),
            json!({"a": {}, "b": 1}),
            json!({"a": [[1], 2]}),
            json!({"a": [[1, 2]]}),
            long("y"),
            long("z"),
        ];
        let hashes: std::collections::HashSet<Asked> =
            different.iter().map(|arguments| asked(arguments.as_object(), None)).collect();
        assert_eq!(hashes.len(), different.len());
        assert_eq!(asked(None, None), of(json!({"a": 0}), Some("a")));
    }
}
