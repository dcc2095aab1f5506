//! A server that answers at once with as much as is asked for, and a client that asks: what soak and bench send through a spy.

pub mod client;
pub mod server;
