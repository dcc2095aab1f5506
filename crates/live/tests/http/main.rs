//! Servers over HTTP, the honest ledger and hand-written ones: whatever they do, the session is as it is over standard
//! input and output.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod failures;
mod ledger;
mod outages;
mod pages;
mod place;
mod stateless;
