//! `frankly.toml`: which servers there are, and what may be done to them.

mod expand;
mod read;
mod server;
mod source;
mod table;

pub use expand::MissingVariable;
pub use read::{ConfigError, FILE_NAME};
pub use source::{Source, SourceError, read_definitions};

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::session::Launch;

/// How long a call may take where nothing else is said.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

/// A `frankly.toml`. It has at least one server.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    path: PathBuf,
    servers: BTreeMap<String, Server>,
}

/// A server, and what may be done to it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Server {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The same as the user wrote it, to be shown: variables that may hold secrets are not filled in.
    pub shown: Vec<String>,
    /// Environment variables beyond the few that starting needs.
    pub env: BTreeMap<String, String>,
    /// Whether the server's state may be changed.
    pub sandbox: bool,
    /// What must have been looked at.
    pub require: Require,
    /// How long each call may take.
    pub timeout: Option<Duration>,
    /// What may be done to each tool.
    pub tools: BTreeMap<String, ToolPolicy>,
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
            timeout: self.timeout.unwrap_or(DEFAULT_TIMEOUT),
        }
    }
}
