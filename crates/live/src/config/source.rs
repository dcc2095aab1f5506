//! What a user may name as a source of tools.

use std::path::{Path, PathBuf};

use frankly_verdict::transcript::read_json;
use frankly_verdict::{NotAToolSet, ToolSet};

use super::{Config, ConfigError, FILE_NAME, Server};

/// A source of tools.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// A server, with the name it has in `frankly.toml`, if it has one there.
    Server(Option<String>, Box<Server>),
    /// A file of definitions.
    Definitions(PathBuf),
}

/// Why a source is none.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// A file that is not there.
    #[error("there is no file {name}")]
    NoFile {
        /// What was named.
        name: String,
    },
    /// Neither a file nor a server.
    #[error("{name:?} is no server in {FILE_NAME}, and no file{known}")]
    Unknown {
        /// What was named.
        name: String,
        /// The servers that are known, as the end of a sentence.
        known: String,
    },
    /// A source of a kind that is not read.
    #[error(
        "{name:?} is {kind}, which is not read; name a server in {FILE_NAME}, or give its command after `--`"
    )]
    Unsupported {
        /// What was named.
        name: String,
        /// What it is.
        kind: &'static str,
    },
    /// The configuration is at fault.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A definition file cannot be read.
    #[error("{} cannot be read: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A definition file is not UTF-8.
    #[error("{}: not UTF-8, which JSON is", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
    },
    /// A definition file is not JSON.
    #[error("{}: not JSON: {error}", path.display())]
    NotJson {
        /// The file.
        path: PathBuf,
        /// What the reader says, with line and column.
        error: serde_json::Error,
    },
    /// A definition file holds no tools.
    #[error("{}: {error}", path.display())]
    NotTools {
        /// The file.
        path: PathBuf,
        /// What is missing.
        error: NotAToolSet,
    },
}

impl Source {
    /// A server given by its command line.
    #[must_use]
    pub fn command(command: Vec<String>, env: impl IntoIterator<Item = (String, String)>) -> Self {
        let env = env.into_iter().collect();
        Self::Server(None, Box::new(Server { shown: command.clone(), command, env, ..Server::default() }))
    }

    /// A server given by its address.
    #[must_use]
    pub fn address(url: &str) -> Self {
        let url = url.to_owned();
        Self::Server(None, Box::new(Server { shown: vec![url.clone()], url: Some(url), ..Server::default() }))
    }

    /// What a name stands for: an address, a file that is there, else a server in `frankly.toml`.
    ///
    /// # Errors
    ///
    /// [`SourceError`]; a name that is neither is answered with the names that are known.
    pub fn named(name: &str) -> Result<Self, SourceError> {
        Self::named_in(Path::new(""), name)
    }

    fn named_in(directory: &Path, name: &str) -> Result<Self, SourceError> {
        let unsupported = |kind| SourceError::Unsupported { name: name.to_owned(), kind };
        let path = directory.join(name);
        if name.starts_with("http://") || name.starts_with("https://") {
            return Ok(Self::address(name));
        }
        if path.is_file() {
            return Ok(Self::Definitions(path));
        }
        let config = Config::read(&directory.join(FILE_NAME));
        let known = match config.and_then(|config| config.server(name)) {
            Ok(server) => return Ok(Self::Server(Some(name.to_owned()), Box::new(server))),
            Err(ConfigError::NotThere) => format!("; there is no {FILE_NAME} in this directory"),
            Err(ConfigError::NoSuchServer { known, .. }) => known,
            Err(error) => return Err(error.into()),
        };
        if path.is_dir() {
            return Err(unsupported("a directory"));
        }
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
            return Err(SourceError::NoFile { name: name.to_owned() });
        }
        Err(SourceError::Unknown { name: name.to_owned(), known })
    }
}

/// Reads a file of definitions.
///
/// # Errors
///
/// [`SourceError`], naming the file.
pub fn read_definitions(path: &Path) -> Result<ToolSet, SourceError> {
    let bytes =
        std::fs::read(path).map_err(|error| SourceError::Unreadable { path: path.to_owned(), error })?;
    let text = String::from_utf8(bytes).map_err(|_| SourceError::NotText { path: path.to_owned() })?;
    let document = read_json(text.strip_prefix('\u{feff}').unwrap_or(&text))
        .map_err(|error| SourceError::NotJson { path: path.to_owned(), error })?;
    ToolSet::from_document(&path.to_string_lossy(), document)
        .map_err(|error| SourceError::NotTools { path: path.to_owned(), error })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_file_then_a_server_and_else_an_error_that_fits_it() {
        let directory = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(directory.path().join(name), text).unwrap();
        let named = |name: &str| Source::named_in(directory.path(), name).map_err(|error| error.to_string());
        assert!(named("ledger").unwrap_err().contains("there is no frankly.toml"));
        write(FILE_NAME, "[servers.ledger]\ncommand = [\"x\"]\n");
        write("tools.json", "[]");
        std::fs::create_dir(directory.path().join("ledger")).unwrap();
        std::fs::create_dir(directory.path().join("src")).unwrap();
        assert!(matches!(named("tools.json"), Ok(Source::Definitions(_))));
        assert!(matches!(named("ledger"), Ok(Source::Server(Some(_), _))));
        assert_eq!(named("tool.json").unwrap_err(), "there is no file tool.json");
        assert!(named("src").unwrap_err().contains("a directory"));
        assert!(named("leger").unwrap_err().ends_with("no file; did you mean `ledger`?"));
        let Ok(Source::Server(None, server)) = named("https://example.org/mcp") else { panic!("no address") };
        assert_eq!((server.url.as_deref(), server.shown.len()), (Some("https://example.org/mcp"), 1));
    }
}
