//! Names of parameters and members, compared as people compare them.

use std::borrow::Cow;

pub(crate) use frankly_contract::is_idempotency_key;

/// What is longer is no name; a text used as one has as many words as it likes.
const LONGEST: usize = 200;

/// The words of a name, in lower case: `maxResults`, `max_results` and `max-results` are max, results.
pub(crate) fn words(name: &str) -> Vec<String> {
    if name.is_ascii() {
        return ascii_words(&name[..name.len().min(LONGEST)]);
    }
    let mut words = vec![String::new()];
    let mut after_lower = false;
    for c in name.chars().take(LONGEST) {
        if !c.is_alphanumeric() || (c.is_uppercase() && after_lower) {
            words.push(String::new());
        }
        if let (true, Some(word)) = (c.is_alphanumeric(), words.last_mut()) {
            word.extend(c.to_lowercase());
        }
        after_lower = c.is_lowercase() || c.is_numeric();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The same for most names, without looking up what each character is.
fn ascii_words(name: &str) -> Vec<String> {
    let bytes = name.as_bytes();
    let mut words = Vec::with_capacity(4);
    let mut start = 0;
    let mut end_word = |start: usize, end: usize| {
        if start < end {
            words.push(name[start..end].to_ascii_lowercase());
        }
    };
    for (at, byte) in bytes.iter().enumerate() {
        if !byte.is_ascii_alphanumeric() {
            end_word(start, at);
            start = at + 1;
        } else if byte.is_ascii_uppercase()
            && at > start
            && (bytes[at - 1].is_ascii_lowercase() || bytes[at - 1].is_ascii_digit())
        {
            end_word(start, at);
            start = at;
        }
    }
    end_word(start, name.len());
    words
}

/// A name without case and punctuation: `maxResults` and `max_results` are one.
pub(crate) fn normalise(name: &str) -> String {
    if name.is_ascii() {
        let letters = name.bytes().take(LONGEST).filter(u8::is_ascii_alphanumeric);
        return letters.map(|byte| char::from(byte.to_ascii_lowercase())).collect();
    }
    name.chars().take(LONGEST).filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a word of English is a plural, as far as its end says so.
pub(crate) fn is_plural(word: &str) -> bool {
    const IRREGULAR: &[&str] = &["children", "criteria", "indices", "people"];
    const SINGULAR: &[&str] = &[
        "alias", "analysis", "analytics", "canvas", "chaos", "diagnostics", "metrics", "news", "sales",
        "stats",
    ];
    let ends =
        word.len() > 3 && word.ends_with('s') && !["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    IRREGULAR.contains(&word) || (ends && !SINGULAR.contains(&word))
}

/// The word without its plural: `stories` and `story`, `boxes` and `box`, `users` and `user` are one.
pub(crate) fn singular(word: &str) -> String {
    stem(word).into_owned()
}

/// The same, copied only where it is no part of the word.
pub(crate) fn stem(word: &str) -> Cow<'_, str> {
    if !is_plural(word) {
        return Cow::Borrowed(word);
    }
    match word {
        "children" => return Cow::Borrowed("child"),
        "indices" => return Cow::Borrowed("index"),
        "people" => return Cow::Borrowed("person"),
        _ => {}
    }
    if let Some(stem) = word.strip_suffix("ies") {
        return Cow::Owned(format!("{stem}y"));
    }
    let stem = word
        .strip_suffix("es")
        .filter(|stem| ["x", "ch", "sh", "ss", "us"].iter().any(|end| stem.ends_with(end)));
    stem.or_else(|| word.strip_suffix('s')).unwrap_or(word).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_by_case_and_punctuation() {
        assert_eq!(words("maxResults"), ["max", "results"]);
        assert_eq!(words("@odata.nextLink"), ["odata", "next", "link"]);
        assert_eq!(words("LastEvaluatedKey"), ["last", "evaluated", "key"]);
        for name in ["per-page", "maxResults", "İd_ß", "", "__", &"long_name".repeat(100)] {
            assert_eq!(normalise(name), words(name).concat());
        }
    }
}
