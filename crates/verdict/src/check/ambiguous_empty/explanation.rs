//! Whether an empty answer says why it is empty.

use serde_json::Value;

use crate::names::{has_word, words};
use crate::payload::Payload;

/// Words in the name of a member, or in a code, that tell the same.
const TELLING_NAMES: &[&str] =
    &["exist", "exists", "found", "invalid", "known", "recognised", "recognized", "unknown", "valid"];
/// Words of a sentence that tells an unknown value from a known one without items.
const TELLING: &[&str] = &[
    "available", "call ", "case", "did you mean", "does not", "exact", "exist", "invalid", "is not a",
    "known", "list_", "misspel", "no such", "not found", "not a valid", "recogni", "spell", "unknown",
    "valid",
];

/// How far an empty answer says why it is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Explanation {
    /// Not at all.
    Missing,
    /// It repeats the value in a sentence that would fit a known value as well.
    Named,
    /// It tells an unknown value from a known one.
    Given,
}

/// How far an answer says why it is empty.
pub(super) fn explanation(payload: &Payload, name: &str, value: &str) -> Explanation {
    let parts = ["/structuredContent", "/content"];
    let (mut texts, mut told) = (Vec::new(), false);
    parts.iter().filter_map(|part| payload.at(part)).for_each(|part| collect(part, &mut texts, &mut told, 5));
    let sentences = || texts.iter().filter(|text| text.trim().contains(' ') && text.trim() != value);
    let lower = value.to_lowercase();
    let no_such = words(name).last().map(|word| format!("no {word}")).unwrap_or_default();
    // The value's own words explain nothing.
    let tells = |text: &&&str| {
        let text = text.to_lowercase().replace(&lower, "");
        TELLING.iter().any(|word| text.contains(word)) || (!no_such.is_empty() && text.contains(&no_such))
    };
    let is_code = |text: &&str| *text != value && tells_by_name(text) && !text.contains(' ');
    if told || texts.iter().any(is_code) || sentences().any(|text| tells(&text)) {
        Explanation::Given
    } else if sentences().any(|text| text.contains(value)) {
        Explanation::Named
    } else {
        Explanation::Missing
    }
}

/// Gathers the texts of a value, and whether a flag in it tells by its name.
fn collect<'v>(value: &'v Value, texts: &mut Vec<&'v str>, told: &mut bool, depth: usize) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(items) if depth > 0 => {
            items.iter().for_each(|item| collect(item, texts, told, depth - 1));
        }
        Value::Object(members) if depth > 0 => {
            *told |= members.iter().any(|(name, member)| member.is_boolean() && tells_by_name(name));
            members.values().for_each(|member| collect(member, texts, told, depth - 1));
        }
        _ => {}
    }
}

fn tells_by_name(name: &str) -> bool {
    has_word(name, TELLING_NAMES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn text(text: &str) -> Payload {
        Payload::of(&json!({"content": [{"type": "text", "text": text}]}))
    }

    #[test]
    fn an_explanation_tells_the_unknown_from_the_known() {
        for (answer, expected) in [
            ("{\"rows\":[]}", Explanation::Missing),
            ("{\"rows\":[],\"category\":\"dining\"}", Explanation::Missing),
            ("No transactions for dining.", Explanation::Named),
            (
                "{\"rows\":[],\"note\":\"no category is named dining; names match exactly\"}",
                Explanation::Given,
            ),
            ("No results: dining does not exist.", Explanation::Given),
            ("There is no category dining.", Explanation::Given),
            ("{\"rows\":[],\"category_exists\":false}", Explanation::Given),
            ("{\"rows\":[],\"reason\":\"unknown_category\"}", Explanation::Given),
        ] {
            assert_eq!(explanation(&text(answer), "category", "dining"), expected, "{answer}");
        }
        assert_eq!(explanation(&text("No results for unknown."), "q", "unknown"), Explanation::Named);
    }
}
