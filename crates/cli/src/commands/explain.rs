//! `frankly explain`

use std::fmt::Write;

use anyhow::anyhow;
use clap::Args;
use frankly_contract::nearest;
use frankly_live::OUTAGES;
use frankly_live::probe::PROBES;
use frankly_verdict::check::CHECKS;
use frankly_verdict::lint::RULES;
use frankly_verdict::{Doc, Expected};

use crate::exit::Exit;
use crate::output;

/// Explains a rule, a check or a probe, with a bad and a good example
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  frankly explain                        lists every name
  frankly explain silent-truncation")]
pub struct Explain {
    /// The name, as it stands in brackets in a report
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

impl Explain {
    pub fn execute(self) -> anyhow::Result<Exit> {
        let text = match self.name {
            None => list(),
            Some(name) => {
                let (kind, doc) = docs()
                    .find(|(_, doc)| doc.name == name)
                    .ok_or_else(|| anyhow!(unknown(&name, docs())))?;
                explain(kind, doc)
            }
        };
        output::print(&text)?;
        Ok(Exit::Clean)
    }
}

/// A name under which something can be found, for `--select` and `--ignore`.
pub fn finding_name(name: &str) -> Result<String, String> {
    let finds = || docs().filter(|(kind, _)| *kind != "probe");
    if finds().any(|(_, doc)| doc.name == name) { Ok(name.to_owned()) } else { Err(unknown(name, finds())) }
}

fn docs() -> impl Iterator<Item = (&'static str, &'static Doc)> {
    let rules = RULES.iter().map(|rule| ("rule", rule.doc()));
    let checks = CHECKS.iter().map(|check| ("check", check.doc()));
    let probes = PROBES.iter().map(|probe| ("probe", probe.doc()));
    let outages = OUTAGES.iter().map(|doc| ("outage", *doc));
    rules.chain(checks).chain(probes).chain(outages)
}

fn unknown(name: &str, known: impl Iterator<Item = (&'static str, &'static Doc)>) -> String {
    let hint = nearest(name, known.map(|(_, doc)| doc.name)).map(|name| format!("did you mean `{name}`?"));
    let hint = hint.unwrap_or_else(|| "`frankly explain` lists every name".to_owned());
    format!("there is no rule, check or probe {name:?}; {hint}")
}

fn list() -> String {
    docs().map(|(kind, doc)| format!("{:<6} {:<20} {}\n", kind, doc.name, doc.what)).collect()
}

fn explain(kind: &str, doc: &Doc) -> String {
    let mut text = format!("{} ({kind})\n\n{}\n\n", doc.name, doc.what);
    let (why, weight) =
        if kind == "probe" { ("What must hold", "Consent") } else { ("Why it misleads", "Severity") };
    // Writing to a string cannot fail.
    let _ = write!(text, "{why}: {}\n\n{weight}: {}\n", doc.why, doc.severity);
    for example in doc.examples {
        let verdict = match example.expected {
            Expected::Silence => "good".to_owned(),
            Expected::Finding(severity, pointer) => format!("{} at {pointer:?}", severity.as_str()),
        };
        let _ = write!(text, "\n{verdict}: {}\n", example.about);
        for line in example.input.lines() {
            let _ = writeln!(text, "    {line}");
        }
    }
    text
}
