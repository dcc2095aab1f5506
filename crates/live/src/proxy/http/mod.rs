//! A session over streamable HTTP: every request goes on to the server as it came, and every answer back, while it is still
//! being written. What may not enter: what messages mean, and any header of our own.
//!
//! A client's connection has one behind it. Whoever closes theirs closes both, which is how a request is cancelled.

mod coding;
mod door;
mod exchange;
mod follow;
mod notes;
mod serve;
mod upstream;

pub use serve::{HttpSpy, HttpSpyError};
pub use upstream::{InvalidUpstream, Upstream};
