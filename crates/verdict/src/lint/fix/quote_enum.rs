//! Numbers and booleans among the values of a text, as a generator writes `yes` and `8080` that lost their quotes.

use frankly_contract::ToolDef;
use serde_json::Value;

use super::super::prose::{has_any, readable};
use super::plain::plain_parts;
use super::{Edit, Repair};
use crate::schema::{self, join};

pub(super) struct QuoteEnum;

impl Repair for QuoteEnum {
    fn rule(&self) -> &'static str {
        "bad-schema"
    }

    fn edits(&self, tool: &ToolDef) -> Vec<Edit> {
        let mut edits = Vec::new();
        let Some(root) = tool.input_schema() else { return edits };
        for (node, at) in plain_parts(root) {
            let takes_text_only = schema::types(node).contains(&"string")
                && schema::types(node).iter().all(|name| ["null", "string"].contains(name));
            let said = node.get("description").and_then(Value::as_str).unwrap_or_default();
            // The description says that the type is wrong, and not the values.
            let says_otherwise =
                has_any(readable(said), &["boolean", "flag", "integer*", "number*", "true or false"]);
            let values =
                node.get("enum").and_then(Value::as_array).filter(|_| takes_text_only && !says_otherwise);
            let values = values.map(Vec::as_slice).unwrap_or_default();
            let is_twice =
                |value: &Value| values.iter().filter(|other| text_of(other) == text_of(value)).count() > 1;
            if values.iter().any(is_twice) {
                continue;
            }
            for (index, value) in values.iter().enumerate() {
                // Of other numbers the spelling is lost: 1.10 would become "1.1".
                let is_exact = value.is_i64() || value.is_boolean();
                if is_exact {
                    edits.push(Edit {
                        pointer: join(&at, "enum"),
                        member: index.to_string(),
                        value: Value::from(value.to_string()),
                    });
                }
            }
        }
        edits
    }
}

/// A value as it would be written in quotes.
fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
