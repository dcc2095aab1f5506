//! The rules, one file each.

mod ambiguous_path;
mod bad_schema;
mod closed_set_in_prose;
mod confusable_names;
mod contradictory_annotations;
mod default_drift;
mod definitions_over_budget;
mod description_too_long;
mod description_without_example;
mod duplicate_definitions;
mod false_annotation;
mod ghost_reference;
mod guidance_elsewhere;
mod invisible_text;
mod missing_annotations;
mod missing_description;
mod mode_switch;
mod name_collision;
mod name_not_portable;
mod no_boundary;
mod no_idempotency_key;
mod no_limit;
mod no_output_schema;
mod not_portable_schema;
mod open_object;
mod optional_everything;
mod rare_knobs;
mod stringly_typed;
mod unbounded_input;
mod undocumented_format;
mod vague_description;

pub(super) use default_drift::only_in_prose;
pub(super) use open_object::is_open;

use super::Rule;

/// Every rule.
pub static RULES: &[&dyn Rule] = &[
    &ambiguous_path::AmbiguousPath,
    &bad_schema::BadSchema,
    &closed_set_in_prose::ClosedSetInProse,
    &confusable_names::ConfusableNames,
    &contradictory_annotations::ContradictoryAnnotations,
    &default_drift::DefaultDrift,
    &definitions_over_budget::DefinitionsOverBudget,
    &description_too_long::DescriptionTooLong,
    &description_without_example::DescriptionWithoutExample,
    &duplicate_definitions::DuplicateDefinitions,
    &false_annotation::FalseAnnotation,
    &ghost_reference::GhostReference,
    &guidance_elsewhere::GuidanceElsewhere,
    &invisible_text::InvisibleText,
    &missing_annotations::MissingAnnotations,
    &missing_description::MissingDescription,
    &mode_switch::ModeSwitch,
    &name_collision::NameCollision,
    &name_not_portable::NameNotPortable,
    &no_boundary::NoBoundary,
    &no_idempotency_key::NoIdempotencyKey,
    &no_limit::NoLimit,
    &no_output_schema::NoOutputSchema,
    &not_portable_schema::NotPortableSchema,
    &open_object::OpenObject,
    &optional_everything::OptionalEverything,
    &rare_knobs::RareKnobs,
    &stringly_typed::StringlyTyped,
    &unbounded_input::UnboundedInput,
    &undocumented_format::UndocumentedFormat,
    &vague_description::VagueDescription,
];
