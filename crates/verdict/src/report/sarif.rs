//! The report as SARIF 2.1.0, which code scanning reads.
//!
//! A finding stands in the file of definitions or of cases that it is about, with its line; one about a live server stands at
//! the server and its tool by name, since there is no file to point at.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::about::{about, paragraph, subject};
use super::plain::plain_json;
use super::{Format, Options, Report, plain};
use crate::{Certainty, Finding, Place, Severity};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// See [`Format`].
pub(super) struct Sarif;

impl Format for Sarif {
    fn name(&self) -> &'static str {
        "sarif"
    }

    fn write(&self, report: &Report, _options: &Options) -> String {
        let names: BTreeSet<&str> = report.findings.iter().map(|finding| finding.rule).collect();
        let names: Vec<&str> = names.into_iter().collect();
        let document = json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": {"driver": {
                    "name": "frankly",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": names.iter().map(|name| rule(name)).collect::<Vec<_>>(),
                }},
                "columnKind": "unicodeCodePoints",
                "invocations": [{
                    "executionSuccessful": report.exit <= 1,
                    "exitCode": report.exit,
                    "exitCodeDescription": report.reason,
                }],
                "results": report.findings.iter().map(|finding| result(finding, &names)).collect::<Vec<_>>(),
            }],
        });
        // The document is made of texts, numbers and JSON values, none of which can fail to be written.
        plain_json(&serde_json::to_string_pretty(&document).unwrap_or_default()) + "\n"
    }
}

fn rule(name: &str) -> Value {
    let mut rule = Map::from_iter([("id".to_owned(), json!(name))]);
    if let Some(doc) = about(name) {
        rule.insert("shortDescription".to_owned(), json!({"text": sentence(doc.what)}));
        rule.insert("fullDescription".to_owned(), json!({"text": doc.why}));
        let help =
            format!("{} {} frankly explain {name} shows bad and good examples.", sentence(doc.what), doc.why);
        rule.insert("help".to_owned(), json!({"text": help}));
    }
    Value::Object(rule)
}

/// A clause with a capital and a full stop.
fn sentence(clause: &str) -> String {
    let mut letters = clause.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}

fn result(finding: &Finding, names: &[&str]) -> Value {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    };
    let certainty = match finding.certainty {
        Certainty::Proven => "",
        Certainty::Suspected => " (suspected)",
    };
    json!({
        "ruleId": finding.rule,
        "ruleIndex": names.iter().position(|name| *name == finding.rule),
        "level": level,
        "message": {"text": format!("{}{certainty}: {}", plain(&subject(finding)), paragraph(finding))},
        "locations": [location(finding)],
        "partialFingerprints": {"frankly/v1": finding.fingerprint()},
        "properties": {
            "certainty": finding.certainty.as_str(),
            "mutation": finding.mutation,
            "evidence": finding.evidence,
        },
    })
}

fn location(finding: &Finding) -> Value {
    let mut location = Map::from_iter([("logicalLocations".to_owned(), json!([logical(finding)]))]);
    if let Some(place) = &finding.place {
        location.insert("physicalLocation".to_owned(), physical(place));
    }
    Value::Object(location)
}

fn logical(finding: &Finding) -> Value {
    let path = [&finding.server, &finding.tool].into_iter().filter(|name| !name.is_empty());
    let path = path.map(String::as_str).collect::<Vec<_>>().join("/");
    let name = if finding.tool.is_empty() { &finding.server } else { &finding.tool };
    json!({
        "name": name,
        "fullyQualifiedName": format!("{path}{}", finding.pointer),
        "kind": if finding.tool.is_empty() { "module" } else { "function" },
    })
}

fn physical(place: &Place) -> Value {
    json!({
        "artifactLocation": {"uri": uri(&place.file)},
        "region": {"startLine": place.line, "startColumn": place.column},
    })
}

/// A path as a reference, relative where the path is.
fn uri(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    let encode = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
            char::from(byte).to_string()
        }
        other => format!("%{other:02X}"),
    };
    let encoded: String = path.bytes().map(encode).collect();
    if path.starts_with('/') { format!("file://{encoded}") } else { encoded }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Doc;

    #[test]
    fn a_finding_stands_in_its_file_or_at_its_tool_and_never_elsewhere() {
        let doc = Doc { name: "bad-schema", what: "", why: "", severity: "", examples: &[] };
        let finding = Finding::proven(&doc, Severity::Error, "ledger", "get", "/inputSchema");
        let at = location(&finding);
        assert_eq!(at["logicalLocations"][0]["fullyQualifiedName"], "ledger/get/inputSchema");
        assert_eq!(at.get("physicalLocation"), None);
        let place = Some(Place { file: "./my tools.json".to_owned(), line: 3, column: 7 });
        let at = location(&Finding { place, ..finding });
        assert_eq!(at["physicalLocation"]["artifactLocation"]["uri"], "my%20tools.json");
        assert_eq!(at["physicalLocation"]["region"], json!({"startLine": 3, "startColumn": 7}));
    }

    #[test]
    fn every_rule_says_what_it_is() {
        let described = rule("silent-truncation");
        assert!(
            described["help"]["text"]
                .as_str()
                .is_some_and(|text| text.contains("frankly explain silent-truncation"))
        );
    }
}
