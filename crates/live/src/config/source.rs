//! What a user may name as a source of tools.

use std::path::{Path, PathBuf};

use frankly_contract::nearest;
use frankly_verdict::{NotAToolSet, ToolSet};

use super::{Config, ConfigError, FILE_NAME, Server};

/// A source of tools.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// A server to start, with the name it has in `frankly.toml`, if it has one there.
    Server(Option<String>, Server),
    /// A file of definitions.
    Definitions(PathBuf),
}

/// Why a source is none.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// Neither a file nor a server.
    #[error("{name:?} is neither a definition file nor a server in {FILE_NAME}{known}")]
    Unknown {
        /// What was named.
        name: String,
        /// The servers that are known, as the end of a sentence.
        known: String,
    },
    /// A source of a kind that is not read.
    #[error("{name:?} is {kind}, which is not read; name a server, a definition file, or `-- COMMAND`")]
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
        Self::Server(None, Server { command, env: env.into_iter().collect(), ..Server::default() })
    }

    /// What a name stands for: a file that is there, else a server in `frankly.toml`.
    ///
    /// # Errors
    ///
    /// [`SourceError`]; a name that is neither is answered with the names that are known.
    pub fn named(name: &str) -> Result<Self, SourceError> {
        let unsupported = |kind| SourceError::Unsupported { name: name.to_owned(), kind };
        let path = Path::new(name);
        if name.starts_with("http://") || name.starts_with("https://") {
            return Err(unsupported("an address"));
        }
        if path.is_file() {
            return Ok(Self::Definitions(path.to_owned()));
        }
        if path.is_dir() {
            return Err(unsupported("a directory"));
        }
        let servers = match Config::read(Path::new(FILE_NAME)) {
            Ok(config) => config.servers,
            Err(ConfigError::NotThere) => {
                let known = ", and there is no such file in this directory".to_owned();
                return Err(SourceError::Unknown { name: name.to_owned(), known });
            }
            Err(error) => return Err(error.into()),
        };
        match servers.get(name) {
            Some(server) => Ok(Self::Server(Some(name.to_owned()), server.clone())),
            None => {
                let names = || servers.keys().map(String::as_str);
                let known = match nearest(name, names()) {
                    Some(nearest) => format!("; did you mean `{nearest}`?"),
                    None => format!("; servers there: {}", names().collect::<Vec<_>>().join(", ")),
                };
                Err(SourceError::Unknown { name: name.to_owned(), known })
            }
        }
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
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let document = serde_json::from_slice(text)
        .map_err(|error| SourceError::NotJson { path: path.to_owned(), error })?;
    ToolSet::from_document(&path.to_string_lossy(), document)
        .map_err(|error| SourceError::NotTools { path: path.to_owned(), error })
}
