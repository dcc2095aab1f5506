//! What a sentence admits or claims; names of members are read elsewhere.

use super::Claim;

/// Phrases that deny that there is more; they are looked for first.
const NO_MORE_WORDS: &[&str] = &[
    "all results", "complete list", "end of list", "end of results", "no more", "none omitted",
    "not truncated", "nothing more", "showing all",
];
/// Phrases that admit that there is more.
const MORE_WORDS: &[&str] = &[
    "and more", "incomplete", "limit reached", "limited to", "more available", "more entries", "more items",
    "more lines", "more matches", "more pages", "more records", "more results", "more rows", "more to see",
    "next page", "next_cursor", "nextcursor", "not all", "omitted", "only the first", "partial result",
    "rel=\"next\"", "results were cut", "showing first", "showing the first", "there are more",
    "to see more", "truncated",
];

pub(super) fn in_words(text: &str, items: u64) -> Claim {
    let text = text.to_lowercase();
    let contains = |phrases: &[&str]| phrases.iter().any(|phrase| text.contains(phrase));
    let part = names_part_of_whole(&text);
    if let Some((part, whole)) = part {
        return if part < whole { Claim::More } else { Claim::NoMore };
    }
    if contains(NO_MORE_WORDS) {
        return Claim::NoMore;
    }
    if contains(MORE_WORDS) || says_how_many_more(&text) {
        return Claim::More;
    }
    if is_part_in_another_language(&text, items) {
        return Claim::More;
    }
    let mut numbers = numbers(&text);
    match (numbers.next(), numbers.next()) {
        (Some(number), None) if number == items => Claim::Count(items),
        // A word, or markup such as the head of a table.
        (None, None)
            if !text.trim().contains(char::is_whitespace)
                || text.trim().starts_with(['|', '`', '<', '#', '-']) =>
        {
            Claim::Nothing
        }
        _ => Claim::Unclear,
    }
}

/// Whether a text in a language that is not read here has the number of items beside a larger one, and no other number:
/// "57件中5件を表示".
fn is_part_in_another_language(text: &str, items: u64) -> bool {
    const ENGLISH: &[&str] =
        &["and", "are", "by", "for", "from", "has", "in", "is", "table", "the", "to", "with"];
    let is_english = text.split(|c: char| !c.is_alphanumeric()).any(|word| ENGLISH.contains(&word));
    let mut numbers: Vec<u64> = numbers(text).collect();
    numbers.sort_unstable();
    !is_english && matches!(numbers[..], [part, whole] if part == items && whole > items)
}

/// Whether the text says "13 more".
fn says_how_many_more(text: &str) -> bool {
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.windows(2).any(|pair| {
        pair[0].parse::<u64>().is_ok_and(|number| number > 0)
            && matches!(pair[1], "more" | "further" | "remaining")
    })
}

/// The two numbers of "50 of 262" or "50/262", also with words between: "the 10 most recent of 23 issues".
pub(super) fn names_part_of_whole(text: &str) -> Option<(u64, u64)> {
    const WORDS_BETWEEN: usize = 4;
    let spaced = text.replace('/', " of ");
    let words: Vec<&str> = spaced
        .split(|c: char| !c.is_alphanumeric() && c != ',')
        .map(|w| w.trim_matches(','))
        .filter(|w| !w.is_empty())
        .collect();
    let number = |word: &str| word.replace(',', "").parse::<u64>().ok();
    let of = words.iter().position(|word| matches!(*word, "of" | "von" | "de" | "sur" | "out"))?;
    let part = words[of.saturating_sub(WORDS_BETWEEN)..of].iter().rev().find_map(|word| number(word))?;
    let is_many = |word: &str| matches!(word, "many" | "several" | "hundreds" | "thousands" | "millions");
    let size = |word: &&str| number(word).or_else(|| is_many(word).then_some(u64::MAX));
    let whole = words[of + 1..].iter().take(2).find_map(size)?;
    // "items 0-9/23" counts from 0.
    let from_zero = of >= 2 && words[of - 2] == "0" && number(words[of - 1]) == Some(part);
    Some((part.saturating_add(u64::from(from_zero)), whole))
}

fn numbers(text: &str) -> impl Iterator<Item = u64> {
    text.split(|c: char| !c.is_ascii_digit() && c != ',')
        .filter_map(|digits| digits.replace(',', "").parse().ok())
}
