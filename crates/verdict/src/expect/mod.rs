//! What somebody expects, held against what came back.
//!
//! A [`Pattern`] is for sentences, a [`Matcher`] for JSON: of an object a part, of a list every item. What may not enter: where the
//! values come from.

mod matcher;
mod pattern;

pub(crate) use matcher::Matcher;
pub(crate) use pattern::Pattern;
