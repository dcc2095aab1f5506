//! What calls must show.

use super::calls::{arguments, count, order, tally};
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
#[derive(Debug, Clone)]
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
    /// Exactly one call of the tool was made with arguments that fit. Its calls with other arguments do not count; that there are
    /// none of them either is the same without `with`.
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
            Self::Once { tool, .. } | Self::Called { tool, .. } | Self::NotCalled { tool } => vec![tool],
            Self::NothingCalled | Self::AtMostCalls(_) => Vec::new(),
        }
    }
}
