#![doc = include_str!("../README.md")]
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
