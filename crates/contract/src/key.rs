//! Which call a repeated call repeats: where its key is, and what it asks for without it. What may not enter: what has been called
//! before.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::{RunContext, ToolCall};

/// Names of arguments that make a call the same call, without case and punctuation.
const NAMES: &[&str] = &[
    "clientrequestid", "clienttoken", "dedupid", "dedupekey", "dedupkey", "deduplicationid",
    "idempotencekey", "idempotencyid", "idempotencykey", "idempotencytoken", "requestid", "requestkey",
];
/// What is longer is none of them.
const LONGEST: usize = 64;

/// Whether an argument with this name makes a repeated call the same call, however it is written.
///
/// ```
/// use frankly_contract::is_idempotency_key;
///
/// assert!(is_idempotency_key("idempotency_key") && is_idempotency_key("clientRequestId"));
/// assert!(!is_idempotency_key("key"));
/// ```
#[must_use]
pub fn is_idempotency_key(name: &str) -> bool {
    let letters =
        name.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| char::from(byte.to_ascii_lowercase()));
    name.len() <= LONGEST && name.is_ascii() && NAMES.contains(&letters.collect::<String>().as_str())
}

/// The argument that is called like an idempotency key, and what it says; `None` where there is none, or it says nothing.
///
/// ```
/// use frankly_contract::key_among;
/// use serde_json::json;
///
/// let arguments = json!({"amount": 5, "idempotency_key": "k-1"});
/// assert_eq!(key_among(arguments.as_object().unwrap()), Some(("idempotency_key", "k-1".to_owned())));
/// ```
#[must_use]
pub fn key_among(arguments: &Map<String, Value>) -> Option<(&str, String)> {
    let (name, value) = arguments.iter().find(|(name, _)| is_idempotency_key(name))?;
    Some((name, written(value)?))
}

/// Where the idempotency keys of calls are found, for whoever has to tell a repeated call from another one.
///
/// It is the argument that is called like one, such as `idempotency_key` or `clientRequestId`, or else the run's. For a tool that
/// calls it otherwise [`Keys::keyed_by`] names the argument.
///
/// ```
/// use frankly_contract::{Keys, RunContext, ToolCall};
/// use serde_json::json;
///
/// let keys = Keys::default().keyed_by("charge", "reference");
/// let call = |tool: &str, arguments: serde_json::Value| {
///     ToolCall::new(tool, arguments.as_object().cloned().unwrap_or_default())
/// };
/// let key = |call: &ToolCall, run: Option<&RunContext>| keys.read(call, run).key;
///
/// let run = RunContext::new("acme", "u_7", "run-1")?.with_idempotency_key("run-1/step-2")?;
/// assert_eq!(key(&call("refund", json!({})), Some(&run)).as_deref(), Some("run-1/step-2"));
/// assert_eq!(key(&call("refund", json!({"idempotency_key": "k-1"})), Some(&run)).as_deref(), Some("k-1"));
/// assert_eq!(key(&call("charge", json!({"reference": 7})), Some(&run)).as_deref(), Some("7"));
/// assert_eq!(key(&call("charge", json!({})), Some(&run)), None);
/// # Ok::<(), frankly_contract::InvalidContext>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Keys {
    /// The argument of each tool that has one of its own.
    arguments: BTreeMap<String, String>,
}

/// A call's key, and what is asked for without it.
///
/// ```
/// use frankly_contract::{Keyed, Keys, ToolCall};
/// use serde_json::json;
///
/// let arguments = json!({"amount": 5, "idempotency_key": "k-1"});
/// let call = ToolCall::new("charge", arguments.as_object().cloned().unwrap());
/// let Keyed { key, arguments, .. } = Keys::default().read(&call, None);
/// assert_eq!((key.as_deref(), arguments.len()), (Some("k-1"), 1));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Keyed<'a> {
    /// The key; a blank one is none.
    pub key: Option<String>,
    /// The arguments but for the key, where it is among them.
    pub arguments: Cow<'a, Map<String, Value>>,
}

impl Keys {
    /// The same, where this argument of this tool is its key, and nothing else is: a call without it has none, whatever its run
    /// says.
    #[must_use]
    pub fn keyed_by(mut self, tool: impl Into<String>, argument: impl Into<String>) -> Self {
        self.arguments.insert(tool.into(), argument.into());
        self
    }

    /// Reads the key of a call that is made in this run.
    #[must_use]
    pub fn read<'a>(&self, call: &'a ToolCall, run: Option<&RunContext>) -> Keyed<'a> {
        let of_run = || run.and_then(RunContext::idempotency_key).map(str::to_owned);
        let (name, key) = match self.arguments.get(&call.name) {
            Some(name) => (Some(name.as_str()), call.arguments.get(name).and_then(written)),
            None => match key_among(&call.arguments) {
                Some((name, key)) => (Some(name), Some(key)),
                None => (None, of_run()),
            },
        };
        let mut arguments = Cow::Borrowed(&call.arguments);
        if let Some(name) = name.filter(|name| call.arguments.contains_key(*name)) {
            arguments.to_mut().remove(name);
        }
        Keyed { key, arguments }
    }
}

fn written(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
        other => Some(other.to_string()),
    }
}
