//! `frankly explain`

use std::fmt::Write;

use clap::Args;
use frankly_verdict::lint::{Limit, TARGETS, Target};
use frankly_verdict::{Doc, Expected};

use crate::exit::Exit;
use crate::names::{self, Kind};
use crate::output;

/// Explains what a rule, a check, a probe, an outage or a word of a report means, with bad and good examples
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  frankly explain                        lists every name
  frankly explain silent-truncation")]
pub struct Explain {
    /// The name, as it stands in brackets in a report, or a word such as `suspected`
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

impl Explain {
    pub fn execute(self) -> anyhow::Result<Exit> {
        let text = match self.name {
            None => list(),
            Some(name) => {
                let found = names::find(&name).map_err(anyhow::Error::msg)?;
                let texts: Vec<_> = found.into_iter().map(|(kind, doc)| explain(kind, doc)).collect();
                texts.join("\n")
            }
        };
        output::print(&text)?;
        Ok(Exit::Clean)
    }
}

fn list() -> String {
    names::all().map(|(kind, doc)| format!("{:<6} {:<29} {}\n", kind.as_str(), doc.name, doc.what)).collect()
}

fn explain(kind: Kind, doc: &Doc) -> String {
    let mut text = format!("{} ({})\n\n{}\n\n", doc.name, kind.as_str(), doc.what);
    let (why, weight) = match kind {
        Kind::Probe => ("What must hold", "Consent"),
        Kind::Word => ("What to make of it", "Severity"),
        _ => ("Why it misleads", "Severity"),
    };
    // Writing to a string cannot fail.
    let _ = write!(text, "{why}: {}\n\n{weight}: {}\n", doc.why, doc.severity);
    for (target, limit) in limits(doc) {
        let _ = write!(
            text,
            "\n{}: {}: {}\n    known from {}\n",
            target.name, limit.what, limit.beyond, limit.source
        );
    }
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

/// The limits of targets that a rule holds definitions against.
fn limits(doc: &Doc) -> impl Iterator<Item = (&'static Target, &'static Limit)> {
    let limits = TARGETS.iter().flat_map(|target| target.limits.iter().map(move |limit| (target, limit)));
    limits.filter(|(_, limit)| limit.what.rule() == doc.name)
}
