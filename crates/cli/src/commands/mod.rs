//! The commands, one file each: arguments above, `execute` below. The work is in the libraries.

pub mod call;
pub mod check;
pub mod demo;
pub mod diff;
pub mod explain;
pub mod init;
pub mod lint;
pub mod probe;
pub mod spy;
pub mod test;
pub mod verify;
