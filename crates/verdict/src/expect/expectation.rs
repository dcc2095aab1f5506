//! What calls must show.

use super::calls::context::Wanted;
use super::calls::{arguments, before, concurrent, context, count, key, order, tally};
use super::{Arguments, Made, Miss};

/// What the calls of a run must show, all of them together.
///
/// Tools are named as they are called. A name that is misspelled in [`Self::NotCalled`] holds for ever, and only whoever knows
/// which tools there are can see it: [`Self::tools`] says which names to look up.
///
/// ```
/// use frankly_verdict::expect::{Expectation, Made};
/// use serde_json::json;
///
/// let arguments = json!({"seat": "12A"}).as_object().cloned().unwrap_or_default();
/// let calls = ["search", "hold_seat", "search"].map(|tool| Made::new(tool, &arguments));
///
/// for holds in [
///     Expectation::InOrder(vec!["search".into(), "hold_seat".into()]),
///     Expectation::Once { tool: "hold_seat".into(), with: Some(json!({"seat": "12A"}).into()) },
///     Expectation::NotCalled { tool: "refund".into() },
/// ] {
///     assert_eq!(holds.miss(&calls), None);
/// }
/// let once = Expectation::Once { tool: "search".into(), with: None };
/// assert_eq!(
///     once.miss(&calls).map(|miss| miss.to_string()).as_deref(),
///     Some("`search` was called 2 times, expected once (calls 1 and 3)")
/// );
/// ```
///
/// Who called, and what a repeated call would do:
///
/// ```
/// use frankly_verdict::expect::{Expectation, Made, Whose};
///
/// let arguments = serde_json::Map::new();
/// let whose = Some(Whose { tenant: Some("acme"), user: Some("u_7"), run_id: None });
/// let first = Made { whose, key: Some("k1"), began: 0, ended: Some(1), ..Made::new("charge", &arguments) };
/// let again = Made { key: Some("k2"), began: 2, ended: Some(3), ..first };
///
/// let acme = Expectation::Context { tenant: Some("acme".into()), user: None, run_id: None };
/// assert_eq!(acme.miss(&[first, again]), None);
/// assert_eq!(Expectation::AtMostConcurrent(1).miss(&[first, again]), None);
/// assert_eq!(
///     Expectation::StableKey { tool: "charge".into() }.miss(&[first, again]).map(|miss| miss.to_string()).as_deref(),
///     Some(
///         "call 2: `charge` has the arguments of call 1 and the key `k2` instead of `k1`: \
///          as a retry it takes effect a second time"
///     )
/// );
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Expectation {
    /// Just these tools were called, in this order. An empty list is [`Self::NothingCalled`].
    Sequence(Vec<String>),
    /// These tools were called in this order; other calls may stand between them. An empty list does not hold, since no call could
    /// break it.
    InOrder(Vec<String>),
    /// Just these tools were called, each as often as it stands here, in any order. An empty list is [`Self::NothingCalled`].
    AnyOrder(Vec<String>),
    /// At least these tools were called, each at least as often as it stands here. An empty list does not hold, since no call could
    /// break it.
    Includes(Vec<String>),
    /// Exactly one call of the tool was made, and its arguments fit. A second one with other arguments is a second effect.
    Once {
        /// The tool.
        tool: String,
        /// What its arguments must show; `None`: anything.
        with: Option<Arguments>,
    },
    /// At least one call of the tool was made with arguments that fit.
    Called {
        /// The tool.
        tool: String,
        /// What its arguments must show; `None`: anything.
        with: Option<Arguments>,
    },
    /// The tool was not called. This holds where nothing was called at all, too: a call that was not made is what it asks for.
    NotCalled {
        /// The tool.
        tool: String,
    },
    /// No tool was called.
    NothingCalled,
    /// At most this many calls were made, of whatever tools; of 0 it is [`Self::NothingCalled`].
    AtMostCalls(usize),
    /// Every call of `then` has a call of `first` that ended before it began. Where there are several of each, the earliest end of
    /// `first` lies before the earliest beginning of `then`: a first attempt that was lost does no harm if the next one ended in time,
    /// and further calls of `first` may come whenever they like. While `first` still runs it is not before `then`. Both have to be
    /// called, since nothing else shows their order, and a tool does not come before itself.
    Before {
        /// The tool that comes first.
        first: String,
        /// The tool that comes later.
        then: String,
    },
    /// At most this many calls ran at once, of whatever tools. A call without an end runs for ever. This does not hold where no more
    /// calls than that were made, since they could not break it.
    AtMostConcurrent(usize),
    /// Every call ran under this context; what is `None` may be anything. A call that went on under another tenant, user or run than it
    /// began under ran under none of them ([`Made::went_on_under`]). It does not hold where no call was made, or where nothing is
    /// asked for.
    Context {
        /// The tenant.
        tenant: Option<String>,
        /// The user.
        user: Option<String>,
        /// The run.
        run_id: Option<String>,
    },
    /// Every call of the tool has an idempotency key, and the key goes with what is called: where tenant, run and arguments are the
    /// same the key is the same, however often the call is repeated; where a tenant's arguments differ the keys differ, whatever
    /// the runs. Two runs that ask for the same are no retries of each other: each may have a key of its own, and one that goes on
    /// where another left off may keep its key. Calls without a run id are held together by their tenant. Arguments are compared by value: neither the order of members nor `5` or `5.0` makes a difference. A call without a key
    /// does not hold even if it is not repeated: its retry would. The tool has to be called.
    StableKey {
        /// The tool.
        tool: String,
    },
}

impl Expectation {
    /// The first place where calls are not as expected; `None` where they are. `calls` stand in the order in which they began.
    ///
    /// ```
    /// use frankly_verdict::expect::{Expectation, Made};
    /// use serde_json::json;
    ///
    /// let arguments = json!({"id": "1"}).as_object().cloned().unwrap_or_default();
    /// let expected = Expectation::NotCalled { tool: "refund".into() };
    /// assert_eq!(expected.miss(&[]), None);
    /// assert_eq!(
    ///     expected.miss(&[Made::new("refund", &arguments)]).map(|miss| miss.to_string()).as_deref(),
    ///     Some(r#"`refund` was called with {"id":"1"} and should not have been"#)
    /// );
    /// ```
    #[must_use]
    pub fn miss(&self, calls: &[Made<'_>]) -> Option<Miss> {
        match self {
            Self::Sequence(tools) => order::sequence(tools, calls),
            Self::InOrder(tools) => order::in_order(tools, calls),
            Self::AnyOrder(tools) => tally::any_order(tools, calls),
            Self::Includes(tools) => tally::includes(tools, calls),
            Self::Once { tool, with } => arguments::once(tool, with.as_ref(), calls),
            Self::Called { tool, with } => arguments::called(tool, with.as_ref(), calls),
            Self::NotCalled { tool } => arguments::not_called(tool, calls),
            Self::NothingCalled => arguments::nothing_called(calls),
            Self::AtMostCalls(most) => count::at_most(*most, calls),
            Self::Before { first, then } => before::before(first, then, calls),
            Self::AtMostConcurrent(most) => concurrent::at_most(*most, calls),
            Self::Context { tenant, user, run_id } => {
                let wanted =
                    Wanted { tenant: tenant.as_deref(), user: user.as_deref(), run_id: run_id.as_deref() };
                context::ran_under(wanted, calls)
            }
            Self::StableKey { tool } => key::stable(tool, calls),
        }
    }

    /// The tools that it names, in its order.
    ///
    /// ```
    /// use frankly_verdict::expect::Expectation;
    ///
    /// assert_eq!(Expectation::NotCalled { tool: "refund".into() }.tools(), ["refund"]);
    /// assert!(Expectation::NothingCalled.tools().is_empty());
    /// ```
    #[must_use]
    pub fn tools(&self) -> Vec<&str> {
        match self {
            Self::Sequence(tools) | Self::InOrder(tools) | Self::AnyOrder(tools) | Self::Includes(tools) => {
                tools.iter().map(String::as_str).collect()
            }
            Self::Once { tool, .. }
            | Self::Called { tool, .. }
            | Self::NotCalled { tool }
            | Self::StableKey { tool } => vec![tool],
            Self::Before { first, then } => vec![first, then],
            Self::NothingCalled | Self::AtMostCalls(_) | Self::AtMostConcurrent(_) | Self::Context { .. } => {
                Vec::new()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    use super::super::Whose;
    use super::*;

    /// Every kind of expectation about these tools.
    fn all(tools: &[String], number: usize) -> Vec<Expectation> {
        let tool = tools.first().cloned().unwrap_or_default();
        let then = tools.last().cloned().unwrap_or_default();
        let with = [None, Some(json!({"a": 1}).into()), Some(Arguments::that("", |_| false))];
        let of_arguments = with.into_iter().flat_map(|with| {
            let tool = tool.clone();
            [Expectation::Once { tool: tool.clone(), with: with.clone() }, Expectation::Called { tool, with }]
        });
        let others = [
            Expectation::Sequence(tools.to_vec()),
            Expectation::InOrder(tools.to_vec()),
            Expectation::AnyOrder(tools.to_vec()),
            Expectation::Includes(tools.to_vec()),
            Expectation::NotCalled { tool: tool.clone() },
            Expectation::NothingCalled,
            Expectation::AtMostCalls(number),
            Expectation::Before { first: tool.clone(), then: then.clone() },
            Expectation::AtMostConcurrent(number),
            Expectation::Context { tenant: Some(then.clone()), user: None, run_id: Some(then) },
            Expectation::StableKey { tool: tool.clone() },
        ];
        of_arguments.chain(others).collect()
    }

    proptest! {
        #[test]
        fn whatever_was_called_a_miss_is_one_line_and_names_a_call_that_was_made(
            names in proptest::collection::vec(prop_oneof!["[ab`]", any::<String>()], 0..5),
            expected in proptest::collection::vec(prop_oneof!["[ab`]", any::<String>()], 0..4),
            text in any::<String>(),
            places in proptest::collection::vec((any::<u64>(), proptest::option::of(any::<u64>())), 5),
            number in 0usize..4,
        ) {
            let arguments: Map<String, Value> =
                [(text.clone(), json!({"a": [text.repeat(99)]})), ("a".to_owned(), text.clone().into())].into_iter().collect();
            let whose = Whose { tenant: Some(&text), user: Some(&text), run_id: Some(&text) };
            let calls: Vec<Made<'_>> = names.iter().zip(places).map(|(name, (began, ended))| Made {
                name, arguments: &arguments, whose: (number > 1).then_some(whose), went_on_under: (number > 2).then_some(Some(whose)), key: Some(&text), began, ended
            }).collect();
            for expectation in all(&expected, number) {
                let Some(miss) = expectation.miss(&calls) else { continue };
                let told = miss.to_string();
                prop_assert!(!told.is_empty() && !told.contains(char::is_control), "{:?}", told);
                prop_assert!(told.chars().count() < 20_000, "{}", told);
                prop_assert!(miss.call().is_none_or(|call| call < calls.len()), "{:?}", miss);
            }
        }
    }

    #[test]
    fn the_tools_that_are_named_can_be_looked_up() {
        let (one, two) = ("a".to_owned(), "b".to_owned());
        for expectation in all(&[one, two], 1) {
            let named = match &expectation {
                Expectation::NothingCalled
                | Expectation::AtMostCalls(_)
                | Expectation::AtMostConcurrent(_)
                | Expectation::Context { .. } => &[][..],
                Expectation::Sequence(_)
                | Expectation::InOrder(_)
                | Expectation::AnyOrder(_)
                | Expectation::Includes(_)
                | Expectation::Before { .. } => &["a", "b"],
                _ => &["a"],
            };
            assert_eq!(expectation.tools(), named, "{expectation:?}");
        }
    }
}
