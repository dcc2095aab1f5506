//! What somebody made of the errors, after repeating the calls and reading the servers: kept by hand in `judged.json`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use anyhow::{Context, bail};
use serde_json::Value;

use super::found::Found;

const KEPT: &str = include_str!("judged.json");

/// What somebody made of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Right,
    Wrong,
    Debatable,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Right => "right",
            Self::Wrong => "wrong",
            Self::Debatable => "debatable",
        })
    }
}

/// The judgements, by server, tool, check and mutation, each with a reason.
#[derive(Debug)]
pub struct Judgements(BTreeMap<String, (Verdict, String)>);

impl Judgements {
    /// Those that are kept.
    pub fn kept() -> anyhow::Result<Self> {
        Self::parse(KEPT)
    }

    pub(super) fn parse(text: &str) -> anyhow::Result<Self> {
        let document: Value = serde_json::from_str(text).context("failed to read judged.json")?;
        let entries = document.as_object().context("judged.json is no object")?;
        entries.iter().map(judgement).collect::<anyhow::Result<_>>().map(Self)
    }

    /// What was made of this finding.
    pub fn of(&self, server: &str, found: &Found) -> Option<&(Verdict, String)> {
        self.0.get(&found.key(server))
    }

    /// Judgements about these servers of what is not among their errors any more.
    pub fn stale<'a>(&'a self, errors: &BTreeSet<String>, servers: &BTreeSet<&str>) -> Vec<&'a str> {
        let is_stale = |key: &&String| {
            let server = key.split('|').next().unwrap_or_default();
            servers.contains(server) && !errors.contains(*key)
        };
        self.0.keys().filter(is_stale).map(String::as_str).collect()
    }
}

fn judgement((key, value): (&String, &Value)) -> anyhow::Result<(String, (Verdict, String))> {
    if key.matches('|').count() != 3 {
        bail!("judged.json has {key:?}, which is not server|tool|check|mutation");
    }
    let verdict = match value["verdict"].as_str() {
        Some("right") => Verdict::Right,
        Some("wrong") => Verdict::Wrong,
        Some("debatable") => Verdict::Debatable,
        other => bail!("judged.json has {other:?} for {key}, which is not right, wrong or debatable"),
    };
    let why = value["why"].as_str().filter(|why| !why.is_empty());
    Ok((
        key.clone(),
        (verdict, why.with_context(|| format!("judged.json does not say why {key} is so"))?.to_owned()),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(mutation: &str) -> Found {
        Found {
            tool: "read".to_owned(),
            check: "lost-text".to_owned(),
            mutation: mutation.to_owned(),
            ..Found::default()
        }
    }

    #[test]
    fn the_kept_judgements_can_be_read() {
        Judgements::kept().unwrap();
    }

    #[test]
    fn a_judgement_goes_by_its_key() {
        let text = r#"{"a|read|lost-text|path": {"verdict": "wrong", "why": "it is a log"}}"#;
        let judgements = Judgements::parse(text).unwrap();
        let (verdict, why) = judgements.of("a", &found("path")).unwrap();
        assert_eq!((*verdict, why.as_str()), (Verdict::Wrong, "it is a log"));
        assert!(judgements.of("a", &found("")).is_none() && judgements.of("b", &found("path")).is_none());
    }

    #[test]
    fn a_judgement_of_what_is_gone_is_stale_where_its_server_ran() {
        let text = r#"{"a|read|lost-text|path": {"verdict": "right", "why": "so"}}"#;
        let judgements = Judgements::parse(text).unwrap();
        let stale = |errors: &[String], servers: &[&str]| {
            judgements.stale(&errors.iter().cloned().collect(), &servers.iter().copied().collect()).len()
        };
        assert_eq!(stale(&[], &["a"]), 1);
        assert_eq!(stale(&[], &["b"]), 0);
        assert_eq!(stale(&[found("path").key("a")], &["a"]), 0);
    }

    #[test]
    fn what_says_no_verdict_or_no_reason_is_refused() {
        for text in [
            r#"{"a|b|c": {"verdict": "right", "why": "x"}}"#,
            r#"{"a|b|c|": {"verdict": "maybe", "why": "x"}}"#,
            r#"{"a|b|c|": {"verdict": "right", "why": ""}}"#,
            "[]",
        ] {
            assert!(Judgements::parse(text).is_err(), "{text}");
        }
    }
}
