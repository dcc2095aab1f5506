//! What waits to be recorded, bounded in bytes: the traffic waits for a recorder that is slower, and nothing is left out.

use std::collections::VecDeque;
use std::mem;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// How many bytes may wait.
pub(super) const MOST_BYTES: usize = 8 * 1024 * 1024;
/// What a chunk takes beside its bytes.
const EACH_BYTES: usize = 128;
/// About how much is handed out at once.
const AT_ONCE_BYTES: usize = 256 * 1024;

/// Where bytes were seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    /// From the client to the server.
    Client,
    /// From the server to the client.
    Server,
    /// What the server writes to standard error.
    Stderr,
}

/// Some bytes as they came, with no regard to lines; none where a stream is at its end.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    pub stream: Stream,
    pub bytes: Vec<u8>,
    /// Milliseconds since the beginning.
    pub at_ms: u64,
}

/// Chunks in the order in which they came, whatever stream they are of.
#[derive(Debug)]
pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    more: Condvar,
    room: Condvar,
    begin: Instant,
    most: usize,
}

#[derive(Debug, Default)]
struct Waiting {
    chunks: VecDeque<Chunk>,
    bytes: usize,
    /// What those take that were handed out last.
    taken: usize,
    is_closed: bool,
    /// Who waits, so that nobody is woken who does not: waking costs more than all else here.
    pushing: usize,
    taking: usize,
}

impl Waiting {
    /// Some chunks, with no more bytes than leave the rest of the room to others.
    fn next(&mut self) -> Vec<Chunk> {
        let mut chunks = Vec::new();
        while self.taken < AT_ONCE_BYTES {
            let Some(chunk) = self.chunks.pop_front() else { break };
            self.taken += chunk.bytes.len() + EACH_BYTES;
            chunks.push(chunk);
        }
        chunks
    }
}

impl Queue {
    /// An empty one, whose clock begins now.
    pub fn new(most: usize) -> Self {
        Self {
            waiting: Mutex::default(),
            more: Condvar::new(),
            room: Condvar::new(),
            begin: Instant::now(),
            most,
        }
    }

    /// Adds a copy of these bytes, as soon as there is room for it. In a queue that is closed it is dropped.
    pub fn push(&self, stream: Stream, bytes: &[u8]) {
        let bytes = bytes.to_vec();
        let takes = bytes.len() + EACH_BYTES;
        let mut waiting = self.lock();
        // One that is larger than all the room there is gets it for itself.
        while !waiting.is_closed && waiting.bytes > 0 && waiting.bytes + takes > self.most {
            waiting.pushing += 1;
            waiting = self.room.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            waiting.pushing -= 1;
        }
        if !waiting.is_closed {
            waiting.bytes += takes;
            // Told under the lock, so that the times are in order too.
            waiting.chunks.push_back(Chunk { stream, bytes, at_ms: self.at_ms() });
            if waiting.taking > 0 {
                self.more.notify_one();
            }
        }
    }

    /// The next chunks, as soon as there are any; `None` once the queue is closed and empty. Those that were taken before take no
    /// room any more.
    pub fn take(&self) -> Option<Vec<Chunk>> {
        let mut waiting = self.lock();
        waiting.bytes -= mem::take(&mut waiting.taken);
        if waiting.pushing > 0 {
            self.room.notify_all();
        }
        loop {
            let chunks = waiting.next();
            if !chunks.is_empty() {
                return Some(chunks);
            }
            if waiting.is_closed {
                return None;
            }
            waiting.taking += 1;
            waiting = self.more.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            waiting.taking -= 1;
        }
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.lock().chunks.is_empty()
    }

    /// Whether nothing more comes.
    pub fn is_closed(&self) -> bool {
        self.lock().is_closed
    }

    /// Takes nothing more; what waits is still handed out.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.more.notify_all();
        self.room.notify_all();
    }

    /// Milliseconds since the beginning.
    pub fn at_ms(&self) -> u64 {
        u64::try_from(self.begin.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn whoever_is_faster_waits_and_nothing_is_left_out() {
        let (queue, pushed) = (Arc::new(Queue::new(1000)), Arc::new(AtomicUsize::new(0)));
        let writer = std::thread::spawn({
            let (queue, pushed) = (Arc::clone(&queue), Arc::clone(&pushed));
            move || {
                for number in 0..100u8 {
                    queue.push(Stream::Server, &[number; 100]);
                    pushed.fetch_add(1, Ordering::SeqCst);
                }
                queue.close();
            }
        });
        // One more than fit has been tried once somebody waits for room.
        while queue.lock().pushing == 0 {
            std::thread::yield_now();
        }
        assert_eq!(pushed.load(Ordering::SeqCst), 1000 / (100 + EACH_BYTES));
        let all: Vec<_> = std::iter::from_fn(|| queue.take()).flatten().map(|chunk| chunk.bytes[0]).collect();
        assert_eq!(all, (0..100).collect::<Vec<_>>());
        writer.join().unwrap();
    }

    #[test]
    fn what_is_larger_than_the_room_gets_through_and_what_comes_too_late_is_dropped() {
        let queue = Queue::new(10);
        queue.push(Stream::Client, &[0; 1000]);
        queue.close();
        queue.push(Stream::Client, &[1]);
        assert_eq!(queue.take().map(|chunks| chunks[0].bytes.len()), Some(1000));
        assert_eq!(queue.take(), None);
    }
}
