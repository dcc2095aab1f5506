//! The binary as its users meet it: exit code, standard output and standard error together.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod cases;
mod commands;
mod exit_codes;
mod expectations;
mod files;
mod harbour;
mod hostile;
mod http;
mod names;
mod policies;
mod recordings;
mod repairs;
mod signals;
mod sources;
mod spy;
mod spy_http;
mod spy_live;
mod tls;

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// A directory with a `frankly.toml` in it, in which commands are run.
struct Place {
    directory: TempDir,
}

impl Place {
    /// A place with this `frankly.toml`.
    fn with_config(toml: &str) -> Self {
        let place = Self::empty();
        place.write("frankly.toml", toml);
        place
    }

    /// A place without one.
    fn empty() -> Self {
        Self { directory: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// `frankly` with these arguments, to be run here.
    fn frankly(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_frankly"));
        command.args(arguments).current_dir(self.path()).env_remove("NO_COLOR");
        command
    }

    /// The exit code of `frankly` with these arguments, and what it wrote to standard output.
    fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let output = self.frankly(arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    }
}

/// A server table for the demo ledger with these faults.
fn ledger(faults: &str) -> String {
    format!("[servers.ledger]\ncommand = [\"${{FRANKLY_EXE}}\", \"demo\", \"ledger\"{faults}]\n")
}

const LYING: &str = ", \"--fault\", \"silent-truncation\"";
