//! What the definitions of the ledger have in common: closed arguments, and hints that are all given. What may
//! not enter: what a single tool says, and schemas of answers. A fault that changes the shape of an answer would
//! break such a schema too, and every fault is to harm one thing.

use std::sync::Arc;

use frankly_contract::{Code, Tool, ToolDef, ToolError, ToolResult};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Number, Value, json};

use crate::ledger::Given;

/// What a tool does with arguments that fit.
pub(crate) type Answer<A> = fn(&Given, A) -> Result<ToolResult, ToolError>;

/// A tool whose definition was written by hand.
pub(crate) fn by_hand<A: DeserializeOwned + 'static>(
    definition: ToolDef,
    given: &Arc<Given>,
    answer: Answer<A>,
) -> Tool {
    let given = Arc::clone(given);
    Tool::with_definition(definition, move |arguments| {
        let given = Arc::clone(&given);
        async move { answer(&given, read(arguments)?) }
    })
}

/// A tool whose schema is derived from the type of its arguments.
pub(crate) fn derived<A: DeserializeOwned + JsonSchema + Send + 'static>(
    name: &str,
    description: &str,
    given: &Arc<Given>,
    answer: Answer<A>,
) -> Tool {
    let given = Arc::clone(given);
    Tool::typed(name, description, move |arguments: A| {
        let given = Arc::clone(&given);
        async move { answer(&given, arguments) }
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
    tool.read_only().idempotent().closed_world()
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

/// JSON Schema's integer, in which 50.0 is one.
pub(crate) fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let number = Number::deserialize(deserializer)?;
    Ok(number.as_u64().or_else(|| number.as_f64().map(|float| float as u64)))
}

/// The arguments as the tool's own type. They fit the schema, so what does not fit is more than a schema can say.
fn read<A: DeserializeOwned>(arguments: Map<String, Value>) -> Result<A, ToolError> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| {
        let next = "send each argument as the tool describes it, and cursors as they were given";
        ToolError::new(Code::InvalidArgs, format!("the arguments do not fit: {error}"), next)
    })
}
