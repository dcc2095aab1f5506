//! The spy between an agent and its tools: bytes go on as they came, and a copy of them is recorded.
//!
//! What may not enter: anything that changes, delays or judges what passes. What reads the copy works beside the traffic, and
//! what watches the session reads what the recorder has read.

mod aside;
mod context;
mod copy;
mod http;
mod oversee;
mod pump;
mod queue;
mod signals;
mod stdio;
mod streams;
mod watch;

pub use aside::Aside;
pub use context::{ContextSources, InvalidContext};
pub use http::{HttpSpy, HttpSpyError, InvalidUpstream, Upstream};
pub use stdio::{Ended, Spy, SpyError};
pub use streams::Streams;
pub use watch::Shown;
