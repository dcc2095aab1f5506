//! Clients that nobody here wrote: the official SDKs, directly and through the spy. They are to see the same, and the recording
//! is to hold all that they did. What may not enter: what is found wrong with servers by themselves.

mod known;
mod met;
mod recorded;
mod sdk;
mod seen;
mod table;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use frankly_live::recording;

use crate::binary;
use crate::live::install::install;
use crate::live::places::{Places, root};
use met::{Host, Met};
use sdk::{Meeting, SDKS, Sdk};
use table::{Compared, Outcome, Row, table};

/// Runs the clients of some SDKs, of all where none is named, and says whether all is as it should be.
pub fn run(only: &[String]) -> anyhow::Result<bool> {
    if let Some(unknown) = only.iter().find(|name| !SDKS.iter().any(|sdk| sdk.name == **name)) {
        let known: Vec<_> = SDKS.iter().map(|sdk| sdk.name).collect();
        bail!("there is no SDK {unknown}; there are: {}", known.join(", "));
    }
    let frankly = binary::frankly()?;
    let root = root(&std::env::current_exe().context("failed to find this binary")?)?;
    let mut rows = Vec::new();
    for sdk in SDKS.iter().filter(|sdk| only.is_empty() || only.iter().any(|name| name == sdk.name)) {
        let places = Places::of(&root, &format!("clients-{}", sdk.name));
        prepare(sdk, &places)?;
        for meeting in Meeting::all(sdk) {
            let row = Row { meeting, outcome: look(&frankly, &places, &meeting) };
            println!("{meeting}: {}", if row.is_good() { "good" } else { "NOT GOOD" });
            rows.push(row);
        }
    }
    for complaint in rows.iter().filter_map(Row::complaint) {
        println!("\n{complaint}");
    }
    println!("\n{}", table(&rows));
    Ok(rows.iter().all(Row::is_good))
}

fn prepare(sdk: &Sdk, places: &Places) -> anyhow::Result<()> {
    println!("{} {}", sdk.name, sdk.package);
    install(sdk.install, places).with_context(|| format!("failed to install {}", sdk.package))?;
    sdk.write_scripts(&places.install).context("failed to write the scripts")
}

fn look(frankly: &Path, places: &Places, meeting: &Meeting) -> Outcome {
    if !meeting.sdk.lives.contains(&meeting.life) {
        return Outcome::NotSpoken { by: "SDK" };
    }
    compare(frankly, places, meeting).unwrap_or_else(|error| Outcome::Failed { why: format!("{error:#}") })
}

fn compare(frankly: &Path, places: &Places, meeting: &Meeting) -> anyhow::Result<Outcome> {
    let host = |spied| Host { frankly, places, spied };
    let directly = host(false).meet(meeting)?;
    let through = host(true).meet(meeting)?;
    let diff = directly.seen.diff(&through.seen);
    if diff.is_none() && directly.seen.has("not spoken by the server") {
        return Ok(Outcome::NotSpoken { by: "server" });
    }
    let calls = directly.seen.calls();
    Ok(Outcome::Met(Compared {
        calls: calls.len(),
        never: directly.seen.never(meeting.seen()),
        refused: directly.seen.refused(),
        diff,
        missing: missing(&through)?,
        findings: findings(frankly, meeting, &through.recordings)?,
    }))
}

fn missing(met: &Met) -> anyhow::Result<Vec<String>> {
    let read = met.recordings.iter().map(|path| recording::read(path));
    let transcripts = read.collect::<Result<Vec<_>, _>>()?;
    Ok(recorded::missing(&met.seen.calls(), &transcripts))
}

/// What `frankly verify` says of recordings, a line each, but for what is known to be right.
fn findings(frankly: &Path, meeting: &Meeting, recordings: &[PathBuf]) -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    for recording in recordings {
        let report = binary::report_of_lines(Command::new(frankly).arg("verify").arg(recording))?;
        for finding in binary::findings(&report) {
            let part = |name: &str| finding[name].as_str().unwrap_or_default();
            if !known::is_known(meeting, part("what")) {
                found.push(format!(
                    "{}[{}] {}: {}",
                    part("severity"),
                    part("rule"),
                    part("tool"),
                    part("what")
                ));
            }
        }
    }
    Ok(found)
}
