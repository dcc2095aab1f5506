//! What the arguments of a call must show.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::matcher::Mismatch;
use super::words::{arguments, named, value};
use super::{Made, Matcher};

/// What the arguments of a call must show: a part of them, or what a closure says.
///
/// Of a JSON value every member must be there as it is, and others may stand beside it, so that `json!({})` fits whatever was sent:
/// for no arguments at all say [`Arguments::exactly`]. Lists must have just these items, and numbers are
/// compared by what they are worth. Nothing in such a value has a meaning of its own: `"$any"` is that text.
///
/// ```
/// use frankly_verdict::expect::Arguments;
/// use serde_json::{Map, Value, json};
///
/// let part = Arguments::from(json!({"filter": {"category": "Dining"}}));
/// let small = Arguments::that("a limit under 10", |sent| {
///     sent.get("limit").and_then(Value::as_u64).is_some_and(|limit| limit < 10)
/// });
/// let bare = Arguments::from(|arguments: &Map<String, Value>| arguments.contains_key("limit"));
/// let sent = json!({"limit": 5, "filter": {"category": "Dining", "year": 2026}});
/// let sent = sent.as_object().cloned().unwrap_or_default();
/// assert!([part, small, bare].iter().all(|expected| expected.fit(&sent)));
/// ```
#[derive(Clone)]
pub struct Arguments(Want);

#[derive(Clone)]
enum Want {
    Part(Matcher),
    That { wish: Option<String>, holds: Arc<Holds> },
}

type Holds = dyn Fn(&Map<String, Value>) -> bool + Send + Sync;

impl Arguments {
    /// Just these arguments, and no others, all the way down; numbers are compared by what they are worth. `json!({})` is a call
    /// without arguments here, while as a part it fits any.
    ///
    /// ```
    /// use frankly_verdict::expect::Arguments;
    /// use serde_json::{Map, json};
    ///
    /// let sent = json!({"limit": 5.0}).as_object().cloned().unwrap_or_default();
    /// assert!(Arguments::exactly(json!({"limit": 5})).fit(&sent));
    /// assert!(!Arguments::exactly(json!({})).fit(&sent));
    /// assert!(Arguments::exactly(json!({})).fit(&Map::new()));
    /// ```
    #[must_use]
    pub fn exactly(arguments: Value) -> Self {
        Self::showing(Matcher::exact(arguments))
    }

    /// What a closure says of them. `wish` completes "… was called with `{"limit":10}`, which is not", such as `a limit under 10`.
    ///
    /// ```
    /// use frankly_verdict::expect::{Arguments, Expectation, Made};
    /// use serde_json::{Value, json};
    ///
    /// let arguments = json!({"limit": 10}).as_object().cloned().unwrap_or_default();
    /// let small = Arguments::that("a limit under 10", |sent| {
    ///     sent.get("limit").and_then(Value::as_u64).is_some_and(|limit| limit < 10)
    /// });
    /// let expected = Expectation::Called { tool: "search".into(), with: Some(small) };
    /// assert_eq!(
    ///     expected.miss(&[Made::new("search", &arguments)]).map(|miss| miss.to_string()).as_deref(),
    ///     Some(r#"`search` was called with {"limit":10}, which is not a limit under 10"#)
    /// );
    /// ```
    #[must_use]
    pub fn that(
        wish: impl Into<String>,
        holds: impl Fn(&Map<String, Value>) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self(Want::That { wish: Some(wish.into()), holds: Arc::new(holds) })
    }

    /// What a file says of them, operators included.
    pub(crate) fn showing(matcher: Matcher) -> Self {
        Self(Want::Part(matcher))
    }

    /// Whether these arguments are as expected.
    ///
    /// ```
    /// use frankly_verdict::expect::Arguments;
    /// use serde_json::{Map, json};
    ///
    /// assert!(Arguments::from(json!({})).fit(&Map::new()));
    /// assert!(!Arguments::from(json!({"limit": 5})).fit(&Map::new()));
    /// ```
    #[must_use]
    pub fn fit(&self, arguments: &Map<String, Value>) -> bool {
        match &self.0 {
            Want::Part(matcher) => matcher.mismatches_in(arguments).is_empty(),
            Want::That { holds, .. } => holds(arguments),
        }
    }

    /// Why no arguments can be as expected, if so.
    pub(super) fn impossible(&self) -> Option<String> {
        match &self.0 {
            Want::Part(matcher) if !matcher.is_for_objects() => Some(format!(
                "the arguments are expected to be {}, and arguments are always an object",
                matcher.wanted()
            )),
            Want::Part(_) | Want::That { .. } => None,
        }
    }

    /// Whether of calls that do not fit one comes nearer than another.
    pub(super) fn has_nearest(&self) -> bool {
        matches!(self.0, Want::Part(_))
    }

    /// Of calls that do not fit the one that comes nearest, by its place among them.
    pub(super) fn nearest(&self, calls: &[&Made<'_>]) -> Option<usize> {
        match &self.0 {
            Want::Part(matcher) => {
                let misses = calls.iter().map(|call| matcher.mismatches_in(call.arguments).len());
                misses.enumerate().min_by_key(|(_, misses)| *misses).map(|(place, _)| place)
            }
            Want::That { .. } => (!calls.is_empty()).then_some(0),
        }
    }

    /// What calls that fit do, said of several that do not.
    pub(super) fn accepts(&self) -> String {
        match &self.0 {
            Want::That { wish: Some(wish), .. } if !wish.trim().is_empty() => {
                format!("has arguments that are {}", wish.trim())
            }
            Want::That { .. } => "is accepted by the closure".to_owned(),
            Want::Part(_) => "has the arguments that are expected".to_owned(),
        }
    }

    /// What a call that does not fit was called with, and what was expected.
    pub(super) fn difference(&self, call: &Made<'_>) -> String {
        let tool = named(call.name);
        match &self.0 {
            Want::Part(matcher) => match matcher.mismatches_in(call.arguments).first() {
                Some(mismatch) => format!("{tool} was called {}", told(mismatch, call.arguments)),
                None => format!("{tool} was called with {}", arguments(call.arguments)),
            },
            Want::That { wish, .. } => {
                let sent = arguments(call.arguments);
                let why = match wish.as_deref().map(str::trim).filter(|wish| !wish.is_empty()) {
                    Some(wish) => format!("which is not {wish}"),
                    None => "which the given closure does not accept".to_owned(),
                };
                format!("{tool} was called with {sent}, {why}")
            }
        }
    }
}

/// A part of the arguments. A value that is no object fits none, and the miss says so.
impl From<Value> for Arguments {
    fn from(part: Value) -> Self {
        Self::showing(Matcher::literal(part))
    }
}

/// A part of the arguments, as of a [`Value`].
impl From<Map<String, Value>> for Arguments {
    fn from(part: Map<String, Value>) -> Self {
        Self::from(Value::Object(part))
    }
}

/// What a closure says, which names the type of what it takes: `|sent: &Map<String, Value>| …`. [`Arguments::that`] can also say
/// what it wants.
impl<F> From<F> for Arguments
where
    F: Fn(&Map<String, Value>) -> bool + Send + Sync + 'static,
{
    fn from(holds: F) -> Self {
        Self(Want::That { wish: None, holds: Arc::new(holds) })
    }
}

impl fmt::Debug for Arguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Want::Part(matcher) => f.debug_tuple("Arguments").field(matcher).finish(),
            Want::That { wish, .. } => f.debug_tuple("Arguments").field(wish).finish_non_exhaustive(),
        }
    }
}

/// `with limit=10, expected 5`, `without limit, expected 5`.
fn told(mismatch: &Mismatch, sent: &Map<String, Value>) -> String {
    let wanted = &mismatch.wanted;
    if mismatch.pointer.is_empty() {
        return format!("with {}, expected {wanted}", arguments(sent));
    }
    let (path, found) = walk(&mismatch.pointer, sent);
    let Some(found) = found else { return format!("without {path}, expected {wanted}") };
    // A list is too long or too short: what is shown of it may be cut before that can be seen.
    let found = match value(found) {
        shown if shown == mismatch.found => shown,
        shown => format!("{shown} ({})", mismatch.found),
    };
    format!("with {path}={found}, expected {wanted}")
}

/// A pointer as people write paths, `filter.items[0]`, and what stands there.
fn walk<'v>(pointer: &str, sent: &'v Map<String, Value>) -> (String, Option<&'v Value>) {
    let (mut path, mut here): (String, Option<&Value>) = (String::new(), None);
    for (depth, token) in pointer.split('/').skip(1).enumerate() {
        let token = token.replace("~1", "/").replace("~0", "~");
        let is_usual = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        match here {
            Some(Value::Array(_)) => path += &format!("[{token}]"),
            _ if token.is_empty() || !token.chars().all(is_usual) => {
                path += &format!("[{}]", value(&Value::from(token.as_str())));
            }
            _ if depth == 0 => path += &token,
            _ => path += &format!(".{token}"),
        }
        here = match (depth, here) {
            (0, _) => sent.get(&token),
            (_, Some(Value::Array(items))) => token.parse().ok().and_then(|at: usize| items.get(at)),
            (_, Some(Value::Object(members))) => members.get(&token),
            _ => None,
        };
    }
    (path, here)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::yaml::load;

    fn members(value: &Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap()
    }

    fn differs(expected: &Arguments, sent: &Value) -> String {
        let sent = members(sent);
        assert!(!expected.fit(&sent));
        expected.difference(&Made::new("search", &sent))
    }

    #[test]
    fn a_difference_names_its_path() {
        let sent =
            json!({"limit": 10, "filter": {"tags": ["a", "b"], "a b": {"0": null}}, "ids": [{"id": 1}]});
        for (expected, told) in [
            (json!({"limit": 5}), "with limit=10, expected 5"),
            (json!({"offset": 5}), "without offset, expected 5"),
            (json!({"filter": {"tags": ["a", "c"]}}), r#"with filter.tags[1]="b", expected "c""#),
            (
                json!({"filter": {"tags": ["a"]}}),
                r#"with filter.tags=["a","b"] (a list of 2 items), expected a list of 1 item"#,
            ),
            (json!({"filter": {"a b": {"0": 1}}}), r#"with filter["a b"].0=null, expected 1"#),
            (json!({"ids": [{"id": 1, "x": "$any"}]}), r#"without ids[0].x, expected "$any""#),
            (json!({"limit": {}}), "with limit=10, expected an object"),
        ] {
            assert_eq!(differs(&Arguments::from(expected), &sent), format!("`search` was called {told}"));
        }
    }

    #[test]
    fn exactly_is_all_of_them_and_nothing_else() {
        let sent = json!({"limit": 10, "filter": {"tags": ["a", {"b": 1}], "year": 2026}});
        let exactly = |arguments| Arguments::exactly(arguments);
        assert!(exactly(sent.clone()).fit(&members(&sent)));
        for (expected, told) in [
            (json!({}), r#"with filter={"tags":["a",{"b":1}],"year":2026}, expected nothing"#),
            (
                json!({"limit": 10, "filter": {"tags": ["a", {"b": 1}]}}),
                "with filter.year=2026, expected nothing",
            ),
            (
                json!({"limit": 10, "filter": {"tags": ["a", {}], "year": 2026}}),
                "with filter.tags[1].b=1, expected nothing",
            ),
            (
                json!({"limit": 10, "filter": 5}),
                r#"with filter={"tags":["a",{"b":1}],"year":2026}, expected 5"#,
            ),
            (
                json!({"limit": {"a": 1}, "filter": sent["filter"]}),
                "with limit=10, expected an object with just `a`",
            ),
        ] {
            assert_eq!(differs(&exactly(expected), &sent), format!("`search` was called {told}"));
        }
        assert!(Arguments::from(members(&json!({"limit": 10}))).fit(&members(&sent)), "a map is a part");
        assert!(exactly(json!(5)).impossible().is_some() && exactly(json!({})).impossible().is_none());
    }

    #[test]
    fn what_a_file_says_may_have_operators() {
        let read = |text| Arguments::showing(Matcher::read(&load(text).unwrap().unwrap()).unwrap());
        let sent = json!({"limit": 10});
        assert!(read("{ limit: { $gt: 9 } }").fit(&members(&sent)));
        assert_eq!(
            differs(&read("{ limit: { $lte: 5 } }"), &sent),
            "`search` was called with limit=10, expected at most 5"
        );
        assert_eq!(
            differs(&read("{ $count: 2 }"), &sent),
            r#"`search` was called with {"limit":10}, expected 2 in number"#
        );
        assert!(read("{ $count: 2 }").impossible().is_none());
    }

    #[test]
    fn what_is_no_object_fits_no_arguments() {
        for no_object in [json!(5), json!(null), json!([1]), json!("text")] {
            assert!(Arguments::from(no_object).impossible().unwrap().ends_with("always an object"));
        }
        assert!(Arguments::from(json!({})).impossible().is_none());
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(json!(null)),
            any::<i64>().prop_map(Value::from),
            "[$a-c]{0,4}".prop_map(Value::from)
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                proptest::collection::btree_map("[$a-c/~]{0,3}", inner, 0..3)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_part_of_the_arguments_fits_and_any_other_value_does_not(
            sent in proptest::collection::btree_map("[$a-e/~ ]{0,3}", (value(), any::<bool>()), 0..5)
        ) {
            let part: Map<String, Value> =
                sent.iter().filter(|(_, (_, kept))| *kept).map(|(name, (value, _))| (name.clone(), value.clone())).collect();
            let sent: Map<String, Value> = sent.into_iter().map(|(name, (value, _))| (name, value)).collect();
            prop_assert!(Arguments::from(Value::Object(part.clone())).fit(&sent));
            for name in part.keys() {
                let mut other = part.clone();
                other.insert(name.clone(), json!([[part[name]], "other"]));
                let other = Arguments::from(Value::Object(other));
                prop_assert!(!other.fit(&sent));
                prop_assert!(!other.difference(&Made::new("search", &sent)).contains("without"));
            }
        }
    }
}
