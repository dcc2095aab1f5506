//! Calls of one tool, and what they were called with.

use super::super::words::{arguments, named, not_called as never, numbers, times};
use super::super::{Arguments, Made, Miss};
use crate::report::counted;

/// At least one call with arguments that fit.
pub(in super::super) fn called(tool: &str, with: Option<&Arguments>, calls: &[Made<'_>]) -> Option<Miss> {
    fitting(tool, with, calls).err()
}

/// Just one call of the tool, and its arguments fit.
pub(in super::super) fn once(tool: &str, with: Option<&Arguments>, calls: &[Made<'_>]) -> Option<Miss> {
    let made = of_tool(tool, calls);
    let [_, second, ..] = made[..] else { return called(tool, with, calls) };
    let what =
        format!("{} was called {}, expected once ({})", named(tool), times(made.len()), numbers(&made));
    Some(Miss::at(second, what))
}

/// No call of the tool.
pub(in super::super) fn not_called(tool: &str, calls: &[Made<'_>]) -> Option<Miss> {
    let made = of_tool(tool, calls);
    let first = *made.first()?;
    let before = if calls.len() > 1 { format!("call {}: ", first + 1) } else { String::new() };
    let again = match made[1..] {
        [] => String::new(),
        ref others => format!("; it was called again in {}", numbers(others)),
    };
    let sent = arguments(calls[first].arguments);
    let what = format!("{before}{} was called with {sent} and should not have been{again}", named(tool));
    Some(Miss::at(first, what))
}

/// No call.
pub(in super::super) fn nothing_called(calls: &[Made<'_>]) -> Option<Miss> {
    let first = calls.first()?;
    let more = match calls.len() - 1 {
        0 => String::new(),
        more => format!("; {} followed", counted(more, "more call")),
    };
    let (tool, sent) = (named(first.name), arguments(first.arguments));
    Some(Miss::at(0, format!("{tool} was called with {sent}, expected no call at all{more}")))
}

/// The calls of a tool whose arguments fit, at least one.
fn fitting(tool: &str, with: Option<&Arguments>, calls: &[Made<'_>]) -> Result<Vec<usize>, Miss> {
    if let Some(why) = with.and_then(Arguments::impossible) {
        return Err(Miss::new(format!("{} cannot be called so: {why}", named(tool))));
    }
    let made = of_tool(tool, calls);
    if made.is_empty() {
        return Err(Miss::new(never(tool, calls)));
    }
    let Some(with) = with else { return Ok(made) };
    let fitting: Vec<usize> = made.iter().copied().filter(|at| with.fit(calls[*at].arguments)).collect();
    if fitting.is_empty() { Err(none_fits(with, &made, calls)) } else { Ok(fitting) }
}

fn none_fits(with: &Arguments, made: &[usize], calls: &[Made<'_>]) -> Miss {
    let candidates: Vec<&Made<'_>> = made.iter().map(|at| &calls[*at]).collect();
    let place = with.nearest(&candidates).unwrap_or_default();
    let (at, difference) = (made[place], with.difference(candidates[place]));
    let what = match made.len() {
        1 => difference,
        number if with.has_nearest() => {
            format!("call {}: {difference} (the nearest of its {number} calls)", at + 1)
        }
        number => {
            let none = if number == 2 { "neither" } else { "none" };
            let (tool, which, why) = (named(candidates[place].name), numbers(made), with.accepts());
            let had = arguments(candidates[place].arguments);
            format!("{none} of the {number} calls of {tool} ({which}) {why}; call {} had {had}", at + 1)
        }
    };
    Miss::at(at, what)
}

fn of_tool(tool: &str, calls: &[Made<'_>]) -> Vec<usize> {
    let made = calls.iter().enumerate().filter(|(_, call)| call.name == tool);
    made.map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::super::testing::{Log, told};
    use crate::expect::{Arguments, Expectation};

    /// What a tool that was called twice is told, whatever it was called with.
    const SEARCHED: &str = "`search` was called 2 times, expected once (calls 1 and 3) @Some(2)";

    fn calls() -> Log {
        Log::new(&[
            ("search", json!({"limit": 10, "from": "AMS"})),
            ("hold_seat", json!({"seat": "12A"})),
            ("search", json!({"limit": 10, "from": "LHR"})),
            ("hold_seat", json!({"seat": "12A", "note": "x\u{1b}[31m"})),
            ("refund", json!({"id": "1"})),
        ])
    }

    fn all(tool: &str, with: Option<Arguments>) -> [String; 2] {
        let tool = tool.to_owned();
        let calls = calls();
        let called = Expectation::Called { tool: tool.clone(), with: with.clone() };
        [called, Expectation::Once { tool, with }].map(|expected| told(&expected, &calls.made()))
    }

    #[test]
    fn called_is_at_least_once_and_once_is_once() {
        let held = "`hold_seat` was called 2 times, expected once (calls 2 and 4) @Some(3)";
        assert_eq!(all("refund", None), ["", ""]);
        assert_eq!(all("refund", Some(json!({}).into())), ["", ""]);
        assert_eq!(all("search", Some(json!({"from": "LHR"}).into())), ["", SEARCHED]);
        assert_eq!(all("hold_seat", None), ["", held]);
        assert_eq!(all("hold_seat", Some(json!({"seat": "12A"}).into())), ["", held]);
    }

    #[test]
    fn calls_that_do_not_fit_show_the_nearest_of_them() {
        for (tool, with, told) in [
            ("refund", json!({"id": "2"}), r#"`refund` was called with id="1", expected "2" @Some(4)"#),
            (
                "search",
                json!({"limit": 5, "from": "LHR"}),
                "call 3: `search` was called with limit=10, expected 5 (the nearest of its 2 calls) @Some(2)",
            ),
            (
                "search",
                json!({"to": 5}),
                "call 1: `search` was called without to, expected 5 (the nearest of its 2 calls) @Some(0)",
            ),
            ("refunds", json!({"id": "2"}), "`refunds` was not called; did you mean `refund`? @None"),
            ("pay", json!({"id": "2"}), "`pay` was not called @None"),
            (
                "refund",
                json!(5),
                "`refund` cannot be called so: the arguments are expected to be 5, \
                 and arguments are always an object @None",
            ),
        ] {
            let once = if tool == "search" { SEARCHED } else { told };
            assert_eq!(all(tool, Some(with.into())), [told, once]);
        }
    }

    #[test]
    fn a_closure_says_what_it_wants() {
        let small = |sent: &Map<String, Value>| {
            sent.get("limit").and_then(Value::as_u64).is_some_and(|limit| limit < 10)
        };
        let wish = "neither of the 2 calls of `search` (calls 1 and 3) has arguments that are a limit under 10; \
                    call 1 had {\"from\":\"AMS\",\"limit\":10} @Some(0)";
        assert_eq!(all("search", Some(Arguments::that("a limit under 10", small))), [wish, SEARCHED]);
        let bare =
            "`refund` was called with {\"id\":\"1\"}, which the given closure does not accept @Some(4)";
        let never = |_: &Map<String, Value>| false;
        let neither = "neither of the 2 calls of `hold_seat` (calls 2 and 4) is accepted by the closure; \
                       call 2 had {\"seat\":\"12A\"} @Some(1)";
        assert_eq!(all("hold_seat", Some(never.into()))[0], neither);
        let thrice = Log::of(&["pay", "pay", "pay"]);
        let called = Expectation::Called { tool: "pay".into(), with: Some(never.into()) };
        assert_eq!(
            told(&called, &thrice.made()),
            "none of the 3 calls of `pay` (calls 1 to 3) is accepted by the closure; call 1 had {} @Some(0)"
        );
        assert_eq!(all("refund", Some(never.into())), [bare, bare]);
        assert_eq!(all("refund", Some(Arguments::that(" ", never))), [bare, bare]);
        assert_eq!(all("refund", Some(Arguments::that("anything", |_| true))), ["", ""]);
    }

    #[test]
    fn a_tool_that_is_not_to_be_called_may_never_be() {
        let (log, other) = (calls(), Log::new(&[("refund", json!({"id": "1"}))]));
        let not = |tool: &str| Expectation::NotCalled { tool: tool.to_owned() };
        assert_eq!(told(&not("pay"), &log.made()), "");
        assert_eq!(told(&not("pay"), &[]), "");
        assert_eq!(
            told(&not("refund"), &other.made()),
            r#"`refund` was called with {"id":"1"} and should not have been @Some(0)"#
        );
        assert_eq!(
            told(&not("refund"), &log.made()),
            r#"call 5: `refund` was called with {"id":"1"} and should not have been @Some(4)"#
        );
        assert_eq!(
            told(&not("hold_seat"), &log.made()),
            "call 2: `hold_seat` was called with {\"seat\":\"12A\"} and should not have been; \
             it was called again in call 4 @Some(1)"
        );
    }

    #[test]
    fn nothing_is_nothing() {
        let log = calls();
        assert_eq!(told(&Expectation::NothingCalled, &[]), "");
        for (number, more) in [(1, ""), (2, "; 1 more call followed"), (5, "; 4 more calls followed")] {
            assert_eq!(
                told(&Expectation::NothingCalled, &log.made()[..number]),
                format!(
                    "`search` was called with {{\"from\":\"AMS\",\"limit\":10}}, expected no call at all{more} @Some(0)"
                )
            );
        }
    }

    #[test]
    fn what_a_terminal_could_obey_is_written_out_and_long_values_are_cut() {
        let log = Log::new(&[("a\u{1b}b`", json!({"text": "\u{202e}".repeat(3), "long": "x".repeat(500)}))]);
        let miss = Expectation::NothingCalled.miss(&log.made()).unwrap().to_string();
        assert!(miss.starts_with("`a\\u{1b}b\u{fffd}` was called with {\"long\":\"xxx"), "{miss}");
        assert!(miss.contains('…') && miss.len() < 300 && !miss.contains(char::is_control), "{miss}");
        let log = Log::new(&[("a", json!({"text": "\u{202e}\n"}))]);
        let miss = Expectation::NothingCalled.miss(&log.made()).unwrap().to_string();
        assert_eq!(miss, "`a` was called with {\"text\":\"\\u{202e}\\n\"}, expected no call at all");
    }
}
