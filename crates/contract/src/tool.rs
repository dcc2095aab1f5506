//! Tools as an agent meets them: definitions, calls, results, and the trait they move through.
//!
//! Definitions and results keep their raw JSON, unknown and misshapen members included: what a lenient
//! reader drops is exactly what a checker looks for. What may not enter: how they travel.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::ToolError;

/// A boxed future, so that [`Tools`] can be used as `dyn Tools` on any executor.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A tool's definition, as listed: the raw object with typed views of the members that matter.
///
/// ```
/// use frankly_contract::ToolDef;
/// use serde_json::json;
///
/// let tool = ToolDef::new("ping", "Answers pong. Use it to test the connection.", json!({"type": "object"}));
/// assert_eq!(tool.name(), "ping");
/// assert_eq!(tool.annotation("readOnlyHint"), None);
/// ```
///
/// A clone shares what was listed, which may be large.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDef {
    raw: Arc<Value>,
}

/// As it was listed.
impl Serialize for ToolDef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.raw.serialize(serializer)
    }
}

impl ToolDef {
    /// A definition with its name, description and input schema.
    #[must_use]
    pub fn new(name: impl Into<String>, description: impl Into<String>, input_schema: Value) -> Self {
        let (name, description) = (name.into(), description.into());
        Self::from_raw(json!({ "name": name, "description": description, "inputSchema": input_schema }))
    }

    /// A definition as it was listed, right or wrong; one that is no object has nothing in it.
    ///
    /// ```
    /// use frankly_contract::ToolDef;
    /// use serde_json::json;
    ///
    /// let tool = ToolDef::from_raw(json!({"name": "ping", "description": 7, "outputSchema": true}));
    /// assert_eq!((tool.name(), tool.description()), ("ping", ""));
    /// assert_eq!(tool.output_schema(), Some(&json!(true)));
    /// ```
    #[must_use]
    pub fn from_raw(raw: Value) -> Self {
        Self { raw: Arc::new(raw) }
    }

    /// The definition as it was listed.
    #[must_use]
    pub fn raw(&self) -> &Value {
        &self.raw
    }

    /// The name; empty when it is missing or no string.
    #[must_use]
    pub fn name(&self) -> &str {
        self.raw.get("name").and_then(Value::as_str).unwrap_or_default()
    }

    /// The description; empty when it is missing or no string.
    #[must_use]
    pub fn description(&self) -> &str {
        self.raw.get("description").and_then(Value::as_str).unwrap_or_default()
    }

    /// The input schema, whatever its type.
    #[must_use]
    pub fn input_schema(&self) -> Option<&Value> {
        self.raw.get("inputSchema")
    }

    /// The output schema, whatever its type.
    #[must_use]
    pub fn output_schema(&self) -> Option<&Value> {
        self.raw.get("outputSchema")
    }

    /// A boolean hint among the annotations, such as `readOnlyHint`; one of another type is none.
    #[must_use]
    pub fn annotation(&self, hint: &str) -> Option<bool> {
        self.raw.get("annotations")?.get(hint)?.as_bool()
    }

    /// The properties of the input schema: by name, or as they were listed when the feature `preserve_order` of
    /// `serde_json` is on.
    ///
    /// ```
    /// use frankly_contract::ToolDef;
    /// use serde_json::json;
    ///
    /// let schema = json!({"properties": {"limit": {"type": "integer"}}, "required": ["limit"]});
    /// let tool = ToolDef::new("list", "Lists.", schema);
    /// assert_eq!(tool.parameters().next(), Some(("limit", &json!({"type": "integer"}))));
    /// assert!(tool.required().eq(["limit"]));
    /// ```
    pub fn parameters(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.input_schema()
            .and_then(|schema| schema.get("properties"))
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .map(|(name, schema)| (name.as_str(), schema))
    }

    /// The names under `required` of the input schema; what is no string is passed over.
    pub fn required(&self) -> impl Iterator<Item = &str> {
        self.input_schema()
            .and_then(|schema| schema.get("required"))
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
    }
}

/// A call: which tool, with which arguments.
///
/// ```
/// use frankly_contract::ToolCall;
/// use serde_json::{Map, json};
///
/// let call = ToolCall::new("list", Map::from_iter([("limit".to_owned(), json!(5))]));
/// assert_eq!(json!(call), json!({"name": "list", "arguments": {"limit": 5}}));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ToolCall {
    /// The name as asked for.
    pub name: String,
    /// The arguments object.
    pub arguments: Map<String, Value>,
}

impl ToolCall {
    /// A call of `name` with these arguments.
    #[must_use]
    pub fn new(name: impl Into<String>, arguments: Map<String, Value>) -> Self {
        Self { name: name.into(), arguments }
    }
}

/// What a tool answered: an MCP `tools/call` result, raw.
///
/// This is the type of the wire, and can hold whatever came over one: data, an error, or both. What tells data from
/// errors is the type that a tool returns: an `Answer` (feature `registry`), a [`Page`](crate::Page) or a
/// [`Slice`](crate::Slice), or else a [`ToolError`](crate::ToolError).
///
/// ```
/// use frankly_contract::ToolResult;
/// use serde_json::json;
///
/// let result = ToolResult::json(&json!({"n": 262}))?;
/// assert_eq!(result.structured(), Some(&json!({"n": 262})));
/// assert_eq!(result.texts().collect::<Vec<_>>(), [(0, r#"{"n":262}"#)]);
/// assert!(!result.is_error() && ToolResult::failure("no such file").is_error());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct ToolResult {
    raw: Map<String, Value>,
}

impl ToolResult {
    /// A successful result whose content is one text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::texts_of([text.into()])
    }

    /// A successful result whose content is several texts.
    pub(crate) fn texts_of<const N: usize>(texts: [String; N]) -> Self {
        let blocks = texts.map(|text| json!({"type": "text", "text": text}));
        Self::from_raw(Map::from_iter([("content".to_owned(), Value::from(blocks.to_vec()))]))
    }

    /// A successful result with structured content, and its text copy for clients that read only text, as
    /// the protocol recommends. The text keeps the order in which the value writes its members. The protocol
    /// asks for an object there: another value is taken as it is, and clients may refuse it.
    ///
    /// # Errors
    ///
    /// A value that has no JSON form, such as a map whose keys are no strings.
    pub fn json(structured: &impl Serialize) -> Result<Self, serde_json::Error> {
        let mut result = Self::text(serde_json::to_string(structured)?);
        result.raw.insert("structuredContent".to_owned(), serde_json::to_value(structured)?);
        Ok(result)
    }

    /// A result flagged as an error whose content is one text; see [`ToolError`](crate::ToolError) for an
    /// error that always has a next step.
    #[must_use]
    pub fn failure(text: impl Into<String>) -> Self {
        let mut result = Self::text(text);
        result.raw.insert("isError".to_owned(), Value::Bool(true));
        result
    }

    /// A result as it came.
    #[must_use]
    pub fn from_raw(raw: Map<String, Value>) -> Self {
        Self { raw }
    }

    pub(crate) fn with_member_of_meta(mut self, name: &str, value: Value) -> Self {
        match self.raw.get_mut("_meta").and_then(Value::as_object_mut) {
            Some(meta) => {
                meta.insert(name.to_owned(), value);
            }
            None => {
                self.raw.insert("_meta".to_owned(), json!({ name: value }));
            }
        }
        self
    }

    /// The result as it came.
    #[must_use]
    pub fn raw(&self) -> &Map<String, Value> {
        &self.raw
    }

    /// The result as it came, taken out.
    ///
    /// ```
    /// use frankly_contract::ToolResult;
    /// use serde_json::{Value, json};
    ///
    /// let raw = ToolResult::text("pong").into_raw();
    /// assert_eq!(Value::Object(raw), json!({"content": [{"type": "text", "text": "pong"}]}));
    /// ```
    #[must_use]
    pub fn into_raw(self) -> Map<String, Value> {
        self.raw
    }

    /// Whether the result is flagged as an error. An absent flag means success, and so does one that is no
    /// boolean.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.raw.get("isError").and_then(Value::as_bool).unwrap_or(false)
    }

    /// The structured content, if there is any.
    #[must_use]
    pub fn structured(&self) -> Option<&Value> {
        self.raw.get("structuredContent")
    }

    /// The text blocks of the content, each with its index among all blocks.
    pub fn texts(&self) -> impl Iterator<Item = (usize, &str)> {
        self.raw
            .get("content")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .enumerate()
            .filter(|(_, block)| block.get("type").and_then(Value::as_str) == Some("text"))
            .filter_map(|(index, block)| Some((index, block.get("text")?.as_str()?)))
    }
}

impl TryFrom<Value> for ToolResult {
    type Error = MalformedResult;

    fn try_from(value: Value) -> Result<Self, MalformedResult> {
        match value {
            Value::Object(raw) => Ok(Self { raw }),
            _ => Err(MalformedResult),
        }
    }
}

/// A `tools/call` answer whose result is not a JSON object.
///
/// ```
/// use frankly_contract::{MalformedResult, ToolResult};
/// use serde_json::json;
///
/// assert_eq!(ToolResult::try_from(json!("pong")).unwrap_err().to_string(), "the result is not a JSON object");
/// let error: Option<MalformedResult> = ToolResult::try_from(json!({"content": []})).err();
/// assert!(error.is_none());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the result is not a JSON object")]
#[non_exhaustive]
pub struct MalformedResult;

/// Why a call has no successful result.
///
/// ```
/// use frankly_contract::{CallError, ToolResult};
///
/// let error = CallError::Tool(ToolResult::failure("no such file"));
/// assert_eq!(error.to_string(), "the tool failed: no such file");
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// The tool ran and says that it failed: a result with `isError: true`.
    #[error("the tool failed: {}", first_text(.0))]
    Tool(ToolResult),
    /// The peer refused the request itself: a JSON-RPC error.
    #[error("protocol error {code}: {message}")]
    Protocol {
        /// The JSON-RPC error code.
        code: i64,
        /// The JSON-RPC error message.
        message: String,
        /// Whatever the error carried under `data`.
        data: Option<Value>,
    },
    /// An answer came, but it is not one the protocol allows.
    #[error("malformed reply: {0}")]
    Malformed(String),
    /// No answer came in time.
    #[error("no answer in time")]
    TimedOut,
    /// The caller gave up.
    #[error("cancelled")]
    Cancelled,
    /// The peer is gone, and this is what it did, such as "closed its output".
    #[error("the peer {0}")]
    PeerGone(String),
}

/// Something that offers tools: a session with a server, a registry, a recording; or a wrapper around one.
///
/// ```
/// use frankly_contract::{BoxFuture, CallError, ToolCall, ToolDef, ToolResult, Tools};
/// use serde_json::json;
///
/// struct Ping;
///
/// impl Tools for Ping {
///     fn list(&self) -> BoxFuture<'_, Result<Vec<ToolDef>, CallError>> {
///         Box::pin(async { Ok(vec![ToolDef::new("ping", "Answers pong.", json!({"type": "object"}))]) })
///     }
///     fn call(&self, _call: ToolCall) -> BoxFuture<'_, Result<ToolResult, CallError>> {
///         Box::pin(async { Ok(ToolResult::text("pong")) })
///     }
/// }
/// ```
pub trait Tools: Send + Sync {
    /// Every tool on offer, all pages of it.
    ///
    /// # Errors
    ///
    /// Any [`CallError`] but [`CallError::Tool`].
    fn list(&self) -> BoxFuture<'_, Result<Vec<ToolDef>, CallError>>;

    /// Calls a tool once.
    ///
    /// # Errors
    ///
    /// [`CallError::Tool`] when the tool says that it failed, else why there is no answer.
    fn call(&self, call: ToolCall) -> BoxFuture<'_, Result<ToolResult, CallError>>;
}

impl CallError {
    /// JSON-RPC's code for a fault of the server.
    pub(crate) const INTERNAL: i64 = -32603;

    /// A fault of who runs the tools: nothing in the call can mend it.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::Protocol { code: Self::INTERNAL, message: message.into(), data: None }
    }
}

/// What the tool says of its own failure, as a result that is flagged as an error.
///
/// ```
/// use frankly_contract::{CallError, Code, ToolError};
///
/// let busy = ToolError::new(Code::Transient, "the bank is busy", "");
/// assert_eq!(CallError::from(busy.clone()), CallError::Tool(busy.into()));
/// ```
impl From<ToolError> for CallError {
    fn from(error: ToolError) -> Self {
        Self::Tool(error.into())
    }
}

impl<T: Tools + ?Sized> Tools for &T {
    fn list(&self) -> BoxFuture<'_, Result<Vec<ToolDef>, CallError>> {
        (**self).list()
    }

    fn call(&self, call: ToolCall) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        (**self).call(call)
    }
}

impl<T: Tools + ?Sized> Tools for Box<T> {
    fn list(&self) -> BoxFuture<'_, Result<Vec<ToolDef>, CallError>> {
        (**self).list()
    }

    fn call(&self, call: ToolCall) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        (**self).call(call)
    }
}

impl<T: Tools + ?Sized> Tools for Arc<T> {
    fn list(&self) -> BoxFuture<'_, Result<Vec<ToolDef>, CallError>> {
        (**self).list()
    }

    fn call(&self, call: ToolCall) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        (**self).call(call)
    }
}

fn first_text(result: &ToolResult) -> &str {
    result.texts().next().map_or("no text", |(_, text)| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_misshapen_has_nothing_in_it_and_stays_as_it_came() {
        for raw in [
            json!(null),
            json!("ping"),
            json!({"name": 1, "description": [], "annotations": {"readOnlyHint": "true"}}),
            json!({"inputSchema": {"properties": [], "required": {"limit": true}}, "annotations": true}),
            json!({"inputSchema": false}),
        ] {
            let tool = ToolDef::from_raw(raw.clone());
            assert_eq!((tool.name(), tool.description()), ("", ""), "{raw}");
            assert_eq!((tool.parameters().count(), tool.required().count()), (0, 0), "{raw}");
            assert_eq!(tool.annotation("readOnlyHint"), None, "{raw}");
            assert_eq!(tool.raw(), &raw);
        }
    }

    #[test]
    fn only_true_flags_an_error() {
        for (flag, is_error) in [(json!(true), true), (json!(false), false), (json!("true"), false)] {
            let result = ToolResult::try_from(json!({ "isError": flag })).unwrap();
            assert_eq!(result.is_error(), is_error, "{flag}");
        }
        assert!(!ToolResult::text("pong").is_error());
        assert_eq!(ToolResult::try_from(json!([])), Err(MalformedResult));
    }

    #[test]
    fn a_text_keeps_its_place_among_all_blocks() {
        let content =
            json!([{"type": "image", "text": "no"}, {"type": "text"}, 7, {"type": "text", "text": "yes"}]);
        let result = ToolResult::try_from(json!({ "content": content })).unwrap();
        assert_eq!(result.texts().collect::<Vec<_>>(), [(3, "yes")]);
        assert_eq!(CallError::Tool(result).to_string(), "the tool failed: yes");
        assert_eq!(CallError::Tool(ToolResult::from_raw(Map::new())).to_string(), "the tool failed: no text");
    }

    #[test]
    fn meta_that_is_no_object_is_replaced() {
        let result = ToolResult::try_from(json!({"_meta": 7})).unwrap().with_member_of_meta("a", json!(1));
        assert_eq!(result.raw()["_meta"], json!({"a": 1}));
    }
}
