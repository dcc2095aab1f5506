//! A private key of which each line comes by itself: on standard error, and in a list. What may not enter: keys that stand in one text.

use std::ops::Range;

use crate::secrets::end_of_key;

/// No key has more lines.
const MOST_LINES: usize = 400;
/// A line of a key that stands behind something else is at least so long.
const LEAST_BEHIND: usize = 32;

/// A key that goes on in the next line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OpenKey {
    lines: usize,
}

impl OpenKey {
    /// One that has just begun.
    pub const BEGUN: Self = Self { lines: MOST_LINES };

    /// What belongs to it in its next line, and whether it goes on behind that.
    pub fn next(self, line: &str) -> (Option<Range<usize>>, Option<Self>) {
        if let Some(end) = end_of_key(line) {
            return (Some(0..end), None);
        }
        let going_on = self.lines.checked_sub(1).map(|lines| Self { lines });
        (of_a_key(line), going_on)
    }
}

/// Where in a line a word stands that may be a line of a key.
fn of_a_key(line: &str) -> Option<Range<usize>> {
    let text = line.trim_end();
    let word = text.split_whitespace().next_back()?;
    let start = text.len() - word.len();
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
    let is_alone = text[..start].trim().is_empty();
    // The last line of a key may be short, and a word that people write in it is no loss.
    let is_word = word.bytes().all(|byte| byte.is_ascii_lowercase());
    let fits = if is_alone { !is_word } else { word.len() >= LEAST_BEHIND };
    (fits && word.bytes().all(is_part)).then_some(start..text.len())
}
