//! What an answer says, read once for every expectation.

use frankly_contract::{CallError, Code, ToolError, ToolResult};
use serde_json::Value;

use crate::payload::{Payload, bytes_read, estimated_tokens};
use crate::schema::join;

/// How deep guidance is looked for in a payload.
const DEPTH: usize = 4;
/// Members that tell a reader what to do, or why the answer is as it is.
const GUIDING: &[&str] = &[
    "did_you_mean", "guidance", "help", "hint", "hints", "info", "message", "next", "next_step",
    "next_steps", "note", "notes", "reason", "suggestion", "suggestions", "summary", "warning", "warnings",
    "what", "why",
];

/// Where a server's own errors keep what an expectation asks for: JSON pointers into the payload, each optional.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ErrorShape {
    /// One of the four codes.
    pub code: Option<String>,
    /// The kind of failure within the server's own domain.
    pub kind: Option<String>,
    /// What happened.
    pub message: Option<String>,
    /// The next step.
    pub next: Option<String>,
}

/// What an answer says.
///
/// ```
/// use frankly_contract::{Code, ToolError, ToolResult};
/// use frankly_verdict::case::{ErrorShape, Observed};
///
/// let error = ToolError::new(Code::NotFound, "no file `a.csv`", "list the files").with_kind("file_unreadable");
/// let observed = Observed::of(&Ok(ToolResult::from(error)), &ErrorShape::default())?;
/// assert_eq!((observed.code.as_deref(), observed.kind.as_deref()), (Some("NOT_FOUND"), Some("file_unreadable")));
/// # Ok::<(), frankly_contract::CallError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Observed {
    /// Whether the result is flagged as an error.
    pub is_error: bool,
    /// Code and message, where the answer is a JSON-RPC error.
    pub protocol_error: Option<(i64, String)>,
    /// The error's code.
    pub code: Option<String>,
    /// The error's kind.
    pub kind: Option<String>,
    /// What the error says happened.
    pub message: Option<String>,
    /// Whatever tells a reader what to do, or why the answer is as it is: hints, notes, next steps; of errors and prose everything.
    pub guidance: Vec<String>,
    /// The payload, where it is JSON: structured content before text.
    pub json: Option<Value>,
    /// All texts, joined by line ends.
    pub text: String,
    /// Whether there is nothing in it but what is said about the answer.
    pub is_empty: bool,
    /// Its size, as answers are measured against budgets.
    pub bytes: usize,
    /// The same as estimated tokens.
    pub tokens: usize,
}

impl Observed {
    /// Reads an answer.
    ///
    /// # Errors
    ///
    /// The [`CallError`], where there was no answer.
    pub fn of(answer: &Result<ToolResult, CallError>, shape: &ErrorShape) -> Result<Self, CallError> {
        match answer {
            Ok(result) | Err(CallError::Tool(result)) => Ok(Self::of_result(result, shape)),
            Err(CallError::Protocol { code, message, .. }) => Ok(Self {
                protocol_error: Some((*code, message.clone())),
                guidance: vec![message.clone()],
                text: message.clone(),
                bytes: message.len(),
                tokens: estimated_tokens(message.len()),
                ..Self::default()
            }),
            Err(error) => Err(error.clone()),
        }
    }

    fn of_result(result: &ToolResult, shape: &ErrorShape) -> Self {
        let raw = Value::Object(result.raw().clone());
        let text = result.texts().map(|(_, text)| text).collect::<Vec<_>>().join("\n");
        let parsed =
            || result.texts().find_map(|(_, text)| serde_json::from_str(text).ok().filter(is_document));
        let json = result.structured().filter(|value| !value.is_null()).cloned().or_else(parsed);
        let bytes = bytes_read(&raw);
        let mut observed = Self {
            is_error: result.is_error(),
            is_empty: !result.is_error() && Payload::of(&raw).holds_nothing(),
            guidance: guidance(result, json.as_ref()),
            json,
            text,
            bytes,
            tokens: estimated_tokens(bytes),
            ..Self::default()
        };
        if result.is_error() {
            observed.read_error(result, shape);
        }
        observed
    }

    fn read_error(&mut self, result: &ToolResult, shape: &ErrorShape) {
        let own = ToolError::from_result(result);
        let at = |pointer: &Option<String>| {
            let value = self.json.as_ref()?.pointer(pointer.as_ref()?)?;
            Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        };
        let (code, kind) = (at(&shape.code), at(&shape.kind));
        let (message, next) = (at(&shape.message), at(&shape.next));
        let leading = Code::ALL
            .into_iter()
            .map(Code::as_str)
            .find(|code| self.text.strip_prefix(code).is_some_and(|rest| rest.starts_with([':', ' ', '\n'])));
        self.code = code
            .or_else(|| own.as_ref().map(|error| error.code().as_str().to_owned()))
            .or_else(|| leading.map(str::to_owned));
        self.kind = kind.or_else(|| own.as_ref().and_then(ToolError::kind).map(str::to_owned));
        self.message = message.or_else(|| Some(self.text.clone()).filter(|text| !text.is_empty()));
        self.guidance.extend(next);
    }

    /// Where in the payload something of this name stands, as a hint to `errors`; empty where nothing does.
    pub(super) fn where_it_may_be(&self, name: &str) -> String {
        let found = self.json.as_ref().and_then(|json| pointer_to(json, name, "", 0));
        found.map(|at| format!(" (there is {at}: say so with errors = {{ {name} = \"{at}\" }} of the server in frankly.toml)")).unwrap_or_default()
    }

    /// What stands at a JSON pointer in the payload.
    #[must_use]
    pub fn at(&self, pointer: &str) -> Option<&Value> {
        self.json.as_ref()?.pointer(pointer)
    }
}

/// The first member of this name, from the top down.
fn pointer_to(value: &Value, name: &str, pointer: &str, depth: usize) -> Option<String> {
    let members = value.as_object().filter(|_| depth <= DEPTH)?;
    if members.contains_key(name) {
        return Some(join(pointer, name));
    }
    members.iter().find_map(|(key, member)| pointer_to(member, name, &join(pointer, key), depth + 1))
}

fn is_document(value: &Value) -> bool {
    value.is_object() || value.is_array()
}

fn guidance(result: &ToolResult, json: Option<&Value>) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(json) = json {
        collect(json, 0, &mut found);
    }
    let is_prose = |text: &&str| result.is_error() || serde_json::from_str::<Value>(text).is_err();
    found.extend(result.texts().map(|(_, text)| text).filter(is_prose).map(str::to_owned));
    found
}

fn collect(value: &Value, depth: usize, found: &mut Vec<String>) {
    let Value::Object(members) = value else { return };
    for (name, member) in members {
        if GUIDING.contains(&name.to_lowercase().as_str()) {
            texts(member, found);
        }
        if depth < DEPTH {
            collect(member, depth + 1, found);
        }
    }
}

fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        _ => {}
    }
}
