//! How many calls ran at once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::words::numbers;
use super::super::{Made, Miss};
use crate::report::counted;

/// At most this many at once, and enough calls to show it.
pub(in super::super) fn at_most(most: usize, calls: &[Made<'_>]) -> Option<Miss> {
    if most == 0 {
        return Some(Miss::new(
            "at most 0 calls at once is broken by any call: expect that nothing is called, or at most 1",
        ));
    }
    if calls.len() <= most {
        let made = match calls.len() {
            0 => "no call was made".to_owned(),
            1 => "only 1 call was made".to_owned(),
            number => format!("only {number} calls were made"),
        };
        return Some(Miss::new(format!("{made}, so nothing could show more than {most} at once")));
    }
    let running = most_at_once(calls);
    if running.len() <= most {
        return None;
    }
    let ran = counted(running.len(), "call");
    let endless: Vec<usize> = running.iter().copied().filter(|at| calls[*at].ended.is_none()).collect();
    let hint = match endless[..] {
        [] => String::new(),
        ref endless => format!("; of {} no end is known", numbers(endless)),
    };
    let what = format!("{ran} ran at once ({}), expected at most {most}{hint}", numbers(&running));
    running.last().map(|last| Miss::at(*last, what))
}

/// The calls that ran when the most of them did, for the first time, in the order in which they began. One without an end runs for
/// ever, since nothing shows that it does not.
fn most_at_once(calls: &[Made<'_>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..calls.len()).collect();
    order.sort_by_key(|at| calls[*at].began);
    let mut ends = BinaryHeap::new();
    let (mut peak, mut most) = (0, 0);
    for (place, at) in order.iter().enumerate() {
        let call = &calls[*at];
        while ends.peek().is_some_and(|Reverse(end)| *end <= call.began) {
            ends.pop();
        }
        ends.push(Reverse(call.ended_at().unwrap_or(u64::MAX)));
        if ends.len() > most {
            (peak, most) = (place, ends.len());
        }
    }
    order.truncate(peak + 1);
    let Some(last) = order.last().copied() else { return order };
    let began = calls[last].began;
    order.retain(|at| *at == last || calls[*at].ended_at().is_none_or(|ended| ended > began));
    order
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Map;

    use super::super::testing::told;
    use crate::expect::{Expectation, Made};

    fn at_most(most: usize, calls: &[(u64, Option<u64>)]) -> String {
        let none = Map::new();
        let made = |(began, ended): &(u64, Option<u64>)| Made {
            began: *began,
            ended: *ended,
            ..Made::new("search", &none)
        };
        told(&Expectation::AtMostConcurrent(most), &calls.iter().map(made).collect::<Vec<_>>())
    }

    #[test]
    fn calls_at_once_are_counted_and_too_few_calls_show_nothing() {
        let row = [(0, Some(1)), (2, Some(3)), (4, Some(5))];
        let burst = [(0, Some(1)), (2, Some(9)), (3, Some(8)), (4, None), (5, Some(20)), (6, Some(7))];
        assert_eq!(at_most(1, &row), "");
        assert_eq!(at_most(2, &row), "");
        assert_eq!(at_most(1, &[(0, Some(1)), (1, Some(2))]), "", "one ends where the other begins");
        assert_eq!(
            at_most(3, &row),
            "only 3 calls were made, so nothing could show more than 3 at once @None"
        );
        assert_eq!(
            at_most(1, &row[..1]),
            "only 1 call was made, so nothing could show more than 1 at once @None"
        );
        assert_eq!(at_most(2, &[]), "no call was made, so nothing could show more than 2 at once @None");
        assert_eq!(at_most(5, &burst), "");
        assert_eq!(
            at_most(4, &burst),
            "5 calls ran at once (calls 2 to 6), expected at most 4; of call 4 no end is known @Some(5)"
        );
        assert_eq!(
            at_most(1, &[(0, Some(5)), (1, Some(2)), (3, Some(4))]),
            "2 calls ran at once (calls 1 and 2), expected at most 1 @Some(1)"
        );
        assert_eq!(
            at_most(1, &[(0, Some(7)), (1, Some(2)), (3, Some(6)), (4, Some(5))]),
            "3 calls ran at once (calls 1, 3 and 4), expected at most 1 @Some(3)"
        );
        assert_eq!(
            at_most(0, &row),
            "at most 0 calls at once is broken by any call: expect that nothing is called, or at most 1 @None"
        );
    }

    proptest! {
        #[test]
        fn calls_at_once_are_those_that_have_not_ended(
            lengths in proptest::collection::vec(proptest::option::of(0u64..12), 2..12), most in 1usize..4
        ) {
            let calls: Vec<(u64, Option<u64>)> =
                (0..).zip(lengths).map(|(at, length)| (2 * at, length.map(|length| 2 * at + length))).collect();
            let running = |(began, _): &(u64, Option<u64>)| {
                let runs = |(other, ended): &&(u64, Option<u64>)| other < began && ended.is_none_or(|ended| ended > *began);
                1 + calls.iter().filter(runs).count()
            };
            let peak = calls.iter().map(running).max().unwrap_or_default();
            let told = at_most(most, &calls);
            prop_assert_eq!(told.is_empty(), calls.len() > most && peak <= most, "{}", told);
            let begins = format!("{peak} calls ran at once");
            prop_assert!(peak <= most || told.starts_with(&begins), "{}", told);
        }
    }
}
