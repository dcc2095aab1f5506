//! `frankly check`

use std::path::Path;

use clap::Args;
use frankly_live::config::{Config, ConfigError, FILE_NAME, Source};
use frankly_live::probe::Grants;

use crate::args::{AudienceArgs, ReportArgs};
use crate::cases::Sheets;
use crate::exit::Exit;
use crate::survey::Survey;

/// Checks everything in frankly.toml: definitions, live answers and contract cases
///
/// The command for CI. Starts each server of frankly.toml, holds the rules against its definitions, sends
/// the probes that are allowed, runs the cases in contracts/, and holds the checks against what comes back. Calls no model.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  frankly check                          every server in frankly.toml
  frankly check ledger --fail-on warning  one server, strictly
  frankly check --format json            for programs")]
pub struct Check {
    /// Servers of frankly.toml; all of them if none is named
    #[arg(value_name = "SERVER")]
    servers: Vec<String>,
    #[command(flatten)]
    audience: AudienceArgs,
    #[command(flatten)]
    report: ReportArgs,
}

impl Check {
    pub async fn execute(self) -> anyhow::Result<Exit> {
        Survey::settle(self.survey().await, FILE_NAME, &self.report)
    }

    async fn survey(&self) -> anyhow::Result<Survey<'_>> {
        let config = Config::read(Path::new(FILE_NAME))?;
        config.require_servers()?;
        let named: Vec<&str> = self.servers.iter().map(String::as_str).collect();
        let names = if named.is_empty() { config.names().collect() } else { named };
        let sources = names
            .into_iter()
            .map(|name| Ok(Source::Server(Some(name.to_owned()), Box::new(config.server(name)?))))
            .collect::<Result<Vec<_>, ConfigError>>()?;
        // First: a slip in a file must not cost what was found before it.
        let sheets = Sheets::here()?;
        let mut survey = Survey::of(FILE_NAME, &self.report, config.clone());
        for source in &sources {
            survey.add(source, Some(&Grants::default())).await?;
        }
        survey.lint(self.audience.audience(None), false).await?;
        self.add_cases(&sheets, &config, &mut survey).await?;
        Ok(survey)
    }

    /// Runs the cases of these servers.
    async fn add_cases(
        &self,
        sheets: &Sheets,
        config: &Config,
        survey: &mut Survey<'_>,
    ) -> anyhow::Result<()> {
        for (source, sheets) in sheets.groups(|sheet| sheet.source(config))? {
            let Source::Server(Some(name), server) = &source else { continue };
            if self.servers.is_empty() || self.servers.contains(name) {
                survey.add_cases(Some(name), server, &sheets, &|_| true, false).await?;
            }
        }
        if self.servers.is_empty() {
            survey.expect_cases(sheets, None);
        }
        Ok(())
    }
}
