//! What a finding's rule says about itself.

use crate::baseline::ABOUT_BASELINES;
use crate::case::ABOUT_CASES;
use crate::check::CHECKS;
use crate::diff::ABOUT_CHANGES;
use crate::expect::ABOUT_EXPECTATIONS;
use crate::lint::RULES;
use crate::outage::OUTAGES;
use crate::policy::ABOUT_POLICIES;
use crate::{Doc, Finding};

/// The documentation of everything that can be found, by name. A rule and a check may share one; then this is the rule's.
pub(super) fn about(name: &str) -> Option<&'static Doc> {
    let rules = RULES.iter().map(|rule| rule.doc());
    let checks = CHECKS.iter().map(|check| check.doc());
    let others = OUTAGES
        .iter()
        .chain(ABOUT_POLICIES)
        .chain(ABOUT_CASES)
        .chain(ABOUT_CHANGES)
        .chain(ABOUT_EXPECTATIONS)
        .chain(ABOUT_BASELINES)
        .copied();
    rules.chain(checks).chain(others).find(|doc| doc.name == name)
}

/// Server and tool, as far as a finding is about one: `ledger · get`.
pub(super) fn subject(finding: &Finding) -> String {
    let names = [finding.server.as_str(), finding.tool.as_str()];
    let names: Vec<_> = names.into_iter().filter(|name| !name.is_empty()).collect();
    if names.is_empty() { "all sources together".to_owned() } else { names.join(" · ") }
}

/// What was seen, what it reads as, and what to do, in one paragraph.
pub(super) fn paragraph(finding: &Finding) -> String {
    format!("{}. Reads as: {}. Next: {}.", finding.what, finding.reads_as, finding.next)
}
