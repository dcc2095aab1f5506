#![cfg_attr(all(feature = "files", feature = "registry"), doc = include_str!("../README.md"))]
//!
//! What may not enter this crate: an executor, a clock, sockets, processes.

mod access;
mod approval;
mod budget;
mod canonical;
mod clause;
mod context;
mod cursor;
mod error;
mod fact;
mod key;
mod nearest;
mod page;
#[cfg(feature = "registry")]
mod registry;
mod retry;
mod shown;
mod slice;
mod tool;
mod utf8;

pub use access::{Allowlist, Guarded};
pub use approval::{Approval, ApprovalGate, ApprovalRequest, GateFn, Gated, Patience, gate_fn};
pub use budget::Budget;
pub use canonical::canonical;
pub use context::{InvalidContext, NoRunContext, RunContext, Scoped};
pub use cursor::{ByteCursor, Cursor, InvalidByteCursor, InvalidCursor};
pub use error::{Code, ToolError};
pub use fact::{Fact, Scalar};
pub use key::{Keyed, Keys, is_idempotency_key, key_among};
pub use nearest::nearest;
pub use page::{InvalidPage, Page};
#[cfg(feature = "registry")]
pub use registry::{Answer, IntoAnswer, InvalidTool, Json, NoArguments, Registry, Tool};
pub use retry::Once;
/// The crate whose `JsonSchema` the arguments of a [`Tool`] implement, in the version that is meant.
#[cfg(feature = "registry")]
pub use schemars;
pub use shown::shown;
#[cfg(feature = "files")]
pub use slice::Root;
pub use slice::Slice;
pub use tool::{BoxFuture, CallError, MalformedResult, ToolCall, ToolDef, ToolResult, Tools};
