//! The command line as a whole: which commands there are.

use clap::{Parser, Subcommand};

use crate::commands;

/// Proves that the tools you give an agent tell the truth.
#[derive(Debug, Parser)]
#[command(name = "frankly", version, after_help = EXIT_CODES, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "\
Exit codes, the first that applies:
  2  usage or configuration
  3  nothing ever came up: no server answered
  1  findings at or above --fail-on, or a server that died
  4  nothing, or less than `require` asks, was checked
  0  none of these

Try it: frankly probe -- frankly demo ledger --fault silent-truncation";

#[derive(Debug, Subcommand)]
pub enum Command {
    Check(commands::check::Check),
    Lint(commands::lint::Lint),
    Probe(commands::probe::Probe),
    Call(commands::call::Call),
    Explain(commands::explain::Explain),
    Demo(commands::demo::Demo),
}
