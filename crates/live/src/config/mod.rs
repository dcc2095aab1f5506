//! `frankly.toml` and the files of clients: which servers there are, and what may be done to them.

mod client;
mod definitions;
mod error;
mod expand;
mod identities;
mod policy;
mod read;
mod repeated;
mod server;
mod source;
mod starter;
mod table;

pub use client::{CLIENT_FILES, ClientFileError};
pub use definitions::{DefinitionFile, ReadFile, configuration, file_identity};
pub use error::{ConfigError, FILE_NAME};
pub use expand::{MissingVariable, filled_in};
pub use repeated::Repeated;
pub use source::{Source, SourceError};
pub use starter::{FirstLook, starter, variable};

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use frankly_verdict::case::ErrorShape;
use frankly_verdict::policy::Policy;
use frankly_verdict::transcript::SizeBudget;
use serde_json::{Map, Value};

use crate::session::Launch;

/// How long the command that resets the state may take, if calls may not take longer still.
const RESET: Duration = Duration::from_secs(60);

/// How long a call may take where nothing else is said.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

/// A `frankly.toml`.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    path: PathBuf,
    servers: BTreeMap<String, Server>,
    policy: Policy,
}

/// A server, and what may be done to it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Server {
    /// The program and its arguments; empty where there is an address.
    pub command: Vec<String>,
    /// The address of a server that is reached over streamable HTTP.
    pub url: Option<String>,
    /// What to tell it with each request.
    pub headers: BTreeMap<String, String>,
    /// Whether to speak the revision without sessions from the first request on.
    pub stateless: bool,
    /// Where the program runs; here, if nothing is said.
    pub directory: Option<PathBuf>,
    /// The command or the address as the user wrote it, to be shown: variables that may hold secrets are not filled in.
    pub shown: Vec<String>,
    /// Environment variables beyond the few that starting needs.
    pub env: BTreeMap<String, String>,
    /// Whether the server's state may be changed.
    pub sandbox: bool,
    /// What brings the state back to where it was; only in a sandbox.
    pub reset: Option<Reset>,
    /// How large an answer may be.
    pub budget: Option<SizeBudget>,
    /// Where this server's own errors keep what contract cases expect of them.
    pub errors: ErrorShape,
    /// Where each part of the context of a recorded call is taken from, such as `meta:tenant`.
    pub context: BTreeMap<String, String>,
    /// What must have been looked at.
    pub require: Require,
    /// How long each call may take.
    pub timeout: Option<Duration>,
    /// What may be done to each tool.
    pub tools: BTreeMap<String, ToolPolicy>,
    /// As whom the server is asked, to see whether one is shown what is another's.
    pub identities: BTreeMap<String, Identity>,
}

/// Somebody as whom a server is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identity {
    /// What to tell the server with each request beside its own headers.
    pub headers: BTreeMap<String, String>,
    /// Environment variables beside the server's own.
    pub env: BTreeMap<String, String>,
    /// Whose data this one may see: the identity's name, if nothing else is said.
    pub tenant: String,
}

/// A command that brings the state back to where it was.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reset {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The same as the user wrote it, to be shown.
    pub shown: Vec<String>,
}

/// What must have been looked at for a run to count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Require {
    /// How many tools must have been called.
    pub tools_called: usize,
}

/// What may be done to one tool.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ToolPolicy {
    /// How far probes may go.
    pub probe: Option<Consent>,
    /// Arguments that are known to be good.
    pub examples: Vec<Map<String, Value>>,
}

/// How far probes may go with a tool; each step allows what the ones before it allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Consent {
    /// Not at all.
    Never,
    /// Only the arguments that the user gave.
    Examples,
    /// Generated and changed arguments.
    Mutate,
    /// Also calls that write, twice, and then look; only in a sandbox.
    Writes,
}

impl Consent {
    /// Every value, from the least to the most.
    pub const ALL: [Self; 4] = [Self::Never, Self::Examples, Self::Mutate, Self::Writes];

    /// The word for it in `frankly.toml`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Examples => "examples",
            Self::Mutate => "mutate",
            Self::Writes => "writes",
        }
    }
}

impl Server {
    /// How to start this server.
    #[must_use]
    pub fn launch(&self, name: Option<&str>) -> Launch {
        Launch {
            name: name.map(str::to_owned),
            command: self.command.clone(),
            shown: self.shown.clone(),
            env: self.env.clone().into_iter().collect(),
            directory: self.directory.clone(),
            url: self.url.clone(),
            headers: self.headers.clone().into_iter().collect(),
            stateless: self.stateless,
            timeout: self.timeout.unwrap_or(DEFAULT_TIMEOUT),
            ids_from: 0,
        }
    }

    /// What is told to the server that nobody else is to see: headers, and variables whose names say so.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &str> {
        /// What is shorter stands in answers by chance.
        const LEAST: usize = 6;
        let is_secret = |name: &str| {
            let name = name.to_lowercase();
            ["auth", "key", "pass", "secret", "token"].iter().any(|word| name.contains(word))
        };
        let env = self.env.iter().filter(move |(name, _)| is_secret(name)).map(|(_, value)| value.as_str());
        let headers = self.headers.values().flat_map(|value| value.split_whitespace());
        env.chain(headers).filter(|value| value.len() >= LEAST)
    }

    /// How to start or reach this server as somebody.
    pub(crate) fn launch_as(&self, name: &str, identity: &Identity) -> Launch {
        let mut launch = self.launch(Some(name));
        launch.env.extend(identity.env.clone());
        launch
            .headers
            .retain(|(header, _)| !identity.headers.keys().any(|own| own.eq_ignore_ascii_case(header)));
        launch.headers.extend(identity.headers.clone());
        launch
    }

    /// How to reset the state, where the user said how: with the server's own environment.
    pub(crate) fn reset_launch(&self) -> Option<Launch> {
        let Reset { command, shown } = self.reset.clone()?;
        let timeout = self.timeout.unwrap_or(RESET).max(RESET);
        Some(Launch { command, shown, timeout, url: None, ..self.launch(None) })
    }
}
