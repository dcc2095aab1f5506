//! `--live`: what a session shows is told on standard error while it goes on, as `verify` would tell it. What may not enter: anything
//! that waits for whoever reads that.

use std::collections::BTreeMap;
use std::path::Path;

use frankly_live::proxy::{Aside, Shown};
use frankly_verdict::check::News;
use frankly_verdict::policy::{Policy, Seen};
use frankly_verdict::report::{CallSource, Coverage, Pieces, counted, plain, shell_word};
use frankly_verdict::transcript::Transcript;
use frankly_verdict::{Certainty, Finding, Severity};

use crate::exit::Gaps;
use crate::output;

/// Tells what is found in a session.
#[derive(Debug)]
pub struct Live {
    server: String,
    policy: Policy,
    pieces: Pieces,
    /// Until the session is over.
    aside: Option<Aside>,
    /// How many findings were not told, since nobody read.
    untold: usize,
    has_suspected: bool,
    /// The recording, as a shell reads it.
    recording: Option<String>,
}

impl Live {
    /// Ready to tell of a session with the server of this name, which is written so on a command line, under what the user has decided.
    /// Without a name the server is called as `verify` calls it, by the recording.
    pub fn of(
        name: Option<&str>,
        source: CallSource,
        policy: &Policy,
        recording: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let file = recording.and_then(|path| path.file_stem()?.to_str());
        let server = name.or(file).unwrap_or("server").to_owned();
        Ok(Self {
            pieces: Pieces::new(BTreeMap::from([(server.clone(), source)]), output::errors_have_color()),
            server,
            policy: policy.clone(),
            aside: Some(Aside::of_process()?),
            untold: 0,
            has_suspected: false,
            recording: recording.map(|path| shell_word(&path.to_string_lossy())),
        })
    }

    /// What is known of a session, with what its server is called in findings.
    pub fn about(&self, session: Transcript) -> Transcript {
        Transcript { server: self.server.clone(), ..session }
    }

    /// Tells what there is to tell.
    pub fn hear(&mut self, shown: Shown) {
        match shown {
            Shown::News(news) => self.tell(news),
            Shown::Over(news, coverage, completeness) => {
                self.tell(news);
                self.close(&coverage, completeness.left_out);
            }
            Shown::Failed => {
                self.say(
                    "frankly spy: frankly itself failed on this session and tells no more of it; the session goes on; please report \
                     it with the message above\n"
                        .to_owned(),
                );
                self.aside.take().into_iter().for_each(Aside::finish);
            }
        }
    }

    fn tell(&mut self, News { found, overtaken, taken_back }: News) {
        self.take_back(overtaken);
        let is_shown = |finding: &Finding| finding.severity > Severity::Info;
        for finding in self.take_back(taken_back).into_iter().filter(is_shown) {
            let place =
                format!("{}[{}] {} · {}", finding.severity.as_str(), finding.rule, self.server, finding.tool);
            let what = &finding.what;
            self.say(format!(
                "no longer so: {}: {}; what came since shows otherwise\n\n",
                plain(&place),
                plain(what)
            ));
        }
        let governed = self.policy.govern(found, &Seen::default());
        self.pieces.allowed += governed.allowed;
        for finding in governed.findings {
            let is_suspected = finding.certainty == Certainty::Suspected;
            self.has_suspected |= is_suspected && finding.severity > Severity::Info;
            let was_said = self.pieces.finding(&finding).is_none_or(|text| self.say(text));
            self.untold += usize::from(!was_said);
        }
    }

    /// Counts these no longer; those of them that were told.
    fn take_back(&mut self, findings: Vec<Finding>) -> Vec<Finding> {
        let governed = self.policy.govern(findings, &Seen::default());
        self.pieces.allowed = self.pieces.allowed.saturating_sub(governed.allowed);
        governed.findings.iter().for_each(|finding| self.pieces.without(finding));
        governed.findings
    }

    /// Says how much was found in how much, and waits for whoever reads it.
    fn close(&mut self, coverage: &Coverage, left_out: u64) {
        if let Some(stretched) = coverage.stretched.told() {
            self.say(stretched + "\n");
        }
        let reason = self.reason(coverage, left_out);
        let last = self.pieces.closing(coverage, &reason);
        self.say(last);
        self.aside.take().into_iter().for_each(Aside::finish);
    }

    /// What it came to, and what to do next.
    fn reason(&self, coverage: &Coverage, left_out: u64) -> String {
        let found: usize =
            [Severity::Error, Severity::Warning].map(|one| self.pieces.count(one)).iter().sum();
        let mut reason = match (&self.recording, found) {
            (_, 0) if coverage.calls_made == 0 && coverage.tools_listed == 0 => {
                "neither a call nor a definition passed, so nothing was checked".to_owned()
            }
            (_, 0) => "nothing to complain of".to_owned(),
            (Some(recording), _) => format!("frankly verify {recording} tells of it again"),
            (None, _) => "with --record FILE a session can be looked at again".to_owned(),
        };
        reason.extend(Gaps::of(left_out).told().map(|gap| format!("; {gap}")));
        if self.untold > 0 {
            let untold = counted(self.untold, "finding");
            reason += &format!("; {untold} not told above, since nobody read standard error");
        }
        if self.has_suspected {
            reason += "; what `suspected` means: frankly explain suspected";
        }
        reason
    }

    /// Whether this finds room on standard error.
    fn say(&self, text: String) -> bool {
        self.aside.as_ref().is_some_and(|aside| aside.say(text))
    }
}
