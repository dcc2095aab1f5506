//! Reading one line of JSON: strictly first, leniently where the strict reader gives up on valid JSON.
//!
//! `serde_json` refuses numbers beyond a double and more than 128 levels. A server that sends such a line
//! has still answered, and what it answered is to be looked at.

use jsonc_parser::ast;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::Value;

use super::Flaw;

/// The message in a line, and what is wrong with the line.
pub(super) fn message(line: &str) -> (Option<Value>, Option<Flaw>) {
    if let Ok(value) = serde_json::from_str(line) {
        return (Some(value), None);
    }
    match lenient(line) {
        Some((value, flaw)) => (Some(value), flaw),
        None => (None, Some(Flaw::NotJson)),
    }
}

/// Reads a JSON document, also one with numbers beyond a double, which are kept as text, or of up to 512
/// levels of arrays or 256 of objects.
///
/// # Errors
///
/// What the strict reader says of a text that is no JSON.
pub fn read_json(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str(text).or_else(|error| lenient(text).map(|(value, _)| value).ok_or(error))
}

/// Plain JSON without `serde_json`'s limits; this reader's own are 512 steps, of which an object in an object takes two.
fn lenient(line: &str) -> Option<(Value, Option<Flaw>)> {
    let mut flaw = None;
    let value = convert(parse_strictly(line)?, &mut flaw);
    Some((value, flaw))
}

/// The beginning of a JSON document that was cut in a string, with that string and all that is around it closed; `None`
/// where it was cut elsewhere.
pub(super) fn closed(head: &str) -> Option<String> {
    let (mut open, mut in_string, mut is_escaped) = (Vec::new(), false, false);
    for c in head.chars() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if in_string => is_escaped = true,
            '"' => in_string = !in_string,
            '{' if !in_string => open.push('}'),
            '[' if !in_string => open.push(']'),
            '}' | ']' if !in_string => drop(open.pop()),
            _ => {}
        }
    }
    let head = if is_escaped { head.strip_suffix('\\')? } else { head };
    in_string.then(|| format!("{head}…\"{}", open.iter().rev().collect::<String>()))
}

/// Plain JSON with the place of every value.
pub(crate) fn parse_strictly(text: &str) -> Option<ast::Value<'_>> {
    let options = ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    // This reader lets the first control characters in strings pass; JSON does not.
    if text.bytes().any(|byte| byte < b' ' && !matches!(byte, b'\t' | b'\r' | b'\n')) {
        return None;
    }
    parse_to_ast(text, &CollectOptions::default(), &options).ok()?.value
}

fn convert(node: ast::Value<'_>, flaw: &mut Option<Flaw>) -> Value {
    match node {
        ast::Value::NullKeyword(_) => Value::Null,
        ast::Value::BooleanLit(literal) => Value::Bool(literal.value),
        ast::Value::StringLit(literal) => Value::String(literal.value.into_owned()),
        ast::Value::NumberLit(literal) => serde_json::from_str(literal.value).unwrap_or_else(|_| {
            *flaw = Some(Flaw::BeyondDouble);
            Value::String(literal.value.to_owned())
        }),
        ast::Value::Array(array) => {
            array.elements.into_iter().map(|element| convert(element, flaw)).collect()
        }
        ast::Value::Object(object) => object
            .properties
            .into_iter()
            .map(|property| (property.name.into_string(), convert(property.value, flaw)))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_number_beyond_a_double_is_kept_as_text() {
        let (msg, flaw) = message(r#"{"id":1,"result":{"big":1e400,"small":2.5}}"#);
        assert_eq!(msg, Some(json!({"id": 1, "result": {"big": "1e400", "small": 2.5}})));
        assert_eq!(flaw, Some(Flaw::BeyondDouble));
    }

    #[test]
    fn later_control_characters_may_stand_in_strings() {
        let (msg, flaw) = message("{\"id\":1,\"result\":[1e400,\"\u{7f}\u{9f}\"]}");
        assert_eq!(msg, Some(json!({"id": 1, "result": ["1e400", "\u{7f}\u{9f}"]})));
        assert_eq!(flaw, Some(Flaw::BeyondDouble));
    }

    #[test]
    fn deep_nesting_is_read_and_bottomless_nesting_is_refused() {
        let nested = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
        assert!(matches!(message(&nested(300)), (Some(Value::Array(_)), None)));
        assert_eq!(message(&nested(100_000)), (None, Some(Flaw::NotJson)));
    }

    #[test]
    fn what_was_cut_in_a_string_is_closed() {
        assert_eq!(closed(r#"{"a":[{"b":"}c\"#).as_deref(), Some(r#"{"a":[{"b":"}c…"}]}"#));
        assert_eq!(closed(r#"{"a":[1,2"#), None);
    }

    #[test]
    fn what_is_nearly_json_is_not_json() {
        for line in [
            "", "Server started", "{'id': 1}", "{\"id\": 1,}", "{\"id\": NaN}", "// {}",
            "{\"id\": \"\u{1b}\"}", "{\"id\": 1",
        ] {
            assert_eq!(message(line), (None, Some(Flaw::NotJson)), "{line:?}");
        }
    }
}
