//! The report as annotations of a GitHub workflow: one line each, which the runner shows beside the code.

use super::about::{paragraph, subject};
use super::{Format, Options, Report, plain};
use crate::{Finding, Severity};

/// See [`Format`].
pub(super) struct Github;

impl Format for Github {
    fn name(&self) -> &'static str {
        "github"
    }

    fn write(&self, report: &Report, options: &Options) -> String {
        let shown = |finding: &&Finding| options.verbose || finding.severity > Severity::Info;
        let mut lines: String = report.findings.iter().filter(shown).map(annotation).collect();
        let level = if report.exit == 0 { "notice" } else { "error" };
        lines.push_str(&format!(
            "::{level} title={}::{}\n",
            property(&format!("frankly: {}", plain(&report.source))),
            data(&report.reason)
        ));
        lines
    }
}

fn annotation(finding: &Finding) -> String {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let place = finding
        .place
        .as_ref()
        .map(|place| format!("file={},line={},col={},", property(&place.file), place.line, place.column));
    let title = format!("{}: {}", finding.rule, plain(&subject(finding)));
    let text = match finding.pointer.as_str() {
        "" => paragraph(finding),
        pointer => format!("{} At: {pointer}", paragraph(finding)),
    };
    format!("::{level} {}title={}::{}\n", place.unwrap_or_default(), property(&title), data(&text))
}

/// A message, so that none of it is taken for another command.
fn data(text: &str) -> String {
    plain(text).replace('%', "%25")
}

/// The value of a property, where commas and colons part them.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Doc;

    #[test]
    fn nothing_in_a_finding_is_taken_for_another_command() {
        let doc = Doc { name: "a", what: "", why: "", severity: "", examples: &[] };
        let finding = Finding::proven(&doc, Severity::Error, "s", "t\n::stop-commands::x", "")
            .saying("50% \n::error::no", "b", "c");
        let lines =
            Github.render(&Report { findings: vec![finding], ..Report::default() }, &Options::default());
        assert_eq!(lines.lines().count(), 2, "{lines}");
        assert!(
            lines.starts_with("::error title=a%3A s · t\\n%3A%3Astop-commands%3A%3Ax::50%25 \\n::error::no"),
            "{lines}"
        );
    }
}
