//! The report for people, coverage first.

use std::collections::{BTreeSet, HashMap};
use std::fmt::{self, Write};

use anstyle::{AnsiColor, Effects, Style};

use super::{CallSource, Format, Gap, Options, Report, cases, costs, counted, plain, shell_word, shorten};
use crate::{Certainty, Finding, Severity, outage};

/// How much of a pointer is shown: names in it may be as long as a server likes.
const POINTER_CHARS: usize = 300;

/// See [`Format`].
pub(super) struct Human;

impl Format for Human {
    fn name(&self) -> &'static str {
        "human"
    }

    fn write(&self, report: &Report, options: &Options) -> String {
        let mut text = String::new();
        let mut page = Page { text: &mut text, report, options };
        // Writing to a string cannot fail.
        let _ = page.write();
        text
    }
}

struct Page<'a> {
    text: &'a mut String,
    report: &'a Report,
    options: &'a Options,
}

impl<'a> Page<'a> {
    fn write(&mut self) -> fmt::Result {
        if !self.options.quiet {
            self.coverage()?;
        }
        self.known_failing()?;
        for group in self.groups() {
            self.finding(group[0])?;
            self.others_like_it(&group)?;
        }
        if let (Some(costs), Some(dearest)) = (&self.report.costs, &self.report.dearest) {
            self.text.push_str(&costs::table(costs, dearest, self.options.verbose));
        }
        self.last_line()
    }

    /// The cases that fail as is known, which are no findings; only where everything is written out.
    fn known_failing(&mut self) -> fmt::Result {
        for case in self.report.cases.iter().filter(|_| self.options.verbose) {
            if let Some(line) = cases::known_failing(case) {
                writeln!(self.text, "{}", plain(&line))?;
            }
        }
        Ok(())
    }

    /// The findings to write out, the gravest first; those that say the same of different places together.
    fn groups(&self) -> Vec<Vec<&'a Finding>> {
        let shown = |finding: &&Finding| self.options.verbose || finding.severity > Severity::Info;
        let mut findings: Vec<&Finding> = self.report.findings.iter().filter(shown).collect();
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        let mut groups: Vec<Vec<&Finding>> = Vec::new();
        let mut known: HashMap<_, usize> = HashMap::new();
        for finding in findings {
            let alike =
                (finding.rule, finding.severity, &finding.server, frame(&finding.what), &finding.next);
            match known.get(&alike).filter(|_| finding.replay.is_empty() && !finding.pointer.is_empty()) {
                Some(at) => groups[*at].push(finding),
                None => {
                    known.insert(alike, groups.len());
                    groups.push(vec![finding]);
                }
            }
        }
        groups
    }

    fn coverage(&mut self) -> fmt::Result {
        let coverage = &self.report.coverage;
        writeln!(self.text, "{}: {}", self.styled(BOLD, &plain(&self.report.source)), covered(self.report))?;
        if let Some(stretched) = coverage.stretched.told() {
            writeln!(self.text, "{stretched}")?;
        }
        let judged = coverage.calls_answered.saturating_sub(coverage.refusals_expected);
        if judged > 1 && coverage.calls_succeeded * 2 < judged {
            writeln!(
                self.text,
                "most calls failed ({} of {}): the arguments were not good enough; give better ones as \
                 tools.NAME.examples of the server in frankly.toml",
                judged - coverage.calls_succeeded,
                judged
            )?;
        }
        self.gaps("not exercised", &coverage.not_exercised)?;
        self.gaps("not sent", &coverage.skipped)?;
        writeln!(self.text)
    }

    /// Gaps with the same reason share a line.
    fn gaps(&mut self, title: &str, gaps: &[Gap]) -> fmt::Result {
        let several = self.report.sources.len() > 1;
        let mut reasons: Vec<(&str, BTreeSet<&str>, Vec<String>)> = Vec::new();
        let mut known: HashMap<&str, usize> = HashMap::new();
        for gap in gaps {
            // What is asked of a server as a whole is asked of no tool.
            let tool = if gap.tool.is_empty() {
                if several { plain(&gap.server) } else { "the server".to_owned() }
            } else if several {
                format!("{} · {}", plain(&gap.server), plain(&gap.tool))
            } else {
                plain(&gap.tool)
            };
            let at = *known.entry(&gap.why).or_insert_with(|| {
                reasons.push((&gap.why, BTreeSet::new(), Vec::new()));
                reasons.len() - 1
            });
            let (_, probes, tools) = &mut reasons[at];
            probes.insert(gap.probe);
            if tools.last() != Some(&tool) {
                tools.push(tool);
            }
        }
        for (why, probes, tools) in reasons {
            let tools = self.some_of(&tools, TOOLS_SHOWN);
            writeln!(
                self.text,
                "{title}: {} on {tools}: {}",
                probes.into_iter().collect::<Vec<_>>().join(", "),
                plain(why)
            )?;
        }
        Ok(())
    }

    /// The first so many names, and how many more there are.
    fn some_of(&self, names: &[String], shown: usize) -> String {
        let shown = if self.options.verbose { names.len() } else { names.len().min(shown) };
        match names.len() - shown {
            0 => names.join(", "),
            more => format!("{} and {more} more", names[..shown].join(", ")),
        }
    }

    fn finding(&mut self, finding: &Finding) -> fmt::Result {
        let certainty = match finding.certainty {
            Certainty::Proven => "",
            Certainty::Suspected => ", suspected",
        };
        let head = format!("{}[{}]", finding.severity.as_str(), finding.rule);
        let head = self.styled(color_of(finding.severity), &head);
        let names = [finding.server.as_str(), finding.tool.as_str()];
        let place = names
            .iter()
            .filter(|name| !name.is_empty())
            .map(|name| plain(name))
            .collect::<Vec<_>>()
            .join(" · ");
        let place = if place.is_empty() { "all sources together".to_owned() } else { place };
        writeln!(self.text, "{head} {}{certainty}", self.styled(BOLD, &place))?;
        // Only what a server wrote to its standard error has lines; a name with a line end would forge one.
        let lines = outage::is_one(finding);
        let one_line = |text: &str| if lines { text.to_owned() } else { plain(text) };
        self.line("what", &one_line(&finding.what))?;
        self.line("reads as", &one_line(&finding.reads_as))?;
        self.line("next", &one_line(&finding.next))?;
        let at = place_of(finding);
        if !at.is_empty() {
            self.line("at", &plain(&at))?;
        }
        if !finding.evidence.is_empty() {
            self.line("shown by", &plain(&finding.evidence))?;
        }
        let source = self.report.sources.get(&finding.server);
        for (number, call) in finding.replay.iter().enumerate() {
            let command = call_command(
                source,
                &call.name,
                &serde_json::Value::from(call.arguments.clone()).to_string(),
            );
            self.line(if number == 0 { "calls" } else { "" }, &command)?;
        }
        Ok(())
    }

    fn others_like_it(&mut self, group: &[&Finding]) -> fmt::Result {
        let (first, others) = (group[0], &group[1..]);
        if !others.is_empty() {
            let place = |finding: &&Finding| match finding.tool == first.tool {
                true => place_of(finding),
                false => format!("{} {}", finding.tool, place_of(finding)),
            };
            let places: Vec<_> = others.iter().map(place).collect();
            self.line("also at", &plain(&self.some_of(&places, PLACES_SHOWN)))?;
        }
        writeln!(self.text)
    }

    fn line(&mut self, label: &str, text: &str) -> fmt::Result {
        for (number, line) in text.lines().enumerate() {
            let label = if number == 0 { label } else { "" };
            writeln!(self.text, "  {} {}", self.styled(DIM, &format!("{label:<8}")), plain(line))?;
        }
        Ok(())
    }

    fn last_line(&mut self) -> fmt::Result {
        let count = |severity, noun| counted(self.report.count(severity), noun);
        let infos = self.report.count(Severity::Info);
        let summary = format!(
            "{}, {}, {infos} info{}{}{}",
            count(Severity::Error, "error"),
            count(Severity::Warning, "warning"),
            if infos > 0 && !self.options.verbose { " (-v lists it)" } else { "" },
            if self.report.allowed > 0 {
                format!(", {} allowed", self.report.allowed)
            } else {
                String::new()
            },
            if self.report.known > 0 {
                format!(", {} in the baseline", self.report.known)
            } else {
                String::new()
            }
        );
        let summary = self.styled(BOLD, &summary);
        writeln!(self.text, "{summary} · {} · {}", covered(self.report), plain(&self.report.reason))
    }

    fn styled(&self, style: Style, text: &str) -> String {
        if self.options.color { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

const TOOLS_SHOWN: usize = 6;
const PLACES_SHOWN: usize = 5;
const BOLD: Style = Style::new().effects(Effects::BOLD);
const DIM: Style = Style::new().effects(Effects::DIMMED);

fn color_of(severity: Severity) -> Style {
    let color = match severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Info => AnsiColor::Cyan,
    };
    color.on_default().effects(Effects::BOLD)
}

/// Where a finding is: the line of a file, and the pointer.
fn place_of(finding: &Finding) -> String {
    let pointer = shorten(&finding.pointer, POINTER_CHARS);
    match &finding.place {
        Some(place) => format!("{place} {pointer}").trim_end().to_owned(),
        None => pointer,
    }
}

/// A sentence without the names in it.
fn frame(what: &str) -> String {
    what.split('`').step_by(2).collect()
}

/// What was looked at, on one line.
pub(super) fn covered(report: &Report) -> String {
    let coverage = &report.coverage;
    let costs = report.costs.as_ref().map(|costs| format!(" ({})", costs.tokenizer.shown(costs.total())));
    let mut parts = vec![
        format!("{} listed{}", counted(coverage.tools_listed, "tool"), costs.unwrap_or_default()),
        format!("{} called", coverage.tools_called.len()),
    ];
    if coverage.rules > 0 {
        parts.push(counted(coverage.rules, "rule"));
    }
    let probes = coverage.probes_run + coverage.not_exercised.len() + coverage.skipped.len();
    if probes > 0 {
        parts.push(format!("{} of {} ran", coverage.probes_run, counted(probes, "probe")));
    }
    parts.extend(cases::counted_by_verdict(&report.cases));
    if coverage.calls_made > 0 {
        parts.push(format!(
            "{} of {} answered",
            coverage.calls_answered,
            counted(coverage.calls_made, "call")
        ));
    }
    if coverage.expectations > 0 {
        let all = counted(coverage.expectations, "expectation");
        parts.push(format!("{} of {all} met", coverage.expectations_met));
    }
    parts.join(", ")
}

fn call_command(source: Option<&CallSource>, tool: &str, arguments: &str) -> String {
    const LONGEST: usize = 4000;
    let unknown = CallSource { before: "SOURCE".to_owned(), after: String::new() };
    let CallSource { before, after } = source.unwrap_or(&unknown);
    if tool.starts_with('-') || tool.contains('\0') {
        return format!(
            "a tool named {tool:?} cannot be named on a command line; --format json has the call"
        );
    }
    let arguments = shell_word(arguments);
    if arguments.len() > LONGEST {
        let (tool, bytes) = (shell_word(tool), arguments.len());
        return format!(
            "frankly call {before} {tool} with {bytes} bytes of arguments; --format json has them"
        );
    }
    ["frankly call", before, &shell_word(tool), &arguments, after]
        .into_iter()
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}
