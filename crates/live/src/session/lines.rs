//! Lines from a byte stream, bounded: of one that is longer than is kept, both ends are.

use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;

use frankly_verdict::transcript::Cut;
use tokio::io::{AsyncBufRead, AsyncBufReadExt};

use crate::opening::before;

/// The longest line that is kept whole.
pub(crate) const MAX_LINE_BYTES: usize = 16 * 1024 * 1024;
/// A line that goes on beyond this is taken to have no end.
pub(super) const ENDLESS_BYTES: u64 = 1024 * 1024 * 1024;
/// What a server did that sent one.
pub(super) const ENDLESS: &str = "sent a line of more than 1 GiB";
/// How much is kept of either end of a longer one.
const END_BYTES: usize = 64 * 1024;

/// What came.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line without its line end; the last one may have had none.
    Whole(Vec<u8>),
    /// Both ends of a line that went on beyond the bound, and what tells the result in it from every other.
    Cut(Cut, Option<Digest>),
}

/// What tells a text from every other, as far as anybody needs: where it goes on, a server that wants two to look alike
/// gains nothing.
pub(crate) type Digest = u64;

/// A line as far as it has come.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// All of it, or how it began.
    head: Vec<u8>,
    /// How it ends so far, where not all of it is kept.
    tail: Vec<u8>,
    bytes: usize,
    /// Goes over the result in a line of which not all is kept.
    hasher: Option<DefaultHasher>,
    /// What a line is known by that came without its middle.
    digest: Option<Digest>,
}

impl Kept {
    /// Takes more of the line, of which at most so much is kept whole.
    pub fn push(&mut self, more: &[u8], max_bytes: usize) {
        self.bytes += more.len();
        let ends = END_BYTES.min(max_bytes / 4).max(1);
        if let Some(hasher) = &mut self.hasher {
            hasher.write(more);
        }
        if !self.tail.is_empty() {
            self.tail.extend_from_slice(more);
            if self.tail.len() > 2 * ends {
                self.tail.drain(..self.tail.len() - ends);
            }
            return;
        }
        self.head.extend_from_slice(more);
        if self.head.len() > max_bytes {
            self.hasher = result_begin(&self.head).map(|begin| {
                let mut hasher = DefaultHasher::new();
                hasher.write(&self.head[begin..]);
                hasher
            });
            self.tail = self.head.split_off(self.head.len() - ends);
            self.head.truncate(ends);
            self.head.shrink_to_fit();
        }
    }

    /// Takes a whole line of which itself not all may have been kept.
    pub fn push_line(&mut self, line: Line, max_bytes: usize) {
        match line {
            Line::Whole(bytes) => self.push(&bytes, max_bytes),
            Line::Cut(cut, digest) => {
                self.digest = digest.filter(|_| self.is_empty());
                let left_out = usize::try_from(cut.bytes).unwrap_or(usize::MAX);
                let left_out = left_out.saturating_sub(cut.head.len() + cut.tail.len());
                self.push(cut.head.as_bytes(), max_bytes);
                if self.tail.is_empty() {
                    self.tail = self.head.split_off(self.head.len() / 2);
                }
                self.bytes = self.bytes.saturating_add(left_out);
                self.push(cut.tail.as_bytes(), max_bytes);
            }
        }
    }

    /// Whether the line is taken to have no end.
    pub fn is_endless(&self) -> bool {
        self.bytes as u64 > ENDLESS_BYTES
    }

    /// Whether nothing has come.
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// The line, which is at its end.
    pub fn into_line(self) -> Line {
        if self.tail.is_empty() {
            return Line::Whole(self.head);
        }
        let (head, tail) = (begin_of(&self.head), end_of(&self.tail));
        let digest = self.digest.or_else(|| self.hasher.map(|hasher| hasher.finish()));
        Line::Cut(Cut { bytes: self.bytes as u64, head, tail }, digest)
    }
}

impl Line {
    /// The same line, by its ends only.
    pub fn cut(self) -> Self {
        let mut kept = Kept::default();
        kept.push_line(self, 4 * END_BYTES);
        kept.into_line()
    }

    /// Whether it is taken to have no end.
    pub fn is_endless(&self) -> bool {
        matches!(self, Self::Cut(cut, _) if cut.bytes > ENDLESS_BYTES)
    }

    /// How it begins, as it was kept.
    pub fn head(&self) -> &[u8] {
        match self {
            Self::Whole(bytes) => bytes,
            Self::Cut(cut, _) => cut.head.as_bytes(),
        }
    }
}

/// Where the result begins in an answer that says first whose it is; what comes after the result tells two equal ones apart
/// otherwise.
fn result_begin(head: &[u8]) -> Option<usize> {
    let (members, _, begin) = before(&begin_of(&head[..END_BYTES.min(head.len())]), &["result"])?;
    members.contains_key("id").then_some(begin)
}

/// A text that was cut off, without the character that was cut in two.
fn begin_of(bytes: &[u8]) -> String {
    let end = match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        _ => bytes.len(),
    };
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// The end of a text, without what is left of a character that was cut in two.
fn end_of(bytes: &[u8]) -> String {
    let is_inner = |byte: &u8| byte & 0b1100_0000 == 0b1000_0000;
    let start = bytes.iter().take(3).take_while(|byte| is_inner(byte)).count();
    String::from_utf8_lossy(&bytes[start..]).into_owned()
}

/// Reads up to the next `\n`, or until a line is taken to have no end; a `\r` before it is kept, since the line is kept as it came. `None` where the stream has
/// ended, or failed.
pub(super) async fn next_line(reader: &mut (impl AsyncBufRead + Unpin), max_bytes: usize) -> Option<Line> {
    next_line_telling(reader, max_bytes, |_| ()).await
}

/// The same, telling how much has come of a line that is not at its end.
pub(super) async fn next_line_telling(
    reader: &mut (impl AsyncBufRead + Unpin),
    max_bytes: usize,
    tell: impl Fn(u64),
) -> Option<Line> {
    let mut line = Kept::default();
    loop {
        let Ok(available) = reader.fill_buf().await else { return None };
        if available.is_empty() {
            return (!line.is_empty()).then(|| line.into_line());
        }
        let end = available.iter().position(|byte| *byte == b'\n');
        let taken = end.unwrap_or(available.len());
        line.push(&available[..taken], max_bytes);
        reader.consume(end.map_or(taken, |end| end + 1));
        tell(if end.is_some() { 0 } else { line.bytes as u64 });
        if end.is_some() || line.is_endless() {
            return Some(line.into_line());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[tokio::test]
    async fn lines_end_with_a_line_feed_or_the_stream() {
        let mut reader = &b"one\r\n\ntwo"[..];
        for expected in [&b"one\r"[..], b"", b"two"] {
            assert_eq!(next_line(&mut reader, 10).await, Some(Line::Whole(expected.to_vec())));
        }
        assert_eq!(next_line(&mut reader, 10).await, None);
    }

    #[tokio::test]
    async fn of_a_line_beyond_the_bound_both_ends_are_kept() {
        let mut reader = &b"12345678901\nnext\n"[..];
        let cut = Cut { bytes: 11, head: "12".to_owned(), tail: "01".to_owned() };
        assert_eq!(next_line(&mut reader, 10).await, Some(Line::Cut(cut, None)));
        assert_eq!(next_line(&mut reader, 10).await, Some(Line::Whole(b"next".to_vec())));
    }

    #[test]
    fn no_character_is_cut_in_two() {
        let mut line = Kept::default();
        line.push("ééééééé".as_bytes(), 12);
        let cut = Cut { bytes: 14, head: "é".to_owned(), tail: "é".to_owned() };
        assert_eq!(line.into_line(), Line::Cut(cut, None));
    }

    proptest! {
        #[test]
        fn equal_results_have_one_digest_whatever_their_ids_and_however_they_come(
            id in 0u32..100_000, text in "[a-z]{300,400}", at in 0usize..300,
        ) {
            let digest = |id: u32, text: &str| {
                let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"text":"{text}"}}}}"#);
                let mut kept = Kept::default();
                kept.push(&line.as_bytes()[..at], 200);
                kept.push(&line.as_bytes()[at..], 200);
                let Line::Cut(_, digest) = kept.into_line() else { panic!("it is cut") };
                digest
            };
            prop_assert!(digest(1, &text).is_some());
            prop_assert_eq!(digest(1, &text), digest(id, &text));
            prop_assert_ne!(digest(1, &text), digest(1, &text.replacen(&text[150..151], "_", 1)));
        }

        #[test]
        fn however_it_is_split_a_line_is_kept_within_its_bound(
            parts in proptest::collection::vec(".{0,40}", 0..20),
            most in 4usize..200,
        ) {
            let whole = parts.concat();
            let mut line = Kept::default();
            for part in &parts {
                line.push(part.as_bytes(), most);
                prop_assert!(line.head.len() + line.tail.len() <= most.max(part.len() + most));
            }
            match line.into_line() {
                Line::Whole(bytes) => prop_assert_eq!(bytes, whole.into_bytes()),
                Line::Cut(cut, _) => {
                    prop_assert_eq!(cut.bytes as usize, whole.len());
                    prop_assert!(whole.len() > most && whole.starts_with(&cut.head) && whole.ends_with(&cut.tail));
                }
            }
        }
    }
}
