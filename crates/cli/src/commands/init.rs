//! `frankly init`

use std::path::Path;

use anyhow::{Context, bail};
use clap::Args;
use frankly_live::case::{Starter, Tested, starters, test};
use frankly_live::config::{Consent, FILE_NAME, FirstLook, Server, Source, starter, variable};
use frankly_live::probe::Grants;
use frankly_live::{Inspection, inspect};
use frankly_verdict::lint::{Audience, lint_all};
use frankly_verdict::report::{FORMATS, Gap, Options, counted, plain};
use frankly_verdict::{Finding, Report};

use crate::args::{self, CommandLine};
use crate::cases::CASES;
use crate::exit::Exit;
use crate::output;
use crate::server::call_source;

/// Writes frankly.toml and first contract cases from a live server
///
/// Calls only tools that are annotated as read-only and say nothing against it, or that --call allows. Each tool that was not
/// called gets a line in frankly.toml for a decision.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  frankly init -- node dist/index.js
  frankly init --call search -- uvx my-server
  frankly init https://example.com/mcp
  frankly init ledger                    a server of .mcp.json or .vscode/mcp.json")]
pub struct Init {
    /// A URL, or a server of .mcp.json or .vscode/mcp.json
    #[arg(value_name = "SOURCE")]
    source: Option<String>,
    /// Allows to call this tool, which nothing says is read-only; repeatable
    #[arg(long, value_name = "NAME")]
    call: Vec<String>,
    /// What the server is to be called in frankly.toml; else as it calls itself
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    server: CommandLine,
}

/// What there is to write, and to say.
struct Start {
    name: String,
    config: String,
    cases: Vec<Starter>,
    inspection: Inspection,
    look: FirstLook,
}

impl Init {
    pub async fn execute(self) -> anyhow::Result<Exit> {
        if Path::new(FILE_NAME).symlink_metadata().is_ok() {
            bail!(
                "{FILE_NAME} is here already: frankly check runs what is in it. To begin anew, move it away"
            );
        }
        let (name, server) = self.source()?;
        let start = self.start(name, &server).await?;
        start.write()?;
        start.tell(&server)
    }

    fn source(&self) -> anyhow::Result<(Option<String>, Server)> {
        let mut sources = self.server.sources(&self.source)?;
        let (Some(source), true) = (sources.pop(), sources.is_empty()) else {
            bail!(
                "name one server or a URL, or give one command after `--`: frankly init -- node dist/index.js"
            );
        };
        match source {
            Source::Server(name, server) => Ok((name, *server)),
            other => Err(args::no_server(&other, "begun with")),
        }
    }

    async fn start(&self, name: Option<String>, server: &Server) -> anyhow::Result<Start> {
        let grants = Grants {
            tools: self.call.iter().map(|name| (name.clone(), Consent::Mutate)).collect(),
            ..Grants::default()
        };
        let name = self.name.clone().or(name);
        output::progress("looking at the server …");
        let inspection = inspect(name.as_deref(), server, Some(&grants)).await?;
        let name = inspection.server.clone();
        let cases = self.cases(&name, server, &inspection).await?;
        let look = FirstLook {
            called: inspection.good.len(),
            granted: self.call.clone(),
            undecided: without_a_good_call(&inspection.coverage.skipped),
            unanswered: without_a_good_call(&inspection.coverage.not_exercised),
        };
        let config = starter(&name, server, &look);
        Ok(Start { name, config, cases, inspection, look })
    }

    /// The first cases, with what came of them.
    async fn cases(
        &self,
        name: &str,
        server: &Server,
        inspection: &Inspection,
    ) -> anyhow::Result<Vec<Starter>> {
        let mut cases = starters(&inspection.tools.tools, &inspection.good);
        if cases.is_empty() {
            return Ok(cases);
        }
        // First for what the answers hold, then for what of it is so.
        for _ in 0..2 {
            let file = Starter::read(name, &cases, &path(name))
                .context("frankly itself wrote a file that it cannot read; please report it")?;
            let Tested { mut seen, outcomes, .. } = test(Some(name), server, &[&file], &|_| true).await?;
            Starter::take_up(&mut cases, &seen.remove(&file.path).unwrap_or_default(), &outcomes);
        }
        Ok(cases)
    }
}

/// A longer name is no name of a file.
const LONGEST_NAME: usize = 80;

/// Where the cases for a server stand.
fn path(name: &str) -> String {
    let name: String =
        name.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' }).collect();
    let name = name.trim_matches('.');
    let short: String = if name.is_empty() { "server" } else { name }.chars().take(LONGEST_NAME).collect();
    format!("{CASES}/{short}.yaml")
}

/// The tools among these gaps that had no good call, each with the reason.
fn without_a_good_call(gaps: &[Gap]) -> Vec<(String, String)> {
    let gaps = gaps.iter().filter(|gap| gap.probe == "good-call");
    gaps.map(|gap| (gap.tool.clone(), gap.why.split("; ").next().unwrap_or_default().to_owned())).collect()
}

impl Start {
    fn write(&self) -> anyhow::Result<()> {
        let path = path(&self.name);
        // Nothing is written where not everything can be.
        if !self.cases.is_empty() {
            if Path::new(&path).symlink_metadata().is_ok() {
                bail!("{} is here already and stays as it is; move it away for first cases", plain(&path));
            }
            std::fs::create_dir_all(CASES).with_context(|| format!("failed to make {CASES}"))?;
            let cases = Starter::file(&self.name, &self.cases);
            std::fs::write(&path, cases).with_context(|| format!("failed to write {}", plain(&path)))?;
        }
        std::fs::write(FILE_NAME, &self.config).with_context(|| format!("failed to write {FILE_NAME}"))
    }

    /// Says what was written, what is to be decided, and what to look at first.
    fn tell(self, server: &Server) -> anyhow::Result<Exit> {
        let tools = self.inspection.tools.tools.len();
        let mut text = format!("{FILE_NAME}: {} with {}\n", plain(&self.name), counted(tools, "tool"));
        if self.cases.is_empty() {
            text.push_str("no case was written: no tool could be called; frankly init --call NAME allows one that nothing says is read-only\n");
        } else {
            let failing = self.cases.iter().filter(|case| case.fails()).count();
            text.push_str(&format!(
                "{}: {}, {failing} of them known_failing\n",
                plain(&path(&self.name)),
                counted(self.cases.len(), "case")
            ));
        }
        let tools = [
            ("not called, and yours to decide in", &self.look.undecided),
            ("called without success, and waiting for arguments in", &self.look.unanswered),
        ];
        for (what, tools) in tools.into_iter().filter(|(_, tools)| !tools.is_empty()) {
            let names: Vec<String> = tools.iter().map(|(name, _)| plain(name)).collect();
            text.push_str(&format!("{what} {FILE_NAME}: {}\n", names.join(", ")));
        }
        let names = server.env.keys().chain(server.headers.keys());
        let taken: Vec<String> = names.map(|name| variable(name)).collect();
        if !taken.is_empty() {
            text.push_str(&format!(
                "{FILE_NAME} takes from the environment, where it has to be set: {}\n",
                taken.join(", ")
            ));
        }
        output::print(&text)?;
        self.first(server)?;
        output::print("next: read the cases, decide on the tools, and run frankly check\n")?;
        Ok(Exit::Clean)
    }

    /// Shows the finding to look at first: the gravest, and one about an answer before one about a definition.
    fn first(self, server: &Server) -> anyhow::Result<()> {
        let linted = lint_all(&[self.inspection.tools], &Audience::default());
        let all: Vec<Finding> = self.inspection.findings.into_iter().chain(linted).collect();
        let count = all.len();
        let Some(first) = all
            .into_iter()
            .reduce(|first, other| if other.severity > first.severity { other } else { first })
        else {
            return Ok(());
        };
        let source = call_source(Some(&self.name), server, "");
        let report =
            Report { findings: vec![first], sources: [(self.name, source)].into(), ..Report::default() };
        let Some(human) = FORMATS.iter().find(|format| format.name() == "human") else { return Ok(()) };
        let text = human.render(&report, &Options { quiet: true, verbose: true, color: false });
        // Without the last line, which sums up a whole report.
        let finding: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
        output::print(&format!(
            "\nthe first of {} to look at:\n\n{}\n\n",
            counted(count, "finding"),
            finding.join("\n")
        ))
    }
}
