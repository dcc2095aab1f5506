//! The probes against published servers that are installed and running, as `docs/corpus-live.md`. Only data of one run: nothing
//! here fails because of what is found.

mod config;
mod entry;
mod found;
pub mod install;
mod judged;
pub mod orphans;
pub mod places;
pub mod probe;
mod redis;
mod run;
pub mod sandbox;
mod state;
mod text;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};

use crate::binary;
use crate::page::Page;
use entry::Entry;
use judged::Judgements;
use places::Places;
use redis::Redis;
use run::Run;
pub use state::restore;
use text::Row;

const PAGE: Page = Page { path: "docs/corpus-live.md", task: "live" };

/// Which servers are run, and for how long each.
#[derive(Debug)]
pub struct Choice {
    /// Their names; all where there is none.
    pub only: Vec<String>,
    /// Runs nothing, and writes the page from the last runs.
    pub page: bool,
    /// How long a server may take.
    pub most: Duration,
}

/// Runs frankly on the servers of a file and writes the page.
pub fn run(file: &Path, choice: &Choice) -> anyhow::Result<bool> {
    if !file.is_file() {
        println!("no list of servers at {}: nothing to run", file.display());
        return Ok(true);
    }
    let text = std::fs::read_to_string(file).with_context(|| format!("failed to read {}", file.display()))?;
    let entries = entry::read(&text)?;
    if let Some(unknown) = choice.only.iter().find(|name| !entries.iter().any(|entry| entry.name == **name)) {
        bail!("{} has no server {unknown}", file.display());
    }
    let here = std::env::current_exe().context("failed to find this binary")?;
    let root = places::root(&here)?;
    std::fs::create_dir_all(root.join("reports")).context("failed to make the folder of reports")?;
    if !choice.page {
        let frankly = binary::frankly()?;
        let (maker, common) = (file.with_file_name("fixture.py"), root.join("common"));
        state::make_common(&maker, &common)?;
        let means = Means { frankly, here, maker, common, most: choice.most };
        let wanted = |entry: &&Entry| choice.only.is_empty() || choice.only.contains(&entry.name);
        for entry in entries.iter().filter(wanted) {
            means.look_at(entry, &Places::of(&root, &entry.name))?;
        }
    }
    write(&entries, &root)
}

/// What it takes to run a server.
#[derive(Debug)]
struct Means {
    frankly: PathBuf,
    /// This binary, which brings states back.
    here: PathBuf,
    /// What makes states.
    maker: PathBuf,
    /// The state that every server gets.
    common: PathBuf,
    most: Duration,
}

impl Means {
    /// Runs one server and keeps what came of it.
    fn look_at(&self, entry: &Entry, places: &Places) -> anyhow::Result<()> {
        println!("{} {}", entry.name, entry.version);
        let placed = entry.placed(places, None);
        let ready = install::install(&placed.install, places)
            .and_then(|()| state::make(&self.maker, &self.common, &placed, places));
        let run = match ready {
            Err(error) => Run::not_installed(&error),
            Ok(()) => self.probed(entry, places)?,
        };
        println!("  {:?} after {} s; left behind: {:?}", run.outcome, run.seconds, run.orphans);
        run.keep(places)
    }

    fn probed(&self, entry: &Entry, places: &Places) -> anyhow::Result<Run> {
        sandbox::prepare(places)?;
        let restore = [self.here.as_path(), Path::new("restore"), &places.pristine, &places.state];
        let mut restoring = sandbox::command(restore[0], places);
        let status = restoring.args(&restore[1..]).status().context("failed to start this binary again")?;
        if !status.success() {
            bail!("the state of {} could not be made: {status}", entry.name);
        }
        let redis = match entry.needs_redis().then(|| Redis::start(places)).transpose() {
            Err(error) => return Ok(Run::not_installed(&error)),
            Ok(redis) => redis,
        };
        let placed = entry.placed(places, redis.as_ref().map(|redis| redis.port));
        let restore = restore.map(|part| part.to_string_lossy().into_owned());
        let reset = redis.as_ref().map_or_else(|| restore.to_vec(), Redis::reset);
        let text = config::text(&placed, sandbox::xdg(places), &reset)?;
        std::fs::write(&places.config, text).context("failed to write frankly.toml")?;
        probe::probe(&self.frankly, &entry.name, places, self.most)
    }
}

/// Writes the page from the last run of each server, and prints every error with what is needed to judge it.
fn write(entries: &[Entry], root: &Path) -> anyhow::Result<bool> {
    let row = |entry| -> anyhow::Result<Row<'_>> {
        let entry: &Entry = entry;
        let places = Places::of(root, &entry.name);
        let run = Run::kept(&places)?;
        let found = run.as_ref().map(|(_, report)| found::all(report, &places)).unwrap_or_default();
        Ok(Row { entry, run, found })
    };
    let rows: Vec<_> = entries.iter().map(row).collect::<anyhow::Result<_>>()?;
    let judgements = Judgements::kept()?;
    let mut errors = BTreeSet::new();
    for row in &rows {
        for found in row.found.iter().filter(|found| found.is_error()) {
            errors.insert(found.key(&row.entry.name));
            tell(&row.entry.name, found, &judgements);
        }
    }
    let servers = rows.iter().filter(|row| row.run.is_some()).map(|row| row.entry.name.as_str()).collect();
    for key in judgements.stale(&errors, &servers) {
        println!("judged, and found no more: {key}");
    }
    PAGE.settle(&text::page(&rows, &judgements), false)
}

fn tell(server: &str, found: &found::Found, judgements: &Judgements) {
    let judged = judgements.of(server, found);
    let verdict =
        judged.map_or_else(|| "not judged".to_owned(), |(verdict, why)| format!("{verdict}: {why}"));
    println!("\n{} ({verdict})", found.key(server));
    println!("  at {}: {}\n  evidence: {}", found.pointer, found.what, found.evidence);
    for (tool, arguments) in &found.replay {
        println!("  call: {tool} {arguments}");
    }
}
