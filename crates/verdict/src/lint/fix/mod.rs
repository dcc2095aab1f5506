//! Repairs that are mechanical: what a rule found and one member of a schema mends, without anyone having to think.
//!
//! What a description says stays as it is, and where a schema and its description contradict each other nothing is
//! repaired, since nobody here knows which is right.

mod add_type;
mod close_object;
mod plain;
mod quote_enum;
mod state_in_schema;

use std::collections::HashSet;

use frankly_contract::ToolDef;
use serde_json::Value;

use crate::{Definitions, Finding};

/// Mends what one rule finds.
pub(crate) trait Repair: Sync {
    /// The rule.
    fn rule(&self) -> &'static str;
    /// What to change in a definition, in MCP form.
    fn edits(&self, tool: &ToolDef) -> Vec<Edit>;
}

/// Every repair.
static REPAIRS: &[&dyn Repair] = &[
    &add_type::AddType,
    &close_object::CloseObject,
    &quote_enum::QuoteEnum,
    &state_in_schema::StateInSchema,
];

/// A scalar to be put in a definition.
#[derive(Debug, Clone, PartialEq)]
pub struct Edit {
    /// What holds it, an object or an array, as a JSON pointer.
    pub pointer: String,
    /// Its name there, or its number. In an object it may be new.
    pub member: String,
    /// What to put there.
    pub value: Value,
}

/// A repair of one definition.
#[derive(Debug, Clone, PartialEq)]
pub struct Repaired {
    /// The rule whose finding it mends.
    pub rule: &'static str,
    /// Which definition of the document.
    pub tool: usize,
    /// What to change in it, as it was written.
    pub edit: Edit,
}

/// The repairs of what was found in a document: whatever the user lets pass or does not want to hear of is not repaired.
///
/// ```
/// use frankly_verdict::Definitions;
/// use frankly_verdict::lint::{Audience, fix, lint_all};
///
/// let text = r#"[{"name": "now", "description": "Reads it.", "input_schema": {"properties": {"zone": {"type": "string"}}}}]"#;
/// let read = Definitions::from_document("a.json", serde_json::from_str(text)?)?.with_text(text.to_owned());
/// let repairs = fix::repairs(&read, &lint_all(&[read.tools.clone()], &Audience::default()));
/// let mended = read.mended(&repairs).unwrap();
/// assert!(mended.contains(r#""type": "object""#) && mended.contains(r#""additionalProperties": false"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn repairs(definitions: &Definitions, findings: &[Finding]) -> Vec<Repaired> {
    let set = &definitions.tools;
    let here = findings.iter().filter(|finding| finding.server == set.server);
    let found: HashSet<(&str, usize)> =
        here.filter_map(|finding| Some((finding.rule, finding.definition?))).collect();
    let mut repairs = Vec::new();
    for (index, (tool, written)) in set.tools.iter().zip(&definitions.written).enumerate() {
        for repair in REPAIRS.iter().filter(|repair| found.contains(&(repair.rule(), index))) {
            repairs.extend(repair.edits(tool).into_iter().map(|edit| Repaired {
                rule: repair.rule(),
                tool: index,
                edit: Edit { pointer: written.form.pointer(&edit.pointer), ..edit },
            }));
        }
    }
    repairs
}

#[cfg(test)]
mod tests {
    use super::super::{Audience, lint_all};
    use super::*;
    use serde_json::json;

    fn mended(text: &str) -> String {
        let document = serde_json::from_str(text).unwrap();
        let read = Definitions::from_document("a.json", document).unwrap().with_text(text.to_owned());
        let findings = lint_all(std::slice::from_ref(&read.tools), &Audience::default());
        read.mended(&repairs(&read, &findings)).unwrap()
    }

    #[test]
    fn every_repair_is_made_and_leaves_nothing_to_repair() {
        let text = r#"{"tools": [{"name": "list_orders", "description": "Lists orders.", "x-own": 1.50, "inputSchema": {
    "properties": {
        "limit": {"type": "integer", "description": "How many, max 200 (default: 50)."},
        "size": {"type": "string", "enum": [1, "two", true]},
        "filter": {"type": "object", "properties": {"state": {"type": "string"}}}
    }
}}]}"#;
        let expected = r#"{"tools": [{"name": "list_orders", "description": "Lists orders.", "x-own": 1.50, "inputSchema": {
    "properties": {
        "limit": {"type": "integer", "description": "How many, max 200 (default: 50).", "default": 50, "maximum": 200},
        "size": {"type": "string", "enum": ["1", "two", "true"]},
        "filter": {"type": "object", "properties": {"state": {"type": "string"}}, "additionalProperties": false}
    },
    "type": "object",
    "additionalProperties": false
}}]}"#;
        assert_eq!(mended(text), expected);
        assert_eq!(mended(expected), expected);
    }

    #[test]
    fn what_takes_thought_is_left_alone() {
        let text = r#"[{"name": "list_orders", "description": "Lists orders.", "inputSchema": {"type": "object", "additionalProperties": true,
 "properties": {
  "limit": {"type": "integer", "description": "How many (default: 50).", "default": 20},
  "size": {"type": "integer", "enum": [1, "two"]},
  "version": {"type": "string", "enum": [1.10, 12345678901234567890123]},
  "count": {"type": "integer", "minimum": 5, "description": "max 3"},
  "page": {"type": "integer", "description": "How many, max 100 (default: 500)."},
  "id": {"type": "integer", "description": "Default: 12345678901234567890123."},
  "part": {"type": "object", "properties": {"a": {"type": "string"}}, "anyOf": [{"properties": {"b": {"type": "string"}}, "required": ["b"]}]},
  "labels": {"type": "object"}}}}]"#;
        assert_eq!(mended(text), text);
    }

    #[test]
    fn what_prose_says_under_conditions_is_not_stated_in_the_schema() {
        let edits = |said: &str| {
            let schema = json!({"type": "object", "additionalProperties": false, "properties": {
                "limit": {"type": "integer", "description": said}, "sheet": {"type": "string", "description": said}}});
            state_in_schema::StateInSchema.edits(&ToolDef::new("t", "", schema)).len()
        };
        for said in [
            "Up to 100, or 1000 with a premium plan.",
            "max 10 (free) / 100 (pro)",
            "Maximum: 10 (100 for admins)",
            "Soft max 100",
            "Usually up to 10.",
            "May exceed max 10.",
            "Max 100; values above are clamped.",
            "The maximum is 100 (exclusive)",
            "Maximum 1.000 rows",
            "Default maximum is 100",
            "Used to default to 10.",
            "Default: 50 (but 100 since v3)",
            "Default: 5, or 10 for PDFs",
            "Default: \"a\"; for PDFs \"b\".",
            "Defaults to `sheet`.",
            "Default: \"$HOME/x\".",
            "Defaults to \"now\".",
        ] {
            assert_eq!(edits(said), 0, "{said}");
        }
        assert_eq!((edits("How many (default 50, max 200)."), edits("Order. Default: \"newest\".")), (2, 1));
    }

    #[test]
    fn what_may_be_of_another_type_gets_none() {
        let edits = |schema: Value| add_type::AddType.edits(&ToolDef::new("t", "", schema)).len();
        assert_eq!(edits(json!({"properties": {"a": {}}})), 1);
        for schema in [
            json!({"$ref": "#/$defs/a"}),
            json!({"items": {}}),
            json!({"enum": ["a"]}),
            json!({"default": []}),
        ] {
            assert_eq!(edits(schema.clone()), 0, "{schema}");
        }
    }

    #[test]
    fn repairs_follow_the_findings() {
        let text = r#"[{"name": "a", "inputSchema": {"properties": {"x": {"type": "string"}}}}]"#;
        let read = Definitions::from_document("a.json", serde_json::from_str(text).unwrap()).unwrap();
        assert_eq!(repairs(&read, &[]), []);
    }
}
