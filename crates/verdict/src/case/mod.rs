//! Contract cases: a call that somebody wrote down, and what its answer must show.
//!
//! [`CaseFile::parse`] reads a file, [`Observed`] is what an answer says, [`Expect::misses`] holds the one against the other, and
//! an [`Outcome`] is what came of a case. What may not enter: calls, files, and whether a miss ends a run.

mod expect;
mod observed;
mod outcome;
mod read;
mod update;
mod variables;

use std::collections::BTreeMap;

use serde_json::{Map, Value};

pub use crate::yaml::Spot;
pub use expect::{Expect, Miss};
pub use observed::{ErrorShape, Observed};
pub use outcome::{ABOUT_CASES, Outcome, Verdict};
pub use read::CaseError;
pub use update::{NotUpdated, Seen, flow, updated};
pub use variables::{Variables, fill};

use crate::yaml::Node;

/// A file of cases.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseFile {
    /// The file, as the user named it.
    pub path: String,
    /// Which server they are for.
    pub server: ServerUse,
    /// Files that are written into the temporary directory before anything starts, by their paths within it.
    pub files: BTreeMap<String, String>,
    /// What is done before the first case.
    pub setup: Vec<Step>,
    /// What is done after the last one, whatever came of it.
    pub teardown: Vec<Step>,
    /// The cases, in the order in which they run.
    pub cases: Vec<Case>,
}

/// Which server a file of cases is for, and how it is started.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerUse {
    /// Its name in `frankly.toml`; `None` where the file leaves that to the command line.
    pub name: Option<String>,
    /// Environment variables beside its own; `${DIR}` in them is the temporary directory.
    pub env: BTreeMap<String, String>,
    /// Whether the file wants a server that no other file has used.
    pub fresh: bool,
    /// Where the file says so.
    pub at: Spot,
}

/// Something that is done before or after the cases.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// A program is run to its end.
    Run {
        /// The program and its arguments; `${DIR}` in them is the temporary directory.
        command: Vec<String>,
        /// Where it stands.
        at: Spot,
    },
    /// A tool is called.
    Call(Call),
}

/// A call as it is written down.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The tool.
    pub tool: String,
    /// Where the tool is named.
    pub at: Spot,
    /// The arguments, with variables not yet filled in.
    pub arguments: Map<String, Value>,
    /// What of the answer later calls may use: names, each with a JSON pointer into the payload.
    pub save: BTreeMap<String, String>,
}

/// A call, and what its answer must show.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// What it shows, in the words of whoever wrote it; no other case of the file has this name.
    pub name: String,
    /// Where it begins.
    pub at: Spot,
    /// What is called.
    pub call: Call,
    /// Why it is known to fail, if it is.
    pub known_failing: Option<String>,
    expect: Node,
}

impl CaseFile {
    /// Whether anything in it is to stand in a temporary directory.
    #[must_use]
    pub fn wants_directory(&self) -> bool {
        let mut texts = self.server.env.values();
        let in_call = |call: &Call| variables::mentions_directory(&Value::Object(call.arguments.clone()));
        let in_step = |step: &Step| match step {
            Step::Run { command, .. } => command.iter().any(|word| word.contains("${DIR}")),
            Step::Call(call) => in_call(call),
        };
        !self.files.is_empty()
            || texts.any(|text| text.contains("${DIR}"))
            || self.setup.iter().chain(&self.teardown).any(in_step)
            || self
                .cases
                .iter()
                .any(|case| in_call(&case.call) || variables::mentions_directory(&case.expect.to_json()))
    }
}

impl Case {
    /// What the answer must show, with these variables filled in.
    ///
    /// # Errors
    ///
    /// A sentence, where a variable has no value or makes no expectation of it.
    pub fn expect(&self, variables: &Variables) -> Result<Expect, String> {
        let filled = variables::fill_expectation(&self.expect, variables)?;
        Expect::read(&filled).map_err(|fault| fault.what)
    }

    /// Something that is missing from its answer beside what it expects.
    #[must_use]
    pub fn miss(&self, what: String) -> Miss {
        Miss { at: self.call.at, clause: "save", pointer: String::new(), what }
    }

    /// Whether it expects that the protocol refuses the call, such as one of a tool that is not there.
    #[must_use]
    pub fn expects_protocol_error(&self) -> bool {
        self.expect.get("protocol_error").is_some()
    }

    /// Where the expectation stands.
    #[must_use]
    pub fn expected_at(&self) -> Spot {
        self.expect.at
    }

    /// Whether it expects nothing yet, so that it cannot fail.
    #[must_use]
    pub fn expects_nothing(&self) -> bool {
        self.expect.entries("").is_ok_and(<[_]>::is_empty)
    }
}
