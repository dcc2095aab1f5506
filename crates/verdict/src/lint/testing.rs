//! What tests of rules share: reading their input, and running one rule.

use serde_json::Value;

use super::{Audience, Lint, Prefix, Rule, Target};
use crate::transcript::SizeBudget;
use crate::{Finding, ToolSet};

/// What a rule finds in this input: the tools of one server, parted by commas, or an object with `servers` and perhaps
/// `target`, `prefix` and `budget`.
pub(super) fn found(rule: &dyn Rule, input: &str) -> Vec<Finding> {
    let documents: Vec<Value> = serde_json::from_str(&format!("[{input}]")).unwrap();
    let set = |server: &str, document| ToolSet::from_document(server, document).unwrap();
    match documents.first().and_then(|document| document["servers"].as_object()) {
        Some(servers) => {
            let sets: Vec<_> = servers.iter().map(|(server, tools)| set(server, tools.clone())).collect();
            found_by(rule, &sets, &audience(&documents[0]))
        }
        None => found_in(rule, set("example", Value::from(documents))),
    }
}

fn audience(document: &Value) -> Audience {
    let mut audience = Audience { budget: SizeBudget::read(&document["budget"]), ..Audience::default() };
    if let Some(target) = document["target"].as_str() {
        audience.targets = Target::read(target).unwrap();
    }
    if let Some(prefix) = document["prefix"].as_str() {
        audience.prefix = Prefix::read(prefix);
    }
    audience
}

/// What a rule finds in these sets.
pub(super) fn found_by(rule: &dyn Rule, sets: &[ToolSet], audience: &Audience) -> Vec<Finding> {
    let mut findings = Vec::new();
    let lint = Lint::of(sets, audience);
    lint.subjects().for_each(|subject| rule.look(subject, &mut findings));
    rule.compare(&lint, &mut findings);
    findings
}

/// What a rule finds in the tools of one server.
pub(super) fn found_in(rule: &dyn Rule, set: ToolSet) -> Vec<Finding> {
    found_by(rule, &[set], &Audience::default())
}
