//! Every text in what was seen. What may not enter: what is looked for in it.

use std::collections::BTreeMap;

use serde_json::{Deserializer, Value};

/// So many characters stand on either side of what is found.
const AROUND: usize = 40;

/// Every text in some values, in one, with lines between them.
pub(super) struct Texts {
    texts: String,
    /// The same, in lower case; each character has its place.
    lower: String,
}

impl Texts {
    /// The texts of these values: each by itself, and those that stand in the same place of the items of a list as one, as the
    /// pieces of an answer that is streamed do. The values are such a list themselves.
    pub(super) fn of(values: &[Value]) -> Self {
        let mut texts = String::new();
        gather_all(values, &mut texts);
        let lower = texts.to_ascii_lowercase();
        Self { texts, lower }
    }

    pub(super) fn lower(&self) -> &str {
        &self.lower
    }

    /// What stands around a place, on its line.
    pub(super) fn around(&self, at: usize, length: usize) -> String {
        let (before, after) = (&self.texts[..at], &self.texts[at + length..]);
        let before = before.rsplit('\n').next().unwrap_or_default();
        let after = after.lines().next().unwrap_or_default();
        let skipped = before.chars().count().saturating_sub(AROUND);
        let begin: String = before.chars().skip(skipped).collect();
        let end: String = after.chars().take(AROUND).collect();
        let dots = |is_cut: bool| if is_cut { "…" } else { "" };
        let found = &self.texts[at..at + length];
        format!("{}{begin}{found}{end}{}", dots(skipped > 0), dots(end.len() < after.len()))
    }
}

/// Every text in a value, keys included, and every text in the JSON that a text holds: escapes hide nothing.
fn gather(value: &Value, texts: &mut String) {
    match value {
        Value::String(text) => gather_text(text, texts),
        Value::Array(items) => gather_all(items, texts),
        Value::Object(members) => members.iter().for_each(|(key, member)| {
            add(key, texts);
            gather(member, texts);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn gather_text(text: &str, texts: &mut String) {
    add(text, texts);
    gather_all(&inner(text), texts);
}

/// The texts of each item, and the pieces that lie in the same place of several of them.
fn gather_all(items: &[Value], texts: &mut String) {
    items.iter().for_each(|item| gather(item, texts));
    let mut strands = BTreeMap::new();
    items.iter().for_each(|item| follow(item, &mut Vec::new(), &mut strands));
    strands.values().filter(|strand| strand.pieces > 1).for_each(|strand| gather_text(&strand.text, texts));
}

/// The pieces of one place.
#[derive(Default)]
struct Strand {
    text: String,
    pieces: usize,
}

/// Adds each text to those of its place: the keys that lead to it, whichever item of a list it is in.
fn follow<'v>(value: &'v Value, place: &mut Vec<&'v str>, strands: &mut BTreeMap<Vec<&'v str>, Strand>) {
    match value {
        Value::String(text) => {
            let strand = strands.entry(place.clone()).or_default();
            strand.text.push_str(text);
            strand.pieces += 1;
        }
        Value::Array(items) => items.iter().for_each(|item| follow(item, place, strands)),
        Value::Object(members) => members.iter().for_each(|(key, member)| {
            place.push(key);
            follow(member, place, strands);
            place.pop();
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn add(text: &str, texts: &mut String) {
    texts.push_str(text);
    texts.push('\n');
}

/// The JSON that a text holds, all of it or in between: objects and lists wherever they begin, and texts that are lines.
fn inner(text: &str) -> Vec<Value> {
    let mut found = Vec::new();
    if let Ok(value) = serde_json::from_str(text) {
        found.push(value);
        return found;
    }
    let mut from = 0;
    while let Some(at) = text[from..].find(['{', '[', '"']).map(|at| from + at) {
        // A quote in the middle of a line stands around words as often as it begins JSON.
        let is_line = text[..at].trim_end_matches([' ', '\t']).chars().next_back().is_none_or(|c| c == '\n');
        let mut values = Deserializer::from_str(&text[at..]).into_iter::<Value>();
        let is_wanted = is_line || !text[at..].starts_with('"');
        from = match is_wanted.then(|| values.next()).flatten() {
            Some(Ok(value)) => {
                found.push(value);
                at + values.byte_offset()
            }
            _ => at + 1,
        };
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn shows(value: &Value, marker: &str) -> bool {
        Texts::of(std::slice::from_ref(value)).lower().contains(marker)
    }

    #[test]
    fn a_text_is_found_wherever_it_stands() {
        for value in [
            json!("Dinner with ACMEZQX!"),
            json!({"notes": [{"text": "acmezqx"}]}),
            json!({"acmezqx": 1}),
            json!(r#"{"text": "\u0061cmezqx"}"#),
            json!({"content": [{"type": "text", "text": r#"["{\"a\": \"acm\\u0065zqx\"}"]"#}]}),
            json!("{\"a\": 1}\n{\"text\": \"acmezq\\u0078\"}\n"),
            json!("\"a\"\n  \"acmezq\\u0078\"\n"),
            json!(r#"I found [1 note] of 5" for you: {"text": "\u0061cmezqx"}, and more"#),
            json!(r#"it says ""{"text": "\u0061cmezqx"}"" there"#),
            json!(r#"cut off: {"notes": [{"text": "\u0061cmezqx"}, {"te"#),
            json!(["acmez", "qx"]),
            json!({"delta": ["a", "cmez", "q", "x"]}),
            json!([{"type": "text", "text": "acm"}, {"type": "text", "text": "ezqx"}]),
            json!([{"choices": [{"delta": {"content": "acm"}}]}, {"choices": [{"delta": {"content": "ezqx"}}]}]),
            json!("data: {\"delta\": \"acm\"}\n\ndata: {\"delta\": \"ezqx\"}\n\n"),
            json!(["{\"text\": \"acm\\u0", "065zqx\"}"]),
        ] {
            assert!(shows(&value, "acmezqx"), "{value}");
        }
        for value in [
            json!([{"a": "acmez"}, {"b": "qx"}]),
            json!([null, true, 7, "", "{", "{\n["]),
            json!({"a": "acmez", "b": "qx"}),
        ] {
            assert!(!shows(&value, "acmezqx"), "{value}");
        }
    }

    #[test]
    fn what_stands_around_is_cut_to_its_line() {
        let value = json!(["first", format!("{}acmezqx, é", "é".repeat(50)), "last"]);
        let texts = Texts::of(&[value]);
        let at = texts.lower().find("acmezqx").unwrap();
        assert_eq!(texts.around(at, 7), format!("…{}acmezqx, é", "é".repeat(40)));
    }

    proptest! {
        #[test]
        fn no_nesting_hides_a_text(depth in 0usize..5, upper: bool) {
            let marker = if upper { "ACMEZQX" } else { "acmezqx" };
            let nested = (0..depth).fold(json!({"a": [marker]}), |value, _| json!({"text": value.to_string()}));
            prop_assert!(shows(&nested, "acmezqx"));
            prop_assert!(!shows(&nested, "acmezqz"));
        }

        #[test]
        fn no_cut_into_pieces_hides_a_text(cuts in proptest::collection::btree_set(1usize..7, 0..5), wrapped: bool) {
            let ends = cuts.iter().copied().chain([7]);
            let pieces: Vec<Value> = [0].into_iter().chain(cuts.iter().copied()).zip(ends)
                .map(|(from, to)| "acmezqx"[from..to].into())
                .map(|piece: Value| if wrapped { json!({"type": "text", "text": piece}) } else { piece })
                .collect();
            let nested = json!({"chunks": pieces});
            prop_assert!(shows(&nested, "acmezqx"));
            prop_assert!(Texts::of(&pieces).lower().contains("acmezqx"));
        }
    }
}
