//! Whether the two halves of a result contradict each other.

use std::borrow::Cow;

use serde_json::Value;

use crate::payload::Payload;
use crate::schema::join;

/// How deep the halves are compared.
const DEEPEST: usize = 32;

/// Two values that should be one.
#[derive(Debug, PartialEq)]
pub(super) struct Contradiction {
    /// Where, within the structured content.
    pub at: String,
    pub text: String,
    pub structured: String,
}

/// The first place where the text says something else than the structured content. Only a text that is JSON as a whole
/// can contradict in detail; one that is prose contradicts a structured content that holds nothing at all.
pub(super) fn contradiction(result: &Value, payload: &Payload) -> Option<Contradiction> {
    let structured = result.get("structuredContent")?;
    let blocks = result.get("content").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let [block] = blocks else { return None };
    let text = block.get("text").and_then(Value::as_str)?.trim();
    if text.is_empty() {
        return None;
    }
    const AT: &str = "/content/0/text";
    // What was read of the text already is the same, unless texts in it were read too.
    let read = payload.at(AT).filter(|_| payload.embedded_below(AT).next().is_none());
    let document = read.filter(|read| !read.is_string()).map(Cow::Borrowed);
    match document.or_else(|| serde_json::from_str::<Value>(text).ok().map(Cow::Owned)) {
        Some(document) if document.is_object() || document.is_array() => {
            compare(&document, unwrapped(structured, &document), 0)
        }
        _ => (holds_no_value(structured) && !payload.holds_nothing()).then(|| Contradiction {
            at: String::new(),
            text: text.to_owned(),
            structured: structured.to_string(),
        }),
    }
}

/// What is wrapped in an object with one member, such as `{"result": […]}`, where the text is not.
fn unwrapped<'v>(structured: &'v Value, document: &Value) -> &'v Value {
    let only =
        structured.as_object().filter(|members| members.len() == 1).and_then(|members| members.iter().next());
    match only {
        Some((name, inner)) if document.get(name).is_none() => inner,
        _ => structured,
    }
}

/// The first place in which two values differ; how to get there is put together only where they do.
fn compare(text: &Value, structured: &Value, depth: usize) -> Option<Contradiction> {
    let differ = || {
        let (text, structured) = (text.to_string(), structured.to_string());
        Some(Contradiction { at: String::new(), text, structured })
    };
    let below = |at: String, found: Contradiction| Contradiction { at: at + &found.at, ..found };
    match (text, structured) {
        _ if depth > DEEPEST => None,
        (Value::Object(texts), Value::Object(members)) => {
            if members.is_empty() && texts.values().any(|value| !holds_no_value(value)) {
                return differ();
            }
            texts.iter().find_map(|(key, value)| {
                Some(below(join("", key), compare(value, members.get(key)?, depth + 1)?))
            })
        }
        (Value::Array(texts), Value::Array(items)) if texts.len() != items.len() => differ(),
        (Value::Array(texts), Value::Array(items)) => {
            let mut pairs = texts.iter().zip(items).enumerate();
            pairs.find_map(|(index, (text, item))| {
                Some(below(join("", index), compare(text, item, depth + 1)?))
            })
        }
        // The same, written in another way.
        (Value::Null, _) | (_, Value::Null) => None,
        (Value::Number(one), Value::Number(other)) => {
            let same = one == other || one.as_f64() == other.as_f64();
            if same { None } else { differ() }
        }
        (Value::String(one), Value::String(other)) if one.trim() != other.trim() => differ(),
        (Value::Bool(one), Value::Bool(other)) if one != other => differ(),
        _ => None,
    }
}

/// Whether there is no text, number or truth value anywhere in it.
fn holds_no_value(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().all(holds_no_value),
        Value::Object(members) => members.values().all(holds_no_value),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn at(text: &str, structured: &Value) -> Option<String> {
        let result = json!({"content": [{"type": "text", "text": text}], "structuredContent": structured});
        contradiction(&result, &Payload::of(&result)).map(|found| found.at)
    }

    #[test]
    fn the_first_difference_is_named() {
        assert_eq!(at(r#"{"a":{"b":[1,2]}}"#, &json!({"a": {"b": [1, 3]}})), Some("/a/b/1".to_owned()));
        assert_eq!(at(r#"{"rows":[1,2,3]}"#, &json!({"rows": [1]})), Some("/rows".to_owned()));
        assert_eq!(at("[1,2]", &json!({"result": [1]})), Some(String::new()));
        assert_eq!(at(r#"{"a":1}"#, &json!({})), Some(String::new()));
    }

    #[test]
    fn what_is_only_written_in_another_way_is_the_same() {
        for (text, structured) in [
            (r#"{"a":1.0,"b":null}"#, json!({"a": 1, "b": "x", "c": 3})),
            (r#"[{"a":"x "}]"#, json!({"items": [{"a": "x"}]})),
            ("4 berths are free", json!({"count": 5})),
            ("No results found.", json!({})),
            (r#"{"rows":[]}"#, json!({})),
            ("5", json!({"result": 4})),
        ] {
            assert_eq!(at(text, &structured), None, "{text}");
        }
    }
}
