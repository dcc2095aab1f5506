//! Pages of the repository that are generated, whole or in part: written, or found stale.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::Context;

/// A page, by its path in the repository, and the task that writes it.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    pub path: &'static str,
    pub task: &'static str,
}

impl Page {
    /// What the page says now; nothing where it is not there.
    pub fn read(&self) -> anyhow::Result<String> {
        match std::fs::read_to_string(self.place()) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
            read => read.with_context(|| format!("failed to read {}", self.path)),
        }
    }

    /// Writes the page, or with `check` only looks whether it says this already. Says whether it does now.
    pub fn settle(&self, text: &str, check: bool) -> anyhow::Result<bool> {
        if self.read()? == text {
            println!("{} is fresh", self.path);
            return Ok(true);
        }
        if check {
            println!("{} is stale: run `cargo xtask {}`, and read the diff", self.path, self.task);
            return Ok(false);
        }
        std::fs::write(self.place(), text).with_context(|| format!("failed to write {}", self.path))?;
        println!("{} is written", self.path);
        Ok(true)
    }

    fn place(&self) -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(self.path)
    }
}
