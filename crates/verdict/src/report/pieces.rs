//! A report that is told piece by piece, in the form for people: each finding when it is known, and the counts in the end. What
//! may not enter: what a whole report says of itself before its findings.

use std::collections::BTreeMap;

use anstyle::{Effects, Style};

use super::human::{Human, covered};
use super::{CallSource, Coverage, Format, Options, Report, counted, plain};
use crate::{Finding, Severity};

/// What was told so far of a report that goes on.
///
/// ```
/// use frankly_verdict::check::CHECKS;
/// use frankly_verdict::report::{Coverage, Pieces};
/// use frankly_verdict::{Finding, Severity};
///
/// let mut pieces = Pieces::new(Default::default(), false);
/// let finding = Finding::proven(CHECKS[0].doc(), Severity::Error, "shop", "list", "/result");
/// assert!(pieces.finding(&finding).is_some_and(|text| text.starts_with("error[ambiguous-empty] shop · list\n")));
/// let last = pieces.closing(&Coverage::default(), "the session is over");
/// assert!(last.starts_with("1 error, 0 warnings, 0 info · "));
/// ```
#[derive(Debug)]
pub struct Pieces {
    sources: BTreeMap<String, CallSource>,
    options: Options,
    counts: BTreeMap<Severity, usize>,
    /// How many findings were let pass, as the user's configuration says.
    pub allowed: usize,
}

impl Pieces {
    /// Nothing yet, of servers that are written so on a command line.
    #[must_use]
    pub fn new(sources: BTreeMap<String, CallSource>, color: bool) -> Self {
        let options = Options { color, quiet: true, ..Options::default() };
        Self { sources, options, counts: BTreeMap::new(), allowed: 0 }
    }

    /// Counts a finding, and says it as the report for people does; `None` for information, which is only counted.
    pub fn finding(&mut self, finding: &Finding) -> Option<String> {
        *self.counts.entry(finding.severity).or_default() += 1;
        let report =
            Report { findings: vec![finding.clone()], sources: self.sources.clone(), ..Report::default() };
        let text = Human.render(&report, &self.options);
        // Behind the finding stands the line with the counts.
        let end = text.trim_end().rfind('\n').map_or(0, |at| at + 1);
        (end > 0).then(|| text[..end].to_owned())
    }

    /// Counts a finding no longer.
    pub fn without(&mut self, finding: &Finding) {
        self.counts.entry(finding.severity).and_modify(|count| *count = count.saturating_sub(1));
    }

    /// How many findings weigh this much.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.counts.get(&severity).copied().unwrap_or_default()
    }

    /// The last line, as a report for people has it: how much was found, in how much, and why it ends so.
    #[must_use]
    pub fn closing(&self, coverage: &Coverage, reason: &str) -> String {
        let count = |severity, noun| counted(self.count(severity), noun);
        let allowed = if self.allowed > 0 { format!(", {} allowed", self.allowed) } else { String::new() };
        let found = format!(
            "{}, {}, {} info{allowed}",
            count(Severity::Error, "error"),
            count(Severity::Warning, "warning"),
            self.count(Severity::Info)
        );
        let report = Report { coverage: coverage.clone(), ..Report::default() };
        let bold = Style::new().effects(Effects::BOLD);
        let found = if self.options.color { format!("{bold}{found}{bold:#}") } else { found };
        format!("{found} · {} · {}\n", covered(&report), plain(reason))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{CHECKS, check_all};
    use crate::transcript::read_recording;

    #[test]
    fn the_pieces_make_the_report() {
        for example in CHECKS.iter().flat_map(|check| check.doc().examples) {
            let session = read_recording("shop", example.input).unwrap();
            let (findings, coverage) = (check_all(&session), Coverage::of_calls(&session));
            let reason = "it is over".to_owned();
            let report = Report { findings, coverage, reason, allowed: 2, ..Report::default() };
            for color in [false, true] {
                let mut pieces = Pieces { allowed: 2, ..Pieces::new(BTreeMap::new(), color) };
                let mut told: Vec<String> =
                    report.findings.iter().filter_map(|finding| pieces.finding(finding)).collect();
                told.push(pieces.closing(&report.coverage, &report.reason));
                let whole = Human.render(&report, &Options { color, quiet: true, verbose: false });
                let whole = whole.replace(" (-v lists it)", "");
                assert_eq!(told.concat().len(), whole.len(), "{whole}");
                assert!(told.iter().all(|piece| whole.contains(piece.as_str())), "{whole}");
            }
        }
    }

    #[test]
    fn what_is_taken_back_is_not_counted() {
        let mut pieces = Pieces::new(BTreeMap::new(), false);
        let finding = Finding::proven(CHECKS[0].doc(), Severity::Info, "shop", "list", "/result");
        assert_eq!(pieces.finding(&finding), None);
        assert_eq!(pieces.count(Severity::Info), 1);
        pieces.without(&finding);
        pieces.without(&finding);
        assert!(pieces.closing(&Coverage::default(), "").starts_with("0 errors, 0 warnings, 0 info · "));
    }
}
