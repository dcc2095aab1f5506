//! Tools that go wrong on purpose. What may not enter: a clock, and chance.
//!
//! Each fault is a wrapper around any tools, for all of them or, with `only`, for some. Whatever it does not touch goes through as
//! it is, and `struck` says how often the fault came about: one that never did has tested nothing.

mod cut;
mod failing;
mod flaky;
mod slow;
mod touched;

pub use cut::Cut;
pub use failing::Failing;
pub use flaky::Flaky;
pub use slow::Slow;
pub(crate) use touched::Touched;
