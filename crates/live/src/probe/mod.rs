//! What is sent to a live tool: one file per probe.
//!
//! A probe makes calls whose answers stand in a relation to each other, so that the checks have something to
//! look at. It judges nothing: whether the relation held is for the checks, over the frames.

mod arguments;
mod bench;
mod consent;
mod good_call;
mod largest_result;
mod nonsense_value;
mod omit_required;
mod page_growth;
mod round;

pub use bench::{Bench, Reply};
pub use consent::Grants;
pub use round::{Probed, probe_all};

use frankly_contract::BoxFuture;
use frankly_verdict::Doc;

use crate::config::Consent;

/// Sends calls of one kind to one tool.
pub trait Probe: Sync {
    /// What it sends and which relation must hold.
    fn doc(&self) -> &'static Doc;
    /// How far the user must have let probes go with a tool, with or without examples of good arguments.
    fn needs(&self, has_examples: bool) -> Consent;
    /// Whether the tool has what this probe varies; a tool that has not does not count as a gap.
    fn fits(&self, bench: &Bench<'_>) -> bool;
    /// Sends the calls.
    fn run<'a>(&'a self, bench: &'a Bench<'a>) -> BoxFuture<'a, Outcome>;
    /// The tool of the probe's examples.
    #[cfg(test)]
    fn example_tool(&self, _example: &serde_json::Value) -> frankly_contract::ToolDef {
        let limit = serde_json::json!({"type": "integer", "minimum": 1});
        examples::reading("list", serde_json::json!({ "limit": limit }), &[])
    }
    /// What the tool of one of the probe's examples answers to these arguments.
    #[cfg(test)]
    fn example_answer(&self, example: &serde_json::Value, arguments: &serde_json::Value)
    -> serde_json::Value;
}

/// What came of a probe on one tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The calls were answered so that the checks can tell.
    Exercised,
    /// They were not, for this reason; that is never a pass.
    NotExercised(String),
}

impl From<Result<(), String>> for Outcome {
    fn from(result: Result<(), String>) -> Self {
        result.map_or_else(Self::NotExercised, |()| Self::Exercised)
    }
}

/// Every probe, in the order in which they are sent to a tool: the good call first, since the others begin with it.
pub static PROBES: &[&dyn Probe] = &[
    &good_call::GoodCall,
    &omit_required::OmitRequired,
    &nonsense_value::NonsenseValue,
    &page_growth::PageGrowth,
    &largest_result::LargestResult,
];

#[cfg(test)]
mod examples;
