//! Definitions from one source.

mod edit;
mod form;
mod place;

pub use form::Form;

use std::collections::HashMap;

use frankly_contract::ToolDef;
use serde_json::{Value, json};

use crate::lint::fix::Repaired;
use crate::report::shorten;
use crate::transcript::{parse_strictly, read_json};
use crate::{Finding, Place};

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

    /// The tools as a document that [`Definitions::from_document`] reads, with their final line end: to be compared with later
    /// ones.
    ///
    /// ```
    /// use frankly_verdict::ToolSet;
    ///
    /// let set = ToolSet::from_document("shop", serde_json::json!([{"name": "get", "inputSchema": {}}])).unwrap();
    /// let again = ToolSet::from_document("shop", serde_json::from_str(&set.to_document())?).unwrap();
    /// assert_eq!(again, set);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn to_document(&self) -> String {
        let tools: Vec<&Value> = self.tools.iter().map(ToolDef::raw).collect();
        let document = json!({
            "frankly": "tools", "version": 1, "server": self.server, "instructions": self.instructions, "tools": tools,
        });
        // The document is made of texts and JSON values, none of which can fail to be written.
        serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
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
    pub written: Vec<Written>,
    /// What the document lists beside them: tools that the model's provider defines and runs, by their type or name.
    pub provided: Vec<String>,
    /// The document itself, without a byte order mark; empty where only its value was read.
    pub text: String,
}

/// How a definition was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// In which form.
    pub form: Form,
    /// Where in the document, as a JSON pointer.
    pub pointer: String,
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
    /// assert_eq!((read.tools.tools[0].name(), read.written[0].form), ("now", Form::Chat));
    /// assert_eq!(read.written[0].pointer, "/0");
    /// # Ok::<(), frankly_verdict::NotAToolSet>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NotAToolSet`] when the document has none of these shapes.
    pub fn from_document(server: &str, document: Value) -> Result<Self, NotAToolSet> {
        let (mut tools, mut written, mut provided) = (Vec::new(), Vec::new(), Vec::new());
        let Listed { definitions, instructions, pointer, is_one } = listed(document)?;
        if definitions.len() > MOST_DEFINITIONS {
            return Err(NotAToolSet::TooMany { count: definitions.len() });
        }
        for (index, definition) in definitions.into_iter().enumerate() {
            let Some(form) = Form::of(&definition) else {
                provided.push(form::provided_name(&definition));
                continue;
            };
            let pointer = if is_one { pointer.clone() } else { format!("{pointer}/{index}") };
            written.push(Written { form, pointer });
            tools.push(ToolDef::from_raw(form.into_mcp(definition)));
        }
        let tools = ToolSet { instructions, ..ToolSet::new(server, tools) };
        Ok(Self { tools, written, provided, text: String::new() })
    }

    /// The same, with the text that the document was read from, so that findings can say where they stand in it.
    #[must_use]
    pub fn with_text(self, text: String) -> Self {
        Self { text, ..self }
    }

    /// Says of the findings about these tools where they stand in the document: their pointers lead into the definitions
    /// as they were written, whatever their form, and have line and column where the text is known.
    ///
    /// ```
    /// use frankly_verdict::Definitions;
    /// use frankly_verdict::lint::{Audience, lint_all};
    ///
    /// let text = "[\n  {\"name\": \"now\", \"input_schema\": {\"type\": \"objekt\"}}\n]";
    /// let read = Definitions::from_document("a.json", serde_json::from_str(text)?)?.with_text(text.to_owned());
    /// let mut findings = lint_all(&[read.tools.clone()], &Audience::default());
    /// read.place(&mut findings);
    /// let wrong_type = findings.iter().find(|finding| finding.rule == "bad-schema").unwrap();
    /// let place = wrong_type.place.as_ref().unwrap();
    /// assert_eq!((wrong_type.pointer.as_str(), place.line, place.column), ("/input_schema/type", 2, 36));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn place(&self, findings: &mut [Finding]) {
        let by_label: HashMap<String, &Written> = self
            .written
            .iter()
            .enumerate()
            .rev()
            .map(|(at, written)| (self.tools.label(at), written))
            .collect();
        let (mut here, mut pointers) = (Vec::new(), Vec::new());
        for finding in findings.iter_mut().filter(|finding| finding.server == self.tools.server) {
            let written = finding.definition.and_then(|at| self.written.get(at));
            let Some(written) = written.or_else(|| by_label.get(&finding.tool).copied()) else { continue };
            finding.pointer = written.form.pointer(&finding.pointer);
            pointers.push(format!("{}{}", written.pointer, finding.pointer));
            here.push(finding);
        }
        if self.text.is_empty() {
            return;
        }
        let places = place::places(&self.text, pointers.iter().map(String::as_str));
        for (finding, pointer) in here.into_iter().zip(&pointers) {
            let nearest = place::nearest(&places, pointer);
            let file = &self.tools.server;
            finding.place = nearest.map(|(line, column)| Place { file: file.clone(), line, column });
        }
    }

    /// The text of the document with these repairs in it, and every other byte as it was.
    ///
    /// # Errors
    ///
    /// [`NotMended`] when the text does not read as it should after that, which would be a fault of the repair.
    pub fn mended(&self, repairs: &[Repaired]) -> Result<String, NotMended> {
        if repairs.is_empty() {
            return Ok(self.text.clone());
        }
        let root = parse_strictly(&self.text).ok_or(NotMended)?;
        let puts: Vec<_> = repairs
            .iter()
            .map(|Repaired { tool, edit, .. }| edit::Put {
                pointer: format!("{}{}", self.written[*tool].pointer, edit.pointer),
                member: &edit.member,
                value: &edit.value,
            })
            .collect();
        let mended = edit::edited(&self.text, &root, &puts).ok_or(NotMended)?;
        let mut expected = read_json(&self.text).map_err(|_| NotMended)?;
        for put in &puts {
            match expected.pointer_mut(&put.pointer) {
                Some(Value::Object(members)) => {
                    members.insert(put.member.to_owned(), put.value.clone());
                }
                Some(Value::Array(elements)) => {
                    let element = put.member.parse().ok().and_then(|at: usize| elements.get_mut(at));
                    *element.ok_or(NotMended)? = put.value.clone();
                }
                _ => return Err(NotMended),
            }
        }
        let reads_as_expected = read_json(&mended).is_ok_and(|value| value == expected);
        if reads_as_expected { Ok(mended) } else { Err(NotMended) }
    }
}

/// A document's definitions, as they were written, and what it says beside them.
#[derive(Default)]
struct Listed {
    definitions: Vec<Value>,
    instructions: String,
    /// Where the list is, or the one definition.
    pointer: String,
    is_one: bool,
}

fn listed(document: Value) -> Result<Listed, NotAToolSet> {
    let mut members = match document {
        Value::Array(definitions) => return Ok(Listed { definitions, ..Listed::default() }),
        Value::Object(members) => members,
        _ => return Err(NotAToolSet::NoTools),
    };
    match members.remove("tools") {
        Some(Value::Array(definitions)) => {
            // Those of a request to a model are nobody's but the caller's.
            let is_request = members.contains_key("model") || members.contains_key("input");
            let instructions = members.get("instructions").and_then(Value::as_str).filter(|_| !is_request);
            let instructions = instructions.unwrap_or_default().to_owned();
            Ok(Listed { definitions, instructions, pointer: "/tools".to_owned(), is_one: false })
        }
        Some(_) => Err(NotAToolSet::ToolsIsNoArray),
        None => match members.remove("result") {
            Some(result @ Value::Object(_)) => {
                let inner = listed(result)?;
                Ok(Listed { pointer: format!("/result{}", inner.pointer), ..inner })
            }
            _ if form::is_one(&members) => {
                Ok(Listed { definitions: vec![Value::Object(members)], is_one: true, ..Listed::default() })
            }
            _ => Err(NotAToolSet::NoTools),
        },
    }
}

/// What is more is no list of tools, and would fill the memory with findings.
const MOST_DEFINITIONS: usize = 200_000;

/// A document that holds no tool definitions that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAToolSet {
    /// Neither an array nor an object with `tools`.
    #[error("it is neither an array of tools nor an object with `tools`, such as a tools/list result")]
    NoTools,
    /// More definitions than any agent could see.
    #[error("it has {count} definitions, and at most {MOST_DEFINITIONS} are read")]
    TooMany {
        /// How many.
        count: usize,
    },
    /// `tools` is there, but no array.
    #[error("its `tools` is not an array")]
    ToolsIsNoArray,
}

/// A repair that did not come out as it should; nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the repaired text does not read as it should, so nothing was changed; please report it")]
pub struct NotMended;
