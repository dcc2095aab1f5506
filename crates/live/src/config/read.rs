//! Reading `frankly.toml`, with errors that say where and what next.

use std::path::{Path, PathBuf};
use std::time::Duration;

use frankly_contract::nearest;
use serde::{Deserialize, Deserializer};

use super::{Config, Consent, MissingVariable, expand};

/// The name of the file.
pub const FILE_NAME: &str = "frankly.toml";

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file is not there.
    #[error(
        "there is no {FILE_NAME} in this directory. Write one:\n\n  [servers.my-server]\n  command = [\"node\", \
         \"dist/index.js\"]\n\nor look at a server without one: frankly probe -- node dist/index.js"
    )]
    NotThere,
    /// The file cannot be read.
    #[error("{} cannot be read: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The file is not what it should be.
    #[error("{}:{line}:{column}: {what}", path.display())]
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
    /// What it allows contradicts itself.
    #[error("{}: servers.{server}.tools.{tool}.probe = \"writes\" changes state: it needs servers.{server}.sandbox = true", path.display())]
    WritesOutsideSandbox {
        /// The file.
        path: PathBuf,
        /// The server.
        server: String,
        /// The tool.
        tool: String,
    },
    /// A variable cannot be filled in.
    #[error("{}: {error}", path.display())]
    Variable {
        /// The file.
        path: PathBuf,
        /// Which one.
        error: MissingVariable,
    },
}

impl Config {
    /// Reads a `frankly.toml` and fills in its variables from the environment.
    ///
    /// # Errors
    ///
    /// [`ConfigError`], with line and column where the file is at fault.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => ConfigError::NotThere,
            _ => ConfigError::Unreadable { path: path.to_owned(), error },
        })?;
        Self::parse(path, &text, &expand::from_environment)
    }

    fn parse(
        path: &Path,
        text: &str,
        look_up: &impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        let mut config: Self = toml::from_str(text).map_err(|error| malformed(path, text, &error))?;
        config.expand(look_up).map_err(|error| ConfigError::Variable { path: path.to_owned(), error })?;
        match config.writes_outside_sandbox() {
            None => Ok(config),
            Some((server, tool)) => {
                let (server, tool) = (server.to_owned(), tool.to_owned());
                Err(ConfigError::WritesOutsideSandbox { path: path.to_owned(), server, tool })
            }
        }
    }

    fn writes_outside_sandbox(&self) -> Option<(&str, &str)> {
        self.servers.iter().filter(|(_, server)| !server.sandbox).find_map(|(name, server)| {
            let mut tools = server.tools.iter();
            let (tool, _) = tools.find(|(_, policy)| policy.probe == Some(Consent::Writes))?;
            Some((name.as_str(), tool.as_str()))
        })
    }
}

fn malformed(path: &Path, text: &str, error: &toml::de::Error) -> ConfigError {
    let span = error.span().unwrap_or_default();
    let before = text.get(..span.start).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    let mut what = error.message().trim().replace('\n', "; ");
    if let Some(nearest) = nearest_key(error.message()) {
        what = format!("{what}; did you mean `{nearest}`?");
    }
    ConfigError::Malformed {
        path: path.to_owned(),
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        what,
    }
}

/// The legal key most like an unknown one. serde hands both over only in its message, in backticks: the
/// unknown key first. When that form changes there is no suggestion, and the message still names the keys.
fn nearest_key(message: &str) -> Option<&str> {
    let (_, names) =
        message.split_once("unknown field ").or_else(|| message.split_once("unknown variant "))?;
    let mut names = names.split('`').skip(1).step_by(2);
    let unknown = names.next()?;
    nearest(unknown, names)
}

/// A duration such as `"10s"`.
pub(super) fn duration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let duration = humantime::parse_duration(&text).map_err(|error| {
        serde::de::Error::custom(format!("{text:?} is no duration, such as \"10s\" or \"500ms\": {error}"))
    })?;
    if duration.is_zero() {
        return Err(serde::de::Error::custom("a time-out of 0 answers nothing"));
    }
    Ok(Some(duration))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Config, String> {
        let look_up = |name: &str| (name == "HERE").then(|| "/here".to_owned());
        Config::parse(Path::new("frankly.toml"), text, &look_up).map_err(|error| error.to_string())
    }

    #[test]
    fn a_whole_file_is_read() {
        let config = parse(
            r#"[servers.ledger]
command = ["${HERE}/ledger", "--all"]
env = { DB = "${HERE}/db" }
sandbox = true
require = { tools_called = 2 }
timeout = "1500ms"
tools.query = { probe = "mutate", examples = [{ category = "Dining" }] }"#,
        )
        .unwrap();
        let server = &config.servers["ledger"];
        assert_eq!(server.command, ["/here/ledger", "--all"]);
        assert_eq!(
            (server.env["DB"].as_str(), server.sandbox, server.require.tools_called),
            ("/here/db", true, 2)
        );
        assert_eq!(server.timeout, Some(Duration::from_millis(1500)));
        assert_eq!(server.tools["query"].probe, Some(Consent::Mutate));
        assert_eq!(server.tools["query"].examples[0]["category"], "Dining");
    }

    #[test]
    fn errors_say_where_and_what_next() {
        let error = parse("[servers.a]\ncommand = [\"x\"]\nsandbx = true\n").unwrap_err();
        assert!(error.starts_with("frankly.toml:3:1: unknown field `sandbx`"), "{error}");
        assert!(error.ends_with("did you mean `sandbox`?"), "{error}");
        let error = parse("[servers.a]\ncommand = [\"x\"]\ntools.t.probe = \"mutat\"\n").unwrap_err();
        assert!(error.contains(":3:") && error.ends_with("did you mean `mutate`?"), "{error}");
        let error = parse("[servers.a]\ncommand = \"x\"\n").unwrap_err();
        assert!(error.starts_with("frankly.toml:2:11:"), "{error}");
        let error = parse("[servers.a]\ncommand = [\"x\"]\ntimeout = \"ten\"\n").unwrap_err();
        assert!(error.contains("\"ten\" is no duration"), "{error}");
        let error = parse("[servers.a]\ncommand = [\"x\"]\ntools.t.probe = \"writes\"\n").unwrap_err();
        assert!(error.ends_with("it needs servers.a.sandbox = true"), "{error}");
        let error = parse("[servers.a]\n").unwrap_err();
        assert!(error.contains("missing field `command`"), "{error}");
        let error = parse("[servers.a]\ncommand = [\"${NOPE}\"]\n").unwrap_err();
        assert_eq!(
            error,
            "frankly.toml: the environment variable NOPE is not set (servers.a needs it); set it, or write the value"
        );
    }
}
