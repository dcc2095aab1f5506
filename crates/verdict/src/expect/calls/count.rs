//! How many calls there were, however they were named.

use super::super::words::names;
use super::super::{Made, Miss};
use super::arguments::nothing_called;
use crate::report::counted;

/// At most this many.
pub(in super::super) fn at_most(most: usize, calls: &[Made<'_>]) -> Option<Miss> {
    if most == 0 {
        return nothing_called(calls);
    }
    if most == usize::MAX {
        return Some(Miss::new("any number of calls is expected, which no call could break: name a number"));
    }
    if calls.len() <= most {
        return None;
    }
    let made = counted(calls.len(), "call");
    Some(Miss::at(most, format!("{made} were made, expected at most {most}: {}", names(calls))))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Log, told, tools};
    use crate::expect::Expectation;

    #[test]
    fn calls_are_counted_and_the_list_of_them_is_cut() {
        for (most, made, miss) in [
            (3, "search search refund", ""),
            (3, "", ""),
            (
                3,
                "search search hold_seat refund",
                "4 calls were made, expected at most 3: search, search, hold_seat, refund @Some(3)",
            ),
            (
                2,
                "a b c d e f g h i j k l",
                "12 calls were made, expected at most 2: a, b, c, d, e, f, g, h, i, j and 2 more @Some(2)",
            ),
            (
                usize::MAX,
                "a",
                "any number of calls is expected, which no call could break: name a number @None",
            ),
            (0, "", ""),
            (0, "a", "`a` was called with {}, expected no call at all @Some(0)"),
        ] {
            let log = Log::of(&tools(made));
            assert_eq!(told(&Expectation::AtMostCalls(most), &log.made()), miss);
        }
    }
}
