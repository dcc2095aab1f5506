//! Names of parameters and members, compared as people compare them.

use std::borrow::Cow;

pub(crate) use frankly_contract::is_idempotency_key;

/// What is longer is no name; a text used as one has as many words as it likes.
const LONGEST: usize = 200;

/// The words of a name, in lower case: `maxResults`, `max_results` and `max-results` are max, results.
pub(crate) fn words(name: &str) -> Vec<String> {
    each_word(name).map(Cow::into_owned).collect()
}

/// Whether one of the words of a name is one of these.
pub(crate) fn has_word(name: &str, known: &[&str]) -> bool {
    each_word(name).any(|word| known.contains(&&*word))
}

/// The words of a name one after the other, copied only where they have capitals.
pub(crate) fn each_word(name: &str) -> impl Iterator<Item = Cow<'_, str>> {
    // Most names need nobody to look up what each character is.
    let ascii = name.is_ascii().then(|| ascii_words(&name[..name.len().min(LONGEST)]));
    let others = if ascii.is_some() { Vec::new() } else { other_words(name) };
    ascii.into_iter().flatten().chain(others.into_iter().map(Cow::Owned))
}

fn other_words(name: &str) -> Vec<String> {
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

fn ascii_words(name: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let mut rest = name;
    std::iter::from_fn(move || {
        rest = &rest[rest.bytes().position(|byte| byte.is_ascii_alphanumeric())?..];
        let mut before = b'A';
        let ends = |byte: u8| {
            let after_lower = before.is_ascii_lowercase() || before.is_ascii_digit();
            before = byte;
            !byte.is_ascii_alphanumeric() || (byte.is_ascii_uppercase() && after_lower)
        };
        let (word, behind) = rest.split_at(rest.bytes().position(ends).unwrap_or(rest.len()));
        rest = behind;
        let has_capitals = word.bytes().any(|byte| byte.is_ascii_uppercase());
        Some(if has_capitals { Cow::Owned(word.to_ascii_lowercase()) } else { Cow::Borrowed(word) })
    })
}

/// A name without case and punctuation: `maxResults` and `max_results` are one.
pub(crate) fn normalise(name: &str) -> String {
    run_together(name).into_owned()
}

/// The same, copied only where it is written otherwise.
pub(crate) fn run_together(name: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    if name.len() <= LONGEST && name.bytes().all(is_plain) {
        return Cow::Borrowed(name);
    }
    if name.is_ascii() {
        let letters = name.bytes().take(LONGEST).filter(u8::is_ascii_alphanumeric);
        return letters.map(|byte| char::from(byte.to_ascii_lowercase())).collect::<String>().into();
    }
    let letters = name.chars().take(LONGEST).filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect::<String>().into()
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
        assert_eq!(words("v2Api"), ["v2", "api"]);
        assert_eq!(words("HTTPStatus__2x"), ["httpstatus", "2x"]);
        assert!(has_word("maxResults", &["results"]) && !has_word("maxResults", &["result", ""]));
        for name in ["per-page", "maxResults", "İd_ß", "", "__", &"long_name".repeat(100)] {
            assert_eq!(normalise(name), words(name).concat());
        }
    }
}
