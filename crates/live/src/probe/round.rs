//! All probes on all tools of one server, one call after the other. First the good calls of the tools that read, lists
//! before others, since what they return is given to others, and then their other probes, tool by tool; then the tools that
//! may write, since what was read before they did is not what is read afterwards; then the server as a whole.

use frankly_contract::{ToolCall, ToolDef};
use frankly_verdict::Doc;
use frankly_verdict::report::{Coverage, Gap};
use frankly_verdict::transcript::Frame;

use super::bench::{Bench, Setup};
use super::consent::{Grants, Nature, Permission, Siblings, permission};
use super::run::{MOST_SILENCE, Run};
use super::server::ServerBench;
use super::{GOOD_CALL, Outcome, PROBES, Probe, SERVER_PROBES, all_probes, arguments};
use crate::config::{Consent, Server};
use crate::session::{CommandError, Session, run_command};

const NO_SANDBOX: &str = "it may bring the server down or change its state; allow it with sandbox = true in frankly.toml, or frankly probe \
     --sandbox";

/// What came of all probes.
#[derive(Debug, Default)]
pub struct Probed {
    /// What was sent, what showed something, and what did not.
    pub coverage: Coverage,
    /// Why the state could not be reset; no probe that may write was sent after that.
    pub not_reset: Option<CommandError>,
    /// What was said in other sessions than the one that was probed.
    pub frames: Vec<Frame>,
    /// Calls of tools that read which succeeded with something in the answer: the first of each tool.
    pub good: Vec<ToolCall>,
}

/// Sends every probe to every tool that it fits and may be sent to.
pub async fn probe_all(session: &Session, tools: &[ToolDef], server: &Server, grants: &Grants) -> Probed {
    let run = Run::of(grants);
    let siblings = Siblings::of(tools);
    let mut round = Round { session, server, run: &run, probed: Probed::default() };
    let mut subjects: Vec<(Bench<'_>, Permission)> = tools
        .iter()
        .map(|tool| {
            let permission = permission(tool, &siblings, server, grants);
            (round.bench(tool, &siblings, &permission), permission)
        })
        .collect();
    // Stable: otherwise in the order in which they are listed.
    subjects.sort_by_key(|(bench, _)| (!bench.reads(), bench.tool().required().next().is_some()));
    let (readers, writers) = subjects.split_at(subjects.partition_point(|(bench, _)| bench.reads()));
    for (bench, permission) in readers {
        round.probe(bench, permission, [GOOD_CALL]).await;
    }
    for (bench, permission) in readers {
        round.probe(bench, permission, PROBES.iter().copied()).await;
    }
    for (bench, permission) in writers {
        round.probe(bench, permission, all_probes()).await;
    }
    for (bench, _) in &subjects {
        round.probed.coverage.refusals_expected += bench.refusals();
    }
    let may_call = subjects.iter().any(|(_, permission)| permission.consent > Consent::Never);
    if !tools.is_empty() {
        round.probe_server(may_call).await;
    }
    round.probed.good = good_calls(&run);
    round.probed
}

fn good_calls(run: &Run) -> Vec<ToolCall> {
    let mut good: Vec<ToolCall> = Vec::new();
    for healthy in run.healthy().iter().filter(|healthy| healthy.held) {
        if !good.iter().any(|call| call.name == healthy.call.name) {
            good.push(healthy.call.clone());
        }
    }
    good
}

/// One round over a server.
struct Round<'a> {
    session: &'a Session,
    server: &'a Server,
    run: &'a Run,
    probed: Probed,
}

impl<'a> Round<'a> {
    fn bench(&self, tool: &'a ToolDef, siblings: &Siblings, permission: &Permission) -> Bench<'a> {
        let examples =
            self.server.tools.get(tool.name()).map_or(&[][..], |policy| policy.examples.as_slice());
        let good_arguments = examples.first().cloned().unwrap_or_else(|| arguments::generate(tool));
        let nature = Nature::of(tool, siblings, &good_arguments);
        let (sandbox, may_write) = (self.server.sandbox, permission.consent == Consent::Writes);
        Bench::new(self.session, tool, Setup { examples, nature, sandbox, may_write }, self.run)
    }

    async fn probe(
        &mut self,
        bench: &Bench<'_>,
        permission: &Permission,
        probes: impl IntoIterator<Item = &'static dyn Probe>,
    ) {
        let Setup { examples, nature, .. } = bench.setup();
        for probe in probes.into_iter().filter(|probe| probe.fits(bench)) {
            let barred = match self.barred(probe, permission, !examples.is_empty()) {
                None if nature != Nature::Reads => self.reset().await.err(),
                barred => barred,
            };
            let outcome = match barred {
                Some(why) => Err(why),
                None => Ok(probe.run(bench).await),
            };
            self.note(probe.doc(), bench.tool().name(), outcome);
        }
    }

    /// The probes of the server as a whole; none where no tool may be called.
    async fn probe_server(&mut self, may_call: bool) {
        let bench = ServerBench::new(self.session, self.server, self.run);
        for probe in SERVER_PROBES.iter().filter(|probe| probe.fits(self.server)) {
            let barred = if !may_call {
                Some("no tool may be called".to_owned())
            } else if self.run.health_check().is_none() {
                let why = "no call succeeded to a tool that reads, so nothing can show whether the server still answers";
                self.note(probe.doc(), "", Ok(Outcome::NotExercised(why.to_owned())));
                continue;
            } else if probe.needs_sandbox() && !self.server.sandbox {
                Some(NO_SANDBOX.to_owned())
            } else if self.run.is_heard() {
                self.over()
            } else {
                self.over().or_else(|| Some("the call before it was not answered in time".to_owned()))
            };
            let outcome = match barred {
                Some(why) => Err(why),
                None => Ok(probe.run(&bench).await),
            };
            self.note(probe.doc(), "", outcome);
        }
        self.probed.coverage.refusals_expected += bench.refusals();
        self.probed.frames = bench.into_frames();
    }

    /// Takes note of what came of a probe, or of why it was not sent. One that ended because nothing more may be sent
    /// was not sent.
    fn note(&mut self, doc: &'static Doc, tool: &str, outcome: Result<Outcome, String>) {
        let server = self.session.server().to_owned();
        let gap = |why: String| Gap { server, tool: tool.to_owned(), probe: doc.name, why };
        let was_cut_short = self.run.take_cut_short();
        let coverage = &mut self.probed.coverage;
        match outcome {
            Ok(Outcome::Exercised) => coverage.probes_run += 1,
            Ok(Outcome::NotExercised(why)) if was_cut_short => coverage.skipped.push(gap(why)),
            Ok(Outcome::NotExercised(why)) => coverage.not_exercised.push(gap(why)),
            Err(why) => coverage.skipped.push(gap(why)),
        }
    }

    /// Why a probe is not sent, if it is not.
    fn barred(&self, probe: &dyn Probe, permission: &Permission, has_examples: bool) -> Option<String> {
        let needs = probe.needs(has_examples);
        if permission.consent < needs {
            return self.gone().or_else(|| Some(permission.why(needs)));
        }
        if probe.needs_sandbox() && !self.server.sandbox {
            return Some(NO_SANDBOX.to_owned());
        }
        self.over()
    }

    /// Why nothing more is sent to this server, once that is so.
    fn over(&self) -> Option<String> {
        let silent = || {
            let why = format!("{MOST_SILENCE} calls in a row were not answered in time");
            self.run.is_silent().then_some(why)
        };
        self.gone().or_else(silent).or_else(|| self.run.spent())
    }

    fn gone(&self) -> Option<String> {
        self.session.gone().map(|why| format!("the server {why}"))
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
