//! Why there is no configuration: what is said where a `frankly.toml` is not there, or not what it should be.

use std::path::PathBuf;

use frankly_verdict::report::plain;

use super::MissingVariable;
use crate::shown;

/// The name of the file.
pub const FILE_NAME: &str = "frankly.toml";
const EXAMPLE: &str = "\n\n  [servers.my-server]\n  command = [\"node\", \"dist/index.js\"]";

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file is not there.
    #[error(
        "there is no {FILE_NAME} in this directory. Write one:{EXAMPLE}\n\nor look at a server without one: frankly \
         probe -- node dist/index.js"
    )]
    NotThere,
    /// The file cannot be read.
    #[error("{} cannot be read: {error}", shown::path(path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The file is not what it should be.
    #[error("{}:{line}:{column}: {}", shown::path(path), plain(what))]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The column, in characters counted from 1.
        column: usize,
        /// What is wrong there.
        what: String,
    },
    /// It has no servers.
    #[error("{} has no servers. Write one:{EXAMPLE}", shown::path(path))]
    NoServers {
        /// The file.
        path: PathBuf,
    },
    /// It has no server of this name.
    #[error("{} has no server {name:?}{known}", shown::path(path))]
    NoSuchServer {
        /// The file.
        path: PathBuf,
        /// The name.
        name: String,
        /// The servers that it has, as the end of a sentence.
        known: String,
    },
    /// A variable cannot be filled in.
    #[error("{}: {error}", shown::path(path))]
    Variable {
        /// The file.
        path: PathBuf,
        /// Which one.
        error: MissingVariable,
    },
}
