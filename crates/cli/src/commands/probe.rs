//! `frankly probe`

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use frankly_live::config::{Consent, Source};
use frankly_live::probe::Grants;
use frankly_live::recording;
use frankly_verdict::report::{plain, shell_word};
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
  frankly probe ledger --from session.jsonl        begins with what an agent really asked
  frankly probe --call search -- uvx my-server     also calls `search`, which is not annotated
  frankly probe --sandbox --call all=writes -- uvx my-server     also writes, twice, and looks at what was stored")]
pub struct Probe {
    /// A server of frankly.toml, .mcp.json or .vscode/mcp.json, or a URL
    #[arg(value_name = "SOURCE")]
    source: Option<String>,
    /// Lets probes call this tool with generated arguments, NAME=writes also write with it, more than once; that, and
    /// `all` for every tool, needs --sandbox; repeatable
    #[arg(long, value_name = "NAME[=writes]", value_parser = grant)]
    call: Vec<(String, Consent)>,
    /// Begins with the arguments of calls that worked in this recording; repeatable. What may be called is another question
    #[arg(long, value_name = "RECORDING")]
    from: Vec<PathBuf>,
    /// Says that the server's state may be changed
    #[arg(long)]
    sandbox: bool,
    /// How large an answer may be, such as bytes=25000 or tokens=8000
    #[arg(long, value_name = "UNIT=SIZE", value_parser = args::budget)]
    budget: Option<SizeBudget>,
    /// How many calls may be made in all; that the tools are listed once more counts as one
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

    /// What the user granted; of what is granted of one tool twice, the more.
    fn grants(&self) -> Grants {
        let mut grants = Grants { max_calls: self.max_calls, seed: self.seed, ..Grants::default() };
        for (name, consent) in &self.call {
            if name == "all" {
                grants.all = grants.all.max(Some(*consent));
            } else {
                let granted = grants.tools.entry(name.clone()).or_insert(*consent);
                *granted = (*granted).max(*consent);
            }
        }
        grants
    }

    /// An error where something was granted that needs a sandbox.
    fn only_reads(&self, grants: &Grants) -> anyhow::Result<()> {
        if grants.all.is_some() {
            bail!(
                "--call all also calls what writes; say that this is fine with --sandbox, or name the tools"
            );
        }
        let writes = grants.tools.iter().find(|(_, consent)| **consent == Consent::Writes);
        if let Some((name, _)) = writes {
            let name = shell_word(name);
            bail!(
                "--call {name}=writes writes more than once, and the state is not put back; say that this is fine with \
                 --sandbox, or give --call {name}"
            );
        }
        Ok(())
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
        for path in &self.from {
            let examples = recording::examples(&recording::read(path)?);
            if examples.is_empty() {
                bail!(
                    "{}: no call that worked is in it, so there are no arguments to begin with",
                    plain(&path.to_string_lossy())
                );
            }
            // The user's own come first.
            examples
                .into_iter()
                .for_each(|(tool, known)| server.tools.entry(tool).or_default().examples.extend(known));
        }
        let grants = self.grants();
        if !server.sandbox {
            self.only_reads(&grants)?;
        }
        let mut survey = Survey::of(&self.named(), &self.report, self.server.decisions()?)
            .looked_up_in(self.server.looked_up_in());
        survey.add(&Source::Server(name, server), Some(&grants)).await?;
        Ok(survey)
    }
}

/// What `--call` grants: generated and changed arguments, or also writes.
fn grant(text: &str) -> Result<(String, Consent), String> {
    match text.rsplit_once('=') {
        None => Ok((text.to_owned(), Consent::Mutate)),
        Some((name, "writes")) if !name.is_empty() => Ok((name.to_owned(), Consent::Writes)),
        Some((name, _)) => {
            let name = plain(if name.is_empty() { "NAME" } else { name });
            Err(format!(
                "write {name} for generated arguments, or {name}=writes to write with it too; more can be said in frankly.toml"
            ))
        }
    }
}
