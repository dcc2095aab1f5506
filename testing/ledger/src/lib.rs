#![doc = include_str!("../README.md")]
//!
//! What may not enter this crate: files, other machines, a clock, real data. The ledger is built in memory, the
//! same on every start.

mod accounts;
mod data;
mod date;
mod fault;
mod http;
mod ledger;
mod listing;
mod select;
mod server;
mod statement;
mod store;
mod tenants;
#[cfg(test)]
mod testing;
mod tools;
mod uploads;
mod wire;

pub use fault::{Fault, Faults, UnknownFault};
pub use http::HttpServer;
pub use ledger::Ledger;
pub use server::{ServeError, serve, serve_stdio};
