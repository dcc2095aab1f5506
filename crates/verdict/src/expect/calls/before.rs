//! Which of two tools came first.

use super::super::words::{meant, named, numbers};
use super::super::{Made, Miss};

/// Every call of `then` has a call of `first` that ended before it began: the earliest end of the one lies before the earliest
/// beginning of the other.
pub(in super::super) fn before(first: &str, then: &str, calls: &[Made<'_>]) -> Option<Miss> {
    if first == then {
        let tool = named(first);
        return Some(Miss::new(format!(
            "{tool} is expected before itself, which no call can be: name two tools"
        )));
    }
    if let Some(miss) = one_missing(first, then, calls) {
        return Some(miss);
    }
    let (at, began) =
        of_tool(then, calls).map(|(at, call)| (at, call.began)).min_by_key(|(_, began)| *began)?;
    if of_tool(first, calls).any(|(_, call)| call.ended_at().is_some_and(|ended| ended <= began)) {
        return None;
    }
    let (earliest, call) = of_tool(first, calls).min_by_key(|(_, call)| call.began)?;
    let number = at + 1;
    let (first, then, earliest) = (named(first), named(then), numbers(&[earliest]));
    let what = if call.began <= began {
        format!(
            "call {number}: {then} was called while {first} ({earliest}) had not ended: two tools that race have no order"
        )
    } else {
        format!("call {number}: {then} was called before {first} ({earliest}), expected after it")
    };
    Some(Miss::at(at, what))
}

/// That one of them, or both, were never called.
fn one_missing(first: &str, then: &str, calls: &[Made<'_>]) -> Option<Miss> {
    let hint = |tool| meant(tool, &[first, then], calls);
    let is_called = |tool| of_tool(tool, calls).next().is_some();
    let (one, other) = (named(first), named(then));
    let what = match (is_called(first), is_called(then)) {
        (true, true) => return None,
        (false, true) => {
            format!("{one} was never called, so nothing shows that it comes before {other}{}", hint(first))
        }
        (true, false) => {
            format!("{other} was never called, so nothing shows that {one} comes before it{}", hint(then))
        }
        (false, false) => format!("neither {one} nor {other} was called, so nothing shows which comes first"),
    };
    Some(Miss::new(what))
}

fn of_tool<'c, 'm>(
    tool: &'c str,
    calls: &'c [Made<'m>],
) -> impl Iterator<Item = (usize, &'c Made<'m>)> + use<'c, 'm> {
    calls.iter().enumerate().filter(move |(_, call)| call.name == tool)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Map;

    use super::super::testing::told;
    use crate::expect::{Expectation, Made};

    fn before(first: &str, then: &str) -> Expectation {
        Expectation::Before { first: first.to_owned(), then: then.to_owned() }
    }

    #[test]
    fn a_tool_comes_before_another_when_it_has_ended() {
        let never = "`search` was never called, so nothing shows that it comes before `pay`";
        for (calls, miss) in [
            (&[("search", 0, Some(1)), ("pay", 2, Some(3))][..], ""),
            (&[("search", 0, Some(1)), ("pay", 1, None)], ""),
            (&[("search", 0, Some(1)), ("pay", 2, Some(4)), ("search", 3, None)], ""),
            (&[("search", 0, None), ("search", 1, Some(2)), ("pay", 3, None)], ""),
            (
                &[("pay", 0, Some(1)), ("search", 2, Some(3)), ("pay", 4, None)],
                "call 1: `pay` was called before `search` (call 2), expected after it @Some(0)",
            ),
            (
                &[("search", 0, Some(2)), ("pay", 1, Some(3))],
                "call 2: `pay` was called while `search` (call 1) had not ended: two tools that race have no order @Some(1)",
            ),
            (
                &[("search", 0, None), ("pay", 1, Some(3))],
                "call 2: `pay` was called while `search` (call 1) had not ended: two tools that race have no order @Some(1)",
            ),
            (&[("pay", 0, None)], &format!("{never} @None")),
            (
                &[("searches", 0, Some(1)), ("pay", 2, None)],
                &format!("{never}; did you mean `searches`? @None"),
            ),
            (
                &[("search", 0, Some(1))],
                "`pay` was never called, so nothing shows that `search` comes before it @None",
            ),
            (&[], "neither `search` nor `pay` was called, so nothing shows which comes first @None"),
        ] {
            let none = Map::new();
            let made = |(name, began, ended): &(&'static str, u64, Option<u64>)| Made {
                began: *began,
                ended: *ended,
                ..Made::new(name, &none)
            };
            let calls: Vec<Made<'_>> = calls.iter().map(made).collect();
            assert_eq!(told(&before("search", "pay"), &calls), miss);
        }
        assert_eq!(
            told(&before("a", "a"), &[]),
            "`a` is expected before itself, which no call can be: name two tools @None"
        );
    }

    proptest! {
        #[test]
        fn every_later_call_has_an_earlier_one_that_had_ended(
            calls in proptest::collection::vec((any::<bool>(), 1u64..6, any::<bool>()), 0..7)
        ) {
            let none = Map::new();
            let made = |(at, (is_first, length, ends)): (u64, &(bool, u64, bool))| Made {
                began: 2 * at,
                ended: ends.then_some(2 * at + 2 * length - 1),
                ..Made::new(if *is_first { "a" } else { "b" }, &none)
            };
            let calls: Vec<Made<'_>> = (0..).zip(&calls).map(made).collect();
            let of = |tool: &'static str| calls.iter().filter(move |call| call.name == tool);
            let had_ended = |then: &Made<'_>| of("a").any(|first| first.ended.is_some_and(|end| end < then.began));
            let holds = of("b").next().is_some() && of("b").all(had_ended);
            prop_assert_eq!(before("a", "b").miss(&calls).is_none(), holds);
        }
    }
}
