//! The parameters of a tool, at any depth, as rules look at them. Judges nothing.

use frankly_contract::ToolDef;
use serde_json::Value;

use crate::schema::{self, Document, Place};

/// A parameter: a property of the input schema or of an object within it.
#[derive(Debug)]
pub(super) struct Parameter<'a> {
    pub name: &'a str,
    /// Where it is, rooted at the definition.
    pub pointer: String,
    /// The schema as it stands there, and what it refers to or chooses from.
    pub schemas: Vec<&'a Value>,
    /// Whether it is an argument of its own, and not part of one.
    pub is_argument: bool,
}

impl<'a> Parameter<'a> {
    /// The description, or the one of what it refers to; empty where there is none.
    pub fn description(&self) -> &'a str {
        let texts = self.schemas.iter().filter_map(|schema| schema.get("description")?.as_str());
        texts.map(str::trim).find(|text| !text.is_empty()).unwrap_or_default()
    }

    /// Whether any of its schemas states this keyword.
    pub fn states(&self, keyword: &str) -> bool {
        self.stated(keyword).is_some()
    }

    /// The first value of this keyword.
    pub fn stated(&self, keyword: &str) -> Option<&'a Value> {
        self.schemas.iter().find_map(|schema| schema.get(keyword))
    }

    /// Whether one of its types is this one.
    pub fn is(&self, name: &str) -> bool {
        self.schemas.iter().any(|schema| schema::types(schema).contains(&name))
    }

    /// Whether it takes text, and nothing else but perhaps `null`.
    pub fn is_text(&self) -> bool {
        self.is("string")
            && !["array", "boolean", "integer", "number", "object"].iter().any(|name| self.is(name))
    }

    /// Whether it takes a number, and nothing else but perhaps `null`.
    pub fn is_number(&self) -> bool {
        (self.is("integer") || self.is("number"))
            && !["array", "boolean", "object", "string"].iter().any(|name| self.is(name))
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
            let referred =
                document.branches(parameter).into_iter().filter(|branch| !std::ptr::eq(*branch, parameter));
            found.push(Parameter {
                name,
                pointer: pointer.to_owned(),
                schemas: std::iter::once(parameter).chain(referred).collect(),
                is_argument: pointer.matches('/').count() == 3,
            });
        }
    });
    found
}

/// Those that are arguments of their own.
pub(super) fn arguments(tool: &ToolDef) -> impl Iterator<Item = Parameter<'_>> {
    parameters(tool).into_iter().filter(|parameter| parameter.is_argument)
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
