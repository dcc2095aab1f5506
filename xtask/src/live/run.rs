//! What is known of a run beside its report: kept with it, so that the page can be written again.

use anyhow::Context;
use serde_json::{Value, json};

use super::places::Places;

/// How far a server got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Its installation or its state failed, for this reason.
    NotInstalled { why: String },
    /// frankly ended by itself, with this code unless a signal ended it.
    Ended { exit: Option<i32> },
    /// frankly was ended, since it took too long.
    Hung,
}

/// One server's run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub outcome: Outcome,
    /// How long frankly took.
    pub seconds: u64,
    /// The command lines of processes that were left behind.
    pub orphans: Vec<String>,
}

impl Run {
    pub fn not_installed(error: &anyhow::Error) -> Self {
        Self { outcome: Outcome::NotInstalled { why: format!("{error:#}") }, seconds: 0, orphans: Vec::new() }
    }

    pub fn keep(&self, places: &Places) -> anyhow::Result<()> {
        std::fs::write(&places.run, self.to_json().to_string())
            .context("failed to keep what is known of the run")
    }

    /// The last run of a server, with its report where there is one; `None` where it never ran.
    pub fn kept(places: &Places) -> anyhow::Result<Option<(Self, Value)>> {
        let Ok(text) = std::fs::read_to_string(&places.run) else { return Ok(None) };
        let run = serde_json::from_str(&text).ok().and_then(|value| Self::of_json(&value));
        let run = run.with_context(|| format!("{} is not as it was written", places.run.display()))?;
        let report = match run.outcome {
            Outcome::Ended { .. } => std::fs::read_to_string(&places.report).unwrap_or_default(),
            Outcome::NotInstalled { .. } | Outcome::Hung => String::new(),
        };
        // Where frankly ended without a report, its exit code says so.
        Ok(Some((run, serde_json::from_str(&report).unwrap_or_default())))
    }

    fn to_json(&self) -> Value {
        let (outcome, why, exit) = match &self.outcome {
            Outcome::NotInstalled { why } => ("not installed", Some(why), None),
            Outcome::Ended { exit } => ("ended", None, *exit),
            Outcome::Hung => ("hung", None, None),
        };
        json!({
            "outcome": outcome, "why": why, "exit": exit, "seconds": self.seconds, "orphans": self.orphans
        })
    }

    fn of_json(value: &Value) -> Option<Self> {
        let outcome = match value["outcome"].as_str()? {
            "not installed" => Outcome::NotInstalled { why: value["why"].as_str()?.to_owned() },
            "ended" => {
                Outcome::Ended { exit: value["exit"].as_i64().and_then(|code| i32::try_from(code).ok()) }
            }
            "hung" => Outcome::Hung,
            _ => return None,
        };
        let orphans = value["orphans"].as_array()?.iter().filter_map(Value::as_str).map(str::to_owned);
        Some(Self { outcome, seconds: value["seconds"].as_u64()?, orphans: orphans.collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_as_it_was() {
        let outcomes = [
            Outcome::NotInstalled { why: "no headers".to_owned() },
            Outcome::Ended { exit: Some(1) },
            Outcome::Ended { exit: None },
            Outcome::Hung,
        ];
        for outcome in outcomes {
            let run = Run { outcome, seconds: 7, orphans: vec!["sleep 60".to_owned()] };
            assert_eq!(Run::of_json(&run.to_json()), Some(run));
        }
        assert_eq!(Run::of_json(&json!({"outcome": "?"})), None);
    }
}
