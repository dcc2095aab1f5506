//! What was planted, and what was seen of it. What may not enter: whether it should have been.

use serde_json::Value;

use super::Surface;
use super::marker::marker;

/// What a suite has written down; tenants by their places.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) planted: Vec<Planted>,
    pub(super) sightings: Vec<Sighting>,
}

#[derive(Debug)]
pub(super) struct Planted {
    pub(super) owner: usize,
    purpose: String,
    pub(super) marker: String,
}

#[derive(Debug)]
pub(super) struct Sighting {
    pub(super) viewer: usize,
    pub(super) surface: Surface,
    /// Every text in what was seen, in lower case.
    texts: String,
}

impl Seen {
    /// The marker of this tenant for this purpose: the one it has, or else a new one that no other is a part of.
    pub(super) fn plant(&mut self, owner: usize, tenant: &str, purpose: &str) -> String {
        let known = self.planted.iter().find(|known| known.owner == owner && known.purpose == purpose);
        if let Some(known) = known {
            return known.marker.clone();
        }
        let is_free = |word: &String| {
            self.planted
                .iter()
                .all(|known| !known.marker.contains(word.as_str()) && !word.contains(&known.marker))
        };
        let words = (0..).map(|try_again| marker(tenant, purpose, try_again));
        let word = words.into_iter().find(is_free).unwrap_or_default();
        self.planted.push(Planted { owner, purpose: purpose.to_owned(), marker: word.clone() });
        word
    }

    pub(super) fn note(&mut self, viewer: usize, surface: Surface, value: &Value) {
        let mut texts = String::new();
        gather(value, &mut texts);
        self.sightings.push(Sighting { viewer, surface, texts });
    }
}

impl Sighting {
    pub(super) fn shows(&self, marker: &str) -> bool {
        self.texts.contains(marker)
    }
}

/// Every text in a value, keys included, and every text in the JSON that a text holds, by itself or line by line: escapes hide
/// nothing.
fn gather(value: &Value, texts: &mut String) {
    match value {
        Value::String(text) => {
            add(text, texts);
            inner(text).iter().for_each(|value| gather(value, texts));
        }
        Value::Array(items) => items.iter().for_each(|item| gather(item, texts)),
        Value::Object(members) => members.iter().for_each(|(key, member)| {
            add(key, texts);
            gather(member, texts);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn add(text: &str, texts: &mut String) {
    texts.push_str(&text.to_lowercase());
    texts.push('\n');
}

/// The JSON that a text holds, if it holds any that could hide something.
fn inner(text: &str) -> Vec<Value> {
    let read = |text: &str| {
        let begins = text.trim_start().starts_with(['{', '[', '"']);
        begins.then(|| serde_json::from_str(text).ok()).flatten()
    };
    match read(text) {
        Some(value) => vec![value],
        None if text.contains('\n') => text.lines().filter_map(read).collect(),
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn shows(value: &Value, marker: &str) -> bool {
        let mut seen = Seen::default();
        seen.note(0, Surface::Output, value);
        seen.sightings[0].shows(marker)
    }

    #[test]
    fn a_marker_is_found_wherever_it_stands() {
        for value in [
            json!("Dinner with ACMEZQX!"),
            json!({"notes": [{"text": "acmezqx"}]}),
            json!({"acmezqx": 1}),
            json!(r#"{"text": "\u0061cmezqx"}"#),
            json!({"content": [{"type": "text", "text": r#"["{\"a\": \"acm\\u0065zqx\"}"]"#}]}),
            json!("{\"a\": 1}\n{\"text\": \"acmezq\\u0078\"}\n"),
        ] {
            assert!(shows(&value, "acmezqx"), "{value}");
        }
        assert!(!shows(&json!(["acmez", "qx"]), "acmezqx"));
        assert!(!shows(&json!([null, true, 7, "", "{", "{\n["]), "acmezqx"));
    }

    #[test]
    fn a_purpose_keeps_its_marker() {
        let mut seen = Seen::default();
        let one = seen.plant(0, "acme", "note");
        let other = seen.plant(1, "globex", "note");
        assert_eq!((seen.plant(0, "acme", "note"), seen.planted.len()), (one.clone(), 2));
        assert_ne!(one, other);
    }

    proptest! {
        #[test]
        fn no_nesting_hides_a_marker(depth in 0usize..5, upper: bool) {
            let marker = if upper { "ACMEZQX" } else { "acmezqx" };
            let nested = (0..depth).fold(json!({"a": [marker]}), |value, _| json!({"text": value.to_string()}));
            prop_assert!(shows(&nested, "acmezqx"));
            prop_assert!(!shows(&nested, "acmezqz"));
        }
    }
}
