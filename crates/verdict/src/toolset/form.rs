//! The forms in which tools are defined: MCP's own, and those of the APIs of models.

use serde_json::{Map, Value, json};

/// How a definition is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// MCP: `name`, `description`, `inputSchema`.
    Mcp,
    /// OpenAI Chat Completions: the same under `function`, with `parameters`.
    Chat,
    /// OpenAI Responses: `type: "function"`, with `parameters`.
    Responses,
    /// Anthropic Messages: `input_schema`.
    Anthropic,
}

const SCHEMA: &str = "/inputSchema";

impl Form {
    /// The form of a definition; `None` for a tool that the model's provider defines and runs, such as a web search.
    pub(super) fn of(definition: &Value) -> Option<Self> {
        let has = |key: &str| definition.get(key).is_some();
        let kind = definition.get("type").and_then(Value::as_str);
        if has("inputSchema") {
            Some(Self::Mcp)
        } else if definition.get("function").is_some_and(Value::is_object) {
            Some(Self::Chat)
        } else if has("input_schema") {
            Some(Self::Anthropic)
        } else if has("parameters") || kind == Some("function") {
            Some(Self::Responses)
        } else if kind.is_some() {
            None
        } else {
            Some(Self::Mcp)
        }
    }

    /// The definition in MCP form; members that MCP does not know are kept beside the others.
    pub(super) fn into_mcp(self, mut definition: Value) -> Value {
        let key = match self {
            Self::Mcp => return definition,
            Self::Chat => {
                definition = definition.get_mut("function").map(Value::take).unwrap_or_default();
                "parameters"
            }
            Self::Responses => "parameters",
            Self::Anthropic => "input_schema",
        };
        if let Some(members) = definition.as_object_mut() {
            // Whoever leaves parameters out there defines a function that has none.
            let schema = members.remove(key).unwrap_or_else(|| json!({"type": "object", "properties": {}}));
            members.insert("inputSchema".to_owned(), schema);
        }
        definition
    }

    /// A pointer into the MCP form, as it leads into the definition that was written.
    ///
    /// ```
    /// use frankly_verdict::Form;
    ///
    /// assert_eq!(Form::Chat.pointer("/inputSchema/required"), "/function/parameters/required");
    /// assert_eq!(Form::Anthropic.pointer("/inputSchema"), "/input_schema");
    /// assert_eq!(Form::Responses.pointer("/name"), "/name");
    /// ```
    #[must_use]
    pub fn pointer(self, pointer: &str) -> String {
        let (root, schema) = match self {
            Self::Mcp => return pointer.to_owned(),
            Self::Chat => ("/function", "/parameters"),
            Self::Responses => ("", "/parameters"),
            Self::Anthropic => ("", "/input_schema"),
        };
        let rest =
            pointer.strip_prefix(SCHEMA).filter(|rest| rest.is_empty() || rest.starts_with(['/', '#']));
        match rest {
            Some(rest) => format!("{root}{schema}{rest}"),
            None => format!("{root}{pointer}"),
        }
    }
}

/// Whether an object is one definition by itself.
pub(super) fn is_one(members: &Map<String, Value>) -> bool {
    let has = |key: &str| members.contains_key(key);
    let is_function = members.get("function").is_some_and(|function| function.get("name").is_some());
    is_function || (has("name") && ["inputSchema", "input_schema", "parameters"].into_iter().any(has))
}

/// What to call a tool of the provider.
pub(super) fn provided_name(definition: &Value) -> String {
    let text = |key: &str| definition.get(key).and_then(Value::as_str);
    text("name").or_else(|| text("type")).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::{Definitions, NotAToolSet};
    use super::*;

    const SCHEMA: &str = r#"{"type": "object", "properties": {"a": {"type": "string"}}}"#;

    fn read(document: &str) -> Result<Definitions, NotAToolSet> {
        Definitions::from_document("f", serde_json::from_str(&document.replace("SCHEMA", SCHEMA)).unwrap())
    }

    #[test]
    fn every_form_is_detected_and_says_the_same() {
        let schema: Value = serde_json::from_str(SCHEMA).unwrap();
        for (definition, form) in [
            (r#"{"name": "t", "description": "d", "inputSchema": SCHEMA}"#, Form::Mcp),
            (
                r#"{"type": "function", "function": {"name": "t", "description": "d", "parameters": SCHEMA}}"#,
                Form::Chat,
            ),
            (
                r#"{"type": "function", "name": "t", "description": "d", "parameters": SCHEMA}"#,
                Form::Responses,
            ),
            (r#"{"name": "t", "description": "d", "parameters": SCHEMA}"#, Form::Responses),
            (r#"{"name": "t", "description": "d", "input_schema": SCHEMA}"#, Form::Anthropic),
            (
                r#"{"type": "custom", "name": "t", "description": "d", "input_schema": SCHEMA}"#,
                Form::Anthropic,
            ),
        ] {
            for document in [
                format!("[{definition}]"),
                format!("{{\"model\": \"m\", \"tools\": [{definition}]}}"),
                format!("{{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {{\"tools\": [{definition}]}}}}"),
                definition.to_owned(),
            ] {
                let Definitions { tools, written, provided, .. } = read(&document).unwrap();
                assert_eq!((written.len(), provided.len()), (1, 0), "{document}");
                assert_eq!(written[0].form, form, "{document}");
                let whole: Value = serde_json::from_str(&document.replace("SCHEMA", SCHEMA)).unwrap();
                let alone: Value = serde_json::from_str(&definition.replace("SCHEMA", SCHEMA)).unwrap();
                assert_eq!(whole.pointer(&written[0].pointer), Some(&alone), "{document}");
                let tool = &tools.tools[0];
                assert_eq!((tool.name(), tool.description()), ("t", "d"), "{document}");
                assert_eq!(tool.input_schema(), Some(&schema), "{document}");
            }
        }
    }

    #[test]
    fn a_pointer_leads_into_what_was_written() {
        for definition in [
            r#"{"type": "function", "function": {"name": "t", "description": "d", "parameters": SCHEMA}}"#,
            r#"{"type": "function", "name": "t", "description": "d", "parameters": SCHEMA}"#,
            r#"{"name": "t", "description": "d", "input_schema": SCHEMA}"#,
            r#"{"name": "t", "description": "d", "inputSchema": SCHEMA}"#,
        ] {
            let written: Value = serde_json::from_str(&definition.replace("SCHEMA", SCHEMA)).unwrap();
            let read = read(&format!("[{definition}]")).unwrap();
            for pointer in ["/name", "/description", "/inputSchema", "/inputSchema/properties/a/type"] {
                let expected = read.tools.tools[0].raw().pointer(pointer);
                let found = written.pointer(&read.written[0].form.pointer(pointer));
                assert!(found.is_some() && found == expected, "{definition}: {pointer}");
            }
        }
        assert_eq!(Form::Anthropic.pointer("/inputSchemas"), "/inputSchemas");
        assert_eq!(Form::Chat.pointer("/inputSchema#/a"), "/function/parameters#/a");
    }

    #[test]
    fn a_function_without_parameters_has_none_and_a_tool_without_a_schema_is_at_fault() {
        let tools =
            read(r#"[{"type": "function", "function": {"name": "t"}}, {"type": "function", "name": "u"}]"#);
        for tool in &tools.unwrap().tools.tools {
            assert_eq!(tool.input_schema(), Some(&json!({"type": "object", "properties": {}})));
        }
        assert_eq!(read(r#"[{"name": "t"}]"#).unwrap().tools.tools[0].input_schema(), None);
        let strict = read(r#"[{"type": "function", "function": {"name": "t", "strict": true}}]"#).unwrap();
        assert_eq!(strict.tools.tools[0].raw()["strict"], true);
    }

    #[test]
    fn tools_of_the_provider_are_named_and_left_out() {
        let read = read(
            r#"[{"type": "web_search"}, {"type": "web_search_20250305", "name": "web_search", "max_uses": 5},
                {"name": "t", "input_schema": SCHEMA}, {"type": "custom", "name": "sql", "format": {"type": "text"}}]"#,
        )
        .unwrap();
        assert_eq!(read.provided, ["web_search", "web_search", "sql"]);
        assert_eq!(read.written[0].pointer, "/2");
        assert_eq!((read.tools.tools.len(), read.written.len()), (1, 1));
    }

    #[test]
    fn other_documents_are_none() {
        for document in ["{}", "1", r#"{"name": "package", "version": "1.0.0"}"#, r#"{"result": []}"#] {
            assert_eq!(read(document), Err(NotAToolSet::NoTools), "{document}");
        }
        assert_eq!(read(r#"{"tools": {}}"#), Err(NotAToolSet::ToolsIsNoArray));
    }
}
