//! The binary under test, built as this one was.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, bail, ensure};
use serde_json::Value;

/// Builds frankly and says where it is.
pub fn frankly() -> anyhow::Result<PathBuf> {
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--package", "frankly"]);
    if !cfg!(debug_assertions) {
        build.arg("--release");
    }
    ensure!(build.status().context("failed to start cargo")?.success(), "frankly did not build");
    let here = std::env::current_exe().context("failed to find this binary")?;
    Ok(here.with_file_name(format!("frankly{}", std::env::consts::EXE_SUFFIX)))
}

/// Runs frankly so that no finding fails it, and reads its report. Whatever checked nothing is an error.
pub fn report(command: &mut Command) -> anyhow::Result<Value> {
    read_report(command, &[0, 1])
}

/// The same for an input that may be no more than lines of a server, without a call that could be checked.
pub fn report_of_lines(command: &mut Command) -> anyhow::Result<Value> {
    read_report(command, &[0, 1, NOTHING_CHECKED])
}

/// What frankly ends with where no call and no definition was there to be checked.
const NOTHING_CHECKED: i32 = 4;

fn read_report(command: &mut Command, codes: &[i32]) -> anyhow::Result<Value> {
    command.args(["--format", "json", "--fail-on", "never"]);
    let output = command.output().context("failed to start frankly")?;
    // A server that failed ends the run with 1 whatever else is asked for; the report is written all the same.
    let is_report =
        output.status.code().is_some_and(|code| codes.contains(&code)) && !output.stdout.is_empty();
    if !is_report {
        bail!("frankly failed: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    serde_json::from_slice(&output.stdout).context("failed to read the report")
}

/// The findings of a report.
pub fn findings(report: &Value) -> &[Value] {
    report["findings"].as_array().map(Vec::as_slice).unwrap_or_default()
}
