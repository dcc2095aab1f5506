//! Which tools were called how often, in whatever order.

use std::collections::HashMap;

use super::super::words::{meant, named, times};
use super::super::{Made, Miss};
use super::arguments::nothing_called;
use super::order::borrowed;

/// Just these, each as often as it stands here.
pub(in super::super) fn any_order(expected: &[String], calls: &[Made<'_>]) -> Option<Miss> {
    if expected.is_empty() {
        return nothing_called(calls);
    }
    let missing = missing(expected, calls, "");
    match (surplus(expected, calls), missing) {
        (Some((call, surplus)), Some(missing)) => Some(Miss::at(call, format!("{surplus}; {missing}"))),
        (Some((call, surplus)), None) => Some(Miss::at(call, surplus)),
        (None, missing) => missing.map(Miss::new),
    }
}

/// At least these.
pub(in super::super) fn includes(expected: &[String], calls: &[Made<'_>]) -> Option<Miss> {
    if expected.is_empty() {
        return Some(Miss::new(
            "no tool is expected to be included, which no call could break: name at least one tool",
        ));
    }
    missing(expected, calls, "at least ").map(Miss::new)
}

/// The first call of a tool that was called more often than it is expected.
fn surplus(expected: &[String], calls: &[Made<'_>]) -> Option<(usize, String)> {
    let wanted = count(borrowed(expected));
    let mut left = wanted.clone();
    let call = calls.iter().position(|call| match left.get_mut(call.name) {
        None | Some(0) => true,
        Some(left) => {
            *left -= 1;
            false
        }
    })?;
    let why = match wanted.get(calls[call].name) {
        Some(wanted) => format!("was called again, expected {}", times(*wanted)),
        None => "was called, which is not expected".to_owned(),
    };
    Some((call, format!("call {}: {} {why}", call + 1, named(calls[call].name))))
}

/// The first expected tool that was called less often than it is expected.
fn missing(expected: &[String], calls: &[Made<'_>], bound: &str) -> Option<String> {
    let (wanted, made) = (count(borrowed(expected)), count(calls.iter().map(|call| call.name)));
    let number = |counts: &HashMap<&str, usize>, tool: &str| counts.get(tool).copied().unwrap_or_default();
    let tool = expected.iter().find(|tool| number(&made, tool) < number(&wanted, tool))?;
    Some(match (number(&wanted, tool), number(&made, tool)) {
        (1, _) => format!("{} was not called{}", named(tool), meant(tool, &borrowed(expected), calls)),
        (wanted, 0) => {
            let hint = meant(tool, &borrowed(expected), calls);
            format!("{} was not called, expected {bound}{}{hint}", named(tool), times(wanted))
        }
        (wanted, made) => {
            format!("{} was called {}, expected {bound}{}", named(tool), times(made), times(wanted))
        }
    })
}

fn count<'n>(names: impl IntoIterator<Item = &'n str>) -> HashMap<&'n str, usize> {
    let mut counts = HashMap::new();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::{Log, told, tools};
    use crate::expect::Expectation;

    #[test]
    fn tools_in_any_order_are_counted() {
        for (expected, made, miss) in [
            ("a b a", "b a a", ""),
            ("a b", "b", "`a` was not called @None"),
            ("a a b", "b a", "`a` was called once, expected 2 times @None"),
            ("a a b", "b", "`a` was not called, expected 2 times @None"),
            ("a b", "b a c", "call 3: `c` was called, which is not expected @Some(2)"),
            ("a b", "b a b", "call 3: `b` was called again, expected once @Some(2)"),
            ("a b b", "b c b", "call 2: `c` was called, which is not expected; `a` was not called @Some(1)"),
            (
                "hold_seat",
                "hold_seats",
                "call 1: `hold_seats` was called, which is not expected; `hold_seat` was not called; \
                 did you mean `hold_seats`? @Some(0)",
            ),
            ("", "", ""),
            ("", "a b c", "`a` was called with {}, expected no call at all; 2 more calls followed @Some(0)"),
        ] {
            let log = Log::of(&tools(made));
            assert_eq!(told(&Expectation::AnyOrder(tools(expected)), &log.made()), miss);
        }
    }

    #[test]
    fn tools_that_are_included_may_have_others_beside_them() {
        for (expected, made, miss) in [
            ("a b", "b c a a", ""),
            ("a b", "b", "`a` was not called @None"),
            ("a a", "a b", "`a` was called once, expected at least 2 times @None"),
            ("pay_bill", "pay_bil", "`pay_bill` was not called; did you mean `pay_bil`? @None"),
            (
                "",
                "a",
                "no tool is expected to be included, which no call could break: name at least one tool @None",
            ),
        ] {
            let log = Log::of(&tools(made));
            assert_eq!(told(&Expectation::Includes(tools(expected)), &log.made()), miss);
        }
    }

    fn some_tools() -> impl Strategy<Value = Vec<String>> {
        proptest::collection::vec("[a-c]", 0..6)
    }

    proptest! {
        #[test]
        fn the_order_of_calls_does_not_matter(
            expected in some_tools(),
            (made, other) in some_tools().prop_flat_map(|made| (Just(made.clone()), Just(made).prop_shuffle()))
        ) {
            let holds = |expected: Expectation, made: &[String]| expected.miss(&Log::of(made).made()).is_none();
            let sorted = |mut tools: Vec<String>| { tools.sort(); tools };
            let any_order = Expectation::AnyOrder(expected.clone());
            prop_assert_eq!(holds(any_order.clone(), &made), holds(any_order.clone(), &other));
            prop_assert_eq!(holds(any_order, &made), sorted(expected.clone()) == sorted(made.clone()));
            prop_assert!(holds(Expectation::AnyOrder(made.clone()), &other));
            let both: Vec<String> = made.iter().chain(&expected).cloned().collect();
            prop_assert_eq!(holds(Expectation::Includes(expected.clone()), &both), !expected.is_empty());
        }
    }
}
