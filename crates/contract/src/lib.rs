#![doc = include_str!("../README.md")]
//!
//! What may not enter this crate: an executor, a clock, sockets, processes.

mod clause;
mod cursor;
mod error;
mod nearest;
mod page;
mod tool;

pub use cursor::{Cursor, InvalidCursor};
pub use error::{Code, ToolError};
pub use nearest::nearest;
pub use page::Page;
pub use tool::{BoxFuture, CallError, MalformedResult, ToolCall, ToolDef, ToolResult, Tools};
