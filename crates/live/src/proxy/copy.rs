//! Makes lines of the copy, writes them down and shows them to whoever watches. What may not enter: the traffic itself, which does not wait for this.

use std::io;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use frankly_verdict::transcript::{Channel, Event, Frame, Side};
use memchr::memchr_iter;
use serde_json::Map;

use super::context::{ContextSources, Contexts, with};
use super::queue::{Chunk, Queue, Stream};
use super::watch::Watching;
use crate::recording::{RecordingFileError, Writer};
use crate::session::lines::{Kept, Line};

/// Of a line that is longer only both ends are kept, as a recording has it.
const LONGEST_LINE: usize = 1 << 20;
/// How long nothing is looked at once all is written: to be woken for each line would cost the traffic more than all else here.
const NAP: Duration = Duration::from_millis(1);

/// What a frame passes through before it is written: the one place where something can be taken out of it, or added.
pub(super) type Step = Box<dyn FnMut(Frame) -> Frame + Send>;
/// Who is told that the recording cannot be written any more.
pub(super) type Complain = Box<dyn FnMut(&RecordingFileError) + Send>;

/// Writes down what passes.
pub(super) struct Copy {
    /// `None` once it could not be written: there may be half a line at its end.
    writer: Option<Writer>,
    /// Who watches the session, if somebody does.
    watching: Option<Watching>,
    step: Step,
    complain: Complain,
    contexts: Contexts,
    client: Kept,
    server: Kept,
    stderr: Kept,
}

impl Copy {
    pub fn to(writer: Option<Writer>, step: Step, complain: Complain, sources: ContextSources) -> Self {
        let (client, server, stderr) = (Kept::default(), Kept::default(), Kept::default());
        let contexts = Contexts::of(sources);
        Self { writer, watching: None, step, complain, contexts, client, server, stderr }
    }

    /// The same for somebody who watches, if anybody does.
    pub fn watched(self, watching: Option<Watching>) -> Self {
        Self { watching, ..self }
    }

    /// For whom what passes was sent.
    pub fn contexts(&mut self) -> &mut Contexts {
        &mut self.contexts
    }

    /// Writes down all that comes until the queue is closed, and then what never came to the end of its line.
    pub fn follow(mut self, queue: &Arc<Queue>) -> Self {
        while let Some(chunks) = queue.take() {
            chunks.iter().for_each(|chunk| self.take(chunk));
            if queue.is_empty() {
                self.flush();
                if !queue.is_closed() {
                    std::thread::sleep(NAP);
                }
            }
        }
        for stream in [Stream::Client, Stream::Server, Stream::Stderr] {
            self.rest(stream, queue.at_ms());
        }
        self.flush();
        self
    }

    /// A stream is at its end: what never came to the end of its line is all that there is of it.
    fn rest(&mut self, stream: Stream, at_ms: u64) {
        let line = mem::take(self.kept(stream));
        if !line.is_empty() {
            self.line(stream, line, at_ms, false);
        }
    }

    fn take(&mut self, chunk: &Chunk) {
        if chunk.bytes.is_empty() {
            self.rest(chunk.stream, chunk.at_ms);
            if chunk.stream == Stream::Client {
                // Whoever hears no more asks for nothing, whatever has not been answered yet.
                let event = Event { name: "close".to_owned(), details: Map::new() };
                self.write(Frame::from_event(Side::Client, event).at(chunk.at_ms));
            }
            return;
        }
        let mut begin = 0;
        for end in memchr_iter(b'\n', &chunk.bytes) {
            let kept = self.kept(chunk.stream);
            kept.push(&chunk.bytes[begin..end], LONGEST_LINE);
            begin = end + 1;
            let line = mem::take(kept);
            self.line(chunk.stream, line, chunk.at_ms, true);
        }
        self.kept(chunk.stream).push(&chunk.bytes[begin..], LONGEST_LINE);
    }

    fn kept(&mut self, stream: Stream) -> &mut Kept {
        match stream {
            Stream::Client => &mut self.client,
            Stream::Server => &mut self.server,
            Stream::Stderr => &mut self.stderr,
        }
    }

    fn line(&mut self, stream: Stream, line: Kept, at_ms: u64, is_ended: bool) {
        // Nothing is read that nobody wants.
        if self.writer.is_none() && self.watching.is_none() {
            return;
        }
        let from = if stream == Stream::Client { Side::Client } else { Side::Server };
        let frame = match line.into_line() {
            Line::Whole(bytes) => Frame::from_bytes(from, bytes),
            Line::Cut(cut, _) if is_ended => Frame::from_cut(from, cut),
            Line::Cut(cut, _) => unended(Frame::from_cut(from, cut)),
        };
        let channel = if stream == Stream::Stderr { Channel::Stderr } else { Channel::Wire };
        let frame = frame.on(channel).at(at_ms);
        let around = self.contexts.around(None);
        let context = self.contexts.of_frame(&frame, &around);
        self.write(with(context, frame));
    }

    /// Writes down what happened between frames.
    pub fn event(&mut self, event: Event, at_ms: u64) {
        self.write(Frame::from_event(Side::Server, event).at(at_ms));
        self.flush();
    }

    /// Writes down one frame, and hands it to whoever watches.
    pub fn write(&mut self, frame: Frame) {
        if self.writer.is_none() && self.watching.is_none() {
            return;
        }
        let frame = (self.step)(frame);
        if let Some(writer) = &mut self.writer {
            let written = writer.write(&frame);
            self.is_written(written);
        }
        // What is recorded does not wait for what is judged.
        if self.watching.as_ref().is_some_and(|watching| !watching.has_room(&frame)) {
            self.flush();
        }
        if let Some(watching) = &self.watching {
            watching.push(frame);
        }
    }

    /// Waits for whoever watches: the session is over, and nothing is left to be written.
    pub fn finish(mut self) {
        self.flush();
        if let Some(watching) = self.watching {
            watching.finish();
        }
    }

    /// Leaves nothing on its way to the file.
    pub fn flush(&mut self) {
        let Some(writer) = &mut self.writer else { return };
        let written = writer.flush();
        self.is_written(written);
    }

    fn is_written(&mut self, written: io::Result<()>) {
        let Err(why) = written else { return };
        if let Some(writer) = self.writer.take() {
            (self.complain)(&RecordingFileError::Unwritable { path: writer.path().to_owned(), why });
        }
    }
}

/// A line of which only both ends were kept and that never came to its own. Where they make no message it was none, however
/// well it began: whoever waited for an answer did not get it.
fn unended(cut: Frame) -> Frame {
    let line = Frame::from_line(cut.from(), cut.line().to_owned());
    if line.msg().is_some() { cut } else { line }
}
