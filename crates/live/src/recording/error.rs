//! What is wrong with a file that is to be a recording, and what to do about it.

use std::path::PathBuf;

use frankly_verdict::report::plain;
use serde_json::Value;

/// How a message is written.
const WRITTEN: &str = "{\"from\":\"client\",\"msg\":{…}}, or with \"server\"";

/// A file that cannot be read as a recording, or written as one.
#[derive(Debug, thiserror::Error)]
pub enum RecordingFileError {
    /// The file cannot be read at all.
    #[error("failed to read {}: {why}", plain(&path.to_string_lossy()))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: std::io::Error,
    },
    /// The file cannot be written.
    #[error("failed to write {}: {why}", plain(&path.to_string_lossy()))]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: std::io::Error,
    },
    /// A line of it is not what it should be.
    #[error("{}: line {line}: {what}", plain(&path.to_string_lossy()))]
    NoRecording {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// There is more of it than is read.
    #[error(
        "{}: line {line}: this is more than is read at once, {most}: split the recording between two calls, each part with \
         the first line of it", plain(&path.to_string_lossy())
    )]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The line at which there was too much, counted from 1.
        line: usize,
        /// How much is read.
        most: &'static str,
    },
}

/// What is said of a line that is none of a recording, where the line shows what it was taken for.
pub(super) fn reworded(line: &str, what: String, is_first: bool) -> String {
    let value: Value = serde_json::from_str(line).unwrap_or_default();
    let is_header = value.get("frankly").is_some_and(|name| name == "recording");
    let is_message = value.get("jsonrpc").is_some() && value.get("from").is_none();
    match (is_first, is_header, is_message) {
        (true, _, true) => format!("{what}, and each message after it is written {WRITTEN}"),
        (false, true, _) => "a second recording begins here: give the files one by one".to_owned(),
        (false, _, true) => format!("a message without who sent it: it is written {WRITTEN}"),
        _ => what,
    }
}
