//! Definitions from one source.

use frankly_contract::ToolDef;
use serde_json::Value;

use crate::report::shorten;

/// The tools of one server or one file, in the order in which they were listed.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSet {
    /// The name of the server, or of the file.
    pub server: String,
    /// The definitions.
    pub tools: Vec<ToolDef>,
}

impl ToolSet {
    /// Reads a definition document in MCP form: a `tools/list` result, with or without its JSON-RPC
    /// envelope, any object with `tools`, or a bare array.
    ///
    /// # Errors
    ///
    /// [`NotAToolSet`] when the document has none of these shapes.
    pub fn from_document(server: &str, document: Value) -> Result<Self, NotAToolSet> {
        let tools = match document {
            Value::Array(tools) => tools,
            Value::Object(mut members) => match members.remove("tools") {
                Some(Value::Array(tools)) => tools,
                Some(_) => return Err(NotAToolSet::ToolsIsNoArray),
                None => match members.remove("result") {
                    Some(result @ Value::Object(_)) => return Self::from_document(server, result),
                    _ => return Err(NotAToolSet::NoTools),
                },
            },
            _ => return Err(NotAToolSet::NoTools),
        };
        if let Some(tool) = tools.first()
            && tool.get("inputSchema").is_none()
            && let Some(form) =
                ["function", "parameters", "input_schema"].into_iter().find(|key| tool.get(key).is_some())
        {
            return Err(NotAToolSet::OtherForm(form));
        }
        Ok(Self { server: server.to_owned(), tools: tools.into_iter().map(ToolDef::from_raw).collect() })
    }

    /// What a reader calls the tool at this position: its name, or its place where it has none. A name longer than
    /// any name is cut.
    #[must_use]
    pub fn label(&self, index: usize) -> String {
        const LONGEST_NAME: usize = 200;
        match self.tools.get(index).map(ToolDef::name) {
            Some(name) if !name.is_empty() => shorten(name, LONGEST_NAME),
            _ => format!("tools[{index}]"),
        }
    }
}

/// A document that holds no tool definitions that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAToolSet {
    /// Neither an array nor an object with `tools`.
    #[error("it is neither an array of tools nor an object with `tools`, such as a tools/list result")]
    NoTools,
    /// `tools` is there, but no array.
    #[error("its `tools` is not an array")]
    ToolsIsNoArray,
    /// The tools are defined for a model API rather than for MCP.
    #[error("its tools have `{0}` where MCP has `inputSchema`; only the MCP form is read")]
    OtherForm(&'static str),
}
