//! A file without a name, for readers that want a path.

use std::fs::File;
use std::io::{Seek, Write};
use std::os::fd::AsRawFd;
use std::path::PathBuf;

/// A file with this text, and the path by which this process reads it (on Linux only); gone when it is dropped.
pub fn with(text: &str) -> (File, PathBuf) {
    let mut file = tempfile::tempfile().expect("a temporary file can be made");
    file.write_all(text.as_bytes()).and_then(|()| file.rewind()).expect("a temporary file can be written");
    let path = format!("/proc/self/fd/{}", file.as_raw_fd()).into();
    (file, path)
}
