//! Expectations, each held against calls. What may not enter: how a value is compared, which the matcher knows.

pub(super) mod arguments;
pub(super) mod before;
pub(super) mod concurrent;
pub(super) mod context;
pub(super) mod count;
pub(super) mod key;
pub(super) mod order;
pub(super) mod tally;
#[cfg(test)]
mod testing;
