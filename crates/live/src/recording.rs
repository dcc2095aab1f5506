//! Transcripts in files. What may not enter: what the lines mean, which is the business of `verdict::transcript`.

use std::path::{Path, PathBuf};

use frankly_verdict::report::plain;
use frankly_verdict::transcript::{RecordingError, Transcript, read_recording};

/// A file that cannot be read as a recording.
#[derive(Debug, thiserror::Error)]
pub enum RecordingFileError {
    /// The file cannot be read at all, or is not UTF-8.
    #[error("failed to read {}: {why}", plain(&path.to_string_lossy()))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: std::io::Error,
    },
    /// A line of it is not what it should be.
    #[error("{}: {why}", plain(&path.to_string_lossy()))]
    NoRecording {
        /// The file.
        path: PathBuf,
        /// Which line, and what is wrong with it.
        why: RecordingError,
    },
}

/// Reads the recording in a file. The server is called as the file is, without its ending.
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
    let text = std::fs::read_to_string(path)
        .map_err(|why| RecordingFileError::Unreadable { path: path.to_owned(), why })?;
    let server = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    read_recording(&server, &text)
        .map_err(|why| RecordingFileError::NoRecording { path: path.to_owned(), why })
}
