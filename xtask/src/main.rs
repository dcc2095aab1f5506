//! Tasks around frankly that need its binary, or lists of several crates. What may not enter: anything the tests of one crate could do.

mod bench;
mod binary;
mod cases;
mod clients;
mod corpus;
mod docs;
mod live;
mod markdown;
mod matrix;
mod page;
mod recording;
mod soak;
mod traffic;
mod truth;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

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
    /// Installs published servers, probes them as they run, and writes what is found to `docs/corpus-live.md`; does nothing
    /// where no list of them is there
    Live {
        /// The list of servers, with `fixture.py` beside it; by default `shared/corpus/live.json` beside the repository
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,
        /// Runs only this server, and keeps what is known of the others; repeatable
        #[arg(long, value_name = "NAME")]
        only: Vec<String>,
        /// Runs nothing, and writes the page from the last runs
        #[arg(long, conflicts_with = "only")]
        page: bool,
        /// How long one server may take before it counts as hung
        #[arg(long, value_name = "NUMBER", default_value_t = 10)]
        minutes: u64,
    },
    /// Installs the official SDKs, runs a client of each directly and through the spy, and compares what it saw
    Clients {
        /// Only these SDKs: `python` and `typescript`, and with `-1` their older releases
        #[arg(value_name = "NAME")]
        only: Vec<String>,
    },
    /// Makes a folder like another: what `live` gives to frankly as the command that resets a server's state
    #[command(hide = true)]
    Restore {
        /// The folder as it should be
        from: PathBuf,
        /// The folder that is changed
        to: PathBuf,
    },
    /// Puts a spy under load and kills its server again and again: every answer is to be in the recording, once
    Soak {
        /// How many calls
        #[arg(long, value_name = "NUMBER", default_value_t = 100_000)]
        calls: u64,
        /// How often the server is killed
        #[arg(long, value_name = "NUMBER", default_value_t = 50)]
        kills: u64,
        /// What the sizes and the moments are drawn from
        #[arg(long, value_name = "NUMBER", default_value_t = 7)]
        seed: u64,
    },
    /// Measures what something takes; build with `--release`. Gates nothing
    #[command(subcommand)]
    Bench(Bench),
    /// Answers calls: the server of `soak` and `bench`
    #[command(hide = true)]
    Serve,
    /// Writes the parts of the guides that list what the code has
    Docs {
        /// Writes nothing, and fails where one is stale
        #[arg(long)]
        check: bool,
    },
}

/// What is measured.
#[derive(Debug, clap::Subcommand)]
enum Bench {
    /// Calls through a spy against the same calls without it
    Spy,
    /// `frankly verify` over a long recording, beside reading and parsing its lines
    Verify {
        /// How many calls it has
        #[arg(long, value_name = "NUMBER", default_value_t = 1_000_000)]
        calls: u64,
    },
    /// Reads and parses the lines of a file: what `verify` is measured against
    #[command(hide = true)]
    Parse {
        /// The file
        file: PathBuf,
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
        Task::Live { file, only, page, minutes } => live::run(
            &file.unwrap_or_else(|| Path::new(SHARED).join("corpus/live.json")),
            &live::Choice { only, page, most: Duration::from_secs(60 * minutes) },
        )?,
        Task::Clients { only } => clients::run(&only)?,
        Task::Restore { from, to } => live::restore(&from, &to).map(|()| true)?,
        Task::Soak { calls, kills, seed } => soak::run(&soak::Load { calls, kills, seed })?,
        Task::Bench(Bench::Spy) => bench::spy::run()?,
        Task::Serve => traffic::server::serve().map(|()| true)?,
        Task::Bench(Bench::Verify { calls }) => bench::verify::run(calls)?,
        Task::Bench(Bench::Parse { file }) => bench::verify::parse(&file)?,
        Task::Docs { check } => docs::run(check)?,
    };
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
