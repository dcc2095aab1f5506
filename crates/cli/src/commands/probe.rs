//! `frankly probe`

use anyhow::bail;
use clap::Args;
use frankly_live::config::Source;
use frankly_live::probe::Grants;
use frankly_verdict::transcript::SizeBudget;

use crate::args::{self, CommandLine, ReportArgs};
use crate::exit::Exit;
use crate::survey::Survey;

/// Sends generated calls to a live server and checks what comes back
///
/// A tool is only called where it is annotated as read-only and nothing that it or the other tools say
/// speaks against that; or where frankly.toml or --call allows it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  frankly probe ledger
  frankly probe -- node dist/index.js
  frankly probe https://example.com/mcp --header 'Authorization: Bearer ${TOKEN}'
  frankly probe --call search -- uvx my-server     also calls `search`, which is not annotated")]
pub struct Probe {
    /// A server of frankly.toml, .mcp.json or .vscode/mcp.json, or a URL
    #[arg(value_name = "SOURCE")]
    source: Option<String>,
    /// Lets probes call this tool with generated arguments; `all` needs --sandbox; repeatable
    #[arg(long, value_name = "NAME")]
    call: Vec<String>,
    /// Says that the server's state may be changed
    #[arg(long)]
    sandbox: bool,
    /// How large an answer may be, such as bytes=25000 or tokens=8000
    #[arg(long, value_name = "UNIT=SIZE", value_parser = args::budget)]
    budget: Option<SizeBudget>,
    /// How many calls may be made in all
    #[arg(long, value_name = "NUMBER", default_value_t = Grants::MAX_CALLS)]
    max_calls: usize,
    /// What random choices start from: the same seed sends the same calls; without one, what is written is new each time
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    #[command(flatten)]
    server: CommandLine,
    #[command(flatten)]
    report: ReportArgs,
}

impl Probe {
    pub async fn execute(self) -> anyhow::Result<Exit> {
        Survey::settle(self.survey().await, &self.named(), &self.report)
    }

    /// What is looked at, as the user named it.
    fn named(&self) -> String {
        self.source.clone().unwrap_or_else(|| self.server.to_string())
    }

    async fn survey(&self) -> anyhow::Result<Survey<'_>> {
        let mut sources = self.server.sources(&self.source)?;
        let (Some(source), true) = (sources.pop(), sources.is_empty()) else {
            bail!("name one server of frankly.toml or a URL, or give one command after `--`");
        };
        let Source::Server(name, mut server) = source else {
            return Err(args::no_server(&source, "probed"));
        };
        server.sandbox |= self.sandbox;
        server.budget = self.budget.or(server.budget);
        let (all, tools): (Vec<_>, Vec<_>) = self.call.iter().cloned().partition(|name| name == "all");
        if !all.is_empty() && !server.sandbox {
            bail!(
                "--call all also calls what writes; say that this is fine with --sandbox, or name the tools"
            );
        }
        let grants = Grants {
            tools: tools.into_iter().collect(),
            all: !all.is_empty(),
            max_calls: self.max_calls,
            seed: self.seed,
        };
        let mut survey = Survey::of(&self.named(), &self.report, self.server.decisions()?)
            .looked_up_in(self.server.looked_up_in());
        survey.add(&Source::Server(name, server), Some(&grants)).await?;
        Ok(survey)
    }
}
