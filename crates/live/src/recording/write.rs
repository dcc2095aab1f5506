//! A recording as it is written, line by line, into a file of its own.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use frankly_verdict::transcript::{Frame, Transcript, frame_line, header_line};

use super::RecordingFileError;

/// How much is written at once, where so much came together.
const BUFFER_BYTES: usize = 64 * 1024;

/// A recording that is being written. What is flushed is in the file, whatever becomes of whoever wrote it.
#[derive(Debug)]
pub struct Writer {
    file: BufWriter<File>,
    path: PathBuf,
    is_new: bool,
}

impl Writer {
    /// Begins a recording in a new file, which only its owner can read, with what is known of the session in its first line.
    ///
    /// A file is never written over, since clients start their servers again and again: where there is one of that name, the
    /// recording goes into another beside it, with the first number that is free, such as `session-2.jsonl`. What is no
    /// file, such as a pipe or `/dev/null`, is written to as it is.
    ///
    /// ```
    /// use frankly_live::recording::{Writer, read};
    /// use frankly_verdict::transcript::{Frame, Side, Transcript};
    ///
    /// let directory = tempfile::tempdir()?;
    /// let path = directory.path().join("session.jsonl");
    /// let mut writer = Writer::create(&path, &Transcript::default())?;
    /// writer.write(&Frame::from_line(Side::Server, "Server started".to_owned()))?;
    /// writer.flush()?;
    /// assert_eq!(read(&path)?.frames.len(), 1);
    /// assert!(Writer::create(&path, &Transcript::default())?.path().ends_with("session-2.jsonl"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`RecordingFileError::Unwritable`] names the file.
    pub fn create(path: &Path, session: &Transcript) -> Result<Self, RecordingFileError> {
        let unwritable = |why| RecordingFileError::Unwritable { path: path.to_owned(), why };
        let mut writer = Self::open(path).map_err(unwritable)?;
        writer.line(header_line(session)).and_then(|()| writer.flush()).map_err(unwritable)?;
        Ok(writer)
    }

    fn open(path: &Path) -> io::Result<Self> {
        let found = std::fs::metadata(path);
        if found.as_ref().is_ok_and(is_of_the_protocol) {
            let why =
                "it is standard input or output, which belong to the client and its server; name a file";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        let is_file = found.map_or(true, |found| found.is_file());
        if !is_file {
            let file = BufWriter::with_capacity(BUFFER_BYTES, OpenOptions::new().write(true).open(path)?);
            return Ok(Self { file, path: path.to_owned(), is_new: false });
        }
        let names = (2u64..).map(|number| numbered(path, number));
        for path in std::iter::once(path.to_owned()).chain(names) {
            match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                opened => {
                    return Ok(Self {
                        file: BufWriter::with_capacity(BUFFER_BYTES, opened?),
                        path,
                        is_new: true,
                    });
                }
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Writes one frame, which is sure to be in the file once it is flushed.
    ///
    /// # Errors
    ///
    /// What the system says. The file may then end within a line, so that nothing more may be written.
    pub fn write(&mut self, frame: &Frame) -> io::Result<()> {
        self.line(frame_line(frame))
    }

    /// Leaves nothing on its way to the file.
    ///
    /// # Errors
    ///
    /// As [`Writer::write`].
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    fn line(&mut self, line: String) -> io::Result<()> {
        self.file.write_all(line.as_bytes())?;
        self.file.write_all(b"\n")
    }

    /// Where it is written.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes the file away again, of a session that never began.
    pub fn discard(self) {
        if self.is_new {
            // What cannot be taken away is a recording with nothing in it.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Whether a path leads to where the protocol is spoken, and is no device that takes everything.
fn is_of_the_protocol(found: &Metadata) -> bool {
    let (input, output) = (io::stdin(), io::stdout());
    let streams = [input.as_fd(), output.as_fd()].map(|stream| stream.try_clone_to_owned());
    let own = streams.into_iter().flatten().filter_map(|stream| File::from(stream).metadata().ok());
    let is_same = |own: Metadata| (own.dev(), own.ino()) == (found.dev(), found.ino());
    !found.file_type().is_char_device() && own.into_iter().any(is_same)
}

/// The same name with a number in it.
fn numbered(path: &Path, number: u64) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_recording_is_never_written_over() {
        let directory = tempfile::tempdir().unwrap();
        for (name, others) in [("a.b.jsonl", ["a.b-2.jsonl", "a.b-3.jsonl"]), ("a", ["a-2", "a-3"])] {
            let path = directory.path().join(name);
            std::fs::write(&path, "mine").unwrap();
            for other in others {
                let writer = Writer::create(&path, &Transcript::default()).unwrap();
                assert_eq!(writer.path(), directory.path().join(other));
                let mode = std::fs::metadata(writer.path()).unwrap().permissions().mode();
                assert_eq!(mode & 0o077, 0, "others can read it");
            }
            assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
        }
    }

    #[test]
    fn what_is_discarded_is_gone_and_what_is_no_file_stays() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.jsonl");
        Writer::create(&path, &Transcript::default()).unwrap().discard();
        assert!(!path.exists());
        let null = Writer::create(Path::new("/dev/null"), &Transcript::default()).unwrap();
        null.discard();
        assert!(Path::new("/dev/null").exists());
    }

    #[test]
    fn a_file_that_cannot_be_written_is_named() {
        let error = Writer::create(Path::new("/no/such/place/a.jsonl"), &Transcript::default()).unwrap_err();
        assert!(error.to_string().starts_with("failed to write /no/such/place/a.jsonl: "), "{error}");
    }
}
