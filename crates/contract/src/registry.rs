//! Tools in process: defined, listed, and called only with arguments that fit. What may not enter: an executor, and
//! any repair of arguments.

mod answer;
mod arguments;
mod closed;
mod definition;
mod derived;
mod effort;
mod expected;
mod promise;
mod reader;
mod sent;
mod sentence;
mod tool;
mod unread;
mod violation;

use std::fmt;

use crate::shown::{known_name, shown};
use crate::{BoxFuture, CallError, ToolCall, ToolDef, ToolResult, Tools, nearest};

use arguments::Arguments;
use promise::Promise;
use tool::Handler;

pub use answer::{Answer, IntoAnswer, Json};
pub use definition::InvalidTool;
pub use tool::{NoArguments, Tool};

/// JSON-RPC's code for parameters that do not fit, which MCP prescribes for an unknown tool.
const INVALID_PARAMS: i64 = -32602;

/// So many names are listed in a message.
const NAMES: usize = 20;

/// Tools in process, in the order in which they were added.
///
/// Arguments are held against the very schema that is listed before a tool runs. What does not fit is refused with
/// one `INVALID_ARGS` error that names every violation; nothing is converted or dropped in silence. An unknown
/// tool is a protocol error that names the nearest one. An answer that does not fit the output schema that is listed
/// is none either: it is the protocol's internal error, since nothing an agent can do mends it.
///
/// A tool that panics panics in whoever polls its future: the registry does not catch it, since nobody could say in
/// what state it leaves the tool's own data. Servers that spawn a task per call answer with an internal error then.
///
/// ```
/// use frankly_contract::{Code, Json, Registry, Tool, ToolCall, ToolError, Tools};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
/// use serde_json::{Map, json};
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Total {
///     /// Exact category name, e.g. Dining.
///     category: String,
/// }
///
/// let mut registry = Registry::new();
/// registry.add(
///     Tool::typed("total_spent", "Adds up one category. Example: {\"category\": \"Dining\"}.", |total: Total| async move {
///         if total.category != "Dining" {
///             let what = format!("no category is named `{}`", total.category);
///             return Err(ToolError::new(Code::NotFound, what, "call list_categories for the names"));
///         }
///         Ok(Json(json!({"total": 2752.25})))
///     })
///     .read_only(),
/// )?;
///
/// let call = |arguments: serde_json::Value| {
///     let arguments = arguments.as_object().cloned().unwrap_or_default();
///     pollster::block_on(registry.call(ToolCall::new("total_spent", arguments)))
/// };
/// assert_eq!(call(json!({"category": "Dining"}))?.structured(), Some(&json!({"total": 2752.25})));
/// assert_eq!(
///     call(json!({"catgory": "Dining"})).unwrap_err().to_string(),
///     "the tool failed: INVALID_ARGS: 2 things do not fit: total_spent was called without `category`; \
///      total_spent has no argument `catgory` (did you mean `category`?). \
///      Next: call it again with `category`, which is a string; rename or leave out `catgory`: the \
///      only argument of total_spent is `category`."
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Registry {
    tools: Vec<Entry>,
}

struct Entry {
    definition: ToolDef,
    arguments: Arguments,
    promise: Option<Promise>,
    run: Handler,
}

impl Registry {
    /// A registry without tools.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool.
    ///
    /// # Errors
    ///
    /// An [`InvalidTool`] for a definition that could not be listed or enforced as it is: nothing is found out only
    /// when an agent calls.
    ///
    /// ```
    /// use frankly_contract::{Registry, Tool, ToolDef};
    /// use serde_json::json;
    ///
    /// let typo = ToolDef::new("ping", "Answers pong.", json!({"type": "object", "properties": {"n": {"type": "int"}}}));
    /// let mut registry = Registry::new();
    /// let error = registry.add(Tool::with_definition(typo, |_| async { Ok("pong") })).unwrap_err();
    /// assert!(error.to_string().starts_with("the input schema of `ping` is wrong at /properties/n/type: "));
    /// ```
    pub fn add(&mut self, tool: Tool) -> Result<&mut Self, InvalidTool> {
        let (definition, run) = tool.into_parts();
        let definition::Checked { definition, arguments, promise } = definition::check(definition)?;
        if self.entry(definition.name()).is_some() {
            return Err(InvalidTool::Duplicate { name: definition.name().to_owned() });
        }
        self.tools.push(Entry { definition, arguments, promise, run });
        Ok(self)
    }

    /// The definitions as they are listed: their schemas closed, as they are enforced.
    pub fn definitions(&self) -> impl Iterator<Item = &ToolDef> {
        self.tools.iter().map(|entry| &entry.definition)
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.tools.iter().find(|entry| entry.definition.name() == name)
    }

    fn unknown(&self, name: &str) -> CallError {
        let names = || self.definitions().map(ToolDef::name);
        let meant = nearest(name, names());
        let hint = meant.map_or(".".to_owned(), |meant| format!("; did you mean {}?", known_name(meant)));
        let mut listed: Vec<String> = names().take(NAMES).map(known_name).collect();
        if self.tools.len() > NAMES {
            listed.push(format!("{} more", self.tools.len() - NAMES));
        }
        let known = if listed.is_empty() { "there are none".to_owned() } else { listed.join(", ") };
        CallError::Protocol {
            code: INVALID_PARAMS,
            message: format!("no tool is named {}{hint} The tools: {known}", shown(name)),
            data: meant.map(|meant| serde_json::json!({ "did_you_mean": meant })),
        }
    }
}

impl Tools for Registry {
    fn list(&self) -> BoxFuture<'_, Result<Vec<ToolDef>, CallError>> {
        Box::pin(async { Ok(self.definitions().cloned().collect()) })
    }

    fn call(&self, call: ToolCall) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async move {
            let entry = self.entry(&call.name).ok_or_else(|| self.unknown(&call.name))?;
            let arguments = entry.arguments.check(call.arguments)?;
            let result = (entry.run)(arguments).await?;
            match &entry.promise {
                Some(promise) => promise.kept(result).map_err(CallError::internal),
                None => Ok(result),
            }
        })
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.definitions().map(ToolDef::name)).finish()
    }
}
