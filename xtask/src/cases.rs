//! Faults from public bug reports against what frankly finds. Nothing here knows which rule belongs to which case: a case
//! says only where its fault is, and that its healthy twins have none.

mod exchange;
mod read;
mod verdict;

use std::path::Path;
use std::process::Command;

use anyhow::Context;
use serde_json::Value;

use crate::binary;
use read::{Case, Input};
use verdict::{Found, Verdict, judge};

/// Fewer hits, or more false alarms, than this and CI fails.
const COMMITTED: &str = include_str!("cases/committed.json");

/// Runs frankly on every case in a folder, prints what came of it, and says whether it is as good as committed.
pub fn run(folder: &Path) -> anyhow::Result<bool> {
    if !folder.join("log.jsonl").exists() {
        println!("no cases in {}: nothing to compare", folder.display());
        return Ok(true);
    }
    let frankly = binary::frankly()?;
    let mut count = Count::default();
    for case in read::cases(folder)? {
        let outcome = outcome(&frankly, &case)?;
        println!("{:<14} {:<24} {outcome}", case.id, case.kind);
        count.add(&outcome);
    }
    println!("{count}");
    count.is_as_committed()
}

/// What came of one case.
enum Outcome {
    Judged(Verdict),
    NotCovered(String),
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Judged(verdict) => verdict.fmt(f),
            Self::NotCovered(why) => write!(f, "not covered: {why}"),
        }
    }
}

fn outcome(frankly: &Path, case: &Case) -> anyhow::Result<Outcome> {
    let Some(bad) = look_at(frankly, &case.bad)? else {
        return Ok(Outcome::NotCovered(case.input.clone()));
    };
    let twins = case.twins.iter().map(|twin| Ok(look_at(frankly, twin)?.unwrap_or_default()));
    let twins = twins.collect::<anyhow::Result<Vec<_>>>()?;
    Ok(Outcome::Judged(judge(case, &bad, &twins)))
}

/// What frankly finds in an input, each with its place as the case counts it; `None` where it does not read such inputs.
fn look_at(frankly: &Path, input: &Input) -> anyhow::Result<Option<Vec<Found>>> {
    let folder = tempfile::tempdir().context("failed to make a folder")?;
    let mut command = Command::new(frankly);
    command.current_dir(folder.path());
    match input {
        Input::Definitions(definitions) => {
            command.arg("lint").args(definitions.write(folder.path())?).args(&definitions.arguments);
        }
        Input::Exchange(exchange) => {
            exchange.recording.write(&folder.path().join("recording.jsonl"))?;
            command.args(["verify", "recording.jsonl"]);
        }
        Input::Unread => return Ok(None),
    }
    let report = match input {
        Input::Exchange(_) => binary::report_of_lines(&mut command)?,
        _ => binary::report(&mut command)?,
    };
    Ok(Some(binary::findings(&report).iter().map(|finding| Found::of(finding, input)).collect()))
}

/// How many cases came out how.
#[derive(Debug, Default)]
struct Count {
    hits: u64,
    misses: u64,
    false_alarms: u64,
    not_covered: u64,
}

impl Count {
    fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::NotCovered(_) => self.not_covered += 1,
            Outcome::Judged(verdict) => {
                self.hits += u64::from(verdict.hit.is_some());
                self.misses += u64::from(verdict.hit.is_none());
                self.false_alarms += verdict.false_alarms.len() as u64;
            }
        }
    }

    /// Whether there are at least as many hits, and at most as many false alarms, as were committed.
    fn is_as_committed(&self) -> anyhow::Result<bool> {
        let committed: Value = serde_json::from_str(COMMITTED).context("failed to read committed.json")?;
        let number =
            |key: &str| committed[key].as_u64().with_context(|| format!("committed.json has no {key}"));
        let (hits, false_alarms) = (number("hits")?, number("false_alarms")?);
        if self.hits < hits || self.false_alarms > false_alarms {
            println!("worse than committed: {hits} hits, {false_alarms} false alarms");
            return Ok(false);
        }
        Ok(true)
    }
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { hits, misses, false_alarms, not_covered } = self;
        write!(f, "{hits} hits, {misses} misses, {false_alarms} false alarms, {not_covered} not covered")
    }
}
