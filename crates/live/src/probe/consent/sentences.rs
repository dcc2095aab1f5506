//! Descriptions cut into sentences and words. What the words mean is for `prose`.

/// A word of a sentence, in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// The word.
    pub text: String,
    /// What stands between it and the word before.
    pub gap: Gap,
    /// Whether it is a name or a quotation, and no word of the sentence.
    pub quoted: bool,
}

/// What stands between two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    /// A space.
    None,
    /// A comma, or a slash.
    Comma,
    /// A dash or a parenthesis.
    Break,
}

/// The sentences of a text; each has at least one word.
pub(super) fn sentences(text: &str) -> Vec<Vec<Word>> {
    let text = text.replace("e.g.", "such as").replace("i.e.", "that is").replace('’', "'");
    let mut reader = Reader::default();
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        let next = letters.peek().copied();
        reader.take(c, next);
    }
    reader.end_sentence();
    reader.sentences
}

#[derive(Debug, Default)]
struct Reader {
    sentences: Vec<Vec<Word>>,
    sentence: Vec<Word>,
    word: String,
    gap: Option<Gap>,
    quote: Option<char>,
}

impl Reader {
    fn take(&mut self, c: char, next: Option<char>) {
        let inside = !self.word.is_empty() && next.is_some_and(char::is_alphanumeric);
        match c {
            c if c.is_alphanumeric() || c == '_' => self.word.extend(c.to_lowercase()),
            '\'' | '-' | '.' if inside => self.word.push(c),
            '`' | '"' => {
                self.end_word();
                self.quote = if self.quote == Some(c) { None } else { self.quote.or(Some(c)) };
            }
            '.' | ';' | ':' | '!' | '?' | '\n' => self.end_sentence(),
            ',' | '/' => self.widen(Gap::Comma),
            '(' | ')' | '[' | ']' | '–' | '—' => self.widen(Gap::Break),
            '-' if self.word.is_empty() => self.widen(Gap::Break),
            _ => self.end_word(),
        }
    }

    fn widen(&mut self, gap: Gap) {
        self.end_word();
        self.gap = self.gap.max(Some(gap));
    }

    fn end_word(&mut self) {
        let text = std::mem::take(&mut self.word);
        if !text.is_empty() {
            let quoted = self.quote.is_some() || text.contains(['_', '.']);
            self.sentence.push(Word { text, gap: self.gap.take().unwrap_or(Gap::None), quoted });
        }
    }

    fn end_sentence(&mut self) {
        // A quotation may hold full stops; one that is never closed ends with its line at the latest.
        self.end_word();
        self.quote = None;
        self.gap = None;
        let sentence = std::mem::take(&mut self.sentence);
        if !sentence.is_empty() {
            self.sentences.push(sentence);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_what_is_between_them_and_what_is_quoted() {
        let sentences =
            sentences("Lists orders, e.g. old ones. Use `delete` or run_sql (a write-ahead tool)!");
        let texts: Vec<Vec<_>> =
            sentences.iter().map(|words| words.iter().map(|word| word.text.as_str()).collect()).collect();
        assert_eq!(
            texts,
            [
                vec!["lists", "orders", "such", "as", "old", "ones"],
                vec!["use", "delete", "or", "run_sql", "a", "write-ahead", "tool"]
            ]
        );
        assert_eq!((sentences[0][2].gap, sentences[1][4].gap), (Gap::Comma, Gap::Break));
        assert!(sentences[1][1].quoted && sentences[1][3].quoted && !sentences[1][2].quoted);
    }
}
