//! Tasks around frankly that need its binary, or lists of several crates. What may not enter: anything the tests of one crate could do.

mod binary;
mod cases;
mod corpus;
mod docs;
mod matrix;
mod page;
mod recording;
mod truth;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;

/// Tasks around frankly
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Task {
    /// Turns on each of the ledger's faults, alone and all at once, and compares what `frankly check` finds
    Matrix {
        /// Only these faults, or `honest`, or `all`
        #[arg(value_name = "FAULT")]
        only: Vec<String>,
    },
    /// Holds frankly against faults from public bug reports; does nothing where they are not there
    Cases {
        /// The folder with `log.jsonl`; by default `shared/cases` beside the repository
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
    /// Holds frankly against hand-labelled calls to published servers; does nothing where they are not there
    Truth {
        /// The folder of labelled calls; by default `shared/corpus/probes` beside the repository
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
        /// The folder of those servers' definitions; by default `shared/corpus/tools` beside the repository
        #[arg(long, value_name = "DIR")]
        tools: Option<PathBuf>,
    },
    /// Writes what the rules find in published servers to `docs/corpus.md`; does nothing where they are not there
    Corpus {
        /// The folder of definition files; by default `shared/corpus/tools` beside the repository
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
        /// Writes nothing, and fails where the page is stale
        #[arg(long)]
        check: bool,
    },
    /// Writes the parts of the guides that list what the code has
    Docs {
        /// Writes nothing, and fails where one is stale
        #[arg(long)]
        check: bool,
    },
}

/// What the project looks at and does not hold, beside the repository.
const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared");

fn main() -> anyhow::Result<ExitCode> {
    let passed = match Task::parse() {
        Task::Matrix { only } => matrix::run(&only)?,
        Task::Cases { dir } => cases::run(&dir.unwrap_or_else(|| Path::new(SHARED).join("cases")))?,
        Task::Truth { dir, tools } => truth::run(
            &dir.unwrap_or_else(|| Path::new(SHARED).join("corpus/probes")),
            &tools.unwrap_or_else(|| Path::new(SHARED).join("corpus/tools")),
        )?,
        Task::Corpus { dir, check } => {
            corpus::run(&dir.unwrap_or_else(|| Path::new(SHARED).join("corpus/tools")), check)?
        }
        Task::Docs { check } => docs::run(check)?,
    };
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
