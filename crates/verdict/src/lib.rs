//! The judge of frankly: **data in, judgement out**.
//!
//! Definitions are held against the rules of [`lint`], transcripts of calls against the checks of [`check`];
//! both give [`Finding`]s, which a [`Report`] carries to a [`report::Format`]. The calls of a run are held against what somebody
//! expects of them: [`expect`]. Everything is synchronous.
//!
//! What may not enter: files, sockets, processes, clocks, an executor.

pub mod baseline;
pub mod case;
pub mod check;
pub mod diff;
mod doc;
pub mod expect;
mod finding;
pub mod lint;
mod names;
pub mod nonsense;
pub mod outage;
pub mod paging;
pub mod payload;
pub mod policy;
pub mod report;
mod schema;
mod secrets;
mod stable;
mod toolset;
pub mod transcript;
mod yaml;

pub use doc::{Doc, Example, Expected};
pub use finding::{Certainty, Finding, Place, Severity};
pub use report::{Coverage, Report};
pub use toolset::{Definitions, Form, NotAToolSet, NotMended, ToolSet, Written};
