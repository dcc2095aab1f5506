//! What a transcript shows: one file per check.
//!
//! A check takes what was said, by whom and in which order, and nothing else: it sends nothing and knows no
//! clock. Which calls are worth looking at is the business of probes.

mod absence;
mod admission;
mod ambiguous_empty;
mod announced;
mod argument_ignored;
mod around;
mod beside;
mod bloated_result;
mod broken_cut;
mod buried_error;
mod caller_invalid_argument;
mod cursor_fault;
mod dead_end_error;
mod default_drift;
mod duplicate_effect;
mod echo_not_stored;
mod effects;
mod empty_as_error;
mod failure;
mod false_annotation;
mod false_error;
mod ids_without_names;
mod kinds;
mod leaky_error;
mod limit_ignored;
mod listings;
mod lost_page;
mod lost_response;
mod lost_text;
mod missing_promise;
mod mistakes;
mod optional_everything;
mod over_budget;
mod pages;
mod protocol_error_for_tool_error;
mod reading;
mod repeated_failure;
mod scope_escape;
mod secret_in_recording;
mod sent_before;
mod serial_calls;
mod silent_truncation;
mod stretch;
mod structured_mismatch;
mod truncation_without_next;
mod undeclared_bound;
mod unsourced_figure;
mod unstable_answer;
mod walks;
mod wording;
mod writes;
mod written;
mod wrong_error_code;

pub use reading::{Answers, Reading};
pub use stretch::{Judged, News, Ongoing, Size, Stretch, Stretches, Told};

use std::collections::{HashMap, HashSet};

use crate::transcript::Transcript;
use crate::{Doc, Finding};

/// Looks for one kind of fault in a transcript.
pub trait Check: Sync {
    /// What it looks for, with examples.
    fn doc(&self) -> &'static Doc;
    /// Adds what it finds; of several findings at one place, the one that shows it best comes first.
    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>);
}

/// Every check.
pub static CHECKS: &[&dyn Check] = &[
    &ambiguous_empty::AmbiguousEmpty,
    &argument_ignored::ArgumentIgnored,
    &bloated_result::BloatedResult,
    &broken_cut::BrokenCut,
    &buried_error::BuriedError,
    &caller_invalid_argument::CallerInvalidArgument,
    &cursor_fault::CursorFault,
    &dead_end_error::DeadEndError,
    &default_drift::DefaultDrift,
    &duplicate_effect::DuplicateEffect,
    &echo_not_stored::EchoNotStored,
    &empty_as_error::EmptyAsError,
    &false_annotation::FalseAnnotation,
    &false_error::FalseError,
    &ids_without_names::IdsWithoutNames,
    &leaky_error::LeakyError,
    &limit_ignored::LimitIgnored,
    &lost_page::LostPage,
    &lost_response::LostResponse,
    &lost_text::LostText,
    &missing_promise::MissingPromise,
    &optional_everything::OptionalEverything,
    &over_budget::OverBudget,
    &protocol_error_for_tool_error::ProtocolErrorForToolError,
    &repeated_failure::RepeatedFailure,
    &scope_escape::ScopeEscape,
    &secret_in_recording::SecretInRecording,
    &serial_calls::SerialCalls,
    &silent_truncation::SilentTruncation,
    &structured_mismatch::StructuredMismatch,
    &truncation_without_next::TruncationWithoutNext,
    &undeclared_bound::UndeclaredBound,
    &unsourced_figure::UnsourcedFigure,
    &unstable_answer::UnstableAnswer,
    &wrong_error_code::WrongErrorCode,
];

/// Holds every check against a transcript.
#[must_use]
pub fn check_all(transcript: &Transcript) -> Vec<Finding> {
    hold_all(&Reading::of(&Answers::of(transcript)))
}

fn hold_all(reading: &Reading<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for check in CHECKS {
        check.check(reading, &mut findings);
    }
    findings
}

/// Keeps one finding for each fault: the first of those with the same rule, server, tool, pointer and changed argument; and where a
/// place is told of more than once, the gravest, since what weighs less there is a weaker sight of the same.
#[must_use]
pub fn one_per_fault(mut findings: Vec<Finding>) -> Vec<Finding> {
    let place = |finding: &Finding| {
        (finding.rule, finding.server.clone(), finding.tool.clone(), finding.pointer.clone())
    };
    let mut gravest = HashMap::new();
    for finding in &findings {
        let severity = gravest.entry(place(finding)).or_insert(finding.severity);
        *severity = finding.severity.max(*severity);
    }
    let mut seen = HashSet::new();
    findings.retain(|finding| {
        let place = place(finding);
        // The same argument with another value, or left out, shows the same.
        let changed = finding.mutation.trim_start_matches("without ").to_owned();
        gravest.get(&place) == Some(&finding.severity) && seen.insert((place, changed))
    });
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::read_recording;
    use crate::{Expected, Severity};

    #[test]
    fn every_example_gives_what_it_says() {
        for check in CHECKS {
            check.doc().assert_examples(|recording| {
                let mut findings = Vec::new();
                let transcript = read_recording("example", recording).unwrap();
                check.check(&Reading::of(&Answers::of(&transcript)), &mut findings);
                let has_place = |one: &Finding| !one.frames.is_empty() || one.definition.is_some();
                assert!(findings.iter().all(has_place));
                findings
            });
        }
    }

    #[test]
    fn what_is_healthy_to_one_check_is_no_error_to_any_other() {
        let examples = CHECKS
            .iter()
            .flat_map(|check| check.doc().examples.iter().map(|example| (check.doc().name, example)));
        let mut told = Vec::new();
        for (name, example) in examples.filter(|(_, example)| example.expected == Expected::Silence) {
            let transcript = read_recording("example", example.input).unwrap();
            let errors = check_all(&transcript).into_iter().filter(|one| one.severity == Severity::Error);
            told.extend(errors.map(|one| format!("{name}: {}: {}: {}", example.about, one.rule, one.what)));
        }
        assert!(told.is_empty(), "{}", told.join("\n"));
    }
}
