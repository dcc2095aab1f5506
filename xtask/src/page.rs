//! Pages of the repository that are generated, whole or in part: written, or found stale.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

/// A page, by its path in the repository, and the task that writes it.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    pub path: &'static str,
    pub task: &'static str,
}

impl Page {
    /// What the page says now; nothing where it is not there.
    pub fn read(&self) -> anyhow::Result<String> {
        match std::fs::read_to_string(repository(self.path)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
            read => read.with_context(|| format!("failed to read {}", self.path)),
        }
    }

    /// Writes the page, or with `check` only looks whether it says this already. Says whether it does now.
    pub fn settle(&self, text: &str, check: bool) -> anyhow::Result<bool> {
        if self.read()? == text {
            println!("{} is fresh", self.path);
            return Ok(true);
        }
        if check {
            println!("{} is stale: run `cargo xtask {}`, and read the diff", self.path, self.task);
            return Ok(false);
        }
        std::fs::write(repository(self.path), text)
            .with_context(|| format!("failed to write {}", self.path))?;
        println!("{} is written", self.path);
        Ok(true)
    }

    /// The text of this page with another part of that name: what stands between `<!-- begin NAME … -->` and
    /// `<!-- end NAME -->`, which stay.
    pub fn with_part(&self, text: &str, name: &str, part: &str) -> anyhow::Result<String> {
        let begin = format!("<!-- begin {name}: written by `cargo xtask {}` -->\n", self.task);
        let end = format!("<!-- end {name} -->\n");
        for marker in [&begin, &end] {
            let times = text.matches(marker.as_str()).count();
            ensure!(times == 1, "{} has {times} lines {}, not one", self.path, marker.trim_end());
        }
        let (before, rest) = text.split_once(&begin).unwrap_or_default();
        let (_, after) = rest
            .split_once(&end)
            .with_context(|| format!("{} ends the part {name} before it begins", self.path))?;
        Ok(format!("{before}{begin}{part}\n{end}{after}"))
    }
}

/// A file of this repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_replaced_and_the_rest_stays() {
        let page = Page { path: "docs/x.md", task: "docs" };
        let text = |part: &str| {
            format!("a\n<!-- begin t: written by `cargo xtask docs` -->\n{part}\n<!-- end t -->\nb\n")
        };
        let written = page.with_part(&text("old\nlines"), "t", "new").unwrap();
        assert_eq!(written, text("new"));
        assert_eq!(page.with_part(&written, "t", "new").unwrap(), written, "twice is once");
        for wrong in ["", "<!-- end t -->\n", &text("").repeat(2)] {
            assert!(page.with_part(wrong, "t", "new").is_err(), "{wrong}");
        }
        let turned = "<!-- end t -->\n<!-- begin t: written by `cargo xtask docs` -->\n";
        assert!(page.with_part(turned, "t", "new").unwrap_err().to_string().contains("before it begins"));
    }
}
