//! The parameters of a tool, at any depth, as rules look at them. Judges nothing.

use std::sync::OnceLock;

use frankly_contract::ToolDef;
use serde_json::{Map, Value};

use super::prose::Text;
use crate::names;
use crate::schema::{self, Document, Place};

/// A parameter: a property of the input schema or of an object within it.
#[derive(Debug)]
pub(super) struct Parameter<'a> {
    pub name: &'a str,
    /// Where it is, rooted at the definition.
    pub pointer: String,
    /// The schema as it stands there, and what it refers to or chooses from.
    pub schemas: Vec<&'a Value>,
    /// Whether the first of them refers to the second.
    is_reference: bool,
    /// Its types, see [`type_bit`].
    types: u8,
    /// One bit for each keyword of its schemas, see [`keyword_bit`].
    keywords: u64,
    /// Whether it is an argument of its own, and not part of one.
    pub is_argument: bool,
    words: OnceLock<Vec<String>>,
    /// The description, or the one of what it refers to; empty where there is none.
    pub said: Text<'a>,
}

impl<'a> Parameter<'a> {
    /// What is [said](Self::said) of it.
    pub fn description(&self) -> &'a str {
        self.said.as_str()
    }

    /// The words of its name, in lower case.
    pub fn words(&self) -> &[String] {
        self.words.get_or_init(|| names::words(self.name))
    }

    /// What it refers to, else itself, and what it chooses from.
    pub fn branches(&self) -> &[&'a Value] {
        &self.schemas[usize::from(self.is_reference && self.schemas.len() > 1)..]
    }

    /// Whether any of its schemas states this keyword.
    pub fn states(&self, keyword: &str) -> bool {
        self.stated(keyword).is_some()
    }

    /// The first value of this keyword.
    pub fn stated(&self, keyword: &str) -> Option<&'a Value> {
        // Most keywords are not there, and most questions are for one that is not.
        if self.keywords & keyword_bit(keyword) == 0 {
            return None;
        }
        self.schemas.iter().find_map(|schema| schema.get(keyword))
    }

    /// Whether one of its types is this one.
    pub fn is(&self, name: &str) -> bool {
        self.types & type_bit(name) != 0
    }

    /// Whether it takes text, and nothing else but perhaps `null`.
    pub fn is_text(&self) -> bool {
        self.is("string")
            && !["array", "boolean", "integer", "number", "object"].into_iter().any(|name| self.is(name))
    }

    /// Whether it takes a number, and nothing else but perhaps `null`.
    pub fn is_number(&self) -> bool {
        (self.is("integer") || self.is("number"))
            && !["array", "boolean", "object", "string"].into_iter().any(|name| self.is(name))
    }

    /// The values it may have, where they are listed; also as constants to choose from.
    pub fn choices(&self) -> Vec<&'a Value> {
        let listed = self.schemas.iter().filter_map(|schema| schema.get("enum")?.as_array()).flatten();
        listed.chain(self.schemas.iter().filter_map(|schema| schema.get("const"))).collect()
    }
}

/// Every parameter, outer ones first.
pub(super) fn parameters(tool: &ToolDef) -> Vec<Parameter<'_>> {
    let Some(root) = tool.input_schema() else { return Vec::new() };
    let document = Document::new(root);
    let mut found = Vec::new();
    schema::walk(root, "/inputSchema", &mut |parameter, pointer, place| {
        if let Place::Property(name) = place {
            let referred = document.branches(parameter);
            let is_reference = !referred.first().is_some_and(|first| std::ptr::eq(*first, parameter));
            let referred = referred.into_iter().filter(|branch| !std::ptr::eq(*branch, parameter));
            let schemas: Vec<&Value> = std::iter::once(parameter).chain(referred).collect();
            found.push(Parameter {
                name,
                pointer: pointer.into(),
                said: Text::new(description(&schemas)),
                keywords: schemas
                    .iter()
                    .filter_map(|schema| schema.as_object())
                    .flat_map(Map::keys)
                    .fold(0, |keywords, keyword| keywords | keyword_bit(keyword)),
                words: OnceLock::new(),
                types: schemas.iter().fold(0, |types, schema| types | types_of(schema)),
                schemas,
                is_reference,
                is_argument: pointer.depth() == 2,
            });
        }
    });
    found
}

/// One of 64 bits for a keyword; others may have the same.
fn keyword_bit(keyword: &str) -> u64 {
    let bytes = keyword.as_bytes();
    let (first, last) =
        (bytes.first().copied().unwrap_or_default(), bytes.last().copied().unwrap_or_default());
    let middle = bytes.get(bytes.len() / 2).copied().unwrap_or_default();
    let mixed = usize::from(first) * 7 + usize::from(last) * 3 + usize::from(middle) + bytes.len() * 5;
    1 << (mixed % 64)
}

/// One bit for each type of JSON Schema.
fn type_bit(name: &str) -> u8 {
    match name {
        "array" => 1,
        "boolean" => 2,
        "integer" => 4,
        "null" => 8,
        "number" => 16,
        "object" => 32,
        "string" => 64,
        _ => 0,
    }
}

fn types_of(schema: &Value) -> u8 {
    match schema.get("type") {
        Some(Value::String(name)) => type_bit(name),
        Some(Value::Array(names)) => {
            names.iter().filter_map(Value::as_str).fold(0, |types, name| types | type_bit(name))
        }
        _ => 0,
    }
}

/// The first description among some schemas that says anything.
fn description<'a>(schemas: &[&'a Value]) -> &'a str {
    let texts = schemas.iter().filter_map(|schema| schema.get("description")?.as_str());
    texts.map(str::trim).find(|text| !text.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_parameter_has_what_its_reference_and_its_choices_state() {
        let tool = ToolDef::new(
            "t",
            "",
            json!({"type": "object", "$defs": {"Day": {"type": "string", "format": "date", "description": "A day."}},
                "properties": {
                    "day": {"$ref": "#/$defs/Day"},
                    "size": {"anyOf": [{"enum": ["s", "m"]}, {"type": "null"}]},
                    "page": {"type": "object", "properties": {"limit": {"type": "integer"}}}}}),
        );
        let found = parameters(&tool);
        let names: Vec<_> = found.iter().map(|parameter| (parameter.name, parameter.is_argument)).collect();
        assert_eq!(names, [("day", true), ("page", true), ("limit", false), ("size", true)]);
        assert_eq!((found[0].description(), found[0].is_text()), ("A day.", true));
        assert_eq!(found[0].stated("format"), Some(&json!("date")));
        assert!(found[2].is_number() && !found[2].is_text());
        assert_eq!(found[3].choices(), [&json!("s"), &json!("m")]);
    }
}
