//! Showing and writing mechanical repairs of definition files.

use std::collections::BTreeMap;

use anyhow::Context;
use frankly_live::config::ReadFile;
use frankly_verdict::Finding;
use frankly_verdict::lint::fix::{Repaired, repairs};
use frankly_verdict::report::{counted, plain};
use similar::TextDiff;

/// What is longer is no line that a person reads in a diff.
const LONGEST_LINE: usize = 1_000;

/// The repairs of one file.
pub struct Mended<'a> {
    read: &'a ReadFile,
    text: String,
    repairs: Vec<Repaired>,
}

impl<'a> Mended<'a> {
    /// What repairs these findings about a file leave of it; `None` where there is nothing to repair.
    pub fn of(read: &'a ReadFile, findings: &[Finding]) -> anyhow::Result<Option<Self>> {
        let definitions = &read.definitions;
        let repairs = repairs(definitions, findings);
        if repairs.is_empty() {
            return Ok(None);
        }
        let file = plain(&definitions.tools.server);
        let text = definitions.mended(&repairs).with_context(|| format!("failed to repair {file}"))?;
        Ok(Some(Self { read, text, repairs }))
    }

    /// What changes, as a unified diff; of a file with lines that nobody can read, repair by repair.
    pub fn diff(&self) -> String {
        let definitions = &self.read.definitions;
        let file = plain(&definitions.tools.server);
        if self.text.lines().any(|line| line.len() > LONGEST_LINE) {
            return self.repairs.iter().map(|repair| self.line(&file, repair)).collect();
        }
        let diff = TextDiff::from_lines(definitions.text.as_str(), self.text.as_str());
        let diff = diff.unified_diff().header(&file, &file).to_string();
        diff.lines().map(|line| plain(line.trim_end_matches('\r')) + "\n").collect()
    }

    fn line(&self, file: &str, Repaired { tool, edit, .. }: &Repaired) -> String {
        let place = format!("{} {}", self.read.definitions.tools.label(*tool), edit.pointer);
        format!("{file}: {}: {} = {}\n", plain(&place), plain(&edit.member), plain(&edit.value.to_string()))
    }

    /// Writes the file.
    pub fn write(&self) -> anyhow::Result<()> {
        let Some(file) = self.read.file.path() else { return Ok(()) };
        let shown = plain(&file.to_string_lossy());
        let old = std::fs::read(file).with_context(|| format!("failed to read {shown}"))?;
        let mark = if self.read.has_mark { "\u{feff}" } else { "" };
        anyhow::ensure!(
            old.strip_prefix(mark.as_bytes()) == Some(self.read.definitions.text.as_bytes()),
            "{shown} has changed meanwhile, and was left as it is; run it again"
        );
        std::fs::write(file, format!("{mark}{}", self.text))
            .with_context(|| format!("failed to write {shown}"))
    }

    /// How much is repaired, rule by rule: `3 repairs (1 bad-schema, 2 open-object)`.
    pub fn summary(mended: &[Self]) -> String {
        let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
        for repair in mended.iter().flat_map(|mended| &mended.repairs) {
            *rules.entry(repair.rule).or_default() += 1;
        }
        let parts: Vec<_> = rules.iter().map(|(rule, number)| format!("{number} {rule}")).collect();
        let (all, files) = (rules.values().sum(), counted(mended.len(), "file"));
        format!("{} in {files} ({})", counted(all, "repair"), parts.join(", "))
    }
}
