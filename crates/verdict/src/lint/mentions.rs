//! A text as words that may be names, with what stands around them.

/// A word: letters and digits, also with `_` and, between them, `-`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'a> {
    pub text: &'a str,
    pub start: usize,
}

impl Token<'_> {
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Whether the word is written as names are and as no word of English is: in snake_case or camelCase, or, where that
    /// is said to be usual, in kebab-case.
    pub fn is_shaped(&self, kebab: bool) -> bool {
        style(self.text).is_some_and(|style| kebab || style != Style::Kebab)
    }
}

/// How the words of a name are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Style {
    Snake,
    Kebab,
    Camel,
}

/// `None` for what is one word, or more than a name.
pub(super) fn style(name: &str) -> Option<Style> {
    // Nearly every word is one of English.
    if name.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return None;
    }
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let parted = |by: char| {
        name.contains(by)
            && name.chars().all(|c| letters(c) || c == by)
            && !name.starts_with(by)
            && !name.ends_with(by)
    };
    let begins_low = name.starts_with(|c: char| c.is_ascii_lowercase());
    if parted('_') && begins_low {
        return Some(Style::Snake);
    }
    if parted('-') && begins_low {
        return Some(Style::Kebab);
    }
    let bytes = name.as_bytes();
    let humps =
        bytes.windows(2).filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase()).count();
    // `iOS` and `arXiv` are words.
    let is_camel =
        begins_low && humps > 0 && name.chars().all(|c| c.is_ascii_alphanumeric()) && name.len() > 6;
    is_camel.then_some(Style::Camel)
}

pub(super) fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut chars = text.char_indices();
    let mut before = ' ';
    std::iter::from_fn(move || {
        let mut start = None;
        while let Some((at, c)) = chars.next() {
            let joins = || before.is_alphanumeric() && chars.as_str().starts_with(char::is_alphanumeric);
            let inside = c.is_alphanumeric() || c == '_' || (c == '-' && joins());
            before = c;
            if inside {
                start.get_or_insert(at);
            } else if let Some(start) = start {
                return Some(Token { text: &text[start..at], start });
            }
        }
        start.map(|start| Token { text: &text[start..], start })
    })
}

/// Whether a text may have a word that is quoted, or written as names are.
pub(super) fn may_name(text: &str, kebab: bool) -> bool {
    let bytes = text.as_bytes();
    let is_quote = |byte: u8| matches!(byte, b'`' | b'"' | b'\'' | b'*' | b'\\');
    let is_joint = |byte: u8| byte == b'_' || (kebab && byte == b'-');
    bytes.iter().any(|byte| is_joint(*byte))
        || bytes.iter().filter(|byte| is_quote(**byte)).nth(1).is_some()
        || bytes.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
}

/// The signs that quote a name, or set it in another type.
const QUOTES: [char; 5] = ['`', '"', '\'', '*', '\\'];

/// Whether a word stands in quotes of any kind.
pub(super) fn is_quoted(text: &str, token: &Token<'_>) -> bool {
    text[..token.start].ends_with(QUOTES) && text[token.end()..].starts_with(QUOTES)
}

/// Whether what stands directly before or after a word makes it a part of something longer: a path, a member, a key of
/// JSON, a variable, a flag.
pub(super) fn is_part(text: &str, token: &Token<'_>) -> bool {
    const BEFORE: [char; 13] = ['.', '/', '$', '@', '{', '<', '#', '-', ':', '%', '=', '&', '['];
    let before = text[..token.start].trim_end_matches(QUOTES);
    let after = text[token.end()..].trim_start_matches(QUOTES);
    let mut after = after.chars();
    let (first, second) = (after.next().unwrap_or(' '), after.next().unwrap_or(' '));
    before.ends_with(BEFORE)
        || matches!(first, ':' | '=' | '/' | '<' | '}' | ']' | '-' | '[' | '{')
        || (first == '.' && second.is_alphanumeric())
}

/// Whether nothing but spaces, quotes and the signs of a list stand between two words; a line may end there.
pub(super) fn is_near(text: &str, before: &Token<'_>, after: &Token<'_>) -> bool {
    const FAR: usize = 60;
    const CLOSE: usize = 8;
    let gap = &text[before.end()..after.start];
    // A call without arguments, as in `list_issues()`.
    let gap = gap.strip_prefix("()").unwrap_or(gap);
    gap.len() < FAR
        && gap.trim().len() < CLOSE
        && gap.matches('\n').count() < 2
        && gap.chars().all(|c| matches!(c, ' ' | '\n' | ',' | '/') || QUOTES.contains(&c))
}

/// The blocks of code in a text.
pub(super) struct Code(Vec<usize>);

impl Code {
    pub fn of(text: &str) -> Self {
        Self(text.match_indices("```").map(|(at, _)| at).collect())
    }

    /// Whether a place is inside one.
    pub fn has(&self, at: usize) -> bool {
        self.0.partition_point(|fence| *fence < at) % 2 == 1
    }
}

/// The sentence around a place, at most so many characters of it.
pub(super) fn around(text: &str, at: usize, chars: usize) -> &str {
    let (before, after) = text.split_at(at);
    let first = before.char_indices().rev().nth(chars / 2).map_or(0, |(start, _)| start);
    let last = after.char_indices().nth(chars).map_or(text.len(), |(end, _)| at + end);
    let (before, after) = (&text[first..at], &text[at..last]);
    let start = before.rfind('\n').map(|end| end + 1).max(before.rfind(". ").map(|end| end + 2)).unwrap_or(0);
    let end = [after.find('\n'), after.find(". ").map(|end| end + 1)].into_iter().flatten().min();
    text[first + start..end.map_or(last, |end| at + end)].trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_words() {
        for (name, expected) in [
            ("get_issue", Some(Style::Snake)),
            ("get-issue", Some(Style::Kebab)),
            ("getIssue", Some(Style::Camel)),
            ("issue", None),
            ("GET_ISSUE", None),
            ("Issue", None),
            ("arXiv", None),
            ("_x", None),
            ("", None),
            ("größe_x", None),
        ] {
            assert_eq!(style(name), expected, "{name}");
        }
    }

    #[test]
    fn words_keep_their_joints() {
        let words: Vec<_> = tokens("Use `get_issue`, up-to-date - é_x!").map(|token| token.text).collect();
        assert_eq!(words, ["Use", "get_issue", "up-to-date", "é_x"]);
        assert_eq!(tokens("").count(), 0);
    }

    #[test]
    fn the_sentence_around_a_place_is_found() {
        let text = "One. Two é three. Four\nfive";
        assert_eq!(around(text, text.find("three").unwrap(), 100), "Two é three.");
        assert_eq!(around(text, text.len(), 100), "five");
    }
}
