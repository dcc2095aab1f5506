//! `frankly lint`

use std::io::IsTerminal;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use frankly_verdict::report::plain;
use frankly_verdict::transcript::SizeBudget;

use crate::args::{self, AudienceArgs, CommandLine, ReportArgs};
use crate::diff::Reader;
use crate::exit::Exit;
use crate::fix::Mended;
use crate::output;
use crate::spare::spare;
use crate::survey::Survey;

/// Holds the rules against definitions
///
/// Several sources given together are looked at as one agent would see them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  frankly lint tools.json                a tools/list result, an array, or an object with `tools`, in the form of
                                         MCP, OpenAI or Anthropic
  frankly lint definitions/              every *.json in a directory
  frankly lint -                         what comes on standard input
  frankly lint ledger                    a server of frankly.toml
  frankly lint https://example.com/mcp   a server at a URL
  frankly lint a.json b.json --prefix none   two servers behind a client that does not prefix names
  frankly lint tools.json --fix          shows what can be repaired; with --write repairs it
  frankly lint tools.json --costs --tokenizer o200k   which tools and sentences cost most
  frankly lint -- node dist/index.js     a server by its command")]
pub struct Lint {
    /// Definition files, directories of them, `-` for standard input, URLs, or servers of frankly.toml, .mcp.json or .vscode/mcp.json
    #[arg(value_name = "SOURCE")]
    sources: Vec<String>,
    #[command(flatten)]
    server: CommandLine,
    #[command(flatten)]
    audience: AudienceArgs,
    /// How much all definitions together may cost, as bytes=N or tokens=N
    #[arg(long, value_name = "SIZE", value_parser = args::budget, help_heading = "Definitions")]
    budget: Option<SizeBudget>,
    /// Also lists the dearest tools and sentences
    #[arg(long, help_heading = "Definitions")]
    costs: bool,
    /// Shows mechanical repairs of definition files as a diff: closes objects, states in the schema what only the
    /// description states, quotes the values of texts, adds `"type": "object"`
    #[arg(long, help_heading = "Repair")]
    fix: bool,
    /// Makes the repairs, and reports what is left
    #[arg(long, requires = "fix", help_heading = "Repair")]
    write: bool,
    /// Also writes the definitions of one source to a file, to be compared with later ones: frankly diff FILE NEW
    #[arg(long, value_name = "FILE", help_heading = "Definitions", conflicts_with = "fix")]
    save: Option<PathBuf>,
    #[command(flatten)]
    report: ReportArgs,
}

impl Lint {
    pub async fn execute(self) -> anyhow::Result<Exit> {
        self.report.spares(&self.sources)?;
        if let Some(path) = &self.save {
            spare(path, &self.sources.iter().map(PathBuf::from).collect::<Vec<_>>())?;
        }
        if self.fix {
            if !self.write && (self.report.format != "human" || !self.report.output.is_empty()) {
                bail!("--fix shows a diff and writes no report; with --write it reports what is left");
            }
            let survey = self.survey(false).await?;
            let (files, mended) = survey.mended()?;
            if files == 0 {
                bail!("nothing to repair: only definition files can be, and none is named");
            }
            if let Some(stream) = survey.stream().filter(|_| self.write) {
                bail!(
                    "{} is read as it comes and cannot be written back, so nothing was repaired; name the file itself, or \
                     leave --write out to see what to change",
                    plain(&stream)
                );
            }
            if !self.write {
                show(&mended)?;
                return Ok(if survey.is_misconfigured() { Exit::Usage } else { Exit::Clean });
            }
            mended.iter().try_for_each(Mended::write)?;
            output::note(&match mended.as_slice() {
                [] => NOTHING.to_owned(),
                mended => format!("made {}", Mended::summary(mended)),
            });
        }
        Survey::settle(self.survey(self.write).await, &self.named(), &self.report)
    }

    /// What is looked at, as the user named it.
    fn named(&self) -> String {
        let command = Some(self.server.to_string()).filter(|command| !command.is_empty());
        self.sources.iter().cloned().chain(command).collect::<Vec<_>>().join(", ")
    }

    /// Looks at everything; with `again`, for the second time.
    async fn survey(&self, again: bool) -> anyhow::Result<Survey<'_>> {
        let sources = self.server.sources(&self.sources)?;
        if sources.is_empty() {
            bail!("nothing to lint: name a definition file, a server or a URL, or give a command after `--`");
        }
        let mut survey = Survey::of(&self.named(), &self.report, self.server.decisions()?)
            .looked_up_in(self.server.looked_up_in())
            .told(again);
        for source in &sources {
            survey.add(source, None).await?;
        }
        if let Some(path) = &self.save {
            survey.save(path)?;
        }
        survey.lint(self.audience.audience(self.budget), self.costs).await?;
        Ok(survey)
    }
}

const NOTHING: &str = "nothing to repair that is mechanical";

/// Shows the repairs and says how to make them.
fn show(mended: &[Mended<'_>]) -> anyhow::Result<()> {
    let reader = if std::io::stdout().is_terminal() { Reader::Person } else { Reader::Program };
    for mended in mended {
        let diff = mended.diff(reader);
        output::print(&diff.text)?;
        if reader == Reader::Program && !diff.can_be_applied {
            output::note(&format!(
                "{}: has control characters, which the diff writes out: it shows what changes, and cannot be applied",
                mended.name()
            ));
        }
    }
    output::note(&match mended {
        [] => NOTHING.to_owned(),
        _ => format!("{}; --fix --write makes them", Mended::summary(mended)),
    });
    Ok(())
}
