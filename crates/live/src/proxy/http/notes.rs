//! What is noted of exchanges for the recording, bounded in bytes: the traffic waits for a recorder that is slower, and nothing is
//! left out.

use std::sync::Arc;
use std::time::Instant;

use hyper::body::Bytes;
use hyper::{HeaderMap, Method, StatusCode};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

/// How many bytes may wait.
const MOST_BYTES: u32 = 8 * 1024 * 1024;
/// What a note takes beside its bytes.
const EACH_BYTES: usize = 256;

/// Something that happened in an exchange.
#[derive(Debug)]
pub(super) struct Note {
    /// Which exchange.
    pub exchange: u64,
    /// Milliseconds since the beginning.
    pub at_ms: u64,
    pub what: What,
    /// Its room, free again once it is dealt with.
    _room: Option<OwnedSemaphorePermit>,
}

/// What happened.
#[derive(Debug)]
pub(super) enum What {
    /// A client began to ask.
    Asks(Method, HeaderMap),
    /// More of the body of its request.
    Asked(Bytes),
    /// All of the request has come that will.
    EndOfRequest,
    /// The server began to answer.
    Answers(StatusCode, HeaderMap),
    /// More of the body of its answer.
    Answered(Bytes),
    /// The exchange is over.
    EndOfAnswer(End),
}

/// How an exchange ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// All of the answer has come.
    Whole,
    /// The server broke off, or was not there.
    Broken,
    /// The client went away.
    Left,
}

/// Where notes are left.
#[derive(Debug, Clone)]
pub(super) struct Notes {
    notes: mpsc::UnboundedSender<Note>,
    room: Arc<Semaphore>,
    begin: Instant,
}

impl Notes {
    /// A place for notes, and where they are read.
    pub fn new() -> (Self, mpsc::UnboundedReceiver<Note>) {
        let (notes, read) = mpsc::unbounded_channel();
        (Self { notes, room: Arc::new(Semaphore::new(MOST_BYTES as usize)), begin: Instant::now() }, read)
    }

    /// From when on time is counted.
    pub fn begin(&self) -> Instant {
        self.begin
    }

    /// Leaves a note, as soon as there is room for it.
    pub async fn leave(&self, exchange: u64, what: What) {
        let takes = EACH_BYTES
            + match &what {
                What::Asked(bytes) | What::Answered(bytes) => bytes.len(),
                What::Asks(_, headers) | What::Answers(_, headers) => {
                    headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum()
                }
                What::EndOfRequest | What::EndOfAnswer(_) => 0,
            };
        // One that is larger than all the room there is gets it for itself.
        let takes = u32::try_from(takes).unwrap_or(MOST_BYTES).min(MOST_BYTES);
        let Ok(room) = Arc::clone(&self.room).acquire_many_owned(takes).await else { return };
        self.send(exchange, what, Some(room));
    }

    /// Leaves the note that an exchange is over where nobody can wait for room.
    pub fn leave_end(&self, exchange: u64, end: End) {
        self.send(exchange, What::EndOfAnswer(end), None);
    }

    fn send(&self, exchange: u64, what: What, room: Option<OwnedSemaphorePermit>) {
        let at_ms = u64::try_from(self.begin.elapsed().as_millis()).unwrap_or(u64::MAX);
        // Nobody reads any more once the recording cannot be written.
        let _ = self.notes.send(Note { exchange, at_ms, what, _room: room });
    }
}
