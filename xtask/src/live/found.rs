//! Findings of a report, as a person judges them.

use serde_json::Value;

use super::places::Places;
use crate::binary;

/// A finding, with the folders of this machine taken out of its texts; the order is the page's.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// Empty where it is about the server as a whole.
    pub tool: String,
    pub check: String,
    pub mutation: String,
    pub pointer: String,
    pub severity: String,
    pub what: String,
    pub evidence: String,
    /// The calls that show it, each as the name of a tool and its arguments.
    pub replay: Vec<(String, String)>,
}

/// The findings of a report, in the order of the page.
pub fn all(report: &Value, places: &Places) -> Vec<Found> {
    let mut found: Vec<_> =
        binary::findings(report).iter().map(|finding| Found::of(finding, places)).collect();
    found.sort();
    found
}

impl Found {
    fn of(finding: &Value, places: &Places) -> Self {
        let text = |key: &str| places.taken_out(finding[key].as_str().unwrap_or_default());
        let calls = finding["replay"].as_array().into_iter().flatten();
        let call = |call: &Value| {
            (call["name"].as_str().unwrap_or_default().to_owned(), call["arguments"].to_string())
        };
        Self {
            tool: text("tool"),
            check: text("rule"),
            mutation: text("mutation"),
            pointer: text("pointer"),
            severity: text("severity"),
            what: text("what"),
            evidence: text("evidence"),
            replay: calls.map(call).collect(),
        }
    }

    /// What a judgement of it goes by: no values, and no place that moves with them.
    pub fn key(&self, server: &str) -> String {
        [server, &self.tool, &self.check, &self.mutation].join("|")
    }

    pub fn is_error(&self) -> bool {
        self.severity == "error"
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::*;

    #[test]
    fn a_finding_is_told_without_folders_and_replayed_with_them() {
        let report = json!({"findings": [{
            "rule": "lost-text", "severity": "error", "server": "a", "tool": "read", "pointer": "/result",
            "mutation": "path", "what": "`/t/a/state/x` is /t/a/install/y", "evidence": "/t/a/home/.z",
            "replay": [{"name": "read", "arguments": {"path": "/t/a/state/x"}}]
        }]});
        let found = all(&report, &Places::of(Path::new("/t"), "a")).remove(0);
        assert_eq!(found.what, "`{STATE}/x` is {DIR}/y");
        assert_eq!(found.evidence, "{HOME}/.z");
        assert_eq!(found.replay, [("read".to_owned(), r#"{"path":"/t/a/state/x"}"#.to_owned())]);
        assert_eq!(found.key("a"), "a|read|lost-text|path");
    }
}
