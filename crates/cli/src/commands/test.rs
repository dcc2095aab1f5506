//! `frankly test`

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use frankly_live::config::Source;
use frankly_verdict::case::Case;

use crate::args::{self, CommandLine, ReportArgs};
use crate::cases::{CASES, Sheet, Sheets};
use crate::exit::Exit;
use crate::survey::Survey;

/// Runs contract cases: calls that people wrote down, and what their answers must show
///
/// A file of cases names a server of frankly.toml, the calls, and for each what the payload must show. The calls are made as
/// they are written, whatever they change. The checks are held against the answers too.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  frankly test                            every file in contracts/
  frankly test contracts/search.yaml --filter 'unknown category'
  frankly test contracts/new.yaml --update
  frankly test contracts/search.yaml -- node dist/index.js")]
pub struct Test {
    /// Files of cases, or directories of them
    #[arg(value_name = "FILE", default_value = CASES)]
    files: Vec<PathBuf>,
    /// Runs only the cases whose names hold this
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Writes what the answers show now into each `expect: {}`, but for answers that a check speaks against
    #[arg(long)]
    update: bool,
    #[command(flatten)]
    server: CommandLine,
    #[command(flatten)]
    report: ReportArgs,
}

impl Test {
    pub async fn execute(self) -> anyhow::Result<Exit> {
        self.report.spares(&self.files)?;
        Survey::settle(self.survey().await, &self.named(), &self.report)
    }

    /// What is looked at, as the user named it.
    fn named(&self) -> String {
        let names: Vec<_> = self.files.iter().map(|path| path.to_string_lossy()).collect();
        names.join(" ")
    }

    fn wants(&self, case: &Case) -> bool {
        self.filter.as_ref().is_none_or(|filter| case.name.contains(filter.as_str()))
    }

    async fn survey(&self) -> anyhow::Result<Survey<'_>> {
        let config = self.server.decisions()?;
        let sheets = Sheets::read(&self.files)?;
        let by_command = self.server.sources([])?.pop();
        let server = |sheet: &Sheet| match (&by_command, sheet.server(&config)?) {
            (Some(source), _) => Ok(source.clone()),
            (None, Some(name)) => {
                let named = self.server.sources([&name]).with_context(|| sheet.place().to_string())?.pop();
                named.ok_or_else(|| anyhow::anyhow!("{}: there is no server {name:?}", sheet.place()))
            }
            (None, None) => bail!("{}", sheet.names_no_server()),
        };
        let groups = sheets.groups(server)?;
        let mut survey = Survey::of(&self.named(), &self.report, config.clone());
        let is_wanted = |sheet: &&Sheet| sheet.file.cases.iter().any(|case| self.wants(case));
        for (source, sheets) in groups {
            // What no wanted case stands in is left alone, with its setup and its server.
            let sheets: Vec<&Sheet> = sheets.into_iter().filter(is_wanted).collect();
            if sheets.is_empty() {
                continue;
            }
            let Source::Server(name, server) = &source else {
                return Err(args::no_server(&source, "tested"));
            };
            survey.add_cases(name.as_deref(), server, &sheets, &|case| self.wants(case), self.update).await?;
        }
        survey.expect_cases(&sheets, self.filter.as_deref());
        Ok(survey)
    }
}
