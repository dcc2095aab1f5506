//! How a survey ends: what is left of the findings, why so much was looked at and no more, and the report.

use frankly_live::probe::docs;
use frankly_verdict::case::Verdict;
use frankly_verdict::check::CHECKS;
use frankly_verdict::lint::RULES;
use frankly_verdict::policy::Governed;
use frankly_verdict::report::{Coverage, counted};

use super::Survey;
use crate::args::ReportArgs;
use crate::exit::Exit;
use crate::output;

impl Survey<'_> {
    /// Writes the report of a survey, or of why there is none, and says how the run ends.
    pub fn settle(survey: anyhow::Result<Self>, source: &str, args: &ReportArgs) -> anyhow::Result<Exit> {
        args.spares::<&str>([])?;
        match survey {
            Ok(survey) => survey.finish(),
            Err(error) => {
                output::write_failed(source, &error, args)?;
                Err(error)
            }
        }
    }

    fn finish(mut self) -> anyhow::Result<Exit> {
        if let Some(what) = self.looked_at_nothing() {
            output::write_failed(&self.report.source, &anyhow::anyhow!(what), self.args)?;
            return Ok(Exit::Usage);
        }
        self.govern()?;
        let coverage = &self.report.coverage;
        let has_gaps = !coverage.not_exercised.is_empty() || !coverage.skipped.is_empty();
        let checks = CHECKS.iter().any(|check| self.wants(check.doc().name));
        let answers = checks && coverage.probes_run > 0;
        self.reach.unmet = self.unmet(checks, answers);
        if self.probes && !answers {
            self.reach.untested = Some("only definitions were checked, and no answer".to_owned());
        } else if self.report.findings.is_empty() && self.reach.gaps.left_out > 0 {
            self.reach.untested = Some("nothing to complain of in what was recorded".to_owned());
        } else if self.report.findings.is_empty() && has_gaps {
            self.reach.untested = Some("nothing to complain of in what was tested".to_owned());
        }
        output::finish(self.report, &self.reach, self.args)
    }

    /// Why nothing, or less than was asked for, was looked at.
    fn unmet(&mut self, checks: bool, answers: bool) -> Option<String> {
        let definitions = self.report.coverage.rules > 0;
        if let Some(why) = self.no_case.take() {
            return Some(why);
        }
        let holds_others = self.compared || !self.report.cases.is_empty();
        let wants_rules = || RULES.iter().any(|rule| self.wants(rule.doc().name));
        if !checks && !holds_others && (self.recorded > 0 || !wants_rules()) {
            return Some(
                "what is selected and ignored leaves nothing to look for, so nothing was checked".to_owned(),
            );
        }
        if self.recorded > 0 {
            return self.not_looked_at.take();
        }
        if holds_others {
            return self.called_too_few.take();
        }
        if self.report.coverage.tools_listed == 0 {
            return Some("no tool was listed, so nothing was checked".to_owned());
        }
        if definitions || answers {
            return self.called_too_few.take();
        }
        Some(match self.probes && checks {
            true => {
                format!(
                    "none of the {} exercised anything, so nothing was checked",
                    counted(docs().count(), "probe")
                )
            }
            false => "nothing that was selected was looked at".to_owned(),
        })
    }

    /// What the user has to put right first, where that left nothing to tell of: people have read it, and a report with
    /// nothing in it would only look like one.
    fn looked_at_nothing(&self) -> Option<String> {
        let Coverage { tools_listed, calls_made, .. } = self.report.coverage;
        let nothing = tools_listed == 0 && calls_made == 0 && self.report.findings.is_empty();
        self.reach.misconfigured.clone().filter(|_| nothing)
    }

    /// Leaves of the findings what the user's configuration leaves.
    fn govern(&mut self) -> anyhow::Result<()> {
        let not_linted = std::mem::take(&mut self.sets);
        if !not_linted.is_empty() {
            self.look_up_allows(&not_linted);
        }
        self.seen.called = self.report.coverage.tools_called.clone();
        let ran = self.report.cases.iter().filter(|case| !matches!(case.verdict, Verdict::NotRun(_)));
        self.seen.cases = ran.map(|case| format!("{}: {}", case.file, case.case)).collect();
        let found = std::mem::take(&mut self.report.findings);
        let slips = self.allows.slips(&found);
        let Governed { mut findings, allowed } = self.policy.govern(found, &self.seen);
        self.allows.tell(&slips, &mut findings, |rule| self.wants(rule));
        let (findings, known) = self.args.new_to_baseline(findings, &self.seen)?;
        self.report.known = known;
        (self.report.findings, self.report.allowed) = (findings, allowed);
        Ok(())
    }
}
