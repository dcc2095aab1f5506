//! Errors an agent can act on. What may not enter: rows of data. A result is data or an error, never both.

mod code;
mod details;

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};

use crate::clause::clause;
use crate::shown::offered;
use crate::{Fact, ToolResult, nearest};

pub use code::Code;
#[cfg(feature = "registry")]
use details::VIOLATIONS;
use details::{detail, facts};

/// The name under which `_meta` has the error.
const META: &str = "frankly/error";

/// An error that says what happened, why, and what to do next.
///
/// [`Display`](fmt::Display) is the text for the model, facts included, and all that it sees;
/// [`ToolError::to_json`] is for programs, which also get the kind;
/// [`ToolResult::from`] is the MCP result, flagged `isError: true`, and [`ToolError::from_result`] the way
/// back. A result is data or an error, never both: neither has a way to add the other. There is always something that happened and
/// something to do next: [`ToolError::new`] fills in what is blank.
///
/// ```
/// use frankly_contract::{Code, ToolError};
///
/// let error = ToolError::new(Code::NotFound, "no category is named `dining`", "call list_categories for the names")
///     .with_why("names match exactly, case included");
/// assert_eq!(
///     error.to_string(),
///     "NOT_FOUND: no category is named `dining` (names match exactly, case included). \
///      Next: call list_categories for the names."
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ToolError(Box<Parts>);

/// Boxed, so that a `Result` with this error is no larger than its data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Parts {
    code: Code,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    what: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    did_you_mean: Option<String>,
    next: String,
    #[serde(skip_serializing_if = "Map::is_empty")]
    details: Map<String, Value>,
    #[serde(
        rename = "retry_after_ms",
        skip_serializing_if = "Option::is_none",
        serialize_with = "as_millis"
    )]
    retry_after: Option<Duration>,
}

impl ToolError {
    /// An error with its code, what happened and the next step.
    ///
    /// Both texts are clauses: the space around them and full stops at their end are taken off, because the
    /// sentence has its own. One that is blank then becomes what the code says by itself.
    ///
    /// ```
    /// use frankly_contract::{Code, ToolError};
    ///
    /// assert_eq!(
    ///     ToolError::new(Code::Forbidden, "`/etc` is outside the workspace.", "").to_string(),
    ///     "FORBIDDEN: `/etc` is outside the workspace. Next: stop, and tell the user that it is not allowed."
    /// );
    /// assert_eq!(
    ///     ToolError::new(Code::Transient, "", "").to_string(),
    ///     "TRANSIENT: the tool cannot answer at the moment. \
    ///      Next: wait and retry; if it fails again, tell the user."
    /// );
    /// ```
    #[must_use]
    pub fn new(code: Code, what: impl Into<String>, next: impl Into<String>) -> Self {
        Self(Box::new(Parts {
            code,
            kind: None,
            what: own_clause(&what.into()).unwrap_or_else(|| code.default_what().to_owned()),
            why: None,
            did_you_mean: None,
            next: own_clause(&next.into()).unwrap_or_else(|| code.default_next().to_owned()),
            details: Map::new(),
            retry_after: None,
        }))
    }

    /// Adds the cause, a clause like the others; a blank one is none.
    #[must_use]
    pub fn with_why(mut self, why: impl Into<String>) -> Self {
        self.0.why = own_clause(&why.into());
        self
    }

    /// Adds a name for this kind of failure within the tool's own domain, such as `no_data_rows`. It is for programs:
    /// what it means is for the model to read in the sentences.
    #[must_use]
    pub fn with_kind(mut self, kind: impl Into<String>) -> Self {
        self.0.kind = Some(kind.into());
        self
    }

    /// Adds the known name that is most like the wrong one, if any is [`nearest`] enough to be meant. This is for names;
    /// of ids, a near one is another record.
    ///
    /// ```
    /// use frankly_contract::{Code, ToolError};
    ///
    /// let error = ToolError::new(Code::NotFound, "no category is named `dining`", "call list_categories for all names")
    ///     .with_did_you_mean("dining", ["Dining", "Rent"]);
    /// assert_eq!(
    ///     error.to_string(),
    ///     "NOT_FOUND: no category is named `dining`. Did you mean `Dining`? Next: call list_categories for all names."
    /// );
    /// assert_eq!(error.to_json()["did_you_mean"], "Dining");
    /// ```
    #[must_use]
    pub fn with_did_you_mean<N: AsRef<str>>(
        mut self,
        wrong: &str,
        known: impl IntoIterator<Item = N>,
    ) -> Self {
        let known: Vec<N> = known.into_iter().collect();
        let others = known.iter().map(AsRef::as_ref).filter(|known| *known != wrong);
        self.0.did_you_mean = nearest(wrong, others).map(str::to_owned);
        self
    }

    /// Adds the name that was meant, for who knows it by other means.
    #[cfg(any(feature = "files", feature = "registry"))]
    pub(crate) fn meaning(mut self, name: Option<String>) -> Self {
        self.0.did_you_mean = name;
        self
    }

    /// Adds a fact that helps to mend the call, such as the headers of a file. Never rows of data, which are no
    /// [`Fact`]. The text tells the first eight, of a list the first twelve items, and of each no more than 60
    /// characters.
    ///
    /// ```
    /// use frankly_contract::{Code, ToolError};
    ///
    /// let error = ToolError::new(Code::InvalidArgs, "the file has no rows", "ask for another file")
    ///     .with_detail("headers", ["date", "amount"]);
    /// assert_eq!(
    ///     error.to_string(),
    ///     "INVALID_ARGS: the file has no rows (headers: date, amount). Next: ask for another file."
    /// );
    /// ```
    #[must_use]
    pub fn with_detail(mut self, name: impl Into<String>, fact: impl Into<Fact>) -> Self {
        self.0.details.insert(name.into(), fact.into().into_json());
        self
    }

    /// Adds what is no [`Fact`] and yet no rows: what is wrong with each argument.
    #[cfg(feature = "registry")]
    pub(crate) fn with_violations(mut self, violations: Value) -> Self {
        self.0.details.insert(VIOLATIONS.to_owned(), violations);
        self
    }

    /// Adds how long to wait before trying again, in whole milliseconds: a part of one counts as one.
    #[must_use]
    pub fn with_retry_after(mut self, wait: Duration) -> Self {
        let millis = wait.as_nanos().div_ceil(1_000_000);
        self.0.retry_after = Some(Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX)));
        self
    }

    /// The error that a result was made from; `None` for a result that is not flagged as an error, or whose
    /// `_meta` has no `frankly/error` as [`ToolResult::from`] writes it. What is blank in it is filled in, and details
    /// that are no facts are passed over: whoever wrote them, rows do not come in that way.
    ///
    /// ```
    /// use frankly_contract::{Code, ToolError, ToolResult};
    ///
    /// let error = ToolError::new(Code::Forbidden, "`/etc` is outside the workspace", "");
    /// assert_eq!(ToolError::from_result(&ToolResult::from(error.clone())), Some(error));
    /// assert_eq!(ToolError::from_result(&ToolResult::failure("it broke")), None);
    /// ```
    #[must_use]
    pub fn from_result(result: &ToolResult) -> Option<Self> {
        if !result.is_error() {
            return None;
        }
        Self::deserialize(result.raw().get("_meta")?.get(META)?).ok()
    }

    /// The code.
    #[must_use]
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The kind of failure within the tool's own domain, if one was added.
    #[must_use]
    pub fn kind(&self) -> Option<&str> {
        self.0.kind.as_deref()
    }

    /// What happened; never blank.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.0.what
    }

    /// The cause, if one was added.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use frankly_contract::{Code, ToolError};
    ///
    /// let busy = ToolError::new(Code::Transient, "the bank is busy", "").with_why("it closes its books");
    /// assert_eq!((busy.why(), busy.retry_after()), (Some("it closes its books"), None));
    /// let wait = Duration::from_secs(2);
    /// assert_eq!(busy.with_retry_after(wait).retry_after(), Some(wait));
    /// ```
    #[must_use]
    pub fn why(&self) -> Option<&str> {
        self.0.why.as_deref()
    }

    /// The known name that was probably meant, if there is one.
    #[must_use]
    pub fn did_you_mean(&self) -> Option<&str> {
        self.0.did_you_mean.as_deref()
    }

    /// What to do next; never blank.
    #[must_use]
    pub fn next(&self) -> &str {
        &self.0.next
    }

    /// The facts that were added, by name.
    #[must_use]
    pub fn details(&self) -> &Map<String, Value> {
        &self.0.details
    }

    /// How long to wait before trying again, if that was added.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// The error as a JSON object: `code`, `what`, `next`, and where given `kind`, `why`, `did_you_mean`,
    /// `details` and `retry_after_ms`.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use frankly_contract::{Code, ToolError};
    /// use serde_json::json;
    ///
    /// let error = ToolError::new(Code::InvalidArgs, "the file has no rows", "tell the user that the file is empty")
    ///     .with_kind("no_data_rows")
    ///     .with_detail("headers", ["date", "amount"]);
    /// assert_eq!(
    ///     error.to_json(),
    ///     json!({
    ///         "code": "INVALID_ARGS", "kind": "no_data_rows", "what": "the file has no rows",
    ///         "next": "tell the user that the file is empty", "details": {"headers": ["date", "amount"]},
    ///     })
    /// );
    ///
    /// let busy = ToolError::new(Code::Transient, "the bank is busy", "").with_retry_after(Duration::from_secs(2));
    /// assert_eq!(busy.to_json()["retry_after_ms"], 2000);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!(self)
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = &*self.0;
        write!(f, "{}: {}", error.code, error.what)?;
        let known: Vec<String> = error.why.iter().cloned().chain(facts(&error.details)).collect();
        if !known.is_empty() {
            write!(f, " ({})", known.join("; "))?;
        }
        match error.did_you_mean.as_deref().and_then(offered) {
            Some(meant) => write!(f, ". Did you mean {meant}?")?,
            None => f.write_str(".")?,
        }
        write!(f, " Next: {}.", error.next)?;
        if let Some(wait) = error.retry_after {
            write!(f, " Retry after {} ms.", wait.as_millis())?;
        }
        Ok(())
    }
}

impl std::error::Error for ToolError {}

impl From<ToolError> for ToolResult {
    /// `isError: true`, the text as content, and the JSON in `_meta` as `frankly/error`: not in
    /// `structuredContent`, where it would break an `outputSchema` that describes the data.
    fn from(error: ToolError) -> Self {
        Self::failure(error.to_string()).with_member_of_meta(META, error.to_json())
    }
}

impl<'de> Deserialize<'de> for ToolError {
    /// Reads [`ToolError::to_json`]. Members it does not know are passed over, since a newer version may have
    /// more of them.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Written {
            code: Code,
            kind: Option<String>,
            what: String,
            why: Option<String>,
            did_you_mean: Option<String>,
            next: String,
            #[serde(default)]
            details: Map<String, Value>,
            retry_after_ms: Option<u64>,
        }
        let written = Written::deserialize(deserializer)?;
        let mut error = Self::new(written.code, written.what, written.next);
        error.0.kind = written.kind;
        error.0.why = written.why.as_deref().and_then(own_clause);
        error.0.did_you_mean = written.did_you_mean;
        error.0.details = written.details.into_iter().filter_map(detail).collect();
        error.0.retry_after = written.retry_after_ms.map(Duration::from_millis);
        Ok(error)
    }
}

fn own_clause(text: &str) -> Option<String> {
    Some(clause(text)).filter(|clause| !clause.is_empty()).map(str::to_owned)
}

#[expect(clippy::ref_option, reason = "the signature that serde's `serialize_with` calls")]
fn as_millis<S: serde::Serializer>(wait: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    let millis = wait.map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
    millis.serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const CODES: [Code; 4] = [Code::InvalidArgs, Code::NotFound, Code::Forbidden, Code::Transient];

    #[test]
    fn an_error_becomes_a_flagged_result_with_text_and_json() {
        let error = ToolError::new(Code::Transient, "the bank did not answer", "call again later")
            .with_kind("bank_unreachable")
            .with_detail("bank", "north")
            .with_retry_after(Duration::from_secs(2));
        let result = ToolResult::from(error);
        assert!(result.is_error());
        assert_eq!(
            result.raw(),
            &json!({
                "isError": true,
                "content": [{"type": "text", "text":
                    "TRANSIENT: the bank did not answer (bank: north). Next: call again later. Retry after 2000 ms."}],
                "_meta": {"frankly/error": {
                    "code": "TRANSIENT", "kind": "bank_unreachable", "what": "the bank did not answer",
                    "next": "call again later", "details": {"bank": "north"}, "retry_after_ms": 2000
                }}
            })
            .as_object()
            .unwrap()
            .clone()
        );
    }

    #[test]
    fn what_was_put_in_is_given_back() {
        let bare = ToolError::new(Code::NotFound, "w", "n");
        assert_eq!((bare.code(), bare.what(), bare.next()), (Code::NotFound, "w", "n"));
        assert_eq!((bare.kind(), bare.why(), bare.retry_after()), (None, None, None));
        assert!(bare.details().is_empty());
        let wait = Duration::from_millis(1);
        let full = bare.with_kind("k").with_why("y").with_detail("d", 1).with_retry_after(wait);
        assert_eq!((full.kind(), full.why(), full.retry_after()), (Some("k"), Some("y"), Some(wait)));
        assert_eq!(full.details().get("d"), Some(&json!(1)));
    }

    #[test]
    fn full_stops_are_not_doubled() {
        let error = ToolError::new(Code::NotFound, "It is gone. ", "Ask. Then stop..").with_why(" Moved. ");
        assert_eq!(error.to_string(), "NOT_FOUND: It is gone (Moved). Next: Ask. Then stop.");
        assert_eq!(error.to_json()["what"], "It is gone");
        assert_eq!(error.clone().with_why(" . ").to_string(), "NOT_FOUND: It is gone. Next: Ask. Then stop.");
    }

    #[test]
    fn a_default_fits_its_code() {
        let word = ["retry once", "do not invent", "stop", "wait and retry"];
        for (code, word) in CODES.into_iter().zip(word) {
            let error = ToolError::new(code, "", " . ");
            assert!(error.next().contains(word), "{error}");
            assert_eq!(error, ToolError::new(code, code.default_what(), code.default_next()));
        }
    }

    #[test]
    fn a_code_is_written_the_same_for_people_and_programs() {
        for code in CODES {
            assert_eq!(json!(code), json!(code.to_string()));
            assert_eq!(serde_json::from_value::<Code>(json!(code.as_str())).unwrap(), code);
        }
    }

    #[test]
    fn a_result_that_is_no_such_error_gives_none() {
        let whole = json!({"code": "NOT_FOUND", "what": "it is gone", "next": "ask"});
        for (flag, error, read) in [
            (true, whole.clone(), true),
            (true, json!({"code": "NOT_FOUND", "what": "it is gone", "next": "ask", "since": 2}), true),
            (false, whole, false),
            (true, json!({"code": "GONE", "what": "it is gone", "next": "ask"}), false),
            (true, json!({"code": "NOT_FOUND", "what": "it is gone"}), false),
            (true, json!("NOT_FOUND"), false),
        ] {
            let result =
                ToolResult::try_from(json!({"isError": flag, "_meta": {"frankly/error": error}})).unwrap();
            assert_eq!(ToolError::from_result(&result).is_some(), read, "{result:?}");
        }
        let blank = json!({"code": "FORBIDDEN", "what": " ", "why": ".", "next": ""});
        assert_eq!(
            serde_json::from_value::<ToolError>(blank).unwrap(),
            ToolError::new(Code::Forbidden, "", "")
        );
    }

    #[test]
    fn only_a_name_that_is_like_it_is_offered() {
        let error = || ToolError::new(Code::NotFound, "w", "n");
        assert_eq!(error().with_did_you_mean("zzz", ["Dining"]), error());
        assert_eq!(error().with_did_you_mean("Dining", ["Dining"]), error(), "it is what was sent");
        let meant = error().with_did_you_mean("Dinning", vec!["Dining".to_owned()]).with_why("y");
        assert_eq!(meant.to_string(), "NOT_FOUND: w (y). Did you mean `Dining`? Next: n.");
        assert_eq!(meant.did_you_mean(), Some("Dining"));
    }

    #[test]
    fn a_name_is_offered_whole_or_not_at_all() {
        let long = "n".repeat(100);
        let wrong = format!("{long}x");
        let error = ToolError::new(Code::NotFound, "w", "n").with_did_you_mean(&wrong, [&long]);
        assert_eq!(error.to_string(), format!("NOT_FOUND: w. Did you mean `{long}`? Next: n."));
        let (long, wrong) = (long.repeat(5), wrong.repeat(5));
        let error = ToolError::new(Code::NotFound, "w", "n").with_did_you_mean(&wrong, [&long]);
        assert_eq!(error.to_string(), "NOT_FOUND: w. Next: n.");
    }

    #[test]
    fn a_wait_is_never_shortened() {
        let wait = |nanos| {
            ToolError::new(Code::Transient, "", "")
                .with_retry_after(Duration::from_nanos(nanos))
                .retry_after()
        };
        assert_eq!(wait(0), Some(Duration::ZERO));
        assert_eq!(wait(1), Some(Duration::from_millis(1)));
        assert_eq!(wait(2_000_000), Some(Duration::from_millis(2)));
    }

    proptest! {
        #[test]
        fn an_error_comes_back_from_its_result(
            code in prop::sample::select(&CODES), what in ".{0,20}", why in ".{0,20}", next in ".{0,20}",
            kind in prop::option::of("[a-z_]{0,9}"), wrong in "[a-z]{1,6}", known in prop::collection::vec(".{0,6}", 0..5),
            headers in prop::collection::vec(".{0,9}", 0..4), wait in prop::option::of((any::<u64>(), 0..1_000_000_000u32)),
        ) {
            let mut error = ToolError::new(code, what, next).with_why(why).with_did_you_mean(&wrong, known);
            if let Some(kind) = kind {
                error = error.with_kind(kind).with_detail("headers", headers).with_detail("n", 0.1);
            }
            if let Some((seconds, nanos)) = wait {
                error = error.with_retry_after(Duration::new(seconds, nanos));
            }
            let result = ToolResult::from(error.clone());
            prop_assert_eq!(result.structured(), None);
            let sent: Value = serde_json::from_str(&serde_json::to_string(&result).unwrap()).unwrap();
            let received = ToolResult::try_from(sent).unwrap();
            prop_assert_eq!(ToolError::from_result(&received), Some(error));
        }

        #[test]
        fn there_is_no_error_without_a_next_step(
            code in prop::sample::select(&CODES), what in "[a. ]{0,5}", why in "[a. ]{0,5}", next in "[a. ]{0,5}",
        ) {
            let error = ToolError::new(code, &*what, &*next).with_why(why);
            for part in [Some(error.what()), error.why(), Some(error.next())].into_iter().flatten() {
                prop_assert!(!part.is_empty() && part.trim() == part && !part.ends_with('.'), "{error}");
            }
            let text = error.to_string();
            let (before, after) = text.split_once(". Next: ").unwrap();
            prop_assert_eq!(before.starts_with(&format!("{code}: {}", error.what())), true, "{}", text);
            prop_assert_eq!(after, format!("{}.", error.next()));
        }
    }
}
