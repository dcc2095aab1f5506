//! Reading `frankly.toml`, with errors that say where and what next.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;

use frankly_contract::nearest;
use frankly_verdict::Place;
use frankly_verdict::policy::Policy;
use toml::de::DeTable;

use super::table::{Fault, Table};
use super::{Config, ConfigError, FILE_NAME, Server, expand, policy, server};
use crate::shown;

/// What is larger is no configuration.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

impl Config {
    /// Reads a `frankly.toml`.
    ///
    /// # Errors
    ///
    /// [`ConfigError`], with line and column where the file is at fault.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        if std::fs::metadata(path).is_ok_and(|file| !file.is_file() || file.len() > MOST_BYTES) {
            let error = std::io::Error::other("it is no file of at most 16 MiB");
            return Err(ConfigError::Unreadable { path: path.to_owned(), error });
        }
        let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => ConfigError::NotThere,
            _ => ConfigError::Unreadable { path: path.to_owned(), error },
        })?;
        Self::parse(path, &text)
    }

    /// The `frankly.toml` at a path that the user named.
    ///
    /// # Errors
    ///
    /// [`ConfigError`], which names the file also where it is not there.
    pub fn named(path: &Path) -> Result<Self, ConfigError> {
        Self::read(path).map_err(|error| match error {
            ConfigError::NotThere => {
                let error = std::io::Error::new(std::io::ErrorKind::NotFound, "it is not there");
                ConfigError::Unreadable { path: path.to_owned(), error }
            }
            error => error,
        })
    }

    /// The `frankly.toml` of this directory; an empty one where there is none.
    ///
    /// # Errors
    ///
    /// [`ConfigError`], with line and column where the file is at fault.
    pub fn here() -> Result<Self, ConfigError> {
        let path = Path::new(FILE_NAME);
        match Self::read(path) {
            Err(ConfigError::NotThere) => Self::parse(path, ""),
            config => config,
        }
    }

    /// The file, as it was named.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is decided about findings.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The names of the servers.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.servers.keys().map(String::as_str)
    }

    /// Says what to write where there is no server.
    ///
    /// # Errors
    ///
    /// [`ConfigError::NoServers`].
    pub fn require_servers(&self) -> Result<(), ConfigError> {
        if self.servers.is_empty() {
            return Err(ConfigError::NoServers { path: self.path.clone() });
        }
        Ok(())
    }

    /// A server, with its variables filled in from the environment.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] when there is none of this name, or a variable is not set.
    pub fn server(&self, name: &str) -> Result<Server, ConfigError> {
        self.server_with(name, &expand::from_environment)
    }

    fn server_with(
        &self,
        name: &str,
        look_up: &impl Fn(&str) -> Option<String>,
    ) -> Result<Server, ConfigError> {
        self.require_servers()?;
        let path = || self.path.clone();
        let server = self.servers.get(name).ok_or_else(|| {
            let known = match nearest(name, self.names()) {
                Some(nearest) => shown::did_you_mean(nearest),
                None => format!("; servers there: {}", shown::names(self.names())),
            };
            ConfigError::NoSuchServer { path: path(), name: name.to_owned(), known }
        })?;
        server.expanded(name, look_up).map_err(|error| ConfigError::Variable { path: path(), error })
    }

    /// Reads the text of a `frankly.toml`; `path` is how the file is called in what is said of it.
    ///
    /// # Errors
    ///
    /// [`ConfigError::Malformed`], with line and column.
    pub fn parse(path: &Path, text: &str) -> Result<Self, ConfigError> {
        let malformed = |fault: Fault| {
            let Place { line, column, .. } = place(path, text, fault.at);
            ConfigError::Malformed { path: path.to_owned(), line, column, what: fault.what }
        };
        parse(path, text).map_err(malformed)
    }
}

fn parse(path: &Path, text: &str) -> Result<Config, Fault> {
    let document = DeTable::parse(text).map_err(|error| syntax(text, &error))?;
    let root = Table::root(&document);
    root.only(&["allow", "rules", "servers"], |_| None)?;
    let servers: BTreeMap<String, Server> = match root.get("servers") {
        Some(servers) => servers
            .table("[servers.my-server]")?
            .members()
            .map(|member| Ok((member.key.to_owned(), server::read(&member)?)))
            .collect::<Result<_, _>>()?,
        None => BTreeMap::new(),
    };
    let names: Vec<&str> = servers.keys().map(String::as_str).collect();
    let levels = root.get("rules").map(|rules| policy::levels(&rules)).transpose()?;
    let allows =
        root.get("allow").map(|entries| policy::allows(&entries, &names, |at| place(path, text, at)));
    let policy =
        Policy { levels: levels.unwrap_or_default(), allows: allows.transpose()?.unwrap_or_default() };
    Ok(Config { path: path.to_owned(), servers, policy })
}

/// What the parser says, with the commonest reason: a text without quotes.
fn syntax(text: &str, error: &toml::de::Error) -> Fault {
    let span = error.span().unwrap_or_default();
    let start = text.get(span.start..).unwrap_or_default();
    let word: String = start.chars().take_while(|c| c.is_alphanumeric() || "_-./".contains(*c)).collect();
    let is_value = text.get(..span.start).is_some_and(|before| before.trim_end().ends_with(['=', '[', ',']));
    let what = error.message().trim().replace('\n', "; ");
    let hint = match word.as_str() {
        "" => String::new(),
        "yes" | "no" | "on" | "off" | "True" | "False" if is_value => "; write true or false".to_owned(),
        word if what == "duplicate key" => format!(" `{word}`: write it once"),
        word if is_value => format!("; a text stands in quotes: \"{word}\""),
        _ => String::new(),
    };
    Fault { at: span.start, what: format!("{what}{hint}") }
}

/// Where a byte of the file stands.
fn place(path: &Path, text: &str, at: usize) -> Place {
    let before = text.get(..at).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    Place {
        file: path.to_string_lossy().into_owned(),
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
    }
}
