//! Arguments as one text, the same for all that are worth the same. What may not enter: which of them matter.

use serde_json::{Map, Number, Value};

/// From here on a `f64` is written as it is: an `i128` holds what lies below, and nobody writes such a number out.
const LARGEST_WHOLE: f64 = 1e30;

/// Arguments as JSON in which the order of members and the way in which a number is written make no difference: two calls with the
/// same text ask for the same.
///
/// ```
/// use frankly_contract::canonical;
/// use serde_json::json;
///
/// let of = |arguments: serde_json::Value| canonical(arguments.as_object().unwrap());
/// assert_eq!(of(json!({"to": "x", "amount": 5})), of(json!({"amount": 5.0, "to": "x"})));
/// assert_ne!(of(json!({"amount": 5})), of(json!({"amount": "5"})));
/// ```
#[must_use]
pub fn canonical(arguments: &Map<String, Value>) -> String {
    let mut text = String::new();
    object(arguments, &mut text);
    text
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Object(members) => object(members, text),
        Value::Array(items) => {
            text.push('[');
            for item in items {
                write(item, text);
                text.push(',');
            }
            text.push(']');
        }
        Value::Number(written) => *text += &number(written),
        Value::String(_) | Value::Bool(_) | Value::Null => *text += &value.to_string(),
    }
}

/// The order in which a map keeps its members is a feature of `serde_json` that any crate may turn on.
fn object(members: &Map<String, Value>, text: &mut String) {
    let mut sorted: Vec<(&String, &Value)> = members.iter().collect();
    sorted.sort_unstable_by_key(|(name, _)| *name);
    text.push('{');
    for (name, member) in sorted {
        *text += &Value::from(name.as_str()).to_string();
        text.push(':');
        write(member, text);
        text.push(',');
    }
    text.push('}');
}

/// `5`, `5.0` and `5e0` are one number.
fn number(written: &Number) -> String {
    match written.as_f64() {
        Some(worth) if written.is_f64() && worth.fract() == 0.0 && worth.abs() < LARGEST_WHOLE => {
            (worth as i128).to_string()
        }
        _ => written.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        canonical(serde_json::from_str::<Value>(text).unwrap().as_object().unwrap())
    }

    #[test]
    fn what_is_worth_the_same_is_one_text() {
        for (one, other) in [
            (r#"{"a": 1, "b": {"c": [1, 2], "d": null}}"#, r#"{"b": {"d": null, "c": [1.0, 2e0]}, "a": 1}"#),
            (r#"{"a": -0.0}"#, r#"{"a": 0}"#),
            (r#"{"a": -3.0}"#, r#"{"a": -3}"#),
            (r#"{"a": 9007199254740993}"#, r#"{ "a":9007199254740993 }"#),
            (r#"{"a": "\u0041"}"#, r#"{"a": "A"}"#),
        ] {
            assert_eq!(of(one), of(other));
        }
    }

    #[test]
    fn what_is_not_is_another() {
        for (one, other) in [
            (r#"{"a": 1}"#, r#"{"a": "1"}"#),
            (r#"{"a": 9007199254740993}"#, r#"{"a": 9007199254740992}"#),
            (r#"{"a": [1, 2]}"#, r#"{"a": [2, 1]}"#),
            (r#"{"a": [[1], 2]}"#, r#"{"a": [[1, 2]]}"#),
            (r#"{"a": null}"#, "{}"),
            (r#"{"a": 0.5}"#, r#"{"a": 0}"#),
            (r#"{"a": {"b": 1}}"#, r#"{"a": {}, "b": 1}"#),
            (r#"{"a": "1,\"b\":2"}"#, r#"{"a": 1, "b": 2}"#),
        ] {
            assert_ne!(of(one), of(other));
        }
    }
}
