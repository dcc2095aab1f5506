//! Tasks around frankly that need its binary. What may not enter: anything the tests of one crate could do.

mod binary;
mod cases;
mod matrix;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

/// Tasks around frankly
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Task {
    /// Turns on each of the ledger's faults, alone and all at once, and compares what `frankly check` finds
    Matrix,
    /// Holds frankly against faults from public bug reports; does nothing where they are not there
    Cases {
        /// The folder with `log.jsonl`; by default `shared/cases` beside the repository
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
}

fn main() -> anyhow::Result<ExitCode> {
    let passed = match Task::parse() {
        Task::Matrix => matrix::run()?,
        Task::Cases { dir } => {
            let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/cases");
            cases::run(&dir.unwrap_or_else(|| beside.into()))?
        }
    };
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
