//! What the definitions of the ledger have in common: closed arguments, and hints that are all given. What may
//! not enter: what a single tool says, and schemas of answers. A fault that changes the shape of an answer would
//! break such a schema too, and every fault is to harm one thing.

use std::sync::Arc;

use frankly_contract::{Answer, Tool, ToolDef, ToolError};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::ledger::Given;

/// What a tool does with arguments that fit.
pub(crate) type Run<A> = fn(&Given, A) -> Result<Answer, ToolError>;

/// A tool whose definition was written by hand.
pub(crate) fn by_hand<A: DeserializeOwned + Send + 'static>(
    definition: ToolDef,
    given: &Arc<Given>,
    run: Run<A>,
) -> Tool {
    let given = Arc::clone(given);
    Tool::with_schema(definition, move |arguments: A| {
        let given = Arc::clone(&given);
        async move { run(&given, arguments) }
    })
}

/// A tool whose schema is derived from the type of its arguments.
pub(crate) fn derived<A: DeserializeOwned + JsonSchema + Send + 'static>(
    name: &str,
    description: &str,
    given: &Arc<Given>,
    run: Run<A>,
) -> Tool {
    let given = Arc::clone(given);
    Tool::typed(name, description, move |arguments: A| {
        let given = Arc::clone(&given);
        async move { run(&given, arguments) }
    })
}

/// The definition of a tool, with the properties of its arguments and the names of those it cannot do without.
pub(crate) fn write(name: &str, description: &str, properties: Value, required: &[&str]) -> ToolDef {
    let mut schema = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    ToolDef::new(name, description, schema)
}

/// Says that a call changes nothing.
pub(crate) fn reads(tool: Tool) -> Tool {
    tool.read_only().idempotent(true).open_world(false)
}

/// The schema of a bound on how many rows come back.
pub(crate) fn limit(rows: &str, default: u64, most: u64) -> Value {
    let example = most / 2;
    json!({
        "type": "integer", "minimum": 1, "maximum": most, "default": default,
        "description": format!("{rows} per page, e.g. {example}; default {default}, minimum 1, maximum {most}."),
        "examples": [example]
    })
}

/// The schema of the place where a page starts.
pub(crate) fn cursor(example: u64) -> Value {
    json!({
        "type": "string", "pattern": "^row-(0|[1-9][0-9]{0,17})$",
        "description": format!(
            "The next_cursor of an earlier page with the same filters, unchanged, e.g. row-{example}; the first \
             page if left out."
        ),
        "examples": [format!("row-{example}")]
    })
}
