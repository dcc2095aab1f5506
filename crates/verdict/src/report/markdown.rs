//! The report as Markdown, for the summary of a job: what was covered, what was found, which cases failed.

use std::fmt::{self, Write};

use super::about::subject;
use super::human::covered;
use super::{Format, Options, Report, cases, counted, plain, shorten};
use crate::{Certainty, Finding, Severity};

/// So many findings are written out; GitHub refuses a summary of more than a megabyte.
const MOST_SHOWN: usize = 200;
const CELL_CHARS: usize = 600;

/// See [`Format`].
pub(super) struct Markdown;

impl Format for Markdown {
    fn name(&self) -> &'static str {
        "markdown"
    }

    fn write(&self, report: &Report, options: &Options) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = write(&mut text, report, options);
        text
    }
}

fn write(text: &mut String, report: &Report, options: &Options) -> fmt::Result {
    let sign = if report.exit == 0 { "✅" } else { "❌" };
    writeln!(text, "## {sign} frankly: {}\n", escaped(&report.source))?;
    writeln!(text, "{}\n\n{}\n", escaped(&report.reason), escaped(&covered(report)))?;
    if let Some(stretched) = report.coverage.stretched.told() {
        writeln!(text, "{}\n", escaped(&stretched))?;
    }
    let shown = |finding: &&Finding| options.verbose || finding.severity > Severity::Info;
    let mut findings: Vec<&Finding> = report.findings.iter().filter(shown).collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    if !findings.is_empty() {
        writeln!(text, "| | where | what | reads as | next |\n| --- | --- | --- | --- | --- |")?;
        findings.iter().take(MOST_SHOWN).try_for_each(|finding| writeln!(text, "{}", row(finding)))?;
        let more = findings.len().saturating_sub(MOST_SHOWN);
        if more > 0 {
            writeln!(text, "\n… and {} more; the report as JSON has them all", counted(more, "finding"))?;
        }
        writeln!(text)?;
    }
    let known: Vec<String> = report.cases.iter().filter_map(cases::known_failing).collect();
    known.iter().try_for_each(|line| writeln!(text, "- {}", escaped(line)))?;
    let infos = report.count(Severity::Info);
    if infos > 0 && !options.verbose {
        writeln!(text, "{} of severity info not shown", counted(infos, "finding"))?;
    }
    Ok(())
}

fn row(finding: &Finding) -> String {
    let certainty = match finding.certainty {
        Certainty::Proven => "",
        Certainty::Suspected => " (suspected)",
    };
    let place =
        finding.place.as_ref().map(|place| format!("<br>{}", cell(&place.to_string()))).unwrap_or_default();
    format!(
        "| {} **{}**{certainty} | {}{place} | {} | {} | {} |",
        finding.severity.as_str(),
        finding.rule,
        cell(&subject(finding)),
        cell(&finding.what),
        cell(&finding.reads_as),
        cell(&finding.next)
    )
}

fn cell(text: &str) -> String {
    escaped(&shorten(text, CELL_CHARS))
}

/// A text that Markdown shows as it is. Back-ticks stay where they come in pairs: they set names apart.
fn escaped(text: &str) -> String {
    let is_paired = text.matches('`').count().is_multiple_of(2);
    let mut escaped = String::with_capacity(text.len());
    let mut in_code = false;
    for c in plain(text).chars() {
        match c {
            '`' if is_paired => {
                in_code = !in_code;
                escaped.push(c);
            }
            '|' => escaped.push_str("\\|"),
            // Whoever shows it may not read HTML that a server sent, in code or beside it.
            '<' if !in_code => escaped.push_str("&lt;"),
            '&' if !in_code => escaped.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '!' | '~' | '@' if !in_code => {
                escaped.push('\\');
                escaped.push(c);
            }
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_server_says_is_markdown() {
        assert_eq!(escaped("a | b\n<img src=x> ![x](y)"), "a \\| b\\\\n&lt;img src=x> \\!\\[x\\](y)");
        assert_eq!(escaped("`a_b` and c_d"), "`a_b` and c\\_d");
        assert_eq!(escaped("`a` `b"), "\\`a\\` \\`b");
    }
}
