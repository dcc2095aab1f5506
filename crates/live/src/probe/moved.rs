//! Where two answers to the same call differ, as the end of a sentence: what moved while a relation was looked at, and
//! what to do about it.

use frankly_contract::ToolResult;
use frankly_verdict::report::{plain, shorten};
use serde_json::Value;

/// How much of a pointer is shown: names in it may be as long as a server likes.
const POINTER_CHARS: usize = 200;
const NEXT: &str = "test on data that nothing else changes, such as a copy of its own with sandbox = true and a `reset` in \
                    frankly.toml, and with a fixed clock where it is a time";

/// Why a relation shows nothing where a list grew or shrank meanwhile.
pub(super) fn longer_or_shorter(one: &ToolResult, other: &ToolResult) -> String {
    told(one, other, "held more or fewer items", true)
}

/// Why it shows nothing where anything else changed.
pub(super) fn changed(one: &ToolResult, other: &ToolResult) -> String {
    told(one, other, "was another", false)
}

fn told(one: &ToolResult, other: &ToolResult, what: &str, in_length: bool) -> String {
    let found = place(one, other, in_length).or_else(|| place(one, other, false)).unwrap_or_default();
    let pointer = shorten(&plain(&format!("/result{found}")), POINTER_CHARS);
    format!("the data moved: {pointer} {what} when the same call was made again; {NEXT}")
}

/// Where two answers first differ: in structured content, which `content` repeats, or else in what they say. What is told
/// beside them is left out.
fn place(one: &ToolResult, other: &ToolResult, in_length: bool) -> Option<String> {
    let said = |answer: &ToolResult| {
        let mut members = answer.raw().clone();
        members.remove("_meta");
        members
    };
    let (one, other) = (said(one), said(other));
    let structured = one.get("structuredContent").zip(other.get("structuredContent"));
    let within = structured.and_then(|(one, other)| difference(one, other, in_length));
    within
        .map(|rest| format!("/structuredContent{rest}"))
        .or_else(|| difference(&one.into(), &other.into(), in_length))
}

/// Where two values first differ, or first differ in length; `#/…` goes on inside a text that is JSON.
fn difference(one: &Value, other: &Value, in_length: bool) -> Option<String> {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let names = one.keys().chain(other.keys().filter(|name| !one.contains_key(*name)));
            let mut below = names.filter_map(|name| {
                let key = name.replace('~', "~0").replace('/', "~1");
                match (one.get(name), other.get(name)) {
                    (Some(one), Some(other)) => {
                        difference(one, other, in_length).map(|rest| format!("/{key}{rest}"))
                    }
                    _ => Some(format!("/{key}")),
                }
            });
            below.next()
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let mut below = one.iter().zip(other).enumerate().filter_map(|(at, (one, other))| {
                difference(one, other, in_length).map(|rest| format!("/{at}{rest}"))
            });
            below.next()
        }
        (Value::Array(_), Value::Array(_)) => Some(String::new()),
        (Value::String(one), Value::String(other)) if one != other => {
            match (serde_json::from_str::<Value>(one), serde_json::from_str::<Value>(other)) {
                (Ok(one), Ok(other)) if one.is_object() || one.is_array() => {
                    difference(&one, &other, in_length).map(|rest| format!("#{rest}"))
                }
                _ if in_length => (one.lines().count() != other.lines().count()).then(String::new),
                _ => Some(String::new()),
            }
        }
        (one, other) => (!in_length && one != other).then(String::new),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answer(text: &Value, structured: Option<Value>) -> ToolResult {
        let text = text.as_str().map_or_else(|| text.to_string(), str::to_owned);
        let mut raw = json!({"content": [{"type": "text", "text": text}], "_meta": {"took": text.len()}});
        if let Some(structured) = structured {
            raw["structuredContent"] = structured;
        }
        ToolResult::from_raw(raw.as_object().cloned().unwrap())
    }

    #[test]
    fn the_member_that_moved_is_named() {
        let rows = |at: u64, ids: &[u64]| json!({"a/b": {"at": at}, "rows": ids});
        let (first, second) = (rows(1, &[1, 2]), rows(2, &[1, 2, 3]));
        let both = |value: &Value| answer(value, Some(value.clone()));
        let why = longer_or_shorter(&both(&first), &both(&second));
        assert!(
            why.starts_with("the data moved: /result/structuredContent/rows held more or fewer"),
            "{why}"
        );
        let why = changed(&both(&first), &both(&second));
        assert!(why.starts_with("the data moved: /result/structuredContent/a~1b/at was another"), "{why}");
        let why = changed(&answer(&first, None), &answer(&second, None));
        assert!(why.starts_with("the data moved: /result/content/0/text#/a~1b/at was"), "{why}");
        let why = longer_or_shorter(&answer(&json!("one"), None), &answer(&json!("one\ntwo"), None));
        assert!(
            why.starts_with("the data moved: /result/content/0/text held") && why.contains("reset"),
            "{why}"
        );
    }

    #[test]
    fn names_as_long_as_a_server_likes_are_cut_and_a_missing_one_is_named() {
        let name = "n\n".repeat(500);
        let why = changed(&answer(&json!({ name: 1 }), None), &answer(&json!({}), None));
        assert!(why.chars().count() < 600 && !why.contains('\n'), "{why}");
    }
}
