//! Names in a text with the values that they have there, in whatever notation: `k=v`, `k: v`, JSON that is escaped or cut,
//! `--k v`, `<k>v</k>`, a header. What may not enter: whether a value is a credential.
//!
//! A text may be hostile: no place in it is looked through more than a fixed number of times.

use super::names::{Hold, MOST_OF_A_NAME, first_of, hold, last_of};

/// So many signs stand at most between a name and its sign, or its sign and its value.
const MOST_BETWEEN: usize = 16;
/// A text that is escaped more often has no end of its own.
const MOST_ESCAPES: usize = 7;
/// A value whose name is a value itself stands so close behind it: `"name": "X-Api-Key", "value": "…"`.
const MOST_BEHIND: usize = 160;
const DIGEST: &str = "digest ";
/// A user with a password is no longer.
const MOST_OF_A_USER: usize = 1024;

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// Between quotes, or marks.
    Quoted,
    /// Right behind a `=`.
    Tight,
    /// As a word of its own, behind a colon or a space: it may be the next word of a sentence.
    Loose,
    /// To the end of a line, behind a name of a header.
    Header,
    /// Behind an option of a command.
    Option,
}

/// A name that says something of its value, and that value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pair<'t> {
    pub name: &'t str,
    pub hold: Hold,
    pub value: &'t str,
    pub written: Written,
}

/// The pairs of a text whose name says something.
pub(super) fn pairs(text: &str) -> impl Iterator<Item = Pair<'_>> {
    assigned(text).chain(options(text)).chain(marked_up(text)).chain(said(text))
}

/// Those with a `=` or a `:` between them.
pub(super) fn assigned(text: &str) -> impl Iterator<Item = Pair<'_>> {
    let mut at = 0;
    let mut ends = Ends::default();
    // Where something was named by a value, and how much that name says.
    let mut named: Option<(usize, &str, Hold)> = None;
    std::iter::from_fn(move || {
        loop {
            at += text.as_bytes().get(at..)?.iter().position(|byte| matches!(byte, b'=' | b':'))? + 1;
            let name = name_before(&text[..at - 1]);
            if ["name", "key", "header"].iter().any(|known| name.eq_ignore_ascii_case(known)) {
                let value = first_of(&text[at..], MOST_OF_A_NAME).trim_start_matches(is_between);
                let value = value.split(|c: char| !is_of_a_name(c)).next().unwrap_or_default();
                named = Some((at, value, hold(value)));
            }
            let (name, hold) = match named {
                Some((from, named, hold))
                    if name.eq_ignore_ascii_case("value") && at - from <= MOST_BEHIND =>
                {
                    (named, hold)
                }
                _ => (name, hold(name)),
            };
            if hold > Hold::Nothing {
                return Some(value_at(text, at, name, hold, &mut ends));
            }
        }
    })
}

/// The pair of which the value is looked for from here on.
fn value_at<'t>(text: &'t str, at: usize, name: &'t str, hold: Hold, ends: &mut Ends) -> Pair<'t> {
    let is_equal = text.as_bytes()[at - 1] == b'=';
    let behind = &text[at..];
    let opened = first_of(behind, MOST_BETWEEN).trim_start_matches(is_between);
    let start = at + first_of(behind, MOST_BETWEEN).len() - opened.len();
    let between = &text[at..start];
    let pair = |range: std::ops::Range<usize>, written| Pair { name, hold, value: &text[range], written };
    if let Some(quote) = between.find(['"', '\'', '`']) {
        // What stands between the quote and the value is part of the value.
        let start = at + quote + 1;
        let escapes = text[at..start - 1].bytes().rev().take_while(|byte| *byte == b'\\').count();
        if escapes <= MOST_ESCAPES
            && let Some(end) = ends.quoted(text, start, escapes)
        {
            return pair(start..end, Written::Quoted);
        }
    }
    let is_header = ["authorization", "cookie"].iter().any(|known| ends_with(name, known));
    if is_header {
        // What a digest is made of stands between quotes.
        let is_quoting = first_of(&text[start..], DIGEST.len()).eq_ignore_ascii_case(DIGEST);
        let end = if is_quoting { ends.digest(text, start) } else { ends.line(text, start) };
        return pair(start..end, Written::Header);
    }
    let written = if is_equal && between.is_empty() { Written::Tight } else { Written::Loose };
    pair(start..ends.word(text, start), written)
}

/// The values of options that are words of their own: `--password X`, and `-u user:X` for `curl`.
fn options(text: &str) -> impl Iterator<Item = Pair<'_>> {
    let word = |from: usize| {
        let behind = text[from..].strip_prefix(' ')?.trim_start_matches(['"', '\'']);
        let word = behind.split(|c: char| c.is_whitespace() || "\"'`<>\\".contains(c)).next()?;
        (!word.starts_with('-')).then_some(word)
    };
    let long = text.match_indices("--").filter_map(move |(at, _)| {
        let name = first_of(&text[at + 2..], MOST_OF_A_NAME);
        let name = name.split(|c: char| !is_of_a_name(c)).next()?;
        let hold = hold(name);
        let value = (hold > Hold::Nothing).then(|| word(at + 2 + name.len()))??;
        Some(Pair { name, hold, value, written: Written::Option })
    });
    let users = ["-u", "--user", "--user="].into_iter().flat_map(move |option| {
        text.match_indices(option).filter_map(move |(at, _)| {
            let from = at + option.len();
            let behind = if option.ends_with('=') {
                first_of(&text[from..], MOST_OF_A_USER).split(char::is_whitespace).next()?
            } else {
                word(from)?
            };
            let (user, value) = first_of(behind, MOST_OF_A_USER).split_once(':')?;
            let is_id = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            let is_one = !(user.is_empty() || is_id(user) && is_id(value));
            is_one.then_some(Pair { name: option, hold: Hold::Sure, value, written: Written::Option })
        })
    });
    let has_one = text.contains("curl").then_some(users);
    long.chain(has_one.into_iter().flatten())
}

/// Those in a sentence, of which only the looks can tell: `password X`, `the password is X`.
fn said(text: &str) -> impl Iterator<Item = Pair<'_>> {
    const NAME: &str = "password ";
    text.match_indices(NAME).filter_map(|(at, _)| {
        let behind = &text[at + NAME.len()..];
        let behind = behind.strip_prefix("is ").unwrap_or(behind).trim_start_matches(['"', '\'', '`']);
        let value = behind.split(|c: char| c.is_whitespace() || "\"'`<>,;\\".contains(c)).next()?;
        Some(Pair { name: "password", hold: Hold::Likely, value, written: Written::Loose })
    })
}

/// Those in markup: `<password>…</password>`.
fn marked_up(text: &str) -> impl Iterator<Item = Pair<'_>> {
    let has_one = text.contains("</") || text.contains("<\\/");
    has_one.then(|| text.match_indices('>')).into_iter().flatten().filter_map(move |(at, _)| {
        let name = name_before(&text[..at]);
        let is_open = text[..at].strip_suffix(name).is_some_and(|before| before.ends_with('<'));
        let hold = if is_open { hold(name) } else { Hold::Nothing };
        if hold == Hold::Nothing {
            return None;
        }
        let (value, behind) = text[at + 1..].split_once('<')?;
        let is_closed = behind.starts_with('/') || behind.starts_with("\\/");
        is_closed.then_some(Pair { name, hold, value, written: Written::Quoted })
    })
}

/// Where values end, so that what was looked through for one is not looked through for the next.
#[derive(Debug, Default)]
struct Ends {
    word: std::ops::Range<usize>,
    /// The same without closing brackets.
    bare: usize,
    line: std::ops::Range<usize>,
    digest: std::ops::Range<usize>,
}

impl Ends {
    /// Where the word ends that begins here, without the brackets around it.
    fn word(&mut self, text: &str, start: usize) -> usize {
        let is_end = |c: char| c.is_whitespace() || "\"'`&;,)<>".contains(c);
        if !(self.word.start <= start && start < self.word.end) {
            self.word = start..end_of(text, start, is_end);
            self.bare = start + text[self.word.clone()].trim_end_matches(['}', ']', '\\']).len();
        }
        self.bare.max(start)
    }

    /// Where the line ends, or the text around it.
    fn line(&mut self, text: &str, start: usize) -> usize {
        if !(self.line.start <= start && start < self.line.end) {
            self.line = start..end_of(text, start, |c| "\n\r\"'`<>".contains(c));
        }
        self.line.end.max(start)
    }

    /// Where the line ends, whatever it quotes.
    fn digest(&mut self, text: &str, start: usize) -> usize {
        if !(self.digest.start <= start && start < self.digest.end) {
            let end = text[start..].find(['\n', '\r', '<']).map_or(text.len(), |end| start + end);
            self.digest = start..end;
        }
        self.digest.end.max(start)
    }

    /// Where what began with a quote ends that was escaped so often; at the end of the text where it was cut.
    fn quoted(&mut self, text: &str, start: usize, escapes: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let quote = bytes[start - 1];
        let mut at = start;
        while let Some(next) = bytes[at..].iter().position(|byte| *byte == quote) {
            at += next;
            let before =
                bytes[start..at].iter().rev().take(MOST_ESCAPES + 1).take_while(|byte| **byte == b'\\');
            let before = before.count();
            // Within a text each quote of its own has twice as many escapes and one more.
            if before <= escapes {
                return Some(at - before);
            }
            at += 1;
        }
        (quote == b'"').then_some(bytes.len())
    }
}

/// Where a word or a line ends: at such a sign, or before the escape of one.
fn end_of(text: &str, start: usize, is_end: impl Fn(char) -> bool) -> usize {
    let mut chars = text[start..].char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let is_escape = c == '\\' && matches!(chars.peek(), Some((_, 'n' | 'r' | 't' | '"' | '\'' | '\\')));
        if is_end(c) || is_escape {
            return start + at;
        }
    }
    text.len()
}

/// The name before a sign, without what stands around it.
fn name_before(before: &str) -> &str {
    let name = last_of(before, MOST_BETWEEN + MOST_OF_A_NAME)
        .trim_end_matches(|c| c != '>' && (is_between(c) || c == ']'));
    // What closes it may be written with a percent sign.
    let name = ["%5D", "%5d", "%22"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    let start = name.rfind(|c: char| !is_of_a_name(c));
    start.map_or(name, |start| &name[start + name[start..].chars().next().map_or(1, char::len_utf8)..])
}

fn is_between(c: char) -> bool {
    matches!(c, '"' | '\'' | '`' | ' ' | '\t' | '\\' | '>')
}

fn is_of_a_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

/// Whether a name ends with a word, in any case.
pub(super) fn ends_with(name: &str, word: &str) -> bool {
    let at = name.len().checked_sub(word.len());
    at.and_then(|at| name.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case(word))
}
