//! `frankly diff`

use anyhow::bail;
use clap::Args;

use crate::args::{CommandLine, ReportArgs};
use crate::exit::Exit;
use crate::survey::Survey;

/// Tells what changed between two tool sets, and which of it breaks callers
///
/// Breaking: a tool, an enum value or an output field is gone, an argument is required now, a type is narrower. Risky: a
/// description, a default, an annotation or a limit is another. Safe: what takes nothing away; -v lists it. Exits 1 where
/// something is breaking.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  frankly lint ledger --save tools.json          what there is now
  frankly diff tools.json ledger                 what changed since
  frankly diff tools.json -- node dist/index.js
  frankly diff v1.json v2.json --format markdown")]
pub struct Diff {
    /// What was: a definition file, a server of frankly.toml, or a URL
    #[arg(value_name = "OLD")]
    old: String,
    /// What is: the same, or a command after `--`
    #[arg(value_name = "NEW", required_unless_present = "command", conflicts_with = "command")]
    new: Option<String>,
    #[command(flatten)]
    server: CommandLine,
    #[command(flatten)]
    report: ReportArgs,
}

impl Diff {
    pub async fn execute(self) -> anyhow::Result<Exit> {
        self.report.spares([Some(&self.old), self.new.as_ref()].into_iter().flatten())?;
        Survey::settle(self.survey().await, &self.named(), &self.report)
    }

    /// What is compared, as the user named it.
    fn named(&self) -> String {
        let new = self.new.clone().unwrap_or_else(|| self.server.to_string());
        format!("{} → {new}", self.old)
    }

    async fn survey(&self) -> anyhow::Result<Survey<'_>> {
        let named: Vec<String> = [Some(self.old.clone()), self.new.clone()].into_iter().flatten().collect();
        let sources = self.server.sources(&named)?;
        if let [old, new] = sources.as_slice()
            && old == new
        {
            bail!("{} is named twice; name what was and what is", self.old);
        }
        let mut survey = Survey::of(&self.named(), &self.report, self.server.decisions()?)
            .looked_up_in(self.server.looked_up_in());
        for source in &sources {
            survey.add(source, None).await?;
        }
        survey.compare().await?;
        Ok(survey)
    }
}
