//! All probes on all tools of one server, one call after the other.

use std::sync::atomic::{AtomicUsize, Ordering};

use frankly_contract::ToolDef;
use frankly_verdict::report::{Coverage, Gap};

use super::bench::Bench;
use super::consent::{Grants, Nature, Permission, Siblings, permission};
use super::{Outcome, PROBES, Probe, arguments};
use crate::config::Server;
use crate::session::Session;

/// After so many calls in a row that were not answered in time, a server is left alone.
const MOST_SILENCE: usize = 3;

/// Sends every probe to every tool that it fits and may be sent to.
pub async fn probe_all(session: &Session, tools: &[ToolDef], server: &Server, grants: &Grants) -> Coverage {
    let silence = AtomicUsize::new(0);
    let siblings = Siblings::of(tools);
    let mut round = Round { session, server, silence: &silence, coverage: Coverage::default() };
    for tool in tools {
        round.probe(tool, &siblings, &permission(tool, &siblings, server, grants)).await;
    }
    round.coverage
}

/// One round over a server.
struct Round<'a> {
    session: &'a Session,
    server: &'a Server,
    silence: &'a AtomicUsize,
    coverage: Coverage,
}

impl Round<'_> {
    async fn probe(&mut self, tool: &ToolDef, siblings: &Siblings, permission: &Permission) {
        let (session, server, silence) = (self.session, self.server, self.silence);
        let examples = server.tools.get(tool.name()).map_or(&[][..], |policy| policy.examples.as_slice());
        let good_arguments = examples.first().cloned().unwrap_or_else(|| arguments::generate(tool));
        let nature = Nature::of(tool, siblings, &good_arguments);
        let bench = Bench::new(session, tool, examples, (nature, server.sandbox), silence);
        for probe in PROBES.iter().copied().filter(|probe| probe.fits(&bench)) {
            let gap = |why: String| Gap {
                server: session.server().to_owned(),
                tool: tool.name().to_owned(),
                probe: probe.doc().name,
                why,
            };
            match self.barred(probe, permission, !examples.is_empty()) {
                Some(why) => self.coverage.skipped.push(gap(why)),
                None => match probe.run(&bench).await {
                    Outcome::Exercised => self.coverage.probes_run += 1,
                    Outcome::NotExercised(why) => self.coverage.not_exercised.push(gap(why)),
                },
            }
        }
        self.coverage.refusals_expected += bench.refusals();
    }

    /// Why a probe is not sent, if it is not.
    fn barred(&self, probe: &dyn Probe, permission: &Permission, has_examples: bool) -> Option<String> {
        let needs = probe.needs(has_examples);
        if let Some(why) = self.session.gone() {
            return Some(format!("the server {why}"));
        }
        if self.silence.load(Ordering::Relaxed) >= MOST_SILENCE {
            return Some(format!("{MOST_SILENCE} calls in a row were not answered in time"));
        }
        (permission.consent < needs).then(|| permission.why(needs))
    }
}
