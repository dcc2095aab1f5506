//! A call, as expectations look at it. What may not enter: what came back for it.

use serde_json::{Map, Value};

/// A call that was made. It is borrowed, so that the calls of a recording and those of a test are looked at alike.
///
/// The order of events is what `began` and `ended` say: a call's beginning and its end each take a place, and the places only have
/// to grow. A call that ended at the place where another began had ended before it.
///
/// ```
/// use frankly_verdict::expect::{Made, Whose};
/// use serde_json::json;
///
/// let arguments = json!({"seat": "12A"}).as_object().cloned().unwrap_or_default();
/// let hold = Made { began: 0, ended: Some(1), ..Made::new("hold_seat", &arguments) };
/// let charge = Made {
///     whose: Some(Whose { tenant: Some("acme"), user: Some("u_7"), run_id: None }),
///     key: Some("order-1"),
///     began: 2,
///     ..Made::new("charge", &arguments)
/// };
/// assert_eq!((hold.ended, charge.ended), (Some(1), None));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Made<'a> {
    /// The tool, as it was asked for.
    pub name: &'a str,
    /// The arguments.
    pub arguments: &'a Map<String, Value>,
    /// Under whose name it ran; `None` where it ran without a run context.
    pub whose: Option<Whose<'a>>,
    /// Under whose name it went on, where that was another one than it began under; the inner `None` is nobody's.
    pub went_on_under: Option<Option<Whose<'a>>>,
    /// The key that makes a repeated call the same call; `None`, or empty, where it has none. One that was sent among the arguments
    /// stands here too.
    pub key: Option<&'a str>,
    /// The place of its beginning in the order of events.
    pub began: u64,
    /// The place of its end; `None` where it is still running, or was lost or dropped without an end.
    pub ended: Option<u64>,
}

/// Under whose name a call ran.
///
/// ```
/// use frankly_verdict::expect::Whose;
///
/// let nightly = Whose { tenant: Some("acme"), user: None, run_id: Some("nightly-7") };
/// assert_ne!(nightly, Whose { user: Some("u_7"), ..nightly });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Whose<'a> {
    /// The tenant, where it is known.
    pub tenant: Option<&'a str>,
    /// The user, where there is one.
    pub user: Option<&'a str>,
    /// The run, where it has an id.
    pub run_id: Option<&'a str>,
}

impl<'a> Made<'a> {
    /// A call of which only this is known: it began first of all, and has no end.
    ///
    /// ```
    /// use frankly_verdict::expect::Made;
    ///
    /// let arguments = serde_json::Map::new();
    /// assert_eq!(Made::new("search", &arguments).name, "search");
    /// ```
    #[must_use]
    pub fn new(name: &'a str, arguments: &'a Map<String, Value>) -> Self {
        Self { name, arguments, whose: None, went_on_under: None, key: None, began: 0, ended: None }
    }

    /// The place of its end, which does not lie before its beginning.
    pub(super) fn ended_at(&self) -> Option<u64> {
        self.ended.map(|ended| ended.max(self.began))
    }
}
