//! What a tool may return. What may not enter: errors, which are the other side of its `Result`.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use crate::{Page, Slice, ToolResult};

/// What becomes a result: a [`Page`], a [`Slice`], a text, [`Json`] around any value that can be written, or a
/// [`ToolResult`] as it is.
///
/// ```
/// use frankly_contract::{IntoResult, Page, ToolResult};
///
/// assert_eq!("pong".into_result()?, ToolResult::text("pong"));
/// assert!(Page::all(vec![1, 2]).into_result()?.structured().is_some());
/// # Ok::<(), serde_json::Error>(())
/// ```
pub trait IntoResult {
    /// The result.
    ///
    /// # Errors
    ///
    /// A value that has no JSON form, such as a map whose keys are no strings.
    fn into_result(self) -> Result<ToolResult, serde_json::Error>;
}

/// A value that is sent as structured content, and as text for clients that read only that.
///
/// The protocol wants an object there, so another value is sent as text alone.
///
/// ```
/// use frankly_contract::{IntoResult, Json};
/// use serde_json::json;
///
/// assert_eq!(Json(json!({"total": 3})).into_result()?.structured(), Some(&json!({"total": 3})));
/// assert_eq!(Json(3).into_result()?.structured(), None);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Json<T>(pub T);

impl<T: Serialize> IntoResult for Json<T> {
    fn into_result(self) -> Result<ToolResult, serde_json::Error> {
        let result = ToolResult::json(&self.0)?;
        match result.structured() {
            Some(Value::Object(_)) => Ok(result),
            _ => serde_json::to_string(&self.0).map(ToolResult::text),
        }
    }
}

impl<T: Serialize> IntoResult for Page<T> {
    fn into_result(self) -> Result<ToolResult, serde_json::Error> {
        self.try_into()
    }
}

impl IntoResult for Slice {
    fn into_result(self) -> Result<ToolResult, serde_json::Error> {
        Ok(self.into())
    }
}

impl IntoResult for ToolResult {
    fn into_result(self) -> Result<ToolResult, serde_json::Error> {
        Ok(self)
    }
}

impl IntoResult for String {
    fn into_result(self) -> Result<ToolResult, serde_json::Error> {
        Ok(ToolResult::text(self))
    }
}

impl IntoResult for &'static str {
    fn into_result(self) -> Result<ToolResult, serde_json::Error> {
        Ok(ToolResult::text(self))
    }
}

impl IntoResult for Cow<'_, str> {
    fn into_result(self) -> Result<ToolResult, serde_json::Error> {
        Ok(ToolResult::text(self))
    }
}
