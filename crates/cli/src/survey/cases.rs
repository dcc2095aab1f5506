//! Contract cases within a survey: what came of them, and what is written back.

use std::collections::BTreeSet;

use anyhow::bail;
use frankly_live::case::{self, TestError, Tested};
use frankly_live::config::Server;
use frankly_verdict::Finding;
use frankly_verdict::case::{Case, Outcome, Verdict};
use frankly_verdict::report::plain;

use super::Survey;
use crate::cases::{Sheet, Sheets};
use crate::output;
use crate::server::{call_source, command, never_came_up};

impl Survey<'_> {
    /// Runs the cases of files that share a server; where they are to be `updated`, what their answers show is written into
    /// those that expect nothing yet.
    pub async fn add_cases(
        &mut self,
        name: Option<&str>,
        server: &Server,
        sheets: &[&Sheet],
        wanted: &(dyn Fn(&Case) -> bool + Sync),
        update: bool,
    ) -> anyhow::Result<()> {
        self.reach.sources += 1;
        output::progress(&format!("running cases on {} …", name.unwrap_or(&command(server))));
        let files: Vec<_> = sheets.iter().map(|sheet| &sheet.file).collect();
        let mut tested = match case::test(name, server, &files, wanted).await {
            Ok(tested) => tested,
            Err(error) if error.is_misconfigured() => {
                self.misconfigured(error.to_string(), &[]);
                return Ok(());
            }
            Err(error @ TestError::Internal) => bail!(error),
            Err(error) => {
                let name = name.map_or_else(|| command(server), str::to_owned);
                self.report.findings.push(never_came_up(&name, server, &error.to_string()));
                return Ok(());
            }
        };
        self.reach.came_up += 1;
        if update {
            write_cases(sheets, &mut tested)?;
        }
        let source = call_source(name, server, &self.looked_up_in);
        if self.report.sources.insert(tested.server.clone(), source).is_some() {
            // Its tools are counted, and what is found twice is told once.
            tested.coverage.tools_listed = 0;
            let known: BTreeSet<String> = self.report.findings.iter().map(Finding::fingerprint).collect();
            tested.findings.retain(|finding| !known.contains(&finding.fingerprint()));
        }
        self.report.coverage.absorb(tested.coverage);
        self.report.findings.extend(tested.outcomes.iter().filter_map(Outcome::finding));
        self.report.cases.extend(tested.outcomes);
        self.keep(tested.findings);
        Ok(())
    }

    /// Says that nothing was checked where a file has no case, or none has a name that holds what was asked for.
    pub fn expect_cases(&mut self, sheets: &Sheets, filter: Option<&str>) {
        let empty = sheets.iter().find(|sheet| sheet.file.cases.is_empty());
        self.no_case = match (empty, filter) {
            (Some(sheet), _) => Some(format!("{} has no case, so nothing was checked", sheet.file.path)),
            (None, Some(filter)) if self.report.cases.is_empty() => {
                Some(format!("no case has a name with {filter:?} in it, so nothing was checked"))
            }
            _ => None,
        };
    }
}

/// Writes what was seen into the files, and says what was not fit to be written.
fn write_cases(sheets: &[&Sheet], tested: &mut Tested) -> anyhow::Result<()> {
    for (file, seen) in &tested.seen {
        let sheet = sheets.iter().find(|sheet| sheet.file.path == *file);
        sheet.map_or(Ok(()), |sheet| sheet.write(seen))?;
        let written = tested
            .outcomes
            .iter_mut()
            .filter(|outcome| outcome.file == *file && seen.contains_key(&outcome.case));
        written.for_each(|outcome| outcome.verdict = Verdict::Passed);
    }
    for flagged in &tested.flagged {
        let (file, case, rule) = (plain(&flagged.file), &flagged.case, flagged.rule);
        output::note(&format!("{file}: {case:?} is left as it is: {rule} speaks against what came back"));
    }
    Ok(())
}
