//! A registry as a caller meets it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod any_input;
mod refusals;
mod tools;
mod typed;

use frankly_contract::{CallError, Json, Registry, Tool, ToolCall, ToolDef, ToolError, ToolResult, Tools};
use pollster::block_on;
use schemars::JsonSchema;
use serde_json::{Value, json};

fn definition(input_schema: Value) -> ToolDef {
    ToolDef::new("list", "Lists.", input_schema)
}

/// A registry with the one tool `list`, which answers with the arguments as they came.
fn with_schema(input_schema: Value) -> Registry {
    let mut registry = Registry::new();
    registry
        .add(Tool::with_definition(definition(input_schema), |sent| async move { Ok(Json(sent)) }))
        .unwrap();
    registry
}

fn typed<A: serde::de::DeserializeOwned + JsonSchema + 'static>() -> Registry {
    let mut registry = Registry::new();
    registry.add(Tool::typed("list", "Lists.", |_: A| async { Ok("listed") })).unwrap();
    registry
}

fn call(registry: &Registry, arguments: &Value) -> Result<ToolResult, CallError> {
    block_on(registry.call(ToolCall::new("list", arguments.as_object().unwrap().clone())))
}

fn refused(registry: &Registry, arguments: &Value) -> ToolError {
    match call(registry, arguments) {
        Err(CallError::Tool(result)) => ToolError::from_result(&result).unwrap(),
        other => panic!("{arguments} gave {other:?}"),
    }
}

fn listed(registry: &Registry) -> Value {
    block_on(registry.list()).unwrap()[0].input_schema().unwrap().clone()
}

fn ledger() -> Registry {
    with_schema(json!({"type": "object", "properties": {
        "category": {"type": "string", "minLength": 1, "examples": ["Dining"]},
        "from": {"type": "string", "format": "date", "examples": ["2025-03-01"]},
        "limit": {"type": "integer", "minimum": 1, "maximum": 200, "default": 50},
        "cursor": {"type": "string", "pattern": "^row-[0-9]+$", "description": "The next_cursor of an earlier page, such as row-50."},
        "order": {"enum": ["oldest", "newest"]},
        "ids": {"type": "array", "items": {"type": "string", "maxLength": 4}, "maxItems": 2, "uniqueItems": true},
        "password": {"type": "string", "maxLength": 3},
    }}))
}
