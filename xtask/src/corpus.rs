//! What the rules find in definitions that nobody here wrote, as `docs/corpus.md`. A rule that warns of a good part of
//! them all is wrong, or should be information.

mod server;
mod tally;
mod text;

use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::binary;
use crate::page::Page;
use server::Server;
use tally::Tally;

const PAGE: Page = Page { path: "docs/corpus.md", task: "corpus" };

/// Runs frankly on every definition file of a folder and writes the page, or with `check` looks whether it is fresh.
/// Says whether it is, and no rule warns of too many tools.
pub fn run(folder: &Path, check: bool) -> anyhow::Result<bool> {
    let files = files(folder)?;
    if files.is_empty() {
        println!("no definition files in {}: nothing to look at", folder.display());
        return Ok(true);
    }
    let frankly = binary::frankly()?;
    let servers =
        files.iter().map(|file| Server::lint(&frankly, file)).collect::<anyhow::Result<Vec<_>>>()?;
    let tally = Tally::of(&servers);
    let fresh = PAGE.settle(&text::page(&servers, &tally), check)?;
    let loud: Vec<_> = tally.loud().collect();
    for (rule, tools) in &loud {
        println!(
            "{rule} warns of {tools} of {} tools, over a third: it is wrong, or should be information",
            tally.tools
        );
    }
    Ok(fresh && loud.is_empty())
}

/// Every `*.json` of a folder, in the order of their names; none where there is no folder.
fn files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = entries.with_context(|| format!("failed to read {}", folder.display()))?;
    let mut files: Vec<_> = entries.iter().map(std::fs::DirEntry::path).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    Ok(files)
}
