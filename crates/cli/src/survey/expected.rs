//! Expectations within a survey: what the calls of recordings must show.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use frankly_live::recording;
use frankly_verdict::expect::ExpectationFile;
use frankly_verdict::report::plain;

use super::Survey;
use crate::spare::INPUT;

/// Reads files of expectations.
pub fn read(paths: &[PathBuf]) -> anyhow::Result<Vec<ExpectationFile>> {
    let read = |path: &PathBuf| {
        let name = path.to_string_lossy();
        let text =
            std::fs::read_to_string(path).with_context(|| format!("failed to read {}", plain(&name)))?;
        Ok(ExpectationFile::parse(&name, &text)?)
    };
    paths.iter().map(read).collect()
}

impl Survey<'_> {
    /// Holds every recording against these files, each by itself. Calls far apart belong to one run, so a recording is read once
    /// more and held as a whole.
    pub async fn add_expectations(
        &mut self,
        recordings: &[PathBuf],
        files: &[ExpectationFile],
    ) -> anyhow::Result<()> {
        if files.is_empty() {
            return Ok(());
        }
        if recordings.iter().any(|path| path == Path::new(INPUT[0])) {
            bail!("what comes on standard input is read once, and --expect reads it twice; name a file");
        }
        for path in recordings {
            let path = path.clone();
            // On a thread of its own: it may be large, and a signal must be heard meanwhile.
            let transcript = tokio::task::spawn_blocking(move || recording::read(&path)).await.context(
                "frankly itself failed on this recording; please report it with the message above",
            )??;
            for file in files {
                if let Some(tools) = &transcript.tools {
                    file.look_up(tools)?;
                }
                let findings = file.findings(&transcript);
                self.report.coverage.expectations += file.len();
                self.report.coverage.expectations_met += file.len() - findings.len();
                self.report.findings.extend(findings);
            }
        }
        Ok(())
    }
}
