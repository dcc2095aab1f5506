//! Several sources looked at together, into one report.

use anyhow::bail;
use frankly_live::config::{Server, Source, read_definitions};
use frankly_live::probe::Grants;
use frankly_live::{InspectError, inspect, never_came_up};
use frankly_verdict::lint::{RULES, lint_all};
use frankly_verdict::report::{CallSource, counted, shell_word};
use frankly_verdict::{Report, ToolSet};

use crate::args::ReportArgs;
use crate::exit::{Exit, Reach};
use crate::output;

/// What has been looked at so far.
#[derive(Debug, Default)]
pub struct Survey {
    report: Report,
    sets: Vec<ToolSet>,
    reach: Reach,
    called_too_few: Option<String>,
}

impl Survey {
    /// A survey of what the user named so.
    pub fn of(source: &str) -> Self {
        Self { report: Report { source: source.to_owned(), ..Report::default() }, ..Self::default() }
    }

    /// Looks at a source; servers are probed where `probe` grants it.
    pub async fn add(&mut self, source: &Source, probe: Option<&Grants>) -> anyhow::Result<()> {
        match source {
            Source::Server(name, server) => self.add_server(name.as_deref(), server, probe).await,
            Source::Definitions(path) => {
                let set = read_definitions(path)?;
                self.reach.sources += 1;
                self.reach.came_up += 1;
                self.report.coverage.tools_listed += set.tools.len();
                self.sets.push(set);
                Ok(())
            }
        }
    }

    async fn add_server(
        &mut self,
        name: Option<&str>,
        server: &Server,
        probe: Option<&Grants>,
    ) -> anyhow::Result<()> {
        self.reach.sources += 1;
        output::progress(&format!("looking at {} …", name.unwrap_or(&server.shown.join(" "))));
        let inspection = match inspect(name, server, probe).await {
            Ok(inspection) => inspection,
            Err(InspectError::Start(error)) => {
                let name = name.map_or_else(|| server.shown.join(" "), str::to_owned);
                self.report.findings.push(never_came_up(&name, &error));
                return Ok(());
            }
            Err(error @ InspectError::UnknownTool { .. }) => bail!(error),
        };
        self.reach.came_up += 1;
        let called = inspection.coverage.tools_called.len();
        let required = server.require.tools_called;
        if probe.is_some() && called < required {
            let why =
                format!("{}: {} called, {required} required", inspection.server, counted(called, "tool"));
            self.called_too_few.get_or_insert(why);
        }
        self.report.sources.insert(inspection.server.clone(), call_source(name, server));
        self.report.coverage.absorb(inspection.coverage);
        self.report.findings.extend(inspection.findings);
        self.sets.push(inspection.tools);
        Ok(())
    }

    /// Holds the rules against all definitions together, as one agent would see them.
    pub fn lint(&mut self) {
        self.report.coverage.rules = RULES.len();
        self.report.findings.extend(lint_all(&self.sets));
    }

    /// Writes the report and says how the run ends. A command that is about nothing but probes has checked
    /// nothing when none ran.
    pub fn finish(mut self, probes_must_run: bool, args: &ReportArgs) -> anyhow::Result<Exit> {
        let coverage = &self.report.coverage;
        self.reach.unmet = if coverage.tools_listed == 0 {
            Some("no tool was listed, so nothing was checked".to_owned())
        } else if probes_must_run && coverage.probes_run == 0 {
            Some("no probe ran, so nothing was checked".to_owned())
        } else {
            self.called_too_few.take()
        };
        output::finish(self.report, &self.reach, args)
    }
}

/// How to write a call to this server on a command line.
fn call_source(name: Option<&str>, server: &Server) -> CallSource {
    match name {
        Some(name) => CallSource { before: shell_word(name), after: String::new() },
        None => {
            let words: Vec<_> = server.shown.iter().map(|word| shell_word(word)).collect();
            CallSource { before: String::new(), after: format!("-- {}", words.join(" ")) }
        }
    }
}
