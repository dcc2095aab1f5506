//! A small MCP server over a personal ledger: honest by default, lying on command.
//!
//! It is the demo of frankly, and the patient on which frankly is tried: every [`Fault`] is one way in which
//! a tool misleads the agent that reads it, and without faults nothing in it misleads.
//!
//! ```
//! use frankly_ledger::{Fault, Faults};
//!
//! let fault: Fault = "silent-truncation".parse()?;
//! let faults = Faults::from_iter([fault]);
//! assert!(faults.contains(Fault::SilentTruncation));
//! // frankly_ledger::serve_stdio(faults).await?;
//! # Ok::<(), frankly_ledger::UnknownFault>(())
//! ```
//!
//! What may not enter this crate: files, the network, real data. The ledger is built in memory, the same on
//! every start.

mod args;
mod data;
mod fault;
mod ledger;
mod select;
mod server;
mod store;
mod tools;

pub use fault::{Fault, Faults, UnknownFault};
pub use server::{ServeError, serve, serve_stdio};
