//! Tasks around frankly that need its binary. What may not enter: anything the tests of one crate could do.

mod binary;
mod matrix;

use std::process::ExitCode;

use clap::Parser;

/// Tasks around frankly
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Task {
    /// Turns on each of the ledger's faults, alone and all at once, and compares what `frankly check` finds
    Matrix,
}

fn main() -> anyhow::Result<ExitCode> {
    let passed = match Task::parse() {
        Task::Matrix => matrix::run()?,
    };
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
