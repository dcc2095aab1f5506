//! Definitions from one source.

mod form;

pub use form::Form;

use frankly_contract::ToolDef;
use serde_json::Value;

use crate::report::shorten;

/// The tools of one server or one file, in the order in which they were listed.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSet {
    /// The name of the server, or of the file.
    pub server: String,
    /// What the server says about itself and its tools as a whole; clients may hand it to the model, or not.
    pub instructions: String,
    /// The definitions.
    pub tools: Vec<ToolDef>,
}

impl ToolSet {
    /// The tools of a server that says nothing beside them.
    ///
    /// ```
    /// use frankly_verdict::ToolSet;
    ///
    /// let set = ToolSet { instructions: "Times are UTC.".to_owned(), ..ToolSet::new("clock", Vec::new()) };
    /// assert_eq!(set.server, "clock");
    /// ```
    #[must_use]
    pub fn new(server: &str, tools: Vec<ToolDef>) -> Self {
        Self { server: server.to_owned(), instructions: String::new(), tools }
    }

    /// Reads a definition document in any [`Form`]; what [`Definitions`] tells beside the tools is left out.
    ///
    /// # Errors
    ///
    /// [`NotAToolSet`] when the document has none of the shapes that [`Definitions::from_document`] reads.
    pub fn from_document(server: &str, document: Value) -> Result<Self, NotAToolSet> {
        Definitions::from_document(server, document).map(|definitions| definitions.tools)
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

/// A definition document: its tools, in MCP form, and how they were written.
#[derive(Debug, Clone, PartialEq)]
pub struct Definitions {
    /// The tools.
    pub tools: ToolSet,
    /// How each of them was written, in the same order.
    pub forms: Vec<Form>,
    /// What the document lists beside them: tools that the model's provider defines and runs, by their type or name.
    pub provided: Vec<String>,
}

impl Definitions {
    /// Reads a definition document: a `tools/list` result, with or without its JSON-RPC envelope, any object with
    /// `tools`, such as a request to a model, a bare array, or one definition by itself.
    ///
    /// ```
    /// use frankly_verdict::{Definitions, Form};
    ///
    /// let document = serde_json::json!([{"type": "function", "function": {"name": "now", "description": "Reads the clock."}}]);
    /// let read = Definitions::from_document("tools.json", document)?;
    /// assert_eq!((read.tools.tools[0].name(), read.forms[0]), ("now", Form::Chat));
    /// assert_eq!(read.pointer_as_written("now", "/description"), "/function/description");
    /// # Ok::<(), frankly_verdict::NotAToolSet>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NotAToolSet`] when the document has none of these shapes.
    pub fn from_document(server: &str, document: Value) -> Result<Self, NotAToolSet> {
        let (mut tools, mut forms, mut provided) = (Vec::new(), Vec::new(), Vec::new());
        let Listed { definitions, instructions } = listed(document)?;
        for definition in definitions {
            let Some(form) = Form::of(&definition) else {
                provided.push(form::provided_name(&definition));
                continue;
            };
            forms.push(form);
            tools.push(ToolDef::from_raw(form.into_mcp(definition)));
        }
        Ok(Self { tools: ToolSet { instructions, ..ToolSet::new(server, tools) }, forms, provided })
    }

    /// A pointer of a finding about the tool of this label, as it leads into the definition that was written.
    #[must_use]
    pub fn pointer_as_written(&self, label: &str, pointer: &str) -> String {
        let form = self.forms.iter().enumerate().find(|(index, _)| self.tools.label(*index) == label);
        form.map_or_else(|| pointer.to_owned(), |(_, form)| form.pointer(pointer))
    }
}

/// A document's definitions, as they were written, and what it says beside them.
#[derive(Default)]
struct Listed {
    definitions: Vec<Value>,
    instructions: String,
}

fn listed(document: Value) -> Result<Listed, NotAToolSet> {
    let mut members = match document {
        Value::Array(definitions) => return Ok(Listed { definitions, ..Listed::default() }),
        Value::Object(members) => members,
        _ => return Err(NotAToolSet::NoTools),
    };
    match members.remove("tools") {
        Some(Value::Array(definitions)) => {
            let instructions = members.get("instructions").and_then(Value::as_str).unwrap_or_default();
            Ok(Listed { definitions, instructions: instructions.to_owned() })
        }
        Some(_) => Err(NotAToolSet::ToolsIsNoArray),
        None => match members.remove("result") {
            Some(result @ Value::Object(_)) => listed(result),
            _ if form::is_one(&members) => {
                Ok(Listed { definitions: vec![Value::Object(members)], ..Listed::default() })
            }
            _ => Err(NotAToolSet::NoTools),
        },
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
}
