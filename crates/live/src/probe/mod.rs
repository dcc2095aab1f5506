//! What is sent to a live tool: one file per probe.
//!
//! A probe makes calls whose answers stand in a relation to each other, so that the checks have something to
//! look at. It judges nothing: whether the relation held is for the checks, over the frames.

mod arguments;
mod bench;
mod consent;
mod good_call;
mod page_growth;

pub use consent::Grants;

use std::sync::atomic::{AtomicUsize, Ordering};

use frankly_contract::{BoxFuture, ToolDef};
use frankly_verdict::Doc;
use frankly_verdict::report::{Coverage, Gap};

use crate::config::{Consent, Server};
use crate::session::Session;
use bench::Bench;
use consent::{Siblings, permission};

/// Sends calls of one kind to one tool.
pub trait Probe: Sync {
    /// What it sends and which relation must hold.
    fn doc(&self) -> &'static Doc;
    /// How far the user must have let probes go with a tool, with or without examples of good arguments.
    fn needs(&self, has_examples: bool) -> Consent;
    /// Whether the tool has what this probe varies; a tool that has not does not count as a gap.
    fn fits(&self, tool: &ToolDef) -> bool;
    /// Sends the calls.
    fn run<'a>(&'a self, bench: &'a Bench<'a>) -> BoxFuture<'a, Outcome>;
    /// What the tool of one of the probe's examples answers, asked with this `limit`.
    #[cfg(test)]
    fn example_answer(&self, example: &serde_json::Value, limit: Option<u64>) -> serde_json::Value;
}

/// What came of a probe on one tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The calls were answered so that the checks can tell.
    Exercised,
    /// They were not, for this reason; that is never a pass.
    NotExercised(String),
}

/// After so many calls in a row that were not answered in time, a server is left alone.
const MOST_SILENCE: usize = 3;

/// Every probe.
pub static PROBES: &[&dyn Probe] = &[&good_call::GoodCall, &page_growth::PageGrowth];

/// Sends every probe to every tool that it fits and may be sent to.
pub async fn probe_all(session: &Session, tools: &[ToolDef], server: &Server, grants: &Grants) -> Coverage {
    let mut coverage = Coverage::default();
    let silence = AtomicUsize::new(0);
    let siblings = Siblings::of(tools);
    for tool in tools {
        let permission = permission(tool, &siblings, server, grants);
        let examples = server.tools.get(tool.name()).map_or(&[][..], |policy| policy.examples.as_slice());
        let bench = Bench::new(session, tool, examples, &silence);
        for probe in PROBES.iter().filter(|probe| probe.fits(tool)) {
            let gap = |why: String| Gap {
                server: session.server().to_owned(),
                tool: tool.name().to_owned(),
                probe: probe.doc().name,
                why,
            };
            let needs = probe.needs(!examples.is_empty());
            if let Some(why) = session.gone() {
                coverage.skipped.push(gap(format!("the server {why}")));
            } else if silence.load(Ordering::Relaxed) >= MOST_SILENCE {
                coverage
                    .skipped
                    .push(gap(format!("{MOST_SILENCE} calls in a row were not answered in time")));
            } else if permission.consent < needs {
                coverage.skipped.push(gap(permission.why(needs)));
            } else {
                match probe.run(&bench).await {
                    Outcome::Exercised => coverage.probes_run += 1,
                    Outcome::NotExercised(why) => coverage.not_exercised.push(gap(why)),
                }
            }
        }
    }
    coverage
}

#[cfg(test)]
mod examples;
