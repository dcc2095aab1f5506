//! `frankly verify`

use std::path::PathBuf;

use clap::Args;
use frankly_verdict::transcript::SizeBudget;

use crate::args::{self, ReportArgs};
use crate::exit::Exit;
use crate::survey::{Survey, expected};

/// Holds every check against what was recorded
///
/// A recording is a file of lines: first {"frankly":"recording","version":1}, then one for each message that went
/// between client and server, such as {"from":"client","msg":{…}}. Nothing is started and nothing is sent.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  frankly verify session.jsonl
  frankly verify -                       what comes on standard input
  frankly verify session.jsonl --expect run.yaml      also what was to be called: sequence: [search, hold_seat]
  frankly verify recordings/*.jsonl --budget bytes=25000 --format json")]
pub struct Verify {
    /// Recordings to look at; `-` for standard input
    #[arg(value_name = "RECORDING", required = true)]
    recordings: Vec<PathBuf>,
    /// How large an answer may be, such as bytes=25000 or tokens=8000; else as the recording says
    #[arg(long, value_name = "UNIT=SIZE", value_parser = args::budget)]
    budget: Option<SizeBudget>,
    /// What the calls of each recording must show: order, arguments, number, context and keys; repeatable
    #[arg(long, value_name = "FILE")]
    expect: Vec<PathBuf>,
    #[command(flatten)]
    report: ReportArgs,
}

impl Verify {
    pub async fn execute(self) -> anyhow::Result<Exit> {
        self.report.spares(&self.recordings)?;
        Survey::settle(self.survey().await, &self.named(), &self.report)
    }

    /// What is looked at, as the user named it.
    fn named(&self) -> String {
        let names: Vec<_> = self.recordings.iter().map(|path| path.to_string_lossy()).collect();
        names.join(" ")
    }

    async fn survey(&self) -> anyhow::Result<Survey<'_>> {
        let config = frankly_live::config::Config::here()?;
        let mut survey = Survey::of(&self.named(), &self.report, config);
        let expected = expected::read(&self.expect)?;
        survey.add_recordings(&self.recordings, self.budget).await?;
        survey.add_expectations(&self.recordings, &expected).await?;
        Ok(survey)
    }
}
