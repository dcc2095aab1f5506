//! Which arguments a tool repeats in its answer.

use frankly_contract::{CallError, ToolResult};
use serde_json::{Map, Value};

/// A shorter text may stand in an answer by chance.
const SHORTEST: usize = 8;

/// The names of arguments that are not the good ones and whose text came back.
pub(super) fn came_back(
    arguments: &Map<String, Value>,
    good: &Map<String, Value>,
    result: &Result<ToolResult, CallError>,
) -> Vec<String> {
    let changed = arguments.iter().filter(|(name, value)| good.get(*name) != Some(value));
    let texts = changed.filter_map(|(name, value)| Some((name, value.as_str()?)));
    let texts = texts.filter(|(_, text)| text.len() >= SHORTEST);
    texts.filter(|(_, text)| says(result, text)).map(|(name, _)| name.clone()).collect()
}

/// Whether an answer holds a text.
pub(super) fn says(result: &Result<ToolResult, CallError>, text: &str) -> bool {
    match result {
        Ok(answer) | Err(CallError::Tool(answer)) => answer.raw().values().any(|part| holds(part, text)),
        Err(CallError::Protocol { message, data, .. }) => {
            message.contains(text) || data.as_ref().is_some_and(|data| holds(data, text))
        }
        Err(_) => false,
    }
}

fn holds(value: &Value, text: &str) -> bool {
    match value {
        Value::String(found) => found.contains(text),
        Value::Array(items) => items.iter().any(|item| holds(item, text)),
        Value::Object(members) => members.values().any(|member| holds(member, text)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_was_changed_and_comes_back_is_an_echo() {
        let map = |value: Value| value.as_object().unwrap().clone();
        let (good, sent) = (
            map(json!({"category": "Restaurants", "place": "Harbour Road"})),
            map(json!({"category": "Restaurants", "place": "zz-no-such-value", "n": "short"})),
        );
        let answer = ToolResult::text("nothing in Restaurants at zz-no-such-value, short");
        assert_eq!(came_back(&sent, &good, &Ok(answer.clone())), ["place"]);
        assert_eq!(came_back(&sent, &good, &Err(CallError::Tool(answer))), ["place"]);
        assert!(came_back(&sent, &good, &Ok(ToolResult::text("nothing"))).is_empty());
        assert!(came_back(&sent, &good, &Err(CallError::TimedOut)).is_empty());
    }
}
