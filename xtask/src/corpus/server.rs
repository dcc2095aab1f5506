//! One published server: which one it is, and what frankly finds in its definitions.

use std::path::Path;
use std::process::Command;

use anyhow::Context;
use serde_json::Value;

use crate::binary;

/// A server, by its package.
#[derive(Debug)]
pub struct Server {
    pub package: String,
    pub version: String,
    /// What kind of package it is, such as `npm`.
    pub registry: String,
    /// How many tools it lists.
    pub tools: u64,
    pub findings: Vec<Found>,
}

/// A finding, as far as the page goes; the order is the page's.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// Empty where it is about the server as a whole.
    pub tool: String,
    pub pointer: String,
    pub rule: String,
    pub severity: String,
    pub what: String,
}

impl Server {
    /// Looks at one file, by itself.
    pub fn lint(frankly: &Path, file: &Path) -> anyhow::Result<Self> {
        let failed = || format!("failed on {}", file.display());
        let text = std::fs::read_to_string(file).with_context(failed)?;
        let document: Value = serde_json::from_str(&text).with_context(failed)?;
        let (folder, name) = file.parent().zip(file.file_name()).with_context(failed)?;
        // From its folder, so that no path finds its way into a message.
        let mut command = Command::new(frankly);
        command.arg("lint").arg(name).current_dir(folder);
        let report = binary::report(&mut command).with_context(failed)?;
        Ok(Self::of(&name.to_string_lossy(), &document, &report))
    }

    fn of(name: &str, document: &Value, report: &Value) -> Self {
        let said = |key: &str| document[key].as_str().unwrap_or_default().to_owned();
        let package = Some(said("package")).filter(|package| !package.is_empty());
        let mut findings: Vec<_> = binary::findings(report).iter().map(Found::of).collect();
        findings.sort();
        Self {
            package: package.unwrap_or_else(|| name.trim_end_matches(".json").to_owned()),
            version: said("version"),
            registry: said("registry"),
            tools: report["coverage"]["tools"]["listed"].as_u64().unwrap_or_default(),
            findings,
        }
    }
}

impl Found {
    fn of(finding: &Value) -> Self {
        let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
        Self {
            tool: text("tool"),
            pointer: text("pointer"),
            rule: text("rule"),
            severity: text("severity"),
            what: text("what"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_crash_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.json");
        std::fs::write(&file, "[]").unwrap();
        let crashing = folder.path().join("crashing");
        std::fs::write(&crashing, "#!/bin/sh\nkill -ABRT $$\n").unwrap();
        std::fs::set_permissions(&crashing, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let error = format!("{:#}", Server::lint(&crashing, &file).unwrap_err());
        assert!(error.contains("x.json") && error.contains("signal: 6"), "{error}");
    }

    #[test]
    fn a_server_is_called_by_its_package_or_else_by_its_file() {
        let report = json!({
            "coverage": {"tools": {"listed": 2}},
            "findings": [
                {"rule": "r", "severity": "info", "tool": "b", "pointer": "", "what": "w"},
                {"rule": "r", "severity": "error", "tool": "a", "pointer": "/name", "what": "w"},
            ],
        });
        let server = Server::of("x.json", &json!({"package": "@a/x", "version": "1.0.0"}), &report);
        assert_eq!((server.package.as_str(), server.version.as_str(), server.tools), ("@a/x", "1.0.0", 2));
        assert_eq!(server.findings.iter().map(|found| found.tool.as_str()).collect::<String>(), "ab");
        assert_eq!(Server::of("x.json", &json!([]), &report).package, "x");
    }
}
