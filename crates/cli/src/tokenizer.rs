//! Counting tokens exactly, for one family of models: the vocabulary is large, and only the binary carries it.

use clap::ValueEnum;
use frankly_verdict::lint::cost::Tokenizer;

/// A tokenizer that is known here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Known {
    /// OpenAI's models since GPT-4o
    O200k,
}

impl Known {
    pub fn tokenizer(self) -> Tokenizer {
        match self {
            Self::O200k => Tokenizer { name: Some("o200k"), count: o200k },
        }
    }
}

fn o200k(text: &str) -> usize {
    let tokenizer = tiktoken_rs::o200k_base_singleton();
    parts(text).map(|part| tokenizer.count_ordinary(part)).sum()
}

/// The text in parts in which no run of white space is so long that the tokenizer's expression gives up on it. Nearly
/// every text is one part.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    const LONGEST_RUN: usize = 1_000;
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut run = 0;
        let end = rest.char_indices().find(|(_, c)| {
            run = if c.is_whitespace() { run + 1 } else { 0 };
            run > LONGEST_RUN
        });
        let (part, after) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        rest = after;
        (!part.is_empty()).then_some(part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_those_of_the_published_tokenizer() {
        let count = Known::O200k.tokenizer().count;
        for (text, expected) in
            [("", 0), ("hello world", 2), ("tiktoken is great!", 6), ("お誕生日おめでとう", 8)]
        {
            assert_eq!(count(text), expected, "{text}");
        }
    }

    #[test]
    fn no_text_is_too_long() {
        for text in [" ", "\n", "a", " \n", "-="].map(|text| text.repeat(200_000)) {
            assert!(o200k(&text) > 0);
            assert_eq!(parts(&text).collect::<String>(), text);
        }
    }
}
