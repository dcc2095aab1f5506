//! What a user may name as a source of tools.

use std::path::{Path, PathBuf};

use frankly_verdict::NotAToolSet;
use frankly_verdict::report::plain;

use super::client::{CLIENT_FILES, ClientFile, ClientFileError};
use super::definitions::MOST_BYTES;
use super::{Config, ConfigError, FILE_NAME, Server};
use crate::shown;

/// A source of tools.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// A server, with the name it has in `frankly.toml`, if it has one there.
    Server(Option<String>, Box<Server>),
    /// A file of definitions, or a directory of such files.
    Definitions(PathBuf),
    /// Definitions on standard input.
    Input,
}

/// Why a source is none.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// A file that is not there.
    #[error("there is no file {}", plain(name))]
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
    /// A directory without definition files.
    #[error("{} has no file *.json: name a directory of definition files, or a server", shown::path(path))]
    NoDefinitions {
        /// The directory.
        path: PathBuf,
    },
    /// A client's configuration is at fault.
    #[error(transparent)]
    Client(#[from] ClientFileError),
    /// The configuration is at fault.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A definition file cannot be read.
    #[error("{} cannot be read: {error}", shown::path(path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A definition file is larger than any message of a server may be.
    #[error("{} has more than {} MiB, which is more than a server may send at once: split it, or name less of it", shown::path(path), MOST_BYTES >> 20)]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// A definition file is not UTF-8.
    #[error("{}: not UTF-8, which JSON is", shown::path(path))]
    NotText {
        /// The file.
        path: PathBuf,
    },
    /// A definition file is not JSON.
    #[error("{}: not JSON: {error}", shown::path(path))]
    NotJson {
        /// The file.
        path: PathBuf,
        /// What the reader says, with line and column.
        error: serde_json::Error,
    },
    /// A definition file holds no tools.
    #[error("{}: {error}", shown::path(path))]
    NotTools {
        /// The file.
        path: PathBuf,
        /// What is missing.
        error: NotAToolSet,
    },
    /// A file with servers in it, and no definitions.
    #[error(
        "{} is {whose} configuration, which has servers and no definitions: name a server instead of the file, as `{}`{}",
        shown::path(path),
        plain(example),
        plain(known)
    )]
    Configuration {
        /// The file.
        path: PathBuf,
        /// Whose configuration it is.
        whose: &'static str,
        /// How one of its servers is named on a command line.
        example: String,
        /// The servers that it has, as the end of a sentence.
        known: String,
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
        Self::Server(
            None,
            Box::new(Server { shown: vec![shown::address(&url)], url: Some(url), ..Server::default() }),
        )
    }

    /// What a name stands for: `-` for standard input, an address, a file that is there (or a pipe), else a server in `frankly.toml`, in `.mcp.json` or in
    /// `.vscode/mcp.json`, else a directory. With `config`, the name of a server stands for what that file says, and
    /// no other is looked at.
    ///
    /// # Errors
    ///
    /// [`SourceError`]; a name that is none of these is answered with the names that are known.
    pub fn named(name: &str, config: Option<&Path>) -> Result<Self, SourceError> {
        Self::named_in(Path::new(""), name, config)
    }

    /// Whether a name stands for something here, even if that cannot be used.
    #[must_use]
    pub fn is_known(name: &str) -> bool {
        !matches!(Self::named(name, None), Err(SourceError::NoFile { .. } | SourceError::Unknown { .. }))
    }

    fn named_in(directory: &Path, name: &str, config: Option<&Path>) -> Result<Self, SourceError> {
        let path = directory.join(name);
        if name.starts_with("http://") || name.starts_with("https://") {
            return Ok(Self::address(name));
        }
        if name == "-" {
            return Ok(Self::Input);
        }
        if std::fs::metadata(&path).is_ok_and(|there| !there.is_dir()) {
            return Ok(Self::Definitions(path));
        }
        let server = match config {
            Some(config) => Some(server_of(config, name)?),
            None => None,
        };
        let known = match server.map_or_else(|| look_up(directory, name), Ok)? {
            Ok(server) => return Ok(Self::Server(Some(name.to_owned()), Box::new(server))),
            Err(known) => known,
        };
        if path.is_dir() {
            return Ok(Self::Definitions(path));
        }
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
            return Err(SourceError::NoFile { name: name.to_owned() });
        }
        Err(SourceError::Unknown { name: name.to_owned(), known })
    }
}

/// A server of a file that the user named.
fn server_of(config: &Path, name: &str) -> Result<Result<Server, String>, SourceError> {
    if config.extension().is_some_and(|extension| extension == "toml") {
        return Ok(Ok(Config::named(config)?.server(name)?));
    }
    Ok(Ok(ClientFile::read(config)?.server(name)?))
}

/// A server of a file of this directory; else the names that are known, as the end of a sentence.
fn look_up(directory: &Path, name: &str) -> Result<Result<Server, String>, SourceError> {
    let config = Config::read(&directory.join(FILE_NAME));
    let mut known = match config.and_then(|config| config.server(name)) {
        Ok(server) => return Ok(Ok(server)),
        Err(ConfigError::NotThere) => format!("; there is no {FILE_NAME} in this directory"),
        Err(ConfigError::NoServers { .. }) => format!("; {FILE_NAME} has no servers"),
        Err(ConfigError::NoSuchServer { known, .. }) => known,
        Err(error) => return Err(error.into()),
    };
    for file in CLIENT_FILES.map(|file| directory.join(file)).iter().filter(|file| file.is_file()) {
        match ClientFile::read(file)?.server(name) {
            Ok(server) => return Ok(Ok(server)),
            Err(error @ ClientFileError::NoSuchServer { .. }) => known = format!("{known}; {error}"),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Err(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_file_then_a_server_and_else_an_error_that_fits_it() {
        let directory = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(directory.path().join(name), text).unwrap();
        let named =
            |name: &str| Source::named_in(directory.path(), name, None).map_err(|error| error.to_string());
        assert!(named("ledger").unwrap_err().contains("there is no frankly.toml"));
        write(FILE_NAME, "[servers.ledger]\ncommand = [\"x\"]\n");
        write("tools.json", "[]");
        std::fs::create_dir(directory.path().join("ledger")).unwrap();
        std::fs::create_dir(directory.path().join("src")).unwrap();
        assert!(matches!(named("tools.json"), Ok(Source::Definitions(_))));
        assert!(matches!(named("ledger"), Ok(Source::Server(Some(_), _))));
        assert_eq!(named("tool.json").unwrap_err(), "there is no file tool.json");
        assert!(matches!(named("src"), Ok(Source::Definitions(_))));
        assert!(named("leger").unwrap_err().ends_with("no file; did you mean `ledger`?"));
        let Ok(Source::Server(None, server)) = named("https://example.org/mcp") else { panic!("no address") };
        assert_eq!((server.url.as_deref(), server.shown.len()), (Some("https://example.org/mcp"), 1));
    }

    #[test]
    fn files_of_clients_come_after_frankly_toml_and_only_the_one_that_is_named_counts() {
        let directory = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(directory.path().join(name), text).unwrap();
        std::fs::create_dir(directory.path().join(".vscode")).unwrap();
        write(".mcp.json", r#"{"mcpServers": {"a": {"command": "mcp"}, "b": {"command": "mcp"}}}"#);
        write(".vscode/mcp.json", r#"{"servers": {"b": {"command": "code"}, "c": {"command": "code"}}}"#);
        write(FILE_NAME, "[servers.a]\ncommand = [\"toml\"]\n");
        write("desktop.json", r#"{"mcpServers": {"a": {"command": "desktop"}}}"#);
        let command = |name: &str, config: Option<&str>| {
            let config = config.map(|config| directory.path().join(config));
            match Source::named_in(directory.path(), name, config.as_deref()) {
                Ok(Source::Server(_, server)) => Ok(server.command[0].clone()),
                Ok(other) => panic!("{other:?}"),
                Err(error) => Err(error.to_string()),
            }
        };
        for (name, config, expected) in [
            ("a", None, "toml"),
            ("b", None, "mcp"),
            ("c", None, "code"),
            ("a", Some("desktop.json"), "desktop"),
            ("a", Some("frankly.toml"), "toml"),
        ] {
            assert_eq!(command(name, config).as_deref(), Ok(expected), "{name} {config:?}");
        }
        assert!(command("c", Some("desktop.json")).unwrap_err().ends_with("; servers there: a"));
        let error = command("d", None).unwrap_err();
        assert!(error.contains("mcp.json has no server \"d\"; servers there: a, b; "), "{error}");
        for nowhere in ["nowhere.json", "nowhere.toml"] {
            let error = command("a", Some(nowhere)).unwrap_err();
            assert!(error.contains(&format!("{nowhere} cannot be read: ")), "{error}");
        }
    }
}
