//! Several sources looked at together, into one report.

mod cases;
mod changes;
pub mod expected;
mod outcome;
mod server;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use anyhow::Context;
use frankly_live::config::{Config, DefinitionFile, ReadFile, Source};
use frankly_live::probe::Grants;
use frankly_live::recording::{RecordingFileError, Watch, Watched};
use frankly_verdict::lint::cost::{Costs, Dearest};
use frankly_verdict::lint::{Audience, RULES, lint_all};
use frankly_verdict::policy::{Policy, Seen};
use frankly_verdict::report::plain;
use frankly_verdict::transcript::SizeBudget;
use frankly_verdict::{Finding, Report, ToolSet, outage};
use tokio::task::JoinHandle;

use crate::allows::Allows;
use crate::args::ReportArgs;
use crate::exit::Reach;
use crate::files::{lead_into_files, notes_of};
use crate::fix::Mended;
use crate::output;
use crate::server::command;
use crate::spare::INPUT;

/// What has been looked at so far.
#[derive(Debug)]
pub struct Survey<'a> {
    args: &'a ReportArgs,
    config: Config,
    /// What is decided in it, as it is held against findings.
    policy: Policy,
    allows: Allows,
    report: Report,
    seen: Seen,
    sets: Vec<ToolSet>,
    /// The servers that were asked for, whether or not they came up.
    servers: Vec<Source>,
    /// The files among them, as they were written.
    files: Vec<ReadFile>,
    /// What says on a command line where servers were looked up.
    looked_up_in: String,
    reach: Reach,
    /// Whether answers were to be looked at, and not only definitions.
    probes: bool,
    /// Whether what there is to say beside the report has been said already.
    was_told: bool,
    called_too_few: Option<String>,
    /// How many recordings were looked at.
    recorded: usize,
    /// The first of them in which there was nothing to look at.
    not_looked_at: Option<String>,
    /// Whether two tool sets were compared.
    compared: bool,
    /// Why there was no case to run where one was to be.
    no_case: Option<String>,
}

impl<'a> Survey<'a> {
    /// A survey of what the user named so, under what the user's file says about findings.
    pub fn of(source: &str, args: &'a ReportArgs, config: Config) -> Self {
        let report = Report { source: source.to_owned(), ..Report::default() };
        Self {
            args,
            policy: config.policy().clone(),
            config,
            allows: Allows::default(),
            report,
            seen: Seen::default(),
            sets: Vec::new(),
            servers: Vec::new(),
            files: Vec::new(),
            looked_up_in: String::new(),
            reach: Reach::default(),
            probes: false,
            was_told: false,
            called_too_few: None,
            recorded: 0,
            not_looked_at: None,
            compared: false,
            no_case: None,
        }
    }

    /// The same, where servers were looked up in a file that the user named; this says so on a command line.
    pub fn looked_up_in(self, option: String) -> Self {
        Self { looked_up_in: option, ..self }
    }

    /// The same, of what was looked at before in this run: what stands beside a report is not said again.
    pub fn told(self, was_told: bool) -> Self {
        Self { was_told, ..self }
    }

    fn note(&self, text: &str) {
        if !self.was_told {
            output::note(text);
        }
    }

    /// Looks at a source, once however often it is named: an agent has no server twice. Servers are probed where `probe`
    /// grants it.
    pub async fn add(&mut self, source: &Source, probe: Option<&Grants>) -> anyhow::Result<()> {
        match source {
            Source::Server(name, server) if self.servers.contains(source) => {
                let name = name.clone().unwrap_or_else(|| command(server));
                self.note(&format!("{name} is named twice, and is looked at once"));
            }
            Source::Server(name, server) => {
                self.servers.push(source.clone());
                self.add_server(name.as_deref(), server, probe).await?;
            }
            Source::Definitions(path) => {
                for file in DefinitionFile::all_of(path)? {
                    self.add_file(file).await?;
                }
            }
            Source::Input => self.add_file(DefinitionFile::input()).await?,
        }
        Ok(())
    }

    /// Looks at what was recorded: every call by itself, since each was one that somebody made. Several recordings are looked
    /// at at once, and told of in the order in which they were named.
    pub async fn add_recordings(
        &mut self,
        paths: &[PathBuf],
        budget: Option<SizeBudget>,
    ) -> anyhow::Result<()> {
        let one = Watch { budget, ..Watch::default() };
        // What helps one recording is shared by several: memory is bounded all the same.
        let (at_once, watch) =
            if paths.len() > 1 { (one.threads, Watch { threads: 1, ..one }) } else { (1, one) };
        let mut ahead = paths.iter();
        let mut under_way: VecDeque<_> =
            ahead.by_ref().take(at_once).map(|path| (path, begin(path, watch))).collect();
        while let Some((path, watched)) = under_way.pop_front() {
            let watched = watched.await.context(
                "frankly itself failed on this recording; please report it with the message above",
            )??;
            under_way.extend(ahead.next().map(|path| (path, begin(path, watch))));
            self.add_recording(path, watched);
        }
        Ok(())
    }

    fn add_recording(&mut self, path: &Path, watched: Watched) {
        let Watched { findings, coverage, torn, completeness } = watched;
        if torn {
            let path = path.to_string_lossy();
            self.note(&format!("{path}: the last line is torn and left out: whoever wrote it was killed"));
        }
        self.reach.sources += 1;
        self.reach.came_up += 1;
        self.recorded += 1;
        let gaps = &mut self.reach.gaps;
        gaps.recordings += 1;
        gaps.left_out = gaps.left_out.saturating_add(completeness.left_out);
        gaps.without_end += usize::from(!completeness.has_end);
        if coverage.calls_made == 0 && coverage.tools_listed == 0 {
            let name = plain(&path.to_string_lossy());
            let why = format!("{name}: no call and no definitions are in it, so nothing of it was checked");
            self.not_looked_at.get_or_insert(why);
        }
        self.report.coverage.absorb(coverage);
        self.keep(findings);
    }

    async fn add_file(&mut self, file: DefinitionFile) -> anyhow::Result<()> {
        let identity = file.identity();
        if let Some(same) = self.files.iter().find(|read| identity.is_some() && read.identity == identity) {
            let (name, known) = (file.name(), same.file.name());
            self.note(&match name == known {
                true => format!("{name} is named twice, and is looked at once"),
                false => format!("{name} is the same file as {known}, and is looked at once"),
            });
            return Ok(());
        }
        // On a thread of its own: whoever writes into a pipe may take their time, and a signal must be heard meanwhile.
        let read = tokio::task::spawn_blocking(move || file.read())
            .await
            .context("frankly itself failed on this file; please report it with the message above")??;
        self.reach.sources += 1;
        self.reach.came_up += 1;
        self.report.coverage.tools_listed += read.definitions.tools.tools.len();
        notes_of(&read).iter().for_each(|note| self.note(note));
        self.sets.push(read.definitions.tools.clone());
        self.files.push(read);
        Ok(())
    }

    /// Holds the rules against all definitions together, as one agent would see them, and says which cost most where that
    /// is wanted.
    pub async fn lint(&mut self, audience: Audience, dearest: bool) -> anyhow::Result<()> {
        self.report.coverage.rules = RULES.iter().filter(|rule| self.wants(rule.doc().name)).count();
        let sets = std::mem::take(&mut self.sets);
        self.look_up_allows(&sets);
        self.seen.linted = self.allows.linted();
        // On a thread of its own: definitions can be large, and a signal must be heard meanwhile.
        let judge = move || {
            let costs = Costs::of(&sets, audience.tokenizer);
            (lint_all(&sets, &audience), costs, dearest.then(|| Dearest::of(&sets, audience.tokenizer)))
        };
        let (mut findings, costs, mut dearest) = tokio::task::spawn_blocking(judge)
            .await
            .context("frankly itself failed on these definitions; please report it with the message above")?;
        self.files.iter().for_each(|file| file.definitions.place(&mut findings));
        if let Some(dearest) = &mut dearest {
            lead_into_files(dearest, &self.files);
        }
        (self.report.costs, self.report.dearest) = (Some(costs), dearest);
        self.keep(findings);
        Ok(())
    }

    /// The files among what was looked at, how many there are, and those with something to repair: only what is found in
    /// them and counts.
    pub fn mended(&self) -> anyhow::Result<(usize, Vec<Mended<'_>>)> {
        let findings = self.policy.govern(self.report.findings.clone(), &self.seen).findings;
        let mended = self.files.iter().map(|file| Mended::of(file, &findings));
        let mended = mended.filter_map(Result::transpose).collect::<anyhow::Result<_>>()?;
        Ok((self.files.len(), mended))
    }

    /// The first source of definitions that cannot be written to.
    pub fn stream(&self) -> Option<String> {
        self.files.iter().find(|read| read.file.is_stream()).map(|read| read.file.name())
    }

    /// Whether the user has to put something right first.
    pub fn is_misconfigured(&self) -> bool {
        self.reach.misconfigured.is_some()
    }

    /// Whether findings under this name are wanted, by the command line and the configuration.
    fn wants(&self, name: &str) -> bool {
        self.args.wants(name) && self.policy.wants(name)
    }

    /// Keeps what is wanted. That a server failed is not a matter of taste.
    fn keep(&mut self, findings: Vec<Finding>) {
        let wanted = |finding: &Finding| self.args.wants(finding.rule) || outage::is_one(finding);
        self.report.findings.extend(findings.into_iter().filter(wanted));
    }

    /// Finds what the user's entries name in these sets.
    fn look_up_allows(&mut self, sets: &[ToolSet]) {
        self.allows = Allows::of(&self.config, sets, &self.files);
        self.policy.allows = self.allows.resolved();
    }
}

/// Begins to look at a recording, on a thread of its own: whoever writes into a pipe may take their time, answers can be large,
/// and a signal must be heard meanwhile.
fn begin(path: &Path, watch: Watch) -> JoinHandle<Result<Watched, RecordingFileError>> {
    let file = path.to_owned();
    tokio::task::spawn_blocking(move || match file == Path::new(INPUT[0]) {
        true => watch.input(),
        false => watch.file(&file),
    })
}
