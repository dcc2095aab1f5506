//! A part of a longer text that says which part it is. What may not enter: JSON around the text. Text stays
//! text, and what there is to say about it stands in a block of its own.

#[cfg(feature = "files")]
mod root;

use serde_json::{Value, json};

use crate::utf8::floor;
use crate::{ByteCursor, Code, ToolError, ToolResult};

#[cfg(feature = "files")]
pub use root::Root;

/// The longest character in UTF-8, in bytes.
#[cfg(any(feature = "files", test))]
const LONGEST_CHARACTER: usize = 4;

/// Some of a text, and the truth about how much of the text it is.
///
/// Slices end at the end of a line where one ends within their last quarter, else between two characters. They
/// always get on by at least one character. Put together, the slices from the beginning to the one that has no
/// [`next_cursor`](Slice::next_cursor) are the whole text.
///
/// ```
/// use frankly_contract::{ByteCursor, Slice, ToolResult};
///
/// let log = "started\nlistening\nstopped\n";
/// let slice = Slice::of(log, ByteCursor::default(), 20)?;
/// assert_eq!((slice.text(), slice.next_cursor()), ("started\nlistening\n", Some(ByteCursor::at(18))));
///
/// let result = ToolResult::from(Slice::of(log, ByteCursor::at(18), 20)?);
/// let texts: Vec<&str> = result.texts().map(|(_, text)| text).collect();
/// assert_eq!(texts, ["stopped\n", "[bytes 18 to 26 of 26; this is the end]"]);
/// # Ok::<(), frankly_contract::ToolError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice {
    text: String,
    start: u64,
    total: u64,
}

impl Slice {
    /// The slice of a text from a cursor on, at most so many bytes long; longer only where not even one character
    /// fits.
    ///
    /// # Errors
    ///
    /// `INVALID_ARGS` for a cursor that is beyond the end of the text or inside a character: no slice of this text
    /// gave it out.
    ///
    /// ```
    /// use frankly_contract::{ByteCursor, Slice};
    ///
    /// let error = Slice::of("short", ByteCursor::at(4000), 100).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "INVALID_ARGS: the cursor byte-4000 is beyond the end (the text has 5 bytes). \
    ///      Next: send the cursor of an earlier slice unchanged, or leave it out to start at the beginning."
    /// );
    /// ```
    pub fn of(text: &str, from: ByteCursor, most: usize) -> Result<Self, ToolError> {
        let total = text.len() as u64;
        let start = usize::try_from(from.offset())
            .ok()
            .filter(|start| *start <= text.len())
            .ok_or_else(|| beyond(from, total))?;
        let Some(rest) = text.get(start..) else { return Err(inside(from)) };
        let end = cut(rest, most, true);
        Ok(Self { text: rest[..end].to_owned(), start: from.offset(), total })
    }

    /// The text of this slice.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The byte of the whole text, counted from 0, at which this slice starts.
    #[must_use]
    pub fn start(&self) -> u64 {
        self.start
    }

    /// The byte of the whole text before which this slice ends.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.start + self.text.len() as u64
    }

    /// How many bytes the whole text has.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Where the next slice starts, unless this one reaches the end.
    #[must_use]
    pub fn next_cursor(&self) -> Option<ByteCursor> {
        (self.end() < self.total).then_some(ByteCursor::at(self.end()))
    }

    /// Which part of the whole text this is, and how to get the rest: one line in brackets.
    ///
    /// ```
    /// use frankly_contract::{ByteCursor, Slice};
    ///
    /// let slice = Slice::of("started\nlistening\n", ByteCursor::default(), 10)?;
    /// assert_eq!(slice.place(), "[bytes 0 to 8 of 18. Next: call again with the cursor byte-8 for the rest.]");
    /// # Ok::<(), frankly_contract::ToolError>(())
    /// ```
    #[must_use]
    pub fn place(&self) -> String {
        let (from, to, total) = (self.start, self.end(), self.total);
        match self.next_cursor() {
            Some(next) => {
                format!(
                    "[bytes {from} to {to} of {total}. Next: call again with the cursor {next} for the rest.]"
                )
            }
            None if total == 0 => "[0 bytes: the text is empty]".to_owned(),
            None if from == 0 => format!("[all {total} bytes; this is the whole text]"),
            None if from == total => {
                format!("[nothing from byte {from} on: {total} bytes are the whole text]")
            }
            None => format!("[bytes {from} to {to} of {total}; this is the end]"),
        }
    }
}

impl From<Slice> for ToolResult {
    /// The text as it is in one block, its [place](Slice::place) in a second, and for programs `frankly/slice` in
    /// `_meta` with `start`, `end`, `total`, and where there is more `next_cursor`.
    fn from(slice: Slice) -> Self {
        let place = slice.place();
        let mut meta = json!({"start": slice.start, "end": slice.end(), "total": slice.total});
        if let Some(next) = slice.next_cursor() {
            meta["next_cursor"] = Value::String(next.to_string());
        }
        Self::texts_of([slice.text, place]).with_member_of_meta("frankly/slice", meta)
    }
}

/// How many bytes of the text a slice takes. `whole` says that nothing follows the text.
fn cut(text: &str, most: usize, whole: bool) -> usize {
    if whole && text.len() <= most {
        return text.len();
    }
    let end = floor(text, most);
    if end == 0 {
        return text.chars().next().map_or(0, char::len_utf8);
    }
    let line = text.as_bytes()[..end].iter().rposition(|byte| *byte == b'\n').map(|newline| newline + 1);
    line.filter(|line| *line >= end - end / 4).unwrap_or(end)
}

fn beyond(from: ByteCursor, total: u64) -> ToolError {
    refused(format!("the cursor {from} is beyond the end"), format!("the text has {total} bytes"))
}

fn inside(from: ByteCursor) -> ToolError {
    refused(format!("the cursor {from} is inside a character"), "no slice of this text ends there".to_owned())
}

fn refused(what: String, why: String) -> ToolError {
    let next = "send the cursor of an earlier slice unchanged, or leave it out to start at the beginning";
    ToolError::new(Code::InvalidArgs, what, next).with_why(why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slice(text: &str, from: u64, most: usize) -> Slice {
        Slice::of(text, ByteCursor::at(from), most).unwrap()
    }

    #[test]
    fn a_slice_ends_with_a_line_that_ends_near() {
        assert_eq!(slice("aaaaaa\nbbbb", 0, 9).text(), "aaaaaa\n");
        assert_eq!(slice("aaaaa\r\nbbbb", 0, 9).text(), "aaaaa\r\n");
        assert_eq!(slice("a\nbbbbbbbbbbbb", 0, 9).text(), "a\nbbbbbbb", "that line ended long ago");
        assert_eq!(slice("aaaaaaaa\nb", 0, 9).text(), "aaaaaaaa\n");
        assert_eq!(slice("a\nb", 0, 3).text(), "a\nb", "all of it is cut nowhere");
    }

    #[test]
    fn a_slice_gets_on_even_where_nothing_fits() {
        assert_eq!(slice("éa", 0, 0).text(), "é");
        assert_eq!(slice("🦀", 0, 3).text(), "🦀");
        assert_eq!(slice("a\n", 0, 0).text(), "a");
    }

    #[test]
    fn a_slice_says_where_it_is() {
        for (text, from, said) in [
            ("abcdef", 0, "[bytes 0 to 4 of 6. Next: call again with the cursor byte-4 for the rest.]"),
            ("abcdef", 4, "[bytes 4 to 6 of 6; this is the end]"),
            ("abcdef", 6, "[nothing from byte 6 on: 6 bytes are the whole text]"),
            ("abcd", 0, "[all 4 bytes; this is the whole text]"),
            ("", 0, "[0 bytes: the text is empty]"),
        ] {
            assert_eq!(slice(text, from, 4).place(), said);
        }
        let result = ToolResult::from(slice("abcdef", 0, 4));
        assert_eq!(
            result.raw()["_meta"]["frankly/slice"],
            json!({"start": 0, "end": 4, "total": 6, "next_cursor": "byte-4"})
        );
        assert_eq!((result.structured(), result.is_error()), (None, false));
        assert_eq!(result.texts().map(|(_, text)| text).next(), Some("abcd"));
    }

    #[test]
    fn a_cursor_of_another_text_is_refused() {
        for (from, said) in [(3, "beyond the end"), (u64::MAX, "beyond the end"), (1, "inside a character")] {
            let error = Slice::of("é", ByteCursor::at(from), 9).unwrap_err();
            assert_eq!(error.code(), Code::InvalidArgs);
            assert!(error.what().contains(said) && error.next().contains("earlier slice"), "{error}");
        }
    }

    proptest! {
        #[test]
        fn slices_concatenate_to_the_whole(text in "([a-zé🦀]|\r?\n){0,60}", most in 0usize..40) {
            let (mut whole, mut cursor) = (String::new(), Some(ByteCursor::default()));
            while let Some(from) = cursor {
                let slice = Slice::of(&text, from, most).unwrap();
                prop_assert!(slice.text().len() <= most.max(LONGEST_CHARACTER));
                prop_assert!(!slice.text().is_empty() || text.is_empty());
                whole += slice.text();
                cursor = slice.next_cursor();
            }
            prop_assert_eq!(whole, text);
        }
    }
}
