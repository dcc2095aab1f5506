//! Errors an agent can act on. What may not enter: rows of data. A result is data or an error, never both.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::ToolResult;

/// What the caller should do about an error. Four are enough, because there are four things to do.
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
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An error that says what happened, why, and what to do next.
///
/// [`Display`](fmt::Display) is the short text for the model; [`ToolError::to_json`] is for programs;
/// [`ToolResult::from`] is the MCP result, flagged `isError: true`.
///
/// ```
/// use frankly_contract::{Code, ToolError};
///
/// let error = ToolError::new(Code::NotFound, "no category is named `dining`", "call list_categories for the names")
///     .why("names match exactly, case included");
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
    /// An error with its code, what happened and the next step; without a next step there is no error.
    /// Both texts are clauses without a final full stop.
    #[must_use]
    pub fn new(code: Code, what: impl Into<String>, next: impl Into<String>) -> Self {
        Self(Box::new(Parts {
            code,
            kind: None,
            what: what.into(),
            why: None,
            next: next.into(),
            details: Map::new(),
            retry_after: None,
        }))
    }

    /// Adds the cause, a clause without a final full stop.
    #[must_use]
    pub fn why(mut self, why: impl Into<String>) -> Self {
        self.0.why = Some(why.into());
        self
    }

    /// Adds a name for this kind of failure within the tool's own domain, such as `no_data_rows`.
    #[must_use]
    pub fn kind(mut self, kind: impl Into<String>) -> Self {
        self.0.kind = Some(kind.into());
        self
    }

    /// Adds a fact that helps to mend the call, such as the headers of a file. Never rows of data.
    #[must_use]
    pub fn detail(mut self, name: impl Into<String>, fact: impl Into<Value>) -> Self {
        self.0.details.insert(name.into(), fact.into());
        self
    }

    /// Adds how long to wait before trying again.
    #[must_use]
    pub fn retry_after(mut self, wait: Duration) -> Self {
        self.0.retry_after = Some(wait);
        self
    }

    /// The code.
    #[must_use]
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The error as a JSON object: `code`, `what`, `next`, and where given `kind`, `why`, `details` and
    /// `retry_after_ms`.
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

#[expect(clippy::ref_option, reason = "the signature that serde's `serialize_with` calls")]
fn as_millis<S: serde::Serializer>(wait: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    let millis = wait.map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
    millis.serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_becomes_a_flagged_result_with_text_and_json() {
        let error = ToolError::new(Code::Transient, "the bank did not answer", "call again later")
            .kind("bank_unreachable")
            .detail("bank", "north")
            .retry_after(Duration::from_secs(2));
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
}
