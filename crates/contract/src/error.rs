//! Errors an agent can act on. What may not enter: rows of data. A result is data or an error, never both.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::ToolResult;
use crate::clause::clause;

/// What the caller should do about an error. Four are enough, because there are four things to do; there will
/// be no fifth, so that a `match` may name them all.
///
/// ```
/// use frankly_contract::Code;
///
/// assert_eq!(Code::NotFound.to_string(), "NOT_FOUND");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Code {
    /// The arguments are wrong: fix them and retry once.
    InvalidArgs,
    /// What was asked for does not exist: ask, do not invent.
    NotFound,
    /// The caller may not do this: stop.
    Forbidden,
    /// It may work later: retry with backoff.
    Transient,
}

impl Code {
    /// The code as it is written on the wire, such as `NOT_FOUND`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidArgs => "INVALID_ARGS",
            Self::NotFound => "NOT_FOUND",
            Self::Forbidden => "FORBIDDEN",
            Self::Transient => "TRANSIENT",
        }
    }

    /// What happened, for an error that does not say.
    fn default_what(self) -> &'static str {
        match self {
            Self::InvalidArgs => "the arguments do not fit",
            Self::NotFound => "what was asked for does not exist",
            Self::Forbidden => "this call is not allowed",
            Self::Transient => "the tool cannot answer at the moment",
        }
    }

    /// What to do, for an error that does not say.
    fn default_next(self) -> &'static str {
        match self {
            Self::InvalidArgs => "fix the arguments as the tool describes them and retry once",
            Self::NotFound => "ask the user what is meant, and do not invent it",
            Self::Forbidden => "stop, and tell the user that it is not allowed",
            Self::Transient => "wait and retry; if it fails again, tell the user",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An error that says what happened, why, and what to do next.
///
/// [`Display`](fmt::Display) is the short text for the model; [`ToolError::to_json`] is for programs;
/// [`ToolResult::from`] is the MCP result, flagged `isError: true`. There is always something that happened and
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

    /// Adds a name for this kind of failure within the tool's own domain, such as `no_data_rows`.
    #[must_use]
    pub fn with_kind(mut self, kind: impl Into<String>) -> Self {
        self.0.kind = Some(kind.into());
        self
    }

    /// Adds a fact that helps to mend the call, such as the headers of a file. Never rows of data.
    #[must_use]
    pub fn with_detail(mut self, name: impl Into<String>, fact: impl Into<Value>) -> Self {
        self.0.details.insert(name.into(), fact.into());
        self
    }

    /// Adds how long to wait before trying again; it is written in whole milliseconds.
    #[must_use]
    pub fn with_retry_after(mut self, wait: Duration) -> Self {
        self.0.retry_after = Some(wait);
        self
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
    #[must_use]
    pub fn why(&self) -> Option<&str> {
        self.0.why.as_deref()
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

    /// The error as a JSON object: `code`, `what`, `next`, and where given `kind`, `why`, `details` and
    /// `retry_after_ms`.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use frankly_contract::{Code, ToolError};
    /// use serde_json::json;
    ///
    /// let error = ToolError::new(Code::InvalidArgs, "the file has no rows", "tell the user that the file is empty")
    ///     .with_kind("no_data_rows")
    ///     .with_detail("headers", json!(["date", "amount"]));
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
        if let Some(why) = &error.why {
            write!(f, " ({why})")?;
        }
        write!(f, ". Next: {}.", error.next)?;
        if let Some(wait) = error.retry_after {
            write!(f, " Retry after {} ms.", wait.as_millis())?;
        }
        Ok(())
    }
}

impl std::error::Error for ToolError {}

impl From<ToolError> for ToolResult {
    /// `isError: true`, the short text as content, and the JSON under `_meta.error`: not in
    /// `structuredContent`, where it would break an `outputSchema` that describes the data.
    fn from(error: ToolError) -> Self {
        Self::failure(error.to_string()).with_meta("error", error.to_json())
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
                    "TRANSIENT: the bank did not answer. Next: call again later. Retry after 2000 ms."}],
                "_meta": {"error": {
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

    proptest! {
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
