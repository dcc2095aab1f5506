//! All probes on all tools of one server, one call after the other.

use std::sync::atomic::{AtomicUsize, Ordering};

use frankly_contract::ToolDef;
use frankly_verdict::report::{Coverage, Gap};

use super::bench::Bench;
use super::consent::{Grants, Nature, Permission, Siblings, permission};
use super::{Outcome, PROBES, Probe, arguments};
use crate::config::Server;
use crate::session::{CommandError, Session, run_command};

/// After so many calls in a row that were not answered in time, a server is left alone.
const MOST_SILENCE: usize = 3;

/// What came of all probes.
#[derive(Debug, Default)]
pub struct Probed {
    /// What was sent, what showed something, and what did not.
    pub coverage: Coverage,
    /// Why the state could not be reset; no probe that may write was sent after that.
    pub not_reset: Option<CommandError>,
}

/// Sends every probe to every tool that it fits and may be sent to.
pub async fn probe_all(session: &Session, tools: &[ToolDef], server: &Server, grants: &Grants) -> Probed {
    let silence = AtomicUsize::new(0);
    let siblings = Siblings::of(tools);
    let mut round = Round { session, server, silence: &silence, probed: Probed::default() };
    for tool in tools {
        round.probe(tool, &siblings, &permission(tool, &siblings, server, grants)).await;
    }
    round.probed
}

/// One round over a server.
struct Round<'a> {
    session: &'a Session,
    server: &'a Server,
    silence: &'a AtomicUsize,
    probed: Probed,
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
            let barred = match self.barred(probe, permission, !examples.is_empty()) {
                None if nature != Nature::Reads => self.reset().await.err(),
                barred => barred,
            };
            match barred {
                Some(why) => self.probed.coverage.skipped.push(gap(why)),
                None => match probe.run(&bench).await {
                    Outcome::Exercised => self.probed.coverage.probes_run += 1,
                    Outcome::NotExercised(why) => self.probed.coverage.not_exercised.push(gap(why)),
                },
            }
        }
        self.probed.coverage.refusals_expected += bench.refusals();
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

    /// Brings the state back to where it was, where the user said how. One failure is enough: what is sent after it
    /// would meet a state that nobody knows.
    async fn reset(&mut self) -> Result<(), String> {
        let Some(reset) = self.server.reset_launch() else { return Ok(()) };
        if self.probed.not_reset.is_none() {
            self.probed.not_reset = run_command(&reset).await.err();
        }
        match self.probed.not_reset {
            Some(_) => Err("the state could not be reset before it".to_owned()),
            None => Ok(()),
        }
    }
}
