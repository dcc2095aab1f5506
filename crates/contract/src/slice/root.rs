//! Slices of files inside one folder. What may not enter: a way out of that folder, and its absolute path in a
//! message.

use std::fmt::Display;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, OpenOptions};

use super::{LONGEST_CHARACTER, Slice, beyond, cut, inside};
use crate::shown::shown;
use crate::{ByteCursor, Code, ToolError, nearest};

/// At most so many names of a folder are looked at to find the one that was meant.
const NAMES: usize = 10_000;

/// No file has a longer name, in bytes.
const LONGEST_NAME: usize = 255;

/// Names are compared as long as the products of their lengths, which is what it takes, add up to no more.
const COMPARING: usize = 20_000_000;

/// A folder whose files may be read, and nothing outside it.
///
/// ```
/// use frankly_contract::{ByteCursor, Root};
///
/// # let dir = tempfile::tempdir()?;
/// # let dir = dir.path();
/// std::fs::write(dir.join("server.log"), "started\nstopped\n")?;
/// let root = Root::open(dir)?;
/// let slice = root.slice("server.log", ByteCursor::default(), 10)?;
/// assert_eq!(slice.text(), "started\n");
///
/// let error = root.slice("../secret", ByteCursor::default(), 10).unwrap_err();
/// assert!(error.to_string().starts_with("FORBIDDEN: the path \"../secret\" leads outside the folder"));
/// let error = root.slice("serverlog", ByteCursor::default(), 10).unwrap_err();
/// assert_eq!(error.did_you_mean(), Some("server.log"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Root(Dir);

impl Root {
    /// Opens the folder that is allowed. What becomes of the path afterwards does not matter: the folder itself is
    /// held open.
    ///
    /// # Errors
    ///
    /// As for opening any folder; this is for the author of a tool, not for its callers.
    pub fn open(folder: impl AsRef<Path>) -> io::Result<Self> {
        Dir::open_ambient_dir(folder, ambient_authority()).map(Self)
    }

    /// A slice of a file: the path is relative to the folder, with `/` between its parts. Only what the slice needs
    /// is read.
    ///
    /// A link is followed as long as it stays inside and is relative: an absolute one starts outside, wherever it
    /// leads. The text must be UTF-8 where it is read; what was not read
    /// was not looked at.
    ///
    /// # Blocking
    ///
    /// This reads from the disk in the thread that calls it. Inside a future, hand it to your executor's threads for
    /// that: with tokio, `spawn_blocking(move || root.slice(…))` with the root in an `Arc`.
    ///
    /// # Errors
    ///
    /// - `FORBIDDEN` for a path that leads outside: absolute, with `..`, through a link, or written so that another
    ///   system would see one of these in it (`\`, `C:`), and for one that is empty or holds a NUL;
    /// - `NOT_FOUND` for a file that is not there, with the nearest name that is;
    /// - `INVALID_ARGS` for a folder, for what is neither file nor folder, for a file that does not say how long it
    ///   is, as those that a system makes up when they are read, for bytes that are no UTF-8, and for a cursor that
    ///   no slice of this file gave out;
    /// - `TRANSIENT` when the file could not be read.
    pub fn slice(&self, path: &str, from: ByteCursor, most: usize) -> Result<Slice, ToolError> {
        if let Some(why) = escape(path) {
            return Err(outside(path, why));
        }
        let (mut file, total) = self.file(path).map_err(|error| self.explain(path, error))?;
        if from.offset() > total {
            return Err(beyond(from, total));
        }
        let most = most.min(usize::try_from(total - from.offset()).unwrap_or(usize::MAX));
        let wanted = most.saturating_add(LONGEST_CHARACTER);
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(from.offset()))
            .and_then(|_| file.by_ref().take(wanted as u64).read_to_end(&mut bytes))
            .map_err(|error| unreadable(path, error))?;
        // The file may have changed since its length was asked for.
        let end = from.offset().saturating_add(bytes.len() as u64);
        let whole = bytes.len() < wanted;
        let total = if whole { end } else { total.max(end) };
        if from.offset() > 0 && bytes.first().is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000) {
            let in_character = is_in_character(&mut file, from).map_err(|error| unreadable(path, error))?;
            return Err(if in_character { inside(from) } else { no_text(path) });
        }
        let text = utf8(&bytes, most, whole).ok_or_else(|| no_text(path))?;
        Ok(Slice { text: text[..cut(text, most, whole)].to_owned(), start: from.offset(), total })
    }

    /// The file, open for reading, and its length.
    fn file(&self, path: &str) -> io::Result<(File, u64)> {
        let mut options = OpenOptions::new();
        options.read(true);
        // Opening a pipe would wait for somebody to write into it.
        #[cfg(unix)]
        cap_std::fs::OpenOptionsExt::custom_flags(
            &mut options,
            rustix::fs::OFlags::NONBLOCK.bits().cast_signed(),
        );
        let file = self.0.open_with(path, &options)?;
        let found = file.metadata()?;
        match (found.is_file(), found.is_dir()) {
            (true, _) if found.len() == 0 => length_of_empty(file),
            (true, _) => Ok((file, found.len())),
            (_, true) => Err(ErrorKind::IsADirectory.into()),
            _ => Err(ErrorKind::Unsupported.into()),
        }
    }

    fn explain(&self, path: &str, error: io::Error) -> ToolError {
        let invalid = |what: &str, next: &str| {
            ToolError::new(Code::InvalidArgs, format!("the path {} {what}", shown(path)), next)
        };
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::InvalidFilename => self.not_found(path),
            ErrorKind::IsADirectory => invalid("is a folder", "send the path of a file in it"),
            ErrorKind::NotADirectory => {
                invalid("goes on after a file", "send the path of a file, without more after it")
            }
            ErrorKind::InvalidData => invalid(
                "is a file that does not say how long it is",
                "send the path of a file that is stored",
            ),
            _ if error.kind() == ErrorKind::Unsupported || is_endpoint(&error) => {
                invalid("is no regular file", "send the path of a text file")
            }
            _ if is_circle(&error) => {
                invalid("has links that lead in a circle", "send the path of another file")
            }
            ErrorKind::PermissionDenied if error.raw_os_error().is_none() => {
                outside(path, "a link on the way leads there")
            }
            ErrorKind::PermissionDenied => {
                ToolError::new(Code::Forbidden, format!("the file {} may not be read", shown(path)), STOP)
                    .with_why("this tool has no permission")
            }
            _ => unreadable(path, error),
        }
    }

    fn not_found(&self, path: &str) -> ToolError {
        if self.0.symlink_metadata(path).is_ok_and(|found| found.is_symlink()) {
            return ToolError::new(
                Code::NotFound,
                format!("the path {} is a link to a file that is not there", shown(path)),
                "send the path of a file that exists, or ask the user which file is meant",
            );
        }
        ToolError::new(
            Code::NotFound,
            format!("there is no file {}", shown(path)),
            "send the path of a file that exists, or ask the user which file is meant",
        )
        .meaning(self.meant(path))
    }

    /// The path with every part that does not exist replaced by the nearest one that does, as far as there is one.
    fn meant(&self, path: &str) -> Option<String> {
        let mut meant = String::new();
        let mut mended = false;
        for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
            let slash = if meant.is_empty() { "" } else { "/" };
            if self.0.metadata(format!("{meant}{slash}{part}")).is_ok() {
                meant = format!("{meant}{slash}{part}");
                continue;
            }
            let Some(nearest) = self.nearest_in(if meant.is_empty() { "." } else { &meant }, part) else {
                break;
            };
            meant = format!("{meant}{slash}{nearest}");
            mended = true;
        }
        mended.then_some(meant)
    }

    /// The name in a folder that is most like this one.
    fn nearest_in(&self, folder: &str, name: &str) -> Option<String> {
        if name.len() > LONGEST_NAME {
            return None;
        }
        let entries = self.0.read_dir(folder).ok()?.take(NAMES);
        let mut left = COMPARING;
        let names: Vec<String> = entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .take_while(|other| {
                left = left.saturating_sub(name.len() * other.len());
                left > 0
            })
            // A link that leads nowhere is no way to mend its own name.
            .filter(|other| other != name)
            .collect();
        nearest(name, names.iter().map(String::as_str)).map(str::to_owned)
    }
}

/// Whether this byte is inside a character, and not merely one that no character begins with.
fn is_in_character(file: &mut File, from: ByteCursor) -> io::Result<bool> {
    let before = from.offset().min(LONGEST_CHARACTER as u64 - 1);
    file.seek(SeekFrom::Start(from.offset() - before))?;
    let mut bytes = Vec::new();
    file.take(before + LONGEST_CHARACTER as u64).read_to_end(&mut bytes)?;
    let before = usize::try_from(before).unwrap_or_default();
    let around = |start: usize| (2..=LONGEST_CHARACTER).map(move |length| start..start + length);
    Ok((0..before).flat_map(around).filter(|place| place.end > before).any(|place| {
        let text = bytes.get(place).and_then(|bytes| std::str::from_utf8(bytes).ok());
        text.is_some_and(|text| text.chars().count() == 1)
    }))
}

/// The length of a file that is said to be empty, and may have got something since. One whose length stays 0 while
/// there is something in it cannot be read in slices, since nothing says where it ends.
fn length_of_empty(mut file: File) -> io::Result<(File, u64)> {
    if file.read(&mut [0])? == 0 {
        return Ok((file, 0));
    }
    match file.metadata()?.len() {
        0 => Err(ErrorKind::InvalidData.into()),
        length => Ok((file, length)),
    }
}

const STOP: &str = "stop, and tell the user that only files inside the allowed folder can be read";

/// Why a path cannot be one inside the folder, going by its letters alone.
fn escape(path: &str) -> Option<&'static str> {
    let drive = path.as_bytes().get(1) == Some(&b':') && path.starts_with(|c: char| c.is_ascii_alphabetic());
    if path.trim().is_empty() {
        Some("it is empty")
    } else if path.contains('\0') {
        Some("it holds a NUL character")
    } else if path.starts_with('/') || drive {
        Some("it is absolute")
    } else if path.contains('\\') {
        Some("it holds a backslash, and its parts are separated by slashes")
    } else if path.split('/').any(|part| part == "..") {
        Some("it holds a `..`")
    } else {
        None
    }
}

/// Whether links lead to each other, for which the standard library has no stable name.
fn is_circle(error: &io::Error) -> bool {
    #[cfg(unix)]
    return error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error());
    #[cfg(not(unix))]
    return false;
}

/// Whether somebody else's end of a connection was opened, such as a socket or a terminal that is not there.
fn is_endpoint(error: &io::Error) -> bool {
    #[cfg(unix)]
    return [rustix::io::Errno::NXIO, rustix::io::Errno::NODEV, rustix::io::Errno::OPNOTSUPP]
        .iter()
        .any(|code| error.raw_os_error() == Some(code.raw_os_error()));
    #[cfg(not(unix))]
    return false;
}

fn outside(path: &str, why: &str) -> ToolError {
    let what = format!("the path {} leads outside the folder that may be read", shown(path));
    ToolError::new(Code::Forbidden, what, STOP).with_why(why)
}

fn no_text(path: &str) -> ToolError {
    ToolError::new(
        Code::InvalidArgs,
        format!("the file {} is no text", shown(path)),
        "send the path of a text file in UTF-8, or tell the user that this one cannot be read as text",
    )
    .with_why("its bytes are not UTF-8")
}

fn unreadable(path: &str, error: impl Display) -> ToolError {
    ToolError::new(Code::Transient, format!("the file {} could not be read", shown(path)), "")
        .with_why(error.to_string())
}

/// The text up to the last whole character; `None` when a byte among the first `most` belongs to none. `whole`
/// says that nothing follows.
fn utf8(bytes: &[u8], most: usize, whole: bool) -> Option<&str> {
    let Err(error) = std::str::from_utf8(bytes) else { return std::str::from_utf8(bytes).ok() };
    let broken = error.error_len().is_some() || whole;
    if broken && error.valid_up_to() < most.max(1) {
        return None;
    }
    std::str::from_utf8(&bytes[..error.valid_up_to()]).ok()
}
