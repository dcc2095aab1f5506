//! What went over the wire, and the calls joined from it.

mod budget;
mod call;
mod frame;
mod read;
mod recording;

pub use budget::SizeBudget;
use call::join_calls;
pub use call::{Answer, Call};
pub use frame::{Flaw, Frame, Side};
pub(crate) use read::parse_strictly;
pub use read::read_json;
pub use recording::{RecordingError, read_recording};

use frankly_contract::ToolDef;

/// The frames of one session, with what is known about it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Transcript {
    /// The name of the server.
    pub server: String,
    /// The negotiated protocol revision, such as `2025-11-25`.
    pub revision: Option<String>,
    /// The tools as they were listed, where known.
    pub tools: Option<Vec<ToolDef>>,
    /// How large an answer may be, where that was stated.
    pub budget: Option<SizeBudget>,
    /// The frames, in the order in which they came.
    pub frames: Vec<Frame>,
}

impl Transcript {
    /// The calls joined from the frames.
    #[must_use]
    pub fn calls(&self) -> Vec<Call<'_>> {
        join_calls(&self.frames)
    }

    /// Lines on the server's standard output that are no protocol messages; blank ones do no harm.
    pub fn noise(&self) -> impl Iterator<Item = &Frame> {
        self.frames.iter().filter(|frame| frame.is_noise() && !frame.line().trim().is_empty())
    }

    /// The definition of a tool, where it is known.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&ToolDef> {
        self.tools.as_ref()?.iter().find(|tool| tool.name() == name)
    }
}
