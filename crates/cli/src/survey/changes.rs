//! Tool sets within a survey: what changed from one to another, and what is kept for a later comparison.

use std::path::Path;

use anyhow::{Context, bail};
use frankly_verdict::diff::diff;
use frankly_verdict::outage;
use frankly_verdict::report::plain;

use super::Survey;
use crate::output;

impl Survey<'_> {
    /// Tells what changed from the first source to the second.
    pub async fn compare(&mut self) -> anyhow::Result<()> {
        if self.is_misconfigured() || self.reach.came_up < self.reach.sources {
            return Ok(());
        }
        let [old, new] = self.sets.as_slice() else {
            bail!("a comparison takes two sources with one tool set each; name the old one and the new one");
        };
        let (old, new) = (old.clone(), new.clone());
        // On a thread of its own: definitions can be large, and a signal must be heard meanwhile.
        let found = tokio::task::spawn_blocking(move || diff(&old, &new)).await;
        let mut found = found
            .context("frankly itself failed on these definitions; please report it with the message above")?;
        self.files.iter().for_each(|file| file.definitions.place(&mut found));
        self.compared = true;
        // What else there is to say of the servers is for other commands.
        self.report.findings.retain(outage::is_one);
        self.keep(found);
        Ok(())
    }

    /// Writes the one tool set that was looked at to a file, so that it can be compared with later ones.
    pub fn save(&self, path: &Path) -> anyhow::Result<()> {
        let [set] = self.sets.as_slice() else {
            bail!("--save keeps the tools of one source; name one");
        };
        let name = plain(&path.to_string_lossy());
        std::fs::write(path, set.to_document()).with_context(|| format!("failed to write {name}"))?;
        output::note(&format!(
            "{name}: wrote the definitions; frankly diff {name} NEW tells what changed since"
        ));
        Ok(())
    }
}
