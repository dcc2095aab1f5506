//! The binary under test, built as this one was.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, ensure};

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
