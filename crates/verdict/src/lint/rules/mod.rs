//! The rules, one file each.

mod bad_schema;
mod ghost_reference;
mod missing_description;
mod no_boundary;
mod no_limit;
mod optional_everything;

use super::Rule;

/// Every rule.
pub static RULES: &[&dyn Rule] = &[
    &bad_schema::BadSchema,
    &ghost_reference::GhostReference,
    &missing_description::MissingDescription,
    &no_boundary::NoBoundary,
    &no_limit::NoLimit,
    &optional_everything::OptionalEverything,
];
