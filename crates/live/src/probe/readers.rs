//! Which calls can show what a tool did: those of tools that read, the likeliest first.

use std::sync::Arc;

use frankly_contract::{ToolCall, ToolDef, ToolResult};
use frankly_verdict::paging::limit_of;
use serde_json::{Map, Value};

use super::bench::Bench;
use super::consent::words;
use super::given::Given;
use super::largest_result::SENSIBLE_MAXIMUM;
use super::parameter::parameters;
use super::run::{Healthy, Run};

/// Good calls of other tools that read, those about the same things first.
pub(super) fn readers(bench: &Bench<'_>) -> Vec<Arc<Healthy>> {
    readers_about(bench.tool(), bench.run())
}

/// Good calls of tools that read, but for this one, those about the same things first.
pub(super) fn readers_about(tool: &ToolDef, run: &Run) -> Vec<Arc<Healthy>> {
    let own = words(tool.name());
    let shared = |tool: &ToolDef| {
        let names = words(tool.name());
        names.iter().filter(|word| own.iter().any(|own| same_thing(own, word))).count()
    };
    let mut readers = run.healthy();
    readers.retain(|reader| reader.tool.name() != tool.name());
    // Stable: of equals those that were called first.
    readers.sort_by_key(|reader| std::cmp::Reverse(shared(&reader.tool)));
    readers
}

/// `account` and `accounts`.
fn same_thing(one: &str, other: &str) -> bool {
    one.trim_end_matches('s') == other.trim_end_matches('s')
}

/// A call by which a reader may show what was written: with the ids that the answer to the write gave, with the
/// arguments that both take, and with as many items as may be asked for.
pub(super) fn look_for(
    reader: &Healthy,
    written: &Map<String, Value>,
    answer: &ToolResult,
    tool: &ToolDef,
) -> ToolCall {
    let mut given = Given::default();
    given.take(tool, answer);
    let mut arguments = reader.call.arguments.clone();
    for parameter in parameters(&reader.tool) {
        let shared = written.get(parameter.name).filter(|value| parameter.admits(value)).cloned();
        let named = || given.value_for(&reader.tool, parameter.name, |value| parameter.admits(value));
        let value = shared.or_else(|| parameter.required.then(named).flatten());
        arguments.extend(value.map(|value| (parameter.name.to_owned(), value)));
    }
    if let Some((limit, most)) = limit_of(&reader.tool).and_then(|limit| {
        let most = limit.maximum.filter(|most| *most <= SENSIBLE_MAXIMUM)?;
        Some((limit, most))
    }) {
        limit.set(&mut arguments, most);
    }
    ToolCall::new(reader.tool.name(), arguments)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::time::Duration;

    #[test]
    fn what_was_written_is_looked_for_by_its_id_and_by_what_both_take() {
        let tool = ToolDef::new(
            "get_expenses",
            "",
            json!({"type": "object", "required": ["expense_id"], "properties": {
                "expense_id": {"type": "string"}, "category": {"type": "string"},
                "limit": {"type": "integer", "maximum": 50}
            }}),
        );
        let call = ToolCall::new("get_expenses", Map::from_iter([("expense_id".to_owned(), json!("old"))]));
        let reader = Healthy { tool, call, held: true, took: Duration::ZERO };
        let written = json!({"category": "Dining", "amount": 3}).as_object().unwrap().clone();
        let answer = ToolResult::text(r#"{"id": "e-7", "category": "Dining"}"#);
        let call = look_for(&reader, &written, &answer, &ToolDef::new("log_expense", "", json!({})));
        assert_eq!(
            Value::from(call.arguments),
            json!({"category": "Dining", "expense_id": "e-7", "limit": 50})
        );
    }
}
