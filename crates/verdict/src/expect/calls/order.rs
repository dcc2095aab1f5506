//! Which tools were called, in their order.

use super::super::words::{meant, named, numbers};
use super::super::{Made, Miss};
use super::arguments::nothing_called;

/// Just these, in this order.
pub(in super::super) fn sequence(expected: &[String], calls: &[Made<'_>]) -> Option<Miss> {
    if expected.is_empty() {
        return nothing_called(calls);
    }
    let differs = expected.iter().zip(calls).position(|(tool, call)| tool != call.name);
    let at = differs.unwrap_or(expected.len().min(calls.len()));
    let number = at + 1;
    match (expected.get(at), calls.get(at)) {
        (Some(tool), Some(call)) => {
            let (wanted, found) = (named(tool), named(call.name));
            let hint = meant(tool, &borrowed(expected), calls);
            Some(Miss::at(at, format!("call {number}: expected {wanted}, {found} was called{hint}")))
        }
        (Some(tool), None) => {
            let more = if calls.is_empty() { "nothing" } else { "nothing more" };
            Some(Miss::new(format!("call {number}: expected {}, and {more} was called", named(tool))))
        }
        (None, Some(call)) => {
            let found = named(call.name);
            Some(Miss::at(at, format!("call {number}: {found} was called, expected nothing more")))
        }
        (None, None) => None,
    }
}

/// These in this order, others between them.
pub(in super::super) fn in_order(expected: &[String], calls: &[Made<'_>]) -> Option<Miss> {
    if expected.is_empty() {
        return Some(Miss::new(
            "no tool is expected in any order, which no call could break: name at least one tool",
        ));
    }
    let mut last: Option<(usize, &str)> = None;
    for tool in expected {
        let from = last.map_or(0, |(at, _)| at + 1);
        match calls[from..].iter().position(|call| call.name == tool) {
            Some(further) => last = Some((from + further, tool)),
            None => return Some(out_of_order(tool, last, expected, calls)),
        }
    }
    None
}

/// That a tool was not called behind the last one that was.
fn out_of_order(tool: &str, last: Option<(usize, &str)>, expected: &[String], calls: &[Made<'_>]) -> Miss {
    let wanted = named(tool);
    let Some((at, before)) = last else {
        return Miss::new(format!("{wanted} was not called{}", meant(tool, &borrowed(expected), calls)));
    };
    let behind = format!("{} ({})", named(before), numbers(&[at]));
    match calls[..=at].iter().rposition(|call| call.name == tool) {
        Some(earlier) if earlier == at => {
            Miss::at(at, format!("{wanted} was not called again after {}", numbers(&[at])))
        }
        Some(earlier) => {
            let only = numbers(&[earlier]);
            Miss::at(earlier, format!("{wanted} was not called after {behind}, only before it ({only})"))
        }
        None => {
            let hint = meant(tool, &borrowed(expected), calls);
            Miss::new(format!("{wanted} was not called, expected after {behind}{hint}"))
        }
    }
}

pub(super) fn borrowed(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::{Log, told, tools};
    use crate::expect::Expectation;

    #[test]
    fn a_sequence_says_where_it_first_differs() {
        for (expected, made, miss) in [
            ("search hold_seat", "search hold_seat", ""),
            (
                "search hold_seat",
                "search refund",
                "call 2: expected `hold_seat`, `refund` was called @Some(1)",
            ),
            (
                "search hold_seat pay",
                "search hold_seat",
                "call 3: expected `pay`, and nothing more was called @None",
            ),
            ("search", "", "call 1: expected `search`, and nothing was called @None"),
            (
                "search pay",
                "search pay refund",
                "call 3: `refund` was called, expected nothing more @Some(2)",
            ),
            (
                "search hold_seat",
                "search hold_seats",
                "call 2: expected `hold_seat`, `hold_seats` was called; did you mean `hold_seats`? @Some(1)",
            ),
            ("search search", "search searches", "call 2: expected `search`, `searches` was called @Some(1)"),
            ("", "", ""),
            ("", "search", "`search` was called with {}, expected no call at all @Some(0)"),
        ] {
            let log = Log::of(&tools(made));
            assert_eq!(told(&Expectation::Sequence(tools(expected)), &log.made()), miss);
        }
    }

    #[test]
    fn between_tools_in_order_others_may_stand() {
        for (expected, made, miss) in [
            ("search pay", "search hold_seat hold_seat pay refund", ""),
            ("a b a", "a b b a", ""),
            ("search pay", "refund pay", "`search` was not called @None"),
            ("search pay", "search refund", "`pay` was not called, expected after `search` (call 1) @None"),
            ("a b", "b c a", "`b` was not called after `a` (call 3), only before it (call 1) @Some(0)"),
            ("a b a", "a b", "`a` was not called after `b` (call 2), only before it (call 1) @Some(0)"),
            ("a a", "b a", "`a` was not called again after call 2 @Some(1)"),
            (
                "search hold_seat",
                "search hold_seats",
                "`hold_seat` was not called, expected after `search` (call 1); did you mean `hold_seats`? @None",
            ),
            (
                "",
                "a",
                "no tool is expected in any order, which no call could break: name at least one tool @None",
            ),
        ] {
            let log = Log::of(&tools(made));
            assert_eq!(told(&Expectation::InOrder(tools(expected)), &log.made()), miss);
        }
    }

    fn some_tools() -> impl Strategy<Value = Vec<String>> {
        proptest::collection::vec("[a-c]{1,2}", 1..8)
    }

    /// The number of the call that a sequence made of other tools is missed at.
    fn missed_at(expected: &[String], made: &[String]) -> Option<Option<usize>> {
        Expectation::Sequence(expected.to_vec()).miss(&Log::of(made).made()).map(|miss| miss.call())
    }

    proptest! {
        #[test]
        fn calls_satisfy_the_sequence_made_from_them(made in some_tools()) {
            let log = Log::of(&made);
            prop_assert_eq!(told(&Expectation::Sequence(made.clone()), &log.made()), "");
            prop_assert_eq!(told(&Expectation::InOrder(made.clone()), &log.made()), "");
        }

        #[test]
        fn one_change_is_told_at_the_first_place_that_differs(
            made in some_tools(), at in any::<proptest::sample::Index>(), other in any::<proptest::sample::Index>()
        ) {
            let (one, two) = (at.index(made.len()), other.index(made.len()));
            let mut swapped = made.clone();
            swapped.swap(one, two);
            let expected = (made[one] != made[two]).then_some(Some(one.min(two)));
            prop_assert_eq!(missed_at(&swapped, &made), expected);

            let mut longer = made.clone();
            longer.insert(one, "new".into());
            prop_assert_eq!(missed_at(&longer, &made), Some(Some(one)));
            prop_assert_eq!(missed_at(&made, &longer), Some(Some(one)));
            longer.truncate(one);
            longer.extend(made[one + 1..].iter().cloned());
            let differs = (one..longer.len()).find(|place| longer[*place] != made[*place]);
            prop_assert_eq!(missed_at(&longer, &made), Some(Some(differs.unwrap_or(longer.len()))));
            prop_assert_eq!(missed_at(&made, &longer), Some(differs));
        }

        #[test]
        fn what_is_left_of_calls_is_still_in_order(made in some_tools(), kept in proptest::collection::vec(any::<bool>(), 8)) {
            let left: Vec<String> = made.iter().zip(kept).filter(|(_, kept)| *kept).map(|(tool, _)| tool.clone()).collect();
            prop_assume!(!left.is_empty());
            prop_assert_eq!(told(&Expectation::InOrder(left), &Log::of(&made).made()), "");
        }
    }
}
