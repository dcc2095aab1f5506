//! Hand-labelled calls to published servers against what frankly says of them. Nothing here knows which check belongs to
//! which label: a call that should be reported is reported by a warning or an error whose first frame is its own.

mod read;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use anyhow::Context;
use serde_json::Value;

use crate::binary;
use read::{Label, Labelled, Server};

/// A lower recall, or more false alarms, than this and CI fails.
const COMMITTED: &str = include_str!("truth/committed.json");

/// Runs `frankly verify` on the calls to each server, prints what was missed and what was reported in error, and says
/// whether it is as good as committed.
pub fn run(folder: &Path, tools: &Path) -> anyhow::Result<bool> {
    if !folder.is_dir() {
        println!("no labelled calls in {}: nothing to compare", folder.display());
        return Ok(true);
    }
    let frankly = binary::frankly()?;
    let mut count = Count::default();
    for server in read::servers(folder, tools)? {
        let reported = reported(&frankly, &server)?;
        for call in &server.calls {
            let rules = reported.get(&call.index);
            count.add(call, rules.is_some());
            if call.label.is_scored() && call.label.should_be_reported() != rules.is_some() {
                println!("{}", told(&server.name, call, rules));
            }
        }
    }
    println!("{count}");
    count.is_as_committed()
}

/// The calls that a warning or an error is about, by their positions, each with the names of those.
fn reported(frankly: &Path, server: &Server) -> anyhow::Result<BTreeMap<u64, BTreeSet<String>>> {
    let folder = tempfile::tempdir().context("failed to make a folder")?;
    let path = folder.path().join(format!("{}.jsonl", server.name));
    server.recording.write(&path)?;
    let report = binary::report(Command::new(frankly).arg("verify").arg(&path).current_dir(folder.path()))?;
    let mut reported: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
    for finding in binary::findings(&report).iter().filter(|finding| finding["severity"] != "info") {
        if let Some(call) = finding["calls"][0].as_u64() {
            let rule = finding["rule"].as_str().unwrap_or_default().to_owned();
            reported.entry(call).or_default().insert(rule);
        }
    }
    Ok(reported)
}

fn told(server: &str, call: &Labelled, rules: Option<&BTreeSet<String>>) -> String {
    let rules: Vec<&str> = rules.into_iter().flatten().map(String::as_str).collect();
    let outcome =
        if rules.is_empty() { "MISSED".to_owned() } else { format!("FALSE ALARM by {}", rules.join(", ")) };
    format!("{server} {}: {outcome} ({} {}: {})", call.id, call.label, call.codes.join(" "), call.reason)
}

/// How many calls were labelled how, and how many of them were reported.
#[derive(Debug, Default)]
struct Count(BTreeMap<Label, (u32, u32)>);

impl Count {
    fn add(&mut self, call: &Labelled, reported: bool) {
        let (all, of_them) = self.0.entry(call.label).or_default();
        *all += 1;
        *of_them += u32::from(reported);
    }

    fn of(&self, label: Label) -> (u32, u32) {
        self.0.get(&label).copied().unwrap_or_default()
    }

    /// The share of faulty calls that were reported, and that of healthy ones, in percent; `None` where there are none.
    fn shares(&self) -> (Option<f64>, Option<f64>) {
        let percent = |all: u32, part: u32| (all > 0).then(|| f64::from(part) * 100.0 / f64::from(all));
        let (ok, trap) = (self.of(Label::Ok), self.of(Label::Trap));
        let (defects, found) = self.of(Label::Defect);
        (percent(defects, found), percent(ok.0 + trap.0, ok.1 + trap.1))
    }

    fn is_as_committed(&self) -> anyhow::Result<bool> {
        let committed: Value = serde_json::from_str(COMMITTED).context("failed to read committed.json")?;
        let number =
            |key: &str| committed[key].as_f64().with_context(|| format!("committed.json has no {key}"));
        let (recall, false_alarms) = (number("recall")?, number("false_alarms")?);
        let (found, alarms) = self.shares();
        let is_worse = found.is_some_and(|found| found < recall)
            || alarms.is_some_and(|alarms| alarms > false_alarms)
            || self.of(Label::Trap).1 > 0;
        if is_worse {
            println!(
                "worse than committed: recall {recall} %, false alarms {false_alarms} %, every trap silent"
            );
        }
        Ok(!is_worse)
    }
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (label, (all, reported)) in &self.0 {
            write!(f, "{label}: {reported} of {all} reported; ")?;
        }
        let shown =
            |share: Option<f64>| share.map_or_else(|| "none".to_owned(), |share| format!("{share:.1} %"));
        let (recall, alarms) = self.shares();
        write!(f, "recall {}, false alarms {}", shown(recall), shown(alarms))
    }
}
