//! Definition files: which there are behind a path, which of them are one, and what stands in them.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use frankly_verdict::Definitions;
use frankly_verdict::report::shell_word;
use frankly_verdict::transcript::read_json;

use super::client::ClientFile;
use super::repeated::repeated;
use super::{CLIENT_FILES, Config, FILE_NAME, Repeated, SourceError};
use crate::shown;

/// What is larger is no definition file; it is as much as one message of a server may have.
pub(super) const MOST_BYTES: u64 = 64 * 1024 * 1024;
/// How standard input is called in a report.
const INPUT: &str = "<stdin>";
/// Where what is open has a name of its own.
const OPEN_ALREADY: [&str; 3] = ["/dev/stdin", "/dev/fd", "/proc"];
const MARK: char = '\u{feff}';

/// A file of definitions, or something else that they can be read from: a pipe, a device, standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinitionFile {
    /// Where it is; `None` for standard input.
    path: Option<PathBuf>,
}

/// What was read of a definition file.
#[derive(Debug)]
pub struct ReadFile {
    /// Which.
    pub file: DefinitionFile,
    /// Its [`DefinitionFile::identity`] when it was read.
    pub identity: Option<(u64, u64)>,
    /// The definitions.
    pub definitions: Definitions,
    /// Whether it begins with a byte order mark, which is not part of the text.
    pub has_mark: bool,
    /// What stands in it twice, so that half of it does not count.
    pub repeated: Repeated,
}

impl DefinitionFile {
    /// Standard input.
    #[must_use]
    pub fn input() -> Self {
        Self { path: None }
    }

    /// The file at a path, or every `*.json` of a directory, in the order of their names; what lies deeper is not
    /// looked at.
    ///
    /// # Errors
    ///
    /// [`SourceError`], for a directory that cannot be read or has no such file.
    pub fn all_of(path: &Path) -> Result<Vec<Self>, SourceError> {
        if !path.is_dir() {
            return Ok(vec![Self { path: Some(path.to_owned()) }]);
        }
        let unreadable = |error| SourceError::Unreadable { path: path.to_owned(), error };
        let entries: Vec<_> =
            std::fs::read_dir(path).and_then(Iterator::collect::<Result<_, _>>).map_err(unreadable)?;
        let mut files: Vec<PathBuf> = entries.iter().map(std::fs::DirEntry::path).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "json") && file.is_file());
        files.sort();
        if files.is_empty() {
            return Err(SourceError::NoDefinitions { path: path.to_owned() });
        }
        Ok(files.into_iter().map(|path| Self { path: Some(path) }).collect())
    }

    /// How it is called in findings: its path as the user named it.
    #[must_use]
    pub fn name(&self) -> String {
        self.path.as_ref().map_or_else(|| INPUT.to_owned(), |path| path.to_string_lossy().into_owned())
    }

    /// Where it is; `None` for standard input.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// What tells it from every other file, however it is named: two paths and a link may lead to one. `None` where
    /// nothing is there.
    #[must_use]
    pub fn identity(&self) -> Option<(u64, u64)> {
        file_identity(self.metadata_path())
    }

    /// Whether it can be read once only, and not written: standard input, under any of its names, and pipes.
    #[must_use]
    pub fn is_stream(&self) -> bool {
        let Some(path) = &self.path else { return true };
        let is_open = OPEN_ALREADY.iter().any(|open| path.starts_with(open));
        is_open || std::fs::metadata(path).is_ok_and(|file| !file.is_file())
    }

    fn metadata_path(&self) -> &Path {
        self.path.as_deref().unwrap_or(Path::new(OPEN_ALREADY[0]))
    }

    /// Reads it. That may take as long as whoever writes into a pipe likes.
    ///
    /// # Errors
    ///
    /// [`SourceError`], naming the file.
    pub fn read(self) -> Result<ReadFile, SourceError> {
        let path = || PathBuf::from(self.name());
        let identity = self.identity();
        let read = match &self.path {
            Some(path) => File::open(path).and_then(|file| read_at_most(MOST_BYTES, file)),
            None => read_at_most(MOST_BYTES, io::stdin().lock()),
        };
        let bytes = read.map_err(|error| SourceError::Unreadable { path: path(), error })?;
        let bytes = bytes.ok_or_else(|| SourceError::TooLarge { path: path() })?;
        let mut text = String::from_utf8(bytes).map_err(|_| SourceError::NotText { path: path() })?;
        let has_mark = text.starts_with(MARK);
        if has_mark {
            text.drain(..MARK.len_utf8());
        }
        let name = self.name();
        let document = read_json(&text).map_err(|error| {
            configuration_in(&path(), &text).unwrap_or(SourceError::NotJson { path: path(), error })
        })?;
        let definitions = Definitions::from_document(&name, document).map_err(|error| {
            configuration_in(&path(), &text).unwrap_or(SourceError::NotTools { path: path(), error })
        })?;
        let repeated = repeated(&name, &text);
        let definitions = definitions.with_text(text);
        Ok(ReadFile { file: self, identity, definitions, has_mark, repeated })
    }
}

/// What tells the file at a path from every other; `None` where nothing is there.
#[must_use]
pub fn file_identity(path: &Path) -> Option<(u64, u64)> {
    std::fs::metadata(path).map(|file| (file.dev(), file.ino())).ok()
}

/// All that can be read, or `None` where there is more than this.
pub(super) fn read_at_most(most: u64, from: impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    from.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

/// What to say of a file that has servers in it where definitions were expected; `None` for any other.
#[must_use]
pub fn configuration(path: &Path) -> Option<SourceError> {
    let file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|file| file.is_file()))?;
    configuration_in(path, &String::from_utf8(read_at_most(MOST_BYTES, file).ok()??).ok()?)
}

fn configuration_in(path: &Path, text: &str) -> Option<SourceError> {
    let names = |names: &mut dyn Iterator<Item = &str>| names.map(str::to_owned).collect::<Vec<_>>();
    let is_toml = path.extension().is_some_and(|extension| extension == "toml");
    let (whose, names) = match is_toml {
        true => ("frankly's own", names(&mut Config::parse(path, text).ok()?.names())),
        false => ("a client's", names(&mut ClientFile::parse(path, text).ok()?.names())),
    };
    let is_looked_at = CLIENT_FILES
        .iter()
        .chain([&FILE_NAME])
        .any(|known| path.strip_prefix(".").unwrap_or(path) == Path::new(known));
    let mut example = shell_word(names.first().map_or("NAME", String::as_str));
    if !is_looked_at {
        example += &format!(" --config {}", shell_word(&path.to_string_lossy()));
    }
    let known = match names.as_slice() {
        [] | [_] => String::new(),
        names => format!("; servers there: {}", shown::names(names.iter().map(String::as_str))),
    };
    Some(SourceError::Configuration { path: path.to_owned(), whose, example, known })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &Path) -> Result<Vec<Definitions>, SourceError> {
        let files = DefinitionFile::all_of(path)?;
        files.into_iter().map(|file| Ok(file.read()?.definitions)).collect()
    }

    #[test]
    fn a_file_larger_than_any_message_is_not_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("large.json");
        let file = std::fs::File::create(&path).unwrap();
        file.set_len(MOST_BYTES + 1).unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("has more than 64 MiB"));
        file.set_len(MOST_BYTES).unwrap();
        assert!(matches!(read(&path), Err(SourceError::NotJson { .. })));
    }

    #[test]
    fn a_directory_is_read_file_by_file() {
        let directory = tempfile::tempdir().unwrap();
        let read = || read(directory.path()).map_err(|error| error.to_string());
        assert!(
            read()
                .unwrap_err()
                .ends_with("has no file *.json: name a directory of definition files, or a server")
        );
        let write = |name: &str, text: &str| std::fs::write(directory.path().join(name), text).unwrap();
        write("b.json", r#"{"name": "u", "input_schema": {"type": "object"}}"#);
        write("a.json", r#"{"tools": [{"name": "t", "inputSchema": {"type": "object"}}]}"#);
        write("c.txt", "no JSON");
        std::fs::create_dir(directory.path().join("deeper.json")).unwrap();
        let names: Vec<_> =
            read().unwrap().iter().map(|read| read.tools.tools[0].name().to_owned()).collect();
        assert_eq!(names, ["t", "u"]);
        write("package.json", r#"{"name": "x"}"#);
        assert!(read().unwrap_err().contains("package.json: it is neither"));
    }
}
