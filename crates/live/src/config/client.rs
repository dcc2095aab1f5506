//! Files in which clients keep their servers: `.mcp.json`, `.vscode/mcp.json`, and what Claude Desktop and others have.
//!
//! They belong to the clients, so members that are not known are left alone, and only the server that is asked for is read;
//! but what would make it another server than the client's is an error.

mod entry;
mod variables;

use std::fs::File;
use std::io::Error;
use std::path::{Path, PathBuf};

use frankly_contract::nearest;
use frankly_verdict::report::plain;
use jsonc_parser::{ParseOptions, parse_to_serde_value};
use serde_json::{Map, Value};

use super::definitions::read_at_most;
use super::{MissingVariable, Server};
use crate::shown;
use variables::Variables;

/// The files that are looked at in the working directory, in this order.
pub const CLIENT_FILES: [&str; 2] = [".mcp.json", ".vscode/mcp.json"];
/// What is larger is no configuration.
const MOST_BYTES: u64 = 16 * 1024 * 1024;
/// Under which name clients keep their servers.
const MEMBERS: [&str; 2] = ["mcpServers", "servers"];

/// A client's file.
pub(super) struct ClientFile {
    path: PathBuf,
    /// How its servers are called, such as `mcpServers`.
    member: &'static str,
    servers: Map<String, Value>,
}

/// Why a client's file gives no server.
#[derive(Debug, thiserror::Error)]
pub enum ClientFileError {
    /// The file cannot be read.
    #[error("{} cannot be read: {error}", shown::path(path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The file is no JSON, even with comments.
    #[error("{}: not JSON: {}", shown::path(path), plain(what))]
    NotJson {
        /// The file.
        path: PathBuf,
        /// What the reader says, with line and column.
        what: String,
    },
    /// The file has no servers.
    #[error("{} has neither an object `mcpServers` nor an object `servers`", shown::path(path))]
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
    /// The server is not what it should be.
    #[error("{}: {} {}", shown::path(path), plain(place), plain(what))]
    Entry {
        /// The file.
        path: PathBuf,
        /// The server, such as `mcpServers.ledger`.
        place: String,
        /// What is wrong with it.
        what: String,
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

impl ClientFile {
    /// Reads a file; comments and commas at the end are fine.
    pub fn read(path: &Path) -> Result<Self, ClientFileError> {
        let unreadable = |error| ClientFileError::Unreadable { path: path.to_owned(), error };
        let read = File::open(path).and_then(|file| read_at_most(MOST_BYTES, file)).map_err(unreadable)?;
        let bytes = read.ok_or_else(|| unreadable(Error::other("it is larger than 16 MiB")))?;
        let text = String::from_utf8(bytes).map_err(|_| unreadable(Error::other("it is not UTF-8")))?;
        Self::parse(path, &text)
    }

    /// The names of its servers.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.servers.keys().map(String::as_str)
    }

    /// Reads the text of a file; `path` is how the file is called in what is said of it.
    pub fn parse(path: &Path, text: &str) -> Result<Self, ClientFileError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let document: Value = parse_to_serde_value(text, &ParseOptions::default())
            .map_err(|error| ClientFileError::NotJson { path: path.to_owned(), what: error.to_string() })?;
        let member = MEMBERS.into_iter().find(|member| document.get(member).is_some_and(Value::is_object));
        match member.map(|member| (member, document[member].clone())) {
            Some((member, Value::Object(servers))) => Ok(Self { path: path.to_owned(), member, servers }),
            _ => Err(ClientFileError::NoServers { path: path.to_owned() }),
        }
    }

    /// A server, with its variables filled in.
    pub fn server(&self, name: &str) -> Result<Server, ClientFileError> {
        self.server_with(name, &super::expand::from_environment)
    }

    fn server_with(
        &self,
        name: &str,
        look_up: &impl Fn(&str) -> Option<String>,
    ) -> Result<Server, ClientFileError> {
        let path = || self.path.clone();
        let entry = self.servers.get(name).ok_or_else(|| {
            let known = match nearest(name, self.names()) {
                Some(nearest) => shown::did_you_mean(nearest),
                None if self.servers.is_empty() => String::new(),
                None => format!("; servers there: {}", shown::names(self.names())),
            };
            ClientFileError::NoSuchServer { path: path(), name: name.to_owned(), known }
        })?;
        let place = format!("{}.{name}", self.member);
        let written = entry::read(entry).map_err(|what| ClientFileError::Entry {
            path: path(),
            place: place.clone(),
            what,
        })?;
        let variables = Variables { place: &place, folder: self.folder(), look_up };
        variables.fill_in(written).map_err(|error| ClientFileError::Variable { path: path(), error })
    }

    /// The folder that a file belongs to, as editors see it.
    fn folder(&self) -> PathBuf {
        let directory = self.path.parent().unwrap_or(Path::new(""));
        let is_vscode = directory.file_name().is_some_and(|name| name == ".vscode");
        let folder = if is_vscode { directory.parent() } else { Some(directory) };
        let folder = folder.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(text: &str) -> Result<Server, String> {
        let look_up = |name: &str| match name {
            "HERE" => Some("/here".to_owned()),
            "EMPTY" => Some(String::new()),
            _ => None,
        };
        let file = ClientFile::parse(Path::new("/srv/.vscode/mcp.json"), text);
        file.and_then(|file| file.server_with("a", &look_up)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_command_and_an_address_are_read_with_comments_and_variables() {
        let read = server(
            r#"{
                // What the editor starts.
                "servers": {
                    "a": {
                        "type": "stdio", "command": "${env:HERE}/run", "args": ["-y", "${workspaceFolder}/x"],
                        "env": {"A": "${HERE}", "B": "${NOPE:-none}", "C": "${EMPTY:-none}", "D": null, "E": 5},
                        "cwd": "${workspaceFolder}", "disabled": false,
                    },
                },
                "inputs": [],
            }"#,
        )
        .unwrap();
        assert_eq!(read.command, ["/here/run", "-y", "/srv/x"]);
        assert_eq!(read.shown, ["${env:HERE}/run", "-y", "${workspaceFolder}/x"]);
        assert_eq!(read.directory, Some("/srv".into()));
        let env: Vec<_> = read.env.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(env, [("A", "/here"), ("B", "none"), ("C", "none"), ("E", "5")]);
        for kind in ["", r#""type": "http", "#, r#""type": "streamable-http", "#] {
            let read = server(&format!(
                r#"{{"mcpServers": {{"a": {{{kind}"url": "http://h${{HERE}}", "headers": {{"K": "Bearer ${{HERE}}"}}}}}}}}"#
            ))
            .unwrap();
            assert_eq!(
                (read.url.as_deref(), read.headers["K"].as_str()),
                (Some("http://h/here"), "Bearer /here")
            );
            assert_eq!(read.shown, ["http://h${HERE}"]);
        }
    }

    #[test]
    fn what_cannot_be_filled_in_is_named() {
        for (value, expected) in [
            ("${NOPE}", "the environment variable NOPE is not set (servers.a needs it)"),
            ("${env:NOPE}", "the environment variable NOPE is not set"),
            (
                "${input:api-key}",
                "${input:api-key} is filled in only by the editor, which asks for it (servers.a needs it)",
            ),
            ("${command:x.y}", "${command:x.y} is filled in only by the editor"),
            ("${HERE", "`${` without a closing brace in \"${HERE\" (servers.a)"),
        ] {
            for entry in [
                format!(r#"{{"command": "x", "env": {{"K": "{value}"}}}}"#),
                format!(r#"{{"url": "http://h", "headers": {{"K": "{value}"}}}}"#),
            ] {
                let error = server(&format!(r#"{{"servers": {{"a": {entry}}}}}"#)).unwrap_err();
                assert!(error.starts_with("/srv/.vscode/mcp.json: ") && error.contains(expected), "{error}");
            }
        }
    }

    #[test]
    fn what_would_be_another_server_than_the_clients_is_an_error() {
        for (entry, expected) in [
            (
                r#"{"type": "sse", "url": "http://h"}"#,
                "is of the type \"sse\", the transport before streamable HTTP",
            ),
            (
                r#"{"type": "ws", "url": "http://h"}"#,
                "is of the type \"ws\", which is not known here; known: stdio, http",
            ),
            (r#"{"type": 1}"#, "has a `type` that is no text"),
            (r#"{"type": "stdio", "url": "http://h"}"#, "is of the type \"stdio\" and has no `command`"),
            (r#"{"type": "http", "command": "x"}"#, "is of the type \"http\" and has no `url`"),
            (r#"{"command": "x", "url": "http://h"}"#, "has both `command` and `url`"),
            ("{}", "has neither `command` nor `url`"),
            ("5", "is no object"),
            (r#"{"command": ["x"]}"#, "has a `command` that is no text"),
            (r#"{"command": "x", "args": "-y"}"#, "has `args` that are no array of texts"),
            (r#"{"command": "x", "env": {"A": []}}"#, "has `env` that is no object of texts"),
            (r#"{"url": "http://h", "headers": {"A": {}}}"#, "has `headers` that is no object of texts"),
            (
                r#"{"command": "x", "envFile": ".env"}"#,
                "has an `envFile`, which is not read: write them in `env`",
            ),
            (r#"{"url": "http://h", "headersHelper": "x"}"#, "has a `headersHelper`, which is not run"),
        ] {
            let error = server(&format!(r#"{{"mcpServers": {{"a": {entry}}}}}"#)).unwrap_err();
            assert!(error.starts_with("/srv/.vscode/mcp.json: mcpServers.a "), "{entry}: {error}");
            assert!(error.contains(expected), "{entry}: {error}");
        }
    }

    #[test]
    fn only_the_server_that_is_asked_for_is_read() {
        assert!(
            server(r#"{"mcpServers": {"a": {"command": "x"}, "b": 5, "c": {"command": "${NOPE}"}}}"#).is_ok()
        );
        assert!(server(r#"{"mcpServers": {"aa": {}}}"#).unwrap_err().contains("has no server \"a\"; "));
        assert!(server(r#"{"mcpServers": []}"#).unwrap_err().contains("has neither an object `mcpServers`"));
        assert!(server("{").unwrap_err().contains("not JSON: "));
    }
}
