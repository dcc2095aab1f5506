//! Arguments that several commands share. Each command's own stand in its file.

use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use anyhow::{Context, anyhow, bail};
use clap::{ArgAction, Args, ValueEnum};
use frankly_live::config::{Config, Source, configuration, filled_in};
use frankly_verdict::baseline::Baseline;
use frankly_verdict::lint::{Audience, Prefix, TARGETS, Target};
use frankly_verdict::policy::Seen;
use frankly_verdict::report::{FORMATS, counted, plain, shell_word};
use frankly_verdict::transcript::SizeBudget;
use frankly_verdict::{Finding, Severity};

use crate::{names, output, tokenizer};

/// How the report is written, and what makes it fail.
#[derive(Debug, Args)]
#[command(next_help_heading = "Report")]
pub struct ReportArgs {
    /// The form of the report on standard output
    #[arg(long, value_name = "FORMAT", default_value = "human", value_parser = format_names())]
    pub format: String,
    /// Also writes the report to a file; repeatable
    #[arg(long, value_name = "FORMAT=FILE", value_parser = output)]
    pub output: Vec<(String, PathBuf)>,
    /// Exits 1 from this severity on
    #[arg(long, value_name = "SEVERITY", default_value = "error")]
    pub fail_on: FailOn,
    /// Keeps only findings of this rule or check; repeatable
    #[arg(long, value_name = "NAME", value_parser = names::finding)]
    pub select: Vec<String>,
    /// Drops findings of this rule or check; repeatable
    #[arg(long, value_name = "NAME", value_parser = names::finding)]
    pub ignore: Vec<String>,
    /// Hides the findings that this file knows, and tells which of them are gone
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Writes what is found now to a file for --baseline
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    pub write_baseline: Option<PathBuf>,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// Writes only findings and the last line
    #[arg(short, long)]
    pub quiet: bool,
    /// Also writes what is otherwise only counted
    #[arg(short, long, conflicts_with = "quiet", action = ArgAction::SetTrue)]
    pub verbose: bool,
}

impl ReportArgs {
    /// Whether findings under this name are wanted.
    pub fn wants(&self, name: &str) -> bool {
        let named = |names: &[String]| names.iter().any(|other| other == name);
        (self.select.is_empty() || named(&self.select)) && !named(&self.ignore)
    }
}

/// What is larger is no baseline.
const MOST_BASELINE: u64 = 64 * 1024 * 1024;

impl ReportArgs {
    /// What of these findings is new to the baseline, with one for each that is gone, and how many it knows.
    pub fn new_to_baseline(
        &self,
        findings: Vec<Finding>,
        seen: &Seen,
    ) -> anyhow::Result<(Vec<Finding>, usize)> {
        if let Some(path) = &self.write_baseline {
            let baseline = Baseline::of(&findings);
            let name = plain(&path.to_string_lossy());
            std::fs::write(path, format!("{baseline}\n"))
                .with_context(|| format!("failed to write {name}"))?;
            output::note(&format!("{name}: wrote {}", counted(baseline.len(), "finding")));
            return Ok((Vec::new(), findings.len()));
        }
        let Some(path) = &self.baseline else { return Ok((findings, 0)) };
        let name = path.to_string_lossy();
        let file = std::fs::metadata(path).with_context(|| format!("failed to read {}", plain(&name)))?;
        if !file.is_file() || file.len() > MOST_BASELINE {
            bail!("{} is no file of at most 64 MiB, and no baseline", plain(&name));
        }
        let text =
            std::fs::read_to_string(path).with_context(|| format!("failed to read {}", plain(&name)))?;
        let baseline = Baseline::parse(&text).with_context(|| plain(&name))?;
        Ok(baseline.part(findings, seen, &name))
    }
}

/// For whom definitions are judged.
#[derive(Debug, Args)]
#[command(next_help_heading = "Definitions")]
pub struct AudienceArgs {
    #[arg(long, value_name = "TARGET", help = targets_help(), default_value = DEFAULT_TARGETS.as_str(), value_parser = targets)]
    target: Targets,
    /// What the client puts before each name, such as `mcp__{server}__`; `none` where names are bare
    #[arg(long, value_name = "TEMPLATE", value_parser = prefix)]
    prefix: Option<Prefix>,
    /// Counts the tokens of definitions as one family of models does, instead of estimating them from bytes
    #[arg(long, value_name = "NAME")]
    tokenizer: Option<tokenizer::Known>,
}

impl AudienceArgs {
    /// The audience, with a budget for all definitions together.
    pub fn audience(&self, budget: Option<SizeBudget>) -> Audience {
        let prefix = self.prefix.clone().unwrap_or(Prefix::Unstated);
        let tokenizer = self.tokenizer.map(tokenizer::Known::tokenizer).unwrap_or_default();
        Audience { targets: self.target.0.clone(), prefix, budget, tokenizer }
    }
}

/// Targets by their names; a type of its own, as clap takes a bare `Vec` for an argument that may be repeated.
#[derive(Debug, Clone)]
struct Targets(Vec<&'static Target>);

fn targets_help() -> String {
    format!("Who gets the definitions; parted by commas: {}", listed(TARGETS.iter()))
}

static DEFAULT_TARGETS: LazyLock<String> =
    LazyLock::new(|| listed(Audience::default().targets.into_iter()).replace(' ', ""));

fn listed(targets: impl Iterator<Item = &'static Target>) -> String {
    targets.map(|target| target.name).collect::<Vec<_>>().join(", ")
}

fn targets(names: &str) -> Result<Targets, String> {
    Target::read(names).map(Targets)
}

fn prefix(text: &str) -> Result<Prefix, String> {
    let rest = text.replace("{server}", "");
    if rest.contains(['{', '}']) {
        return Err("the one thing filled in is {server}, such as in mcp__{server}__".to_owned());
    }
    Ok(Prefix::read(text))
}

/// From which severity on a finding makes the command fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    Error,
    Warning,
    Info,
    Never,
}

impl FailOn {
    /// The least severity that fails.
    pub fn threshold(self) -> Option<Severity> {
        match self {
            Self::Error => Some(Severity::Error),
            Self::Warning => Some(Severity::Warning),
            Self::Info => Some(Severity::Info),
            Self::Never => None,
        }
    }
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

/// A server by its command line, for commands that take one.
#[derive(Debug, Args)]
pub struct CommandLine {
    /// Sets an environment variable for COMMAND; `NAME` alone passes it on; repeatable
    #[arg(long, value_name = "NAME[=VALUE]", value_parser = variable, requires = "command")]
    env: Vec<(String, String)>,
    /// Looks servers up in this file of a client, such as claude_desktop_config.json, and nowhere else
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Tells the server at a URL this with each request, such as 'Authorization: Bearer ${TOKEN}'; repeatable
    #[arg(long, value_name = "NAME: VALUE", value_parser = header)]
    header: Vec<(String, String)>,
    /// A server to start, after `--`
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

impl CommandLine {
    /// The server as a source, if a command was given.
    pub fn source(&self) -> Option<Source> {
        (!self.command.is_empty()).then(|| Source::command(self.command.clone(), self.env.clone()))
    }

    /// All sources: what was named, and the command if one was given.
    pub fn sources<'a>(&self, names: impl IntoIterator<Item = &'a String>) -> anyhow::Result<Vec<Source>> {
        let named = names
            .into_iter()
            .map(|name| Source::named(name, self.config.as_deref()).map_err(anyhow::Error::from));
        let mut sources: Vec<_> = named.chain(self.source().map(Ok)).collect::<Result<_, _>>()?;
        self.tell(&mut sources)?;
        Ok(sources)
    }

    /// The `frankly.toml` that says what the user has decided about findings: the one that was named, else the one here.
    pub fn decisions(&self) -> anyhow::Result<Config> {
        decisions(self.config.as_deref())
    }

    /// What says on a command line where servers are looked up.
    pub fn looked_up_in(&self) -> String {
        looked_up_in(self.config.as_deref())
    }

    /// Hands the headers to the one server they are for.
    fn tell(&self, sources: &mut [Source]) -> anyhow::Result<()> {
        if self.header.is_empty() {
            return Ok(());
        }
        let mut addressed = sources.iter_mut().filter_map(|source| match source {
            Source::Server(_, server) => server.url.is_some().then_some(server),
            Source::Definitions(_) | Source::Input => None,
        });
        match (addressed.next(), addressed.next()) {
            (Some(server), None) => server.headers.extend(self.header.clone()),
            (None, _) => bail!("--header is for a server at a URL, and none is named"),
            (Some(_), Some(_)) => bail!(
                "--header is for one server, and several at a URL are named: give each its own `headers` in frankly.toml"
            ),
        }
        Ok(())
    }
}

/// What the user has decided about findings: in the `frankly.toml` that was named, else in the one here.
pub fn decisions(named: Option<&Path>) -> anyhow::Result<Config> {
    let is_toml = |file: &&Path| file.extension().is_some_and(|extension| extension == "toml");
    Ok(match named.filter(is_toml) {
        Some(path) => Config::named(path)?,
        None => Config::here()?,
    })
}

/// What says on a command line that servers are looked up in this file.
pub fn looked_up_in(config: Option<&Path>) -> String {
    config.map(|config| format!("--config {}", shell_word(&config.to_string_lossy()))).unwrap_or_default()
}

impl fmt::Display for CommandLine {
    /// The command as a shell reads it back; empty if none was given.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.command.iter().map(|word| shell_word(word)).collect();
        f.write_str(&words.join(" "))
    }
}

fn format_names() -> clap::builder::PossibleValuesParser {
    FORMATS.iter().map(|format| format.name()).collect::<Vec<_>>().into()
}

fn output(text: &str) -> Result<(String, PathBuf), String> {
    let (format, file) = text.split_once('=').ok_or("write it as FORMAT=FILE, such as json=report.json")?;
    if FORMATS.iter().any(|known| known.name() == format) && !file.is_empty() {
        return Ok((format.to_owned(), file.into()));
    }
    let names: Vec<_> = FORMATS.iter().map(|format| format.name()).collect();
    Err(format!("the formats are {}, each with a file, such as json=report.json", names.join(", ")))
}

/// Why this is no server, which is what a command needs that does this to one.
pub fn no_server(source: &Source, done: &str) -> anyhow::Error {
    match source {
        Source::Definitions(path) => configuration(path).map(anyhow::Error::from),
        _ => None,
    }
    .unwrap_or_else(|| {
        anyhow!("a definition file cannot be {done}; it can be linted, frankly lint FILE, and a server can be {done}")
    })
}

/// An address to listen on.
pub fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "write an address and a port, such as 127.0.0.1:8080".to_owned())
}

/// A size, as `bytes=N` or `tokens=N`.
pub fn budget(text: &str) -> Result<SizeBudget, String> {
    let size = |number: &str| number.parse().ok().filter(|number| *number > 0);
    let read = |(unit, number): (&str, &str)| match unit {
        "bytes" => size(number).map(SizeBudget::Bytes),
        "tokens" => size(number).map(SizeBudget::Tokens),
        _ => None,
    };
    text.split_once('=').and_then(read).ok_or_else(|| "write it as bytes=25000 or tokens=8000".to_owned())
}

/// A header as `NAME: VALUE`; variables in the value are filled in, so that no secret need stand on a command line.
fn header(text: &str) -> Result<(String, String), String> {
    let (name, value) =
        text.split_once(':').ok_or("write it as NAME: VALUE, such as 'Authorization: Bearer ${TOKEN}'")?;
    let value = filled_in(value.trim(), &format!("--header {name}")).map_err(|error| error.to_string())?;
    Ok((name.trim().to_owned(), value))
}

fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some(("", _)) => Err("a variable has a name".to_owned()),
        Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
        None => std::env::var(text).map(|value| (text.to_owned(), value)).map_err(|_| {
            let name = plain(text);
            format!("{name} is not set here; write {name}=VALUE")
        }),
    }
}
