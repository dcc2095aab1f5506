//! Descriptions read as sentences and words. Judges nothing, and reads English only.

use std::borrow::Cow;
use std::sync::OnceLock;

/// What is longer than any description is read only so far.
const LONGEST: usize = 50_000;

/// A word in lower case; one that is written so is not copied.
pub(super) type Word<'a> = Cow<'a, str>;

/// A text that many rules read: its words are made once.
#[derive(Debug)]
pub(super) struct Text<'a> {
    text: &'a str,
    words: OnceLock<Vec<Word<'a>>>,
    opening: OnceLock<Vec<Word<'a>>>,
    is_english: OnceLock<bool>,
}

impl<'a> Text<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, words: OnceLock::new(), opening: OnceLock::new(), is_english: OnceLock::new() }
    }

    /// The text itself.
    pub fn as_str(&self) -> &'a str {
        self.text
    }

    /// See [`words`].
    pub fn words(&self) -> &[Word<'a>] {
        self.words.get_or_init(|| words(self.text))
    }

    /// The words of the first sentence.
    pub fn opening(&self) -> &[Word<'a>] {
        self.opening.get_or_init(|| sentences(self.text).next().map(words).unwrap_or_default())
    }

    /// See [`is_english`].
    pub fn is_english(&self) -> bool {
        *self.is_english.get_or_init(|| is_english(self.text))
    }
}

/// The part of a text that is read.
pub(super) fn readable(text: &str) -> &str {
    if text.len() <= LONGEST {
        return text;
    }
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

/// The sentences and lines of a text, trimmed; a full stop within a word (`a.b`, `1.5`) ends none.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    lines(readable(text)).flat_map(sentences_of_line).map(str::trim).filter(|sentence| !sentence.is_empty())
}

/// The lines of a text; one that is wrapped goes on in the next.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut breaks = text.match_indices('\n').map(|(at, _)| at);
        let end = breaks.find(|at| !goes_on(&text[..*at], &text[at + 1..]));
        rest = end.map(|end| &text[end + 1..]);
        Some(end.map_or(text, |end| &text[..end]))
    })
}

/// Whether a line was only wrapped: it is long and ends in the middle of a sentence, and the next begins with a word that
/// heads no entry of a list.
fn goes_on(before: &str, after: &str) -> bool {
    const WRAPPED: usize = 40;
    let line = before.rsplit('\n').next().unwrap_or_default().trim();
    let next = after.split('\n').next().unwrap_or_default().trim();
    let (word, beyond) =
        next.split_at(next.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(next.len()));
    let heads = beyond.trim_start().starts_with([':', '(', '=', '-', '–', '—']);
    line.len() >= WRAPPED
        && line.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '`'))
        && word.starts_with(|c: char| c.is_lowercase())
        && !heads
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
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    written(readable(text)).map(lower).collect()
}

/// The words of a text as they are written.
fn written(text: &str) -> impl Iterator<Item = &str> {
    let part = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '\'' | '’');
    text.split(part).map(|word| word.trim_matches(['\'', '’'])).filter(|word| !word.is_empty())
}

fn lower(word: &str) -> Word<'_> {
    let is_lower = word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_lower { Cow::Borrowed(word) } else { Cow::Owned(word.to_lowercase()) }
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
    let sample = match text.char_indices().nth(SAMPLE) {
        Some((end, _)) => &text[..end],
        None => text,
    };
    let (mut letters, mut foreign) = (0, 0);
    for c in sample.chars().filter(|c| c.is_alphabetic()) {
        letters += 1;
        foreign += usize::from(!c.is_ascii());
    }
    let is_little = |word: &str| LITTLE.iter().any(|little| word.eq_ignore_ascii_case(little));
    letters > 0
        && foreign * 10 <= letters
        && (written(sample).any(is_little) || written(sample).nth(SHORT - 1).is_none())
}

/// Whether a word is in a list of words that are parted by spaces.
pub(super) fn is_one_of(word: &str, list: &str) -> bool {
    let (word, mut rest) = (word.as_bytes(), list.as_bytes());
    loop {
        rest = rest.trim_ascii_start();
        if rest.is_empty() {
            return false;
        }
        if let Some(after) = rest.strip_prefix(word)
            && !word.is_empty()
            && after.first().is_none_or(u8::is_ascii_whitespace)
        {
            return true;
        }
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        rest = &rest[end..];
    }
}

/// A list of words in lower case that are parted by spaces, made for many questions.
pub(super) struct WordList {
    list: &'static str,
    /// For each first letter the lengths there are, one bit each: most words are told from the list by that.
    lengths: [u32; 26],
    /// Where words begin, by their hash; 0 for none, else one more.
    places: [u16; SLOTS],
}

/// More than twice as many as the longest list has words.
const SLOTS: usize = 512;

impl WordList {
    /// The list as a constant: one that is too long, or has a word that begins with no letter, does not compile.
    pub const fn new(list: &'static str) -> Self {
        let (bytes, mut lengths, mut places) = (list.as_bytes(), [0; 26], [0; SLOTS]);
        let mut at = 0;
        let mut count = 0;
        while at < bytes.len() {
            let start = at;
            let mut hash = 0;
            while at < bytes.len() && !bytes[at].is_ascii_whitespace() {
                hash = mix(hash, bytes[at]);
                at += 1;
            }
            if at > start {
                count += 1;
                assert!(count < SLOTS / 2, "the list is too long");
                lengths[(bytes[start] - b'a') as usize] |= 1 << (at - start);
                let mut slot = hash as usize % SLOTS;
                while places[slot] != 0 {
                    slot = (slot + 1) % SLOTS;
                }
                places[slot] = start as u16 + 1;
            }
            at += 1;
        }
        Self { list, lengths, places }
    }

    /// See [`is_one_of`].
    pub fn has(&self, word: &str) -> bool {
        let Some(first) = word.bytes().next().filter(u8::is_ascii_lowercase) else { return false };
        let lengths = self.lengths[usize::from(first - b'a')];
        if word.len() >= 32 || lengths & 1 << word.len() == 0 {
            return false;
        }
        let mut slot = word.bytes().fold(0, mix) as usize % SLOTS;
        while self.places[slot] != 0 {
            let kept = &self.list.as_bytes()[usize::from(self.places[slot]) - 1..];
            let after = kept.strip_prefix(word.as_bytes());
            if after.is_some_and(|after| after.first().is_none_or(u8::is_ascii_whitespace)) {
                return true;
            }
            slot = (slot + 1) % SLOTS;
        }
        false
    }
}

const fn mix(hash: u32, byte: u8) -> u32 {
    hash.wrapping_mul(31).wrapping_add(byte as u32)
}

/// Whether one of these words or phrases stands in a text, also in capitals. They are written in lower case and begin with a
/// letter; one that ends in `*` is a beginning.
pub(super) fn has_any(text: &str, marks: &[&str]) -> bool {
    let firsts = marks.iter().filter_map(|mark| mark.bytes().next());
    let firsts = firsts.fold(0u32, |firsts, first| firsts | 1 << (first & 31));
    let bytes = text.as_bytes();
    let is_word = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let stands = |at: usize, mark: &str| {
        let beginning = mark.strip_suffix('*');
        let mark = beginning.unwrap_or(mark).as_bytes();
        let end = at + mark.len();
        bytes.get(at..end).is_some_and(|part| part.eq_ignore_ascii_case(mark))
            && (beginning.is_some() || !is_word(end) || !is_word(end - 1))
    };
    bytes.iter().enumerate().any(|(at, byte)| {
        firsts & 1 << (byte.to_ascii_lowercase() & 31) != 0
            && !(at > 0 && is_word(at - 1))
            && marks.iter().any(|mark| stands(at, mark))
    })
}

/// [`is_one_of`] for a list that is a constant: it is kept as a [`WordList`].
macro_rules! one_of {
    ($word:expr, $list:expr $(,)?) => {{
        static LIST: $crate::lint::prose::WordList = $crate::lint::prose::WordList::new($list);
        LIST.has($word)
    }};
}

/// Whether a text names a thing of this name, as it is written but for its case.
pub(super) fn names(text: &str, name: &str) -> bool {
    let (text, name) = (readable(text).to_lowercase(), name.to_lowercase());
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    !name.is_empty()
        && text.match_indices(&name).any(|(at, name)| {
            let (before, after) = (&text[..at], &text[at + name.len()..]);
            !before.ends_with(is_part) && !after.starts_with(is_part)
        })
}

/// Whether these words stand in this order and side by side.
pub(super) fn has_phrase(words: &[Word<'_>], phrase: &[&str]) -> bool {
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
    fn a_word_is_found_in_a_list_however_it_is_kept() {
        const LIST: &str = "a any  at\n id ids";
        static KEPT: WordList = WordList::new(LIST);
        for (word, expected) in [
            ("a", true),
            ("at", true),
            ("ids", true),
            ("an", false),
            ("i", false),
            ("", false),
            ("Any", false),
        ] {
            assert_eq!((is_one_of(word, LIST), KEPT.has(word)), (expected, expected), "{word}");
        }
        assert!(!KEPT.has(&"a".repeat(40)));
    }

    #[test]
    fn a_mark_is_found_in_capitals_too() {
        for (text, expected) in [("An EXAMPLE", true), ("exampl", false), ("é e.G", true), ("", false)] {
            assert_eq!(has_any(text, &["example", "e.g"]), expected, "{text}");
        }
    }

    #[test]
    fn a_wrapped_line_goes_on_and_an_entry_of_a_list_does_not() {
        let of = |text| sentences(text).collect::<Vec<_>>();
        assert_eq!(
            of("Always check the columns with describe_table\nbefore calling run_query. Then\ngo on.").len(),
            3
        );
        assert_eq!(
            of("Args:\n  limit: how many of all the rows come back at once\n  offset: where to begin").len(),
            3
        );
        assert_eq!(of("short\nlines"), ["short", "lines"]);
        assert_eq!(of("a\n\nb"), ["a", "b"]);
    }

    #[test]
    fn a_name_is_named_whole() {
        assert!(names("For one use Get-Order.", "get-order") && names("`a.b`", "a.b"));
        assert!(!names("For all use get-orders.", "get-order") && !names("re-get", "get") && !names("x", ""));
    }

    #[test]
    fn words_keep_their_inside() {
        assert_eq!(words("Don't use `get_x`(1)."), ["don't", "use", "get_x", "1"]);
        assert!(has_phrase(&words("at most ten"), &["at", "most"]));
        assert!(!has_phrase(&words("at"), &["at", "most"]));
    }
}
