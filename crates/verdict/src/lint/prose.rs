//! Descriptions read as sentences and words. Judges nothing, and reads English only.

/// What is longer than any description is read only so far.
const LONGEST: usize = 50_000;

/// The part of a text that is read.
pub(super) fn readable(text: &str) -> &str {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

/// The sentences and lines of a text, trimmed; a full stop within a word (`a.b`, `1.5`) ends none.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    readable(text)
        .split('\n')
        .flat_map(sentences_of_line)
        .map(str::trim)
        .filter(|sentence| !sentence.is_empty())
}

fn sentences_of_line(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut chars = rest.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let ends = match c {
                '.' | '!' | '?' => {
                    chars.peek().is_none_or(|(_, next)| next.is_whitespace()) && !abbreviates(&rest[..at])
                }
                ';' | '。' => true,
                _ => false,
            };
            if ends {
                let (sentence, after) = rest.split_at(at + c.len_utf8());
                rest = after;
                return Some(sentence);
            }
        }
        Some(std::mem::take(&mut rest))
    })
}

/// Whether a full stop after this belongs to `e.g.`, `i.e.` or `etc.`.
fn abbreviates(before: &str) -> bool {
    ["e.g", "i.e", "etc", "vs", "cf"].iter().any(|end| before.ends_with(end))
}

/// The words of a text, in lower case. Letters, digits and `_` make a word, and so does an apostrophe within one.
pub(super) fn words(text: &str) -> Vec<String> {
    let part = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '\'' | '’');
    let words = readable(text).split(part).map(|word| word.trim_matches(['\'', '’']).to_lowercase());
    words.filter(|word| !word.is_empty()).collect()
}

/// Whether a text is English, as far as its letters and its little words say so. A short one without any counts as
/// English when it has only Latin letters.
pub(super) fn is_english(text: &str) -> bool {
    const LITTLE: &[&str] = &[
        "a", "all", "an", "and", "are", "as", "at", "be", "by", "for", "from", "if", "in", "is", "of", "on",
        "or", "that", "the", "this", "to", "use", "when", "with", "your",
    ];
    const SHORT: usize = 6;
    const SAMPLE: usize = 2_000;
    let end = text.char_indices().nth(SAMPLE).map_or(text.len(), |(end, _)| end);
    let sample = &text[..end];
    let letters = sample.chars().filter(|c| c.is_alphabetic()).count();
    let foreign = sample.chars().filter(|c| c.is_alphabetic() && !c.is_ascii()).count();
    let words = words(sample);
    letters > 0
        && foreign * 10 <= letters
        && (words.len() < SHORT || words.iter().any(|word| LITTLE.contains(&word.as_str())))
}

/// Whether a word is in a list of words that are parted by spaces.
pub(super) fn is_one_of(word: &str, list: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == word)
}

/// Whether these words stand in this order and side by side.
pub(super) fn has_phrase(words: &[String], phrase: &[&str]) -> bool {
    words
        .windows(phrase.len())
        .any(|window| window.iter().zip(phrase).all(|(word, expected)| word == expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_at_stops_and_lines() {
        let text = "Gets a page, e.g. `a.b`. Use it first!\n- id: 1.5 of it; more";
        assert_eq!(
            sentences(text).collect::<Vec<_>>(),
            ["Gets a page, e.g. `a.b`.", "Use it first!", "- id: 1.5 of it;", "more"]
        );
        assert_eq!(sentences("").count(), 0);
    }

    #[test]
    fn other_languages_are_not_taken_for_english() {
        assert!(is_english("Lists the orders of the customer."));
        assert!(is_english("List orders"));
        for text in [
            "注文の一覧",
            "Listet alle Bestellungen eines Kunden mit ihren Positionen",
            "Список заказов",
            "",
            "🎯",
        ] {
            assert!(!is_english(text), "{text}");
        }
    }

    #[test]
    fn words_keep_their_inside() {
        assert_eq!(words("Don't use `get_x`(1)."), ["don't", "use", "get_x", "1"]);
        assert!(has_phrase(&words("at most ten"), &["at", "most"]));
        assert!(!has_phrase(&words("at"), &["at", "most"]));
    }
}
