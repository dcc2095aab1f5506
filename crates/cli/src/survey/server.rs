//! One server within a survey: what came of looking at it, and what the user has to put right first.

use anyhow::bail;
use frankly_live::config::Server;
use frankly_live::probe::Grants;
use frankly_live::{InspectError, inspect};
use frankly_verdict::report::{counted, plain};

use super::Survey;
use crate::output;
use crate::server::{call_source, command, never_came_up};

impl Survey<'_> {
    pub(super) async fn add_server(
        &mut self,
        name: Option<&str>,
        server: &Server,
        probe: Option<&Grants>,
    ) -> anyhow::Result<()> {
        self.reach.sources += 1;
        self.probes |= probe.is_some();
        output::progress(&format!("looking at {} …", name.unwrap_or(&command(server))));
        let inspection = match inspect(name, server, probe).await {
            Ok(inspection) => inspection,
            Err(InspectError::Start(error)) if error.is_misconfigured() => {
                self.misconfigured(error.to_string(), &[]);
                return Ok(());
            }
            Err(InspectError::Start(error)) => {
                let name = name.map_or_else(|| command(server), str::to_owned);
                self.report.findings.push(never_came_up(&name, server, &error.to_string()));
                return Ok(());
            }
            Err(error @ InspectError::Internal) => bail!(error),
            Err(error @ InspectError::UnknownTool { .. }) => {
                self.reach.came_up += 1;
                self.misconfigured(format!("nothing was sent: {error}"), &[]);
                return Ok(());
            }
        };
        let inspection = match self.free_name(&inspection.server) {
            Some(free) => {
                let (known, free) = (plain(&inspection.server), plain(&free));
                self.note(&format!("a second server calls itself {known}; here it is `{free}`"));
                inspection.renamed(&free)
            }
            None => inspection,
        };
        self.reach.came_up += 1;
        let called = inspection.coverage.tools_called.len();
        let required = server.require.tools_called;
        if probe.is_some() && called < required {
            let called = counted(called, "tool");
            let why = format!("{}: a call succeeded on {called}, {required} required", inspection.server);
            self.called_too_few.get_or_insert(why);
        }
        if let Some(error) = &inspection.not_reset {
            let server = plain(&inspection.server);
            let what = format!("{server}: the state could not be reset: {error}");
            self.misconfigured(what, error.stderr());
        }
        self.report.sources.insert(inspection.server.clone(), call_source(name, server, &self.looked_up_in));
        self.report.coverage.absorb(inspection.coverage);
        self.keep(inspection.findings);
        self.sets.push(inspection.tools);
        Ok(())
    }

    /// Another name for a server, where one that was looked at has this one already.
    fn free_name(&self, server: &str) -> Option<String> {
        let is_taken = |name: &str| self.sets.iter().any(|set| set.server == name);
        let mut others = (2..).map(|number| format!("{server} ({number})"));
        is_taken(server).then(|| others.find(|name| !is_taken(name)))?
    }

    /// Tells of what the user has to put right, with the end of a standard error; the first such thing decides how the
    /// run ends.
    pub(super) fn misconfigured(&mut self, what: String, stderr: &[String]) {
        let lines: String = stderr.iter().map(|line| format!("\n  {line}")).collect();
        let end = if stderr.is_empty() { "" } else { "; the end of its standard error:" };
        output::error(&anyhow::anyhow!("{what}{end}{lines}"));
        self.reach.misconfigured.get_or_insert(what);
    }
}
