//! Reading one line of JSON: strictly first, leniently where the strict reader gives up on valid JSON.
//!
//! `serde_json` refuses numbers beyond a double and more than 128 levels. A server that sends such a line
//! has still answered, and what it answered is to be looked at.

use jsonc_parser::ast;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::Flaw;

/// The message in a line, and what is wrong with the line.
pub(super) fn message(line: &str) -> (Option<Value>, Option<Flaw>) {
    if let Ok(value) = serde_json::from_str(line) {
        return (Some(value), None);
    }
    if let Some(value) = with_whole_characters(line).and_then(|line| serde_json::from_str(&line).ok()) {
        return (Some(value), Some(Flaw::HalfCharacter));
    }
    match lenient(line) {
        Some((value, flaw)) => (Some(value), flaw),
        None if is_bottomless(line) => (None, Some(Flaw::TooDeep)),
        None => (None, Some(Flaw::NotJson)),
    }
}

/// Whether the strict reader reads a line, without keeping what it reads.
pub(super) fn is_sound(line: &str) -> bool {
    serde_json::from_str::<Sound>(line).is_ok()
}

/// Any value, of which nothing is kept. All of it is read, unlike what `IgnoredAny` passes over: numbers beyond a double,
/// halves of characters, and bottomless nesting are refused.
struct Sound;

impl<'de> Deserialize<'de> for Sound {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for Sound {
    type Value = Self;

    fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("any JSON")
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
        while items.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self, A::Error> {
        while members.next_entry::<Self, Self>()?.is_some() {}
        Ok(self)
    }
}

/// The same line with a replacement for every escape of half a character; `None` where it has none.
fn with_whole_characters(line: &str) -> Option<String> {
    let unit = |at: usize| {
        let digits = line.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let (mut whole, mut at, mut has_half) = (String::with_capacity(line.len()), 0, false);
    while let Some(next) = line[at..].find('\\').map(|next| at + next) {
        whole.push_str(&line[at..next]);
        let (length, replacement) = match (unit(next), unit(next + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (12, None),
            (Some(0xd800..=0xdfff), _) => (6, Some("\\ufffd")),
            // An escaped sign, which may be another backslash.
            _ => (1 + line[next + 1..].chars().next().map_or(0, char::len_utf8), None),
        };
        has_half |= replacement.is_some();
        whole.push_str(replacement.unwrap_or(&line[next..next + length]));
        at = next + length;
    }
    whole.push_str(&line[at..]);
    has_half.then_some(whole)
}

/// Whether a line was given up for its depth, and closes all that it opens.
fn is_bottomless(line: &str) -> bool {
    let refused =
        serde_json::from_str::<Value>(line).is_err_and(|error| error.to_string().contains("recursion limit"));
    refused && line.trim_end().ends_with(['}', ']']) && opened(line).is_some_and(|(open, ..)| open.is_empty())
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

/// The beginning of a JSON document with all that is open in it closed: a string that was cut with a mark of it, and
/// outside of one without the member that was being written. `None` where it is no such beginning.
pub(super) fn closed(head: &str) -> Option<String> {
    let (open, in_string, is_escaped) = opened(head)?;
    let head = if is_escaped { head.strip_suffix('\\')? } else { head };
    let close: String = open.iter().rev().collect();
    let cut_text =
        || in_string.then(|| format!("{head}…\"{close}")).filter(|whole| message(whole).0.is_some());
    // Cut elsewhere: what was being written is left out, be it a comma, a name or a number.
    cut_text().or_else(|| (!open.is_empty()).then(|| whole_part(head, &open)).flatten())
}

/// The longest beginning of a document that ends outside a string and makes a document once it is closed.
fn whole_part(head: &str, open: &[char]) -> Option<String> {
    const TRIED: usize = 16;
    let ends = head.char_indices().rev().filter(|(_, c)| matches!(c, ',' | '{' | '[' | '}' | ']' | '"'));
    let ends = ends.map(|(at, c)| if c == ',' { at } else { at + c.len_utf8() });
    let close = |end: usize| {
        let (open, in_string, _) = opened(&head[..end])?;
        let closed = format!("{}{}", &head[..end], open.iter().rev().collect::<String>());
        (!in_string && message(&closed).0.is_some()).then_some(closed)
    };
    let whole = || format!("{head}{}", open.iter().rev().collect::<String>());
    Some(whole()).filter(|whole| message(whole).0.is_some()).or_else(|| ends.take(TRIED).find_map(close))
}

/// What a beginning of a document leaves open, whether it ends in a string, and there behind a backslash; `None` where it
/// closes what it did not open.
fn opened(head: &str) -> Option<(Vec<char>, bool, bool)> {
    let (mut open, mut in_string, mut is_escaped) = (Vec::new(), false, false);
    for c in head.chars() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if in_string => is_escaped = true,
            '"' => in_string = !in_string,
            '{' if !in_string => open.push('}'),
            '[' if !in_string => open.push(']'),
            '}' | ']' if !in_string && open.pop() != Some(c) => return None,
            _ => {}
        }
    }
    Some((open, in_string, is_escaped))
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
        assert_eq!(message(&nested(100_000)), (None, Some(Flaw::TooDeep)));
        assert_eq!(message(&"[".repeat(100_000)), (None, Some(Flaw::NotJson)));
    }

    #[test]
    fn what_was_cut_in_a_string_is_closed() {
        assert_eq!(closed(r#"{"a":[{"b":"}c\"#).as_deref(), Some(r#"{"a":[{"b":"}c…"}]}"#));
        assert_eq!(closed(r#"{"a":[1,2"#).as_deref(), Some(r#"{"a":[1,2]}"#));
        assert_eq!(
            closed(r#"{"id":7,"a":[{"b":1},{"c":tru"#).as_deref(),
            Some(r#"{"id":7,"a":[{"b":1},{}]}"#)
        );
        assert_eq!(closed(r#"{"a":]"#), None);
    }

    #[test]
    fn half_a_character_is_replaced() {
        let half = |line: &str| message(line).0.map(|value| value.to_string());
        assert_eq!(
            message(r#"["a\ud83d","b"]"#),
            (Some(json!(["a\u{fffd}", "b"])), Some(Flaw::HalfCharacter))
        );
        assert_eq!(half(r#"["\ud83d\ude00","\\ud83d"]"#).as_deref(), Some(r#"["😀","\\ud83d"]"#));
    }

    #[test]
    fn sound_is_what_the_strict_reader_reads() {
        for line in [
            r#"{"id":1,"a":[null,true,-1,2.5,"b\n\u00e9",{"c":{}}]}"#,
            r#"{"big":1e400}"#,
            r#"["a\ud83d"]"#,
            r#"["\ud83d\ude00"]"#,
            "",
            "[1,]",
            "{\"a\":1} x",
            "[\"\u{1b}\"]",
            "7",
            "\"\"",
            "{\"a\":-1e-400}",
            "{1:2}",
            "18446744073709551616",
        ] {
            assert_eq!(is_sound(line), serde_json::from_str::<Value>(line).is_ok(), "{line:?}");
        }
        for levels in [126, 127, 128, 129, 100_000] {
            let nested = "[".repeat(levels) + &"]".repeat(levels);
            assert_eq!(is_sound(&nested), serde_json::from_str::<Value>(&nested).is_ok(), "{levels}");
        }
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
