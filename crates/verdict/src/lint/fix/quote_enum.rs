//! Numbers and booleans among the values of a text, as a generator writes `yes` and `8080` that lost their quotes.

use frankly_contract::ToolDef;
use serde_json::Value;

use super::{Edit, Repair};
use crate::schema;

pub(super) struct QuoteEnum;

impl Repair for QuoteEnum {
    fn rule(&self) -> &'static str {
        "bad-schema"
    }

    fn edits(&self, tool: &ToolDef) -> Vec<Edit> {
        let mut edits = Vec::new();
        let Some(root) = tool.input_schema() else { return edits };
        schema::walk(root, "/inputSchema", &mut |node, at, _| {
            let takes_text_only = schema::types(node).contains(&"string")
                && schema::types(node).iter().all(|name| ["null", "string"].contains(name));
            let Some(values) = node.get("enum").and_then(Value::as_array).filter(|_| takes_text_only) else {
                return;
            };
            for (index, value) in values.iter().enumerate() {
                // Of other numbers the spelling is lost: 1.10 would become "1.1".
                let is_exact = value.is_i64() || value.is_boolean();
                if is_exact && !values.contains(&Value::from(value.to_string())) {
                    edits.push(Edit {
                        pointer: at.join("enum"),
                        member: index.to_string(),
                        value: Value::from(value.to_string()),
                    });
                }
            }
        });
        edits
    }
}
