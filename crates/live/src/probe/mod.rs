//! What is sent to a live tool: one file per probe.
//!
//! A probe makes calls whose answers stand in a relation to each other, so that the checks have something to
//! look at. It judges nothing: whether the relation held is for the checks, over the frames.

mod arguments;
mod bench;
mod blank_optional;
mod consent;
mod cursor_walk;
mod echo;
mod given;
mod good_call;
mod large_argument;
mod largest_result;
mod moved;
mod nonsense_value;
mod omit_required;
mod other_choice;
mod out_of_bounds;
mod page_growth;
mod parameter;
mod path_escape;
mod read_only_truth;
mod readers;
mod relation;
mod round;
mod round_trip_text;
mod rows;
mod run;
mod same_twice;
mod server;
mod spelled_defaults;
mod unknown_argument;
mod write_then_read;
mod write_twice;
mod wrong_type;

use bench::Bench;
pub use consent::Grants;
pub use round::{Probed, probe_all};
use server::SERVER_PROBES;

use frankly_contract::BoxFuture;
use frankly_verdict::Doc;

use crate::config::Consent;

/// Sends calls of one kind to one tool.
trait Probe: Sync {
    /// What it sends and which relation must hold.
    fn doc(&self) -> &'static Doc;
    /// How far the user must have let probes go with a tool, with or without examples of good arguments.
    fn needs(&self, has_examples: bool) -> Consent;
    /// Whether it is sent only where the server's state may be changed.
    fn needs_sandbox(&self) -> bool {
        false
    }
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
    /// Whether the tool of the probe's examples writes.
    #[cfg(test)]
    fn example_writes(&self) -> bool {
        false
    }
    /// Another tool of the probe's examples, which shows the state.
    #[cfg(test)]
    fn example_reader(&self) -> Option<frankly_contract::ToolDef> {
        None
    }
    /// What that one answers after these calls.
    #[cfg(test)]
    fn example_reading(
        &self,
        _example: &serde_json::Value,
        _before: &[serde_json::Value],
    ) -> serde_json::Value {
        serde_json::Value::Null
    }
    /// What has been sent before, in the probe's examples.
    #[cfg(test)]
    fn before_example<'a>(&'a self, _bench: &'a Bench<'a>) -> BoxFuture<'a, ()> {
        Box::pin(async {})
    }
    /// What the tool of one of the probe's examples answers to these arguments.
    #[cfg(test)]
    fn example_answer(&self, example: &serde_json::Value, arguments: &serde_json::Value)
    -> serde_json::Value;
}

/// What came of a probe on one tool.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Outcome {
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

/// The probe that is sent to a tool before all others, since they begin with it.
static GOOD_CALL: &dyn Probe = &good_call::GoodCall;

/// Every other probe of a tool, in the order in which they are sent to it: what goes by what came back (`round-trip-text`) and
/// what may end a server, later.
static PROBES: &[&dyn Probe] = &[
    &omit_required::OmitRequired,
    &wrong_type::WrongType,
    &out_of_bounds::OutOfBounds,
    &unknown_argument::UnknownArgument,
    &blank_optional::BlankOptional,
    &nonsense_value::NonsenseValue,
    &other_choice::OtherChoice,
    &page_growth::PageGrowth,
    &cursor_walk::CursorWalk,
    &spelled_defaults::SpelledDefaults,
    &same_twice::SameTwice,
    &largest_result::LargestResult,
    &round_trip_text::RoundTripText,
    &write_then_read::WriteThenRead,
    &write_twice::WriteTwice,
    &read_only_truth::ReadOnlyTruth,
    &path_escape::PathEscape,
    &large_argument::LargeArgument,
];

pub(crate) use nonsense_value::unheard_of;

/// Every probe of a tool.
fn all_probes() -> impl Iterator<Item = &'static dyn Probe> {
    std::iter::once(GOOD_CALL).chain(PROBES.iter().copied())
}

/// The documentation of every probe, of tools and of servers.
///
/// ```
/// use frankly_live::probe::docs;
///
/// assert!(docs().any(|doc| doc.name == "good-call"));
/// assert!(docs().any(|doc| doc.name == "unknown-tool"));
/// ```
pub fn docs() -> impl Iterator<Item = &'static Doc> {
    all_probes().map(|probe| probe.doc()).chain(SERVER_PROBES.iter().map(|probe| probe.doc()))
}

#[cfg(test)]
mod examples;
