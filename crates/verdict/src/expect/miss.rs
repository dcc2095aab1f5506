//! Where calls first go another way than was expected.

use std::fmt;

use crate::report::plain;

/// The first place where calls are not as expected: one line that says what was expected and what was called. Values in it are cut,
/// and what a terminal could obey is written out.
///
/// ```
/// use frankly_verdict::expect::{Expectation, Made};
///
/// let arguments = serde_json::Map::new();
/// let calls = [Made::new("search", &arguments), Made::new("refund", &arguments)];
/// let expected = Expectation::Sequence(vec!["search".into(), "hold_seat".into()]);
/// let Some(miss) = expected.miss(&calls) else { unreachable!("the second call is another one") };
/// assert_eq!(miss.to_string(), "call 2: expected `hold_seat`, `refund` was called");
/// assert_eq!(miss.call(), Some(1));
/// let told: Box<dyn std::error::Error> = miss.into();
/// assert!(told.source().is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Miss {
    what: String,
    call: Option<usize>,
}

impl Miss {
    /// What no single call shows, such as one that was not made.
    pub(super) fn new(what: impl AsRef<str>) -> Self {
        Self { what: plain(what.as_ref()), call: None }
    }

    /// What a call shows; its number from zero.
    pub(super) fn at(call: usize, what: impl AsRef<str>) -> Self {
        Self { call: Some(call), ..Self::new(what) }
    }

    /// The zero-based number of the call that shows it; in the sentence calls are counted from 1. `None` where no single call
    /// does, such as one that was not made.
    ///
    /// ```
    /// use frankly_verdict::expect::Expectation;
    ///
    /// let miss = Expectation::Called { tool: "search".into(), with: None }.miss(&[]);
    /// assert_eq!(miss.and_then(|miss| miss.call()), None);
    /// ```
    #[must_use]
    pub fn call(&self) -> Option<usize> {
        self.call
    }
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Miss {}
