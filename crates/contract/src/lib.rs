#![doc = include_str!("../README.md")]
//!
//! What may not enter this crate: an executor, a clock, sockets, processes.

mod error;
mod nearest;
mod page;
mod tool;

pub use error::{Code, ToolError};
pub use nearest::nearest;
pub use page::{Cursor, InvalidCursor, Page};
pub use tool::{BoxFuture, CallError, MalformedResult, ToolCall, ToolDef, ToolResult, Tools};
