//! Processes and sockets: frankly's way to live servers.
//!
//! A [`Session`] moves raw lines and keeps every one of them; probes send calls through it so that the checks
//! of `frankly-verdict` have something to look at; [`inspect()`] puts the two together.
//!
//! What may not enter: judgement. What a payload reads as is decided in `frankly-verdict`.

#[cfg(not(unix))]
compile_error!("frankly-live ends process groups by signals: it runs on Unix only");

pub mod case;
pub mod config;
mod inspect;
mod opening;
pub mod probe;
pub mod proxy;
pub mod recording;
pub mod session;
mod shown;

pub use inspect::{InspectError, Inspection, inspect};
pub use session::{Closed, CommandError, Launch, Session, StartError};
