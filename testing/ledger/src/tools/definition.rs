//! What all definitions of the ledger have in common: closed arguments, and nothing changed by a call.

use frankly_contract::ToolDef;
use serde_json::{Value, json};

/// A tool that only reads, with the properties of its arguments and the names of those it cannot do without.
pub(crate) fn reading(name: &str, description: &str, properties: Value, required: &[&str]) -> ToolDef {
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    ToolDef::from_raw(json!({
        "name": name,
        "description": description,
        "inputSchema": schema,
        "annotations": {
            "readOnlyHint": true,
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false
        }
    }))
}
