#![doc = include_str!("../README.md")]
//!
//! What may not enter this crate: an executor, anything that waits for a clock (how long a call took is read off the machine's, and
//! nothing depends on it), sockets, processes; and any judgement that a recording could
//! not be held against too, which belongs to `frankly-verdict`.

mod assertions;
mod call;
pub mod fault;
mod gate;
pub mod isolation;
mod log;
mod overlap;
#[cfg(feature = "rmcp")]
pub mod rmcp;
mod scoped;
mod spy;
mod stepped;

pub use call::{Call, Outcome};
pub use gate::{StubGate, approving, denying, unanswered};
pub use log::{Calls, Log};
pub use overlap::Overlap;
pub use scoped::scoped_run;
pub use spy::Spy;
pub use stepped::{Stepped, give_way};

/// What can be expected of calls: the very types of `frankly-verdict`, which holds recordings against them too.
pub use frankly_verdict::expect;
