//! The lines of a file, bounded: each by what a session keeps of one, and all together.

use std::io::BufRead;
use std::path::Path;

use frankly_verdict::transcript::Cut;

use super::RecordingFileError;
use crate::session::kept_bytes;
use crate::session::lines::{Kept, Line, MAX_LINE_BYTES};

/// How many bytes are read in all.
const MOST_BYTES: u64 = 2 * 1024 * 1024 * 1024;
/// How much all lines may take once they are read, as it is told from their bytes.
const MOST_KEPT: usize = 12 * 1024 * 1024 * 1024;
const MARK: char = '\u{feff}';

/// One line.
pub(super) enum Read {
    /// With its line end, where it has one.
    Whole(String),
    /// Both ends of one that is too long.
    Cut(Cut),
    /// The beginning of the last one, which somebody was writing when they were killed.
    Torn,
}

/// The lines of a file, one after the other.
pub(super) struct Lines<'p, R> {
    path: &'p Path,
    from: R,
    count: usize,
    bytes: u64,
    kept: usize,
    /// Whether all lines are kept, so that there is a bound to them.
    is_bounded: bool,
}

impl<'p, R> Lines<'p, R> {
    /// Lines that are kept, all together.
    pub fn of(path: &'p Path, from: R) -> Self {
        Self { path, from, count: 0, bytes: 0, kept: 0, is_bounded: true }
    }

    /// Lines that are let go of again.
    pub fn of_any_length(path: &'p Path, from: R) -> Self {
        Self { is_bounded: false, ..Self::of(path, from) }
    }

    /// How many there were so far.
    pub fn count(&self) -> usize {
        self.count
    }

    /// That there is something wrong with the line that was read last.
    pub fn fault(&self, what: String) -> RecordingFileError {
        self.fault_at(self.count.max(1), what)
    }

    /// That there is something wrong with a line.
    pub fn fault_at(&self, line: usize, what: String) -> RecordingFileError {
        RecordingFileError::NoRecording { path: self.path.to_owned(), line, what }
    }

    fn too_large(&self, most: &'static str) -> RecordingFileError {
        RecordingFileError::TooLarge { path: self.path.to_owned(), line: self.count.max(1), most }
    }
}

impl<R: BufRead> Lines<'_, R> {
    /// The next line; `None` at the end.
    pub fn next(&mut self) -> Result<Option<Read>, RecordingFileError> {
        let (line, is_ended) = self.line()?;
        if line.is_empty() && !is_ended {
            return Ok(None);
        }
        Ok(Some(match line.into_line() {
            Line::Cut(..) if !is_ended => Read::Torn,
            Line::Cut(cut, _) => Read::Cut(cut),
            Line::Whole(bytes) => {
                if self.is_bounded {
                    self.kept = self.kept.saturating_add(kept_bytes(&bytes));
                }
                if self.kept > MOST_KEPT {
                    return Err(self.too_large("what takes 12 GiB of memory"));
                }
                self.text(bytes, is_ended)?
            }
        }))
    }

    /// The bytes of the next line, and whether it has an end.
    fn line(&mut self) -> Result<(Kept, bool), RecordingFileError> {
        let mut line = Kept::default();
        self.count += 1;
        loop {
            let available = match self.from.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(why) => {
                    return Err(RecordingFileError::Unreadable { path: self.path.to_owned(), why });
                }
            };
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.unwrap_or(available.len());
            let is_over = available.is_empty();
            line.push(&available[..taken], MAX_LINE_BYTES);
            let taken = end.map_or(taken, |end| end + 1);
            self.from.consume(taken);
            self.bytes += taken as u64;
            if self.is_bounded && self.bytes > MOST_BYTES {
                return Err(self.too_large("2 GiB"));
            }
            if line.is_endless() {
                return Err(self.fault("it goes on for more than 1 GiB".to_owned()));
            }
            if end.is_some() || is_over {
                return Ok((line, end.is_some()));
            }
        }
    }

    /// The text of a line.
    fn text(&self, mut bytes: Vec<u8>, is_ended: bool) -> Result<Read, RecordingFileError> {
        if self.count == 1 && (bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff])) {
            let what = "the file is in UTF-16: write it in UTF-8, such as with iconv -f UTF-16 -t UTF-8";
            return Err(self.fault(what.to_owned()));
        }
        if is_ended {
            bytes.push(b'\n');
        }
        let mut text = match String::from_utf8(bytes) {
            Ok(text) => text,
            // Whoever wrote it was killed within a character.
            Err(error) if !is_ended && error.utf8_error().error_len().is_none() => return Ok(Read::Torn),
            Err(error) => {
                let at = error.utf8_error().valid_up_to() + 1;
                return Err(self.fault(format!(
                    "its byte {at} is not UTF-8: write the file in UTF-8, and what a server sent that is no text as \
                     {{\"from\":\"server\",\"raw\":\"…\",\"utf8\":false}} with U+FFFD for such bytes"
                )));
            }
        };
        if self.count == 1 && text.starts_with(MARK) {
            text.drain(..MARK.len_utf8());
        }
        Ok(Read::Whole(text))
    }
}
