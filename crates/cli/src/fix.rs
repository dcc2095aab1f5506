//! Showing and writing mechanical repairs of definition files.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use frankly_live::config::ReadFile;
use frankly_verdict::Finding;
use frankly_verdict::lint::fix::{Repaired, repairs};
use frankly_verdict::report::{counted, plain};

use crate::diff::{self, Reader, Shown};

/// The byte order mark, which is not part of the text.
const MARK: &str = "\u{feff}";
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

    /// What changes, as a unified diff; for people repair by repair, where a file has lines that nobody can read.
    pub fn diff(&self, reader: Reader) -> Shown {
        let (old, new) = (&self.read.definitions.text, &self.text);
        if reader == Reader::Person && new.lines().any(|line| line.len() > LONGEST_LINE) {
            let text = self.repairs.iter().map(|repair| self.line(repair)).collect();
            return Shown { text, can_be_applied: false };
        }
        let file = self.read.file.path().unwrap_or(Path::new(self.name()));
        match self.read.has_mark {
            true => diff::unified(file, &format!("{MARK}{old}"), &format!("{MARK}{new}"), reader),
            false => diff::unified(file, old, new, reader),
        }
    }

    /// How the file is called.
    pub fn name(&self) -> &str {
        &self.read.definitions.tools.server
    }

    fn line(&self, Repaired { tool, edit, .. }: &Repaired) -> String {
        let file = plain(self.name());
        let place = format!("{} {}", self.read.definitions.tools.label(*tool), edit.pointer);
        format!("{file}: {}: {} = {}\n", plain(&place), plain(&edit.member), plain(&edit.value.to_string()))
    }

    /// Writes the file.
    pub fn write(&self) -> anyhow::Result<()> {
        let Some(file) = self.read.file.path() else { return Ok(()) };
        let shown = plain(&file.to_string_lossy());
        let old = std::fs::read(file).with_context(|| format!("failed to read {shown}"))?;
        let mark = if self.read.has_mark { MARK } else { "" };
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

#[cfg(test)]
mod tests {
    use super::*;
    use frankly_live::config::DefinitionFile;
    use frankly_verdict::lint::{Audience, lint_all};

    #[test]
    fn a_line_that_nobody_can_read_is_shown_repair_by_repair() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.json");
        let text = format!(
            r#"[{{"name": "t", "description": "{}", "inputSchema": {{"type": "object", "properties": {{"a": {{}}}}}}}}]"#,
            "Reads it. ".repeat(200)
        );
        std::fs::write(&path, &text).unwrap();
        let read = DefinitionFile::all_of(&path).unwrap().remove(0).read().unwrap();
        let mut findings = lint_all(std::slice::from_ref(&read.definitions.tools), &Audience::default());
        findings.retain(|finding| finding.rule == "open-object");
        let mended = Mended::of(&read, &findings).unwrap().unwrap();
        assert_eq!(
            mended.diff(Reader::Person).text,
            format!("{}: t /inputSchema: additionalProperties = false\n", path.display())
        );
        let whole = mended.diff(Reader::Program);
        assert!(whole.text.starts_with("--- ") && whole.can_be_applied);
    }
}
