//! The words in which misses speak of calls. What may not enter: whether there is a miss.

use std::collections::BTreeSet;

use frankly_contract::nearest;
use serde_json::{Map, Value};

use super::Made;
use crate::report::{plain, shorten};

/// How much of a value is shown.
const VALUE_CHARS: usize = 120;
/// How much of a name is shown; no tool's name is longer, as protocols and providers have it.
const NAME_CHARS: usize = 128;
/// A key that is no longer than this is no secret.
const KEY_CHARS: usize = 12;
/// How much is shown of one that is longer.
const KEY_SHOWN: usize = 4;
/// How many calls are listed.
const MOST_LISTED: usize = 10;

/// A name between backquotes, which it cannot leave.
pub(super) fn named(name: &str) -> String {
    match name {
        "" => "a tool without a name".to_owned(),
        name => format!("`{}`", shorten(name, NAME_CHARS).replace('`', "\u{fffd}")),
    }
}

/// A key between backquotes. Of a long one only the beginning: it may be as good as a password to whoever can repeat calls.
pub(super) fn key(key: &str) -> String {
    if key.chars().count() <= KEY_CHARS { named(key) } else { named(&shorten(key, KEY_SHOWN)) }
}

/// A value, cut.
pub(super) fn value(value: &Value) -> String {
    shorten(&value.to_string(), VALUE_CHARS)
}

/// Arguments as JSON, cut.
pub(super) fn arguments(arguments: &Map<String, Value>) -> String {
    shorten(&serde_json::to_string(arguments).unwrap_or_default(), VALUE_CHARS)
}

/// `once`, `2 times`.
pub(super) fn times(number: usize) -> String {
    if number == 1 { "once".to_owned() } else { format!("{number} times") }
}

/// Calls by their numbers, which are counted from 1: `call 1`, `calls 1 and 3`, `calls 2 to 6`.
pub(super) fn numbers(calls: &[usize]) -> String {
    let told = |call: &usize| (call + 1).to_string();
    match calls {
        [] => "no call".to_owned(),
        [one] => format!("call {}", told(one)),
        [first, .., last] if calls.len() > 2 && calls.is_sorted() && last - first + 1 == calls.len() => {
            format!("calls {} to {}", told(first), told(last))
        }
        [all @ .., last] if calls.len() <= MOST_LISTED => {
            format!("calls {} and {}", all.iter().map(told).collect::<Vec<_>>().join(", "), told(last))
        }
        _ => {
            let listed = calls[..MOST_LISTED].iter().map(told).collect::<Vec<_>>().join(", ");
            format!("calls {listed} and {} more", calls.len() - MOST_LISTED)
        }
    }
}

/// The tools that were called, in their order.
pub(super) fn names(calls: &[Made<'_>]) -> String {
    let listed = calls.iter().take(MOST_LISTED).map(|call| match call.name {
        "" => "(no name)".to_owned(),
        name => shorten(name, NAME_CHARS),
    });
    let listed = listed.collect::<Vec<_>>().join(", ");
    match calls.len().saturating_sub(MOST_LISTED) {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}

/// A hint at a tool that was called, and that nobody expected, where a tool of nearly that name never was. Half of a name, or one
/// that cannot be seen as it is, is none to be offered.
pub(super) fn meant(tool: &str, expected: &[&str], calls: &[Made<'_>]) -> String {
    let called: BTreeSet<&str> = calls.iter().map(|call| call.name).collect();
    let is_other = |name: &&str| !expected.contains(name) && named(name) == format!("`{}`", plain(name));
    match nearest(tool, called.iter().copied().filter(is_other)) {
        Some(near) if !called.contains(tool) => format!("; did you mean {}?", named(near)),
        _ => String::new(),
    }
}

/// That a tool was not called at all.
pub(super) fn not_called(tool: &str, calls: &[Made<'_>]) -> String {
    format!("{} was not called{}", named(tool), meant(tool, &[tool], calls))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_counted_from_one_and_long_lists_are_cut() {
        for (calls, told) in [
            (vec![], "no call"),
            (vec![0], "call 1"),
            (vec![0, 1], "calls 1 and 2"),
            (vec![0, 2], "calls 1 and 3"),
            (vec![1, 2, 3, 4, 5], "calls 2 to 6"),
            (vec![0, 2, 4], "calls 1, 3 and 5"),
            (vec![2, 1, 0], "calls 3, 2 and 1"),
            ((0..24).step_by(2).collect(), "calls 1, 3, 5, 7, 9, 11, 13, 15, 17, 19 and 2 more"),
        ] {
            assert_eq!(numbers(&calls), told);
        }
    }

    #[test]
    fn of_a_long_key_only_the_beginning_is_shown() {
        for (whole, shown) in [
            ("try-1", "`try-1`"),
            ("run-1/step-2", "`run-1/step-2`"),
            ("run-1/step-22", "`run-…`"),
            ("ééééééééééééé", "`éééé…`"),
        ] {
            assert_eq!(key(whole), shown);
        }
    }

    #[test]
    fn a_name_cannot_leave_its_backquotes_and_is_offered_whole_or_not_at_all() {
        assert_eq!(
            (named("a`b"), named("")),
            ("`a\u{fffd}b`".to_owned(), "a tool without a name".to_owned())
        );
        let none = Map::new();
        for (called, hint) in [
            ("hold_seats", "; did you mean `hold_seats`?".to_owned()),
            ("hold_se`at", String::new()),
            ("hold_seat\u{200b}", String::new()),
            ("pay", String::new()),
            ("hold_seat", String::new()),
        ] {
            assert_eq!(meant("hold_seat", &["hold_seat"], &[Made::new(called, &none)]), hint, "{called:?}");
        }
        let both = ["hold_seats", "hold_seat"].map(|called| Made::new(called, &none));
        assert_eq!(meant("hold_seat", &[], &both), "", "it was called");
        let one = [Made::new("search_flights", &none)];
        assert_eq!(meant("search_flight", &["search_flight", "search_flights"], &one), "");
    }
}
