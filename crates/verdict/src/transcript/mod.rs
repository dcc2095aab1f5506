//! What went over the wire, and the calls joined from it.

mod budget;
mod call;
mod frame;
mod read;
mod recording;
mod redact;
pub(crate) mod requests;
mod role;

pub use budget::SizeBudget;
pub(crate) use call::calls_among;
use call::join_calls;
pub use call::{Answer, Call};
pub use frame::{Channel, Cut, Event, Flaw, Frame, Side};
pub(crate) use read::parse_strictly;
pub use read::read_json;
pub(crate) use recording::{Agreed, listed_after};
pub use recording::{RecordingError, frame_line, header_line, read_recording};
pub use redact::{InvalidPattern, Redactor};
pub use role::Role;

use frankly_contract::ToolDef;

/// The frames of one session, with what is known about it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Transcript {
    /// The name of the server.
    pub server: String,
    /// The negotiated protocol revision, such as `2025-11-25`.
    pub revision: Option<String>,
    /// Who is under test, where that was said; else either side may be at fault.
    pub role: Option<Role>,
    /// The tools as they were listed, where known.
    pub tools: Option<Vec<ToolDef>>,
    /// How large an answer may be, where that was stated.
    pub budget: Option<SizeBudget>,
    /// The frames, in the order in which they came, and what happened between them.
    pub frames: Vec<Frame>,
    /// Whether the recording ends in the middle of a line: whoever wrote it was killed.
    pub torn: bool,
}

impl Transcript {
    /// The calls joined from the frames.
    #[must_use]
    pub fn calls(&self) -> Vec<Call<'_>> {
        join_calls(&self.frames)
    }

    /// The frames between client and server, each with its number among all.
    pub fn wire(&self) -> impl Iterator<Item = (usize, &Frame)> {
        self.frames.iter().enumerate().filter(|(_, frame)| frame.is_on_the_wire())
    }

    /// Lines on the server's standard output that are no protocol messages; blank ones do no harm.
    pub fn noise(&self) -> impl Iterator<Item = &Frame> {
        self.noise_since(0)
    }

    /// The same from a frame on.
    pub(crate) fn noise_since(&self, since: usize) -> impl Iterator<Item = &Frame> {
        let is_noise = |frame: &&Frame| frame.is_noise() && frame.from() == Side::Server;
        self.frames.iter().skip(since).filter(is_noise).filter(|frame| !frame.line().trim().is_empty())
    }

    /// How the session ended, by the name of the last event that says so: `end` or `exit`. Where nothing says so, more
    /// may have been under way.
    #[must_use]
    pub fn end(&self) -> Option<&str> {
        let names = self.frames.iter().rev().filter_map(Frame::event).map(|event| event.name.as_str());
        names.into_iter().find(|name| matches!(*name, "end" | "exit"))
    }

    /// The definition of a tool, where it is known.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&ToolDef> {
        self.tools.as_ref()?.iter().find(|tool| tool.name() == name)
    }
}
