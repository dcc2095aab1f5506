//! What a tool may return. What may not enter: errors, which are the other side of its `Result`.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use crate::{Page, Slice, ToolResult};

/// What a tool answers: data, and never an error.
///
/// It is made from a text, from JSON, from a [`Page`] or from a [`Slice`], and from nothing else. A
/// [`ToolResult`], which can be anything that came over a wire, does not become one, so the only error a tool can
/// return is a [`ToolError`](crate::ToolError), with its code and its next step.
///
/// ```
/// use frankly_contract::{Answer, ToolResult};
///
/// assert_eq!(ToolResult::from(Answer::text("pong")), ToolResult::text("pong"));
/// ```
///
/// ```compile_fail,E0277
/// use frankly_contract::{NoArguments, Tool, ToolResult};
///
/// Tool::typed("ping", "Answers pong.", |_: NoArguments| async { Ok(ToolResult::failure("no pong")) });
/// ```
///
/// ```compile_fail,E0423
/// frankly_contract::Answer(frankly_contract::ToolResult::failure("no pong"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Answer(ToolResult);

impl Answer {
    /// A text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self(ToolResult::text(text))
    }

    /// A value as structured content, and as text for clients that read only that. The protocol wants an object
    /// there, so another value is sent as text alone.
    ///
    /// # Errors
    ///
    /// A value that has no JSON form, such as a map whose keys are no strings.
    ///
    /// ```
    /// use frankly_contract::{Answer, ToolResult};
    /// use serde_json::json;
    ///
    /// let total = json!({"total": 3});
    /// assert_eq!(ToolResult::from(Answer::json(&total)?).structured(), Some(&total));
    /// assert_eq!(ToolResult::from(Answer::json(&3)?).structured(), None);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn json(value: &impl Serialize) -> Result<Self, serde_json::Error> {
        let result = ToolResult::json(value)?;
        match result.structured() {
            Some(Value::Object(_)) => Ok(Self(result)),
            _ => serde_json::to_string(value).map(Self::text),
        }
    }
}

impl From<Answer> for ToolResult {
    fn from(answer: Answer) -> Self {
        answer.0
    }
}

impl From<Slice> for Answer {
    fn from(slice: Slice) -> Self {
        Self(slice.into())
    }
}

impl<T: Serialize> TryFrom<Page<T>> for Answer {
    /// A row that has no JSON form, such as a map whose keys are no strings.
    type Error = serde_json::Error;

    fn try_from(page: Page<T>) -> Result<Self, serde_json::Error> {
        page.try_into().map(Self)
    }
}

/// What becomes an answer: a [`Page`], a [`Slice`], a text, [`Json`] around any value that can be written, or an
/// [`Answer`].
///
/// ```
/// use frankly_contract::{Answer, IntoAnswer, Page};
///
/// assert_eq!("pong".into_answer()?, Answer::text("pong"));
/// assert_eq!(Page::all(vec![1, 2]).into_answer()?, Answer::try_from(Page::all(vec![1, 2]))?);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no answer of a tool",
    label = "neither a page, a slice, a text nor JSON",
    note = "wrap a value that can be written in `Json(…)`, and rows of a list in `Page::new(…)` or `Page::all(…)`"
)]
pub trait IntoAnswer {
    /// The answer.
    ///
    /// # Errors
    ///
    /// A value that has no JSON form, such as a map whose keys are no strings.
    fn into_answer(self) -> Result<Answer, serde_json::Error>;
}

/// A value that is sent as [`Answer::json`].
///
/// ```
/// use frankly_contract::{Answer, IntoAnswer, Json};
/// use serde_json::json;
///
/// assert_eq!(Json(json!({"total": 3})).into_answer()?, Answer::json(&json!({"total": 3}))?);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Json<T>(pub T);

impl IntoAnswer for Answer {
    fn into_answer(self) -> Result<Answer, serde_json::Error> {
        Ok(self)
    }
}

impl<T: Serialize> IntoAnswer for Json<T> {
    fn into_answer(self) -> Result<Answer, serde_json::Error> {
        Answer::json(&self.0)
    }
}

impl<T: Serialize> IntoAnswer for Page<T> {
    fn into_answer(self) -> Result<Answer, serde_json::Error> {
        self.try_into()
    }
}

impl IntoAnswer for Slice {
    fn into_answer(self) -> Result<Answer, serde_json::Error> {
        Ok(self.into())
    }
}

impl IntoAnswer for String {
    fn into_answer(self) -> Result<Answer, serde_json::Error> {
        Ok(Answer::text(self))
    }
}

impl IntoAnswer for &'static str {
    fn into_answer(self) -> Result<Answer, serde_json::Error> {
        Ok(Answer::text(self))
    }
}

impl IntoAnswer for Cow<'_, str> {
    fn into_answer(self) -> Result<Answer, serde_json::Error> {
        Ok(Answer::text(self))
    }
}
