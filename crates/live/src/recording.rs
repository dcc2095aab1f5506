//! Transcripts in files: read line by line and within bounds, written line by line. What may not enter: what the lines mean,
//! which is the business of `verdict::transcript`.

mod error;
mod examples;
mod import;
mod lines;
mod long;
mod watch;
mod whole;
mod write;

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use frankly_verdict::transcript::{Frame, RecordingError, Transcript, read_recording};

pub use error::RecordingFileError;
use error::reworded;
pub use examples::examples;
pub use import::Imported;
use lines::{Lines, Read};
pub use watch::{Watch, Watched};
pub use whole::Completeness;
pub use write::Writer;

/// How standard input is called in a report.
pub const INPUT: &str = "<stdin>";
/// What comes after the first lines is read under this header, part by part. It says what else would be looked for in each.
const HEADER: &str = "{\"frankly\":\"recording\",\"version\":1,\"revision\":\"\",\"tools\":[]}\n";
/// About how much text is held beside what was read of it.
const PART_BYTES: usize = 1024 * 1024;

/// Reads the recording in a file. The server is called as the file is, without its ending. That may take as long as whoever
/// writes into a pipe likes.
///
/// A line of more than 16 MiB is kept by both of its ends, as one that a session hears is.
///
/// ```
/// let file = tempfile::NamedTempFile::with_suffix("ledger.jsonl")?;
/// std::fs::write(&file, "{\"frankly\":\"recording\",\"version\":1}\n")?;
/// assert_eq!(frankly_live::recording::read(file.path())?.frames.len(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`RecordingFileError`] names the file, and the line where one is at fault.
pub fn read(path: &Path) -> Result<Transcript, RecordingFileError> {
    let file =
        File::open(path).map_err(|why| RecordingFileError::Unreadable { path: path.to_owned(), why })?;
    read_from(path, &name_of(path), BufReader::new(file))
}

/// What the server of a recording is called: as the file is, without its ending.
fn name_of(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Reads the recording that comes on standard input.
///
/// # Errors
///
/// As [`read`].
pub fn read_input() -> Result<Transcript, RecordingFileError> {
    read_from(Path::new(INPUT), INPUT, std::io::stdin().lock())
}

fn read_from(path: &Path, server: &str, from: impl BufRead) -> Result<Transcript, RecordingFileError> {
    let mut lines = Lines::of(path, from);
    let mut transcript = read_header(server, &mut lines)?;
    let mut frames = Vec::new();
    transcript.torn = each_frame(&mut lines, PART_BYTES, &mut |frame| frames.push(frame))?;
    transcript.frames = frames;
    Ok(transcript.filled_in())
}

/// Reads the lines behind the header, and hands on each frame; so many bytes of text are held at once. Says whether the last
/// line is torn.
fn each_frame<R: BufRead>(
    lines: &mut Lines<'_, R>,
    part_bytes: usize,
    take: &mut dyn FnMut(Frame),
) -> Result<bool, RecordingFileError> {
    let mut part = Part::after(lines);
    let mut torn = false;
    while let Some(line) = lines.next()? {
        match line {
            Read::Whole(text) => part.text.push_str(&text),
            Read::Cut(cut) => {
                torn |= part.read_into(take, lines)?;
                take(long::frame(&cut).map_err(|what| lines.fault(what))?);
                part = Part::after(lines);
            }
            Read::Torn => torn = true,
        }
        if part.text.len() >= part_bytes {
            torn |= part.read_into(take, lines)?;
            part = Part::after(lines);
        }
    }
    Ok(part.read_into(take, lines)? || torn)
}

/// Reads up to the first line that is not blank, which is the header.
fn read_header<R: BufRead>(server: &str, lines: &mut Lines<'_, R>) -> Result<Transcript, RecordingFileError> {
    loop {
        let text = match lines.next()? {
            Some(Read::Whole(text)) if text.trim().is_empty() => continue,
            Some(Read::Whole(text)) => text,
            Some(Read::Cut(_) | Read::Torn) => {
                let what = "the first line must be {\"frankly\":\"recording\",\"version\":1}, and this one has no end, or more than 16 MiB";
                return Err(lines.fault(what.to_owned()));
            }
            None => return Err(lines.fault("the recording is empty".to_owned())),
        };
        let not_one = |RecordingError { what, .. }| lines.fault(reworded(&text, what, true));
        return read_recording(server, &text).map_err(not_one);
    }
}

/// Some lines after one another.
struct Part {
    text: String,
    /// How many lines came before it.
    before: usize,
}

impl Part {
    fn after<R>(lines: &Lines<'_, R>) -> Self {
        Self { text: HEADER.to_owned(), before: lines.count() }
    }

    /// Reads its lines, as if they were a recording of their own, and says whether the last one is torn.
    fn read_into<R>(
        &self,
        take: &mut dyn FnMut(Frame),
        lines: &Lines<'_, R>,
    ) -> Result<bool, RecordingFileError> {
        let read = read_recording("", &self.text).map_err(|RecordingError { line, what }| {
            let text = self.text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
            lines.fault_at(self.before + line.saturating_sub(1), reworded(text, what, false))
        })?;
        read.frames.into_iter().for_each(take);
        Ok(read.torn)
    }
}

#[cfg(test)]
mod tests;
