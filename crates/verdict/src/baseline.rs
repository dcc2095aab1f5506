//! What is known already: findings by their fingerprints, which a later run hides, so that only what is new fails it.
//!
//! What may not enter: values. A baseline is written once and read for months.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::policy::{Seen, was_exercised};
use crate::{Doc, Finding, Severity, outage};

const VERSION: u32 = 1;

static STALE_BASELINE: Doc = Doc {
    name: "stale-baseline",
    what: "an entry of a baseline whose fault was looked for and is gone",
    why: "It hides nothing now, and will hide the fault when it comes back.",
    severity: "warning",
    examples: &[],
};

/// What can be found about a baseline.
pub static ABOUT_BASELINES: &[&Doc] = &[&STALE_BASELINE];

/// Findings that are known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    entries: BTreeMap<String, Known>,
}

/// What is known of a finding, beside its fingerprint: enough to tell whether a run looked for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    fingerprint: String,
    rule: String,
    server: String,
    tool: String,
    /// The contract case that it is about, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    case: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Document {
    frankly: String,
    version: u32,
    findings: Vec<Known>,
}

/// Why a text is no baseline.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotABaseline {
    /// It is no such document.
    #[error("no baseline: {0}; write one with --write-baseline")]
    Shape(String),
    /// It is of a later version.
    #[error("a baseline of version {0}, and this frankly reads up to {VERSION}: update frankly")]
    Version(u32),
}

impl Baseline {
    /// Everything that was found.
    ///
    /// ```
    /// use frankly_verdict::baseline::Baseline;
    /// use frankly_verdict::{ToolSet, lint, policy::Seen};
    ///
    /// let tools = serde_json::json!([{"name": "sync", "inputSchema": {"type": "object"}}]);
    /// let findings = lint::lint_all(&[ToolSet::from_document("s", tools).unwrap()], &lint::Audience::default());
    /// let text = Baseline::of(&findings).to_string();
    /// let (new, known) = Baseline::parse(&text)?.part(findings, &Seen::default(), "baseline.json");
    /// assert!(new.is_empty() && known > 0);
    /// # Ok::<(), frankly_verdict::baseline::NotABaseline>(())
    /// ```
    #[must_use]
    pub fn of(findings: &[Finding]) -> Self {
        let known = |finding: &Finding| Known {
            fingerprint: finding.fingerprint(),
            rule: finding.rule.to_owned(),
            server: finding.server.clone(),
            tool: finding.tool.clone(),
            case: finding.is_about_a_case().then(|| case_of(&finding.mutation)),
        };
        // That a server failed is always told.
        let is_lasting = |finding: &&Finding| {
            !ABOUT_BASELINES.iter().any(|doc| doc.name == finding.rule) && !outage::is_one(finding)
        };
        let entries = findings.iter().filter(is_lasting).map(known);
        Self { entries: entries.map(|known| (known.fingerprint.clone(), known)).collect() }
    }

    /// Reads a baseline as it is written.
    ///
    /// # Errors
    ///
    /// [`NotABaseline`] for another document, and for one of a later version.
    pub fn parse(text: &str) -> Result<Self, NotABaseline> {
        let document: Document =
            serde_json::from_str(text).map_err(|error| NotABaseline::Shape(error.to_string()))?;
        if document.frankly != "baseline" {
            let what = format!("it says \"frankly\": {:?}", document.frankly);
            return Err(NotABaseline::Shape(what));
        }
        if document.version > VERSION {
            return Err(NotABaseline::Version(document.version));
        }
        let entries = document.findings.into_iter();
        Ok(Self { entries: entries.map(|known| (known.fingerprint.clone(), known)).collect() })
    }

    /// How many findings are known.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What of the findings is new, with one for each entry that was looked for and not found, and how many are known;
    /// `file` is how the baseline is called.
    #[must_use]
    pub fn part(&self, findings: Vec<Finding>, seen: &Seen, file: &str) -> (Vec<Finding>, usize) {
        let mut found = std::collections::BTreeSet::new();
        let (known, mut new): (Vec<_>, Vec<_>) = findings.into_iter().partition(|finding| {
            let fingerprint = finding.fingerprint();
            let is_known = self.entries.contains_key(&fingerprint);
            found.insert(fingerprint);
            is_known
        });
        let stale = self
            .entries
            .values()
            .filter(|known| !found.contains(&known.fingerprint) && known.was_looked_for(seen));
        new.extend(stale.map(|known| known.stale(file)));
        (new, known.len())
    }
}

/// The file and the name of a case, without the clauses that did not hold.
fn case_of(mutation: &str) -> String {
    mutation.rsplit_once(": ").map_or(mutation, |(case, _)| case).to_owned()
}

impl Known {
    fn was_looked_for(&self, seen: &Seen) -> bool {
        match &self.case {
            Some(case) => seen.cases.contains(case),
            None => was_exercised(&self.rule, Some(&self.server), Some(&self.tool), seen),
        }
    }

    fn stale(&self, file: &str) -> Finding {
        let finding = Finding::proven(&STALE_BASELINE, Severity::Warning, &self.server, &self.tool, "");
        let finding = Finding { mutation: self.fingerprint.clone(), ..finding };
        finding.saying(
            format!("{file} knows `{}`, which is not found any more", self.fingerprint),
            "this fault is still there, and is let pass",
            "write the baseline again, with --write-baseline",
        )
    }
}

impl std::fmt::Display for Baseline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let findings = self.entries.values().cloned().collect();
        let document = Document { frankly: "baseline".to_owned(), version: VERSION, findings };
        // The document is made of texts and a number, which cannot fail to be written.
        let text = serde_json::to_string_pretty(&document).map_err(|_| std::fmt::Error)?;
        f.write_str(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(tool: &str) -> Finding {
        let doc = Doc { name: "silent-truncation", what: "", why: "", severity: "", examples: &[] };
        Finding::proven(&doc, Severity::Error, "shop", tool, "/result")
    }

    fn seen(tools: &[&str]) -> Seen {
        let called = tools.iter().map(|tool| ("shop".to_owned(), (*tool).to_owned()));
        Seen { called: called.collect(), ..Seen::default() }
    }

    #[test]
    fn only_what_is_new_is_left_and_what_is_gone_is_told() {
        let baseline = Baseline::parse(&Baseline::of(&[finding("a"), finding("b")]).to_string()).unwrap();
        let (new, known) = baseline.part(vec![finding("a"), finding("c")], &seen(&["a", "b", "c"]), "b.json");
        assert_eq!(known, 1);
        let told: Vec<_> = new.iter().map(|finding| (finding.rule, finding.tool.as_str())).collect();
        assert_eq!(told, [("silent-truncation", "c"), ("stale-baseline", "b")]);
        let (new, _) = baseline.part(vec![finding("a")], &seen(&["a"]), "b.json");
        assert!(new.is_empty(), "what was not looked for is not stale");
    }

    #[test]
    fn what_is_no_baseline_says_so() {
        for (text, says) in [
            ("[]", "no baseline"),
            (r#"{"frankly":"report","version":1,"findings":[]}"#, "it says \"frankly\": \"report\""),
            (r#"{"frankly":"baseline","version":2,"findings":[]}"#, "update frankly"),
        ] {
            let error = Baseline::parse(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
