//! One tool under test: its good arguments, and a way to call it.

use std::sync::atomic::{AtomicUsize, Ordering};

use frankly_contract::{CallError, ToolCall, ToolDef, ToolResult, Tools};
use frankly_verdict::report::shorten;
use serde_json::{Map, Value};

use super::arguments;

/// How much of an error is shown.
const SHOWN_CHARS: usize = 200;

/// A tool with arguments to start from.
pub struct Bench<'a> {
    tools: &'a dyn Tools,
    tool: &'a ToolDef,
    examples: &'a [Map<String, Value>],
    /// How many calls in a row were not answered in time, also on other tools of the server.
    silence: &'a AtomicUsize,
}

impl<'a> Bench<'a> {
    /// A bench for one tool; `examples` are arguments that the user knows to be good.
    pub fn new(
        tools: &'a dyn Tools,
        tool: &'a ToolDef,
        examples: &'a [Map<String, Value>],
        silence: &'a AtomicUsize,
    ) -> Self {
        Self { tools, tool, examples, silence }
    }

    /// The definition.
    pub fn tool(&self) -> &ToolDef {
        self.tool
    }

    /// The best arguments there are: the user's first example, else what the schema offers.
    pub fn good_arguments(&self) -> Map<String, Value> {
        self.examples.first().cloned().unwrap_or_else(|| arguments::generate(self.tool))
    }

    /// Calls the tool; the error says, as the end of a sentence, why there is no good answer.
    pub async fn call(&self, arguments: &Map<String, Value>) -> Result<ToolResult, String> {
        let call = ToolCall::new(self.tool.name(), arguments.clone());
        let result = self.tools.call(call).await;
        match result {
            Err(CallError::TimedOut) => self.silence.fetch_add(1, Ordering::Relaxed),
            _ => self.silence.swap(0, Ordering::Relaxed),
        };
        result.map_err(|error| {
            let advice = match &error {
                CallError::Tool(_) | CallError::Protocol { .. } if self.examples.is_empty() => {
                    format!(
                        "; give arguments that work as tools.{}.examples of the server in frankly.toml",
                        self.tool.name()
                    )
                }
                _ => String::new(),
            };
            format!("{}{advice}", shorten(&error.to_string(), SHOWN_CHARS))
        })
    }
}
