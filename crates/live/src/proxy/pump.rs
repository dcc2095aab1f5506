//! One direction: what comes on one end goes out on the other, at once and as it came.

use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use super::queue::{Queue, Stream};

/// How much is read at once; as much as a pipe holds.
const CHUNK_BYTES: usize = 64 * 1024;

/// What goes on in a direction, for whoever has to know whether anything still comes.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// Whether it waits for something to come.
    is_waiting: AtomicBool,
    /// How often something came.
    count: AtomicU64,
    /// Whether it is over.
    is_over: AtomicBool,
}

impl Progress {
    /// How often something has come.
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::SeqCst)
    }

    /// Whether all of it has gone on.
    pub fn is_waiting(&self) -> bool {
        self.is_waiting.load(Ordering::SeqCst)
    }

    /// Whether nothing more will come.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }
}

/// One direction.
#[derive(Debug)]
pub(super) struct Pump {
    pub stream: Stream,
    pub from: File,
    pub to: File,
    pub queue: Arc<Queue>,
    pub progress: Arc<Progress>,
}

impl Pump {
    /// Passes on what comes until either end is closed; then both are, so that each side learns that the other is gone.
    pub fn run(mut self) {
        // There is nobody to tell why a pipe broke: the two sides see it themselves.
        let _ = self.pass();
        self.progress.is_over.store(true, Ordering::SeqCst);
    }

    fn pass(&mut self) -> io::Result<()> {
        let mut buffer = vec![0; CHUNK_BYTES];
        loop {
            self.progress.is_waiting.store(true, Ordering::SeqCst);
            let read = read_some(&mut self.from, &self.to, &mut buffer)?;
            self.progress.count.fetch_add(1, Ordering::SeqCst);
            self.progress.is_waiting.store(false, Ordering::SeqCst);
            let Some(read) = read else { return Ok(()) };
            // Handed over before it goes on: what answers it cannot come before it then. Reading it is left for later.
            self.queue.push(self.stream, &buffer[..read]);
            if read == 0 {
                return Ok(());
            }
            write_all(&mut self.to, &buffer[..read])?;
        }
    }
}

/// Waits for bytes and reads them; 0 at the end, and `None` where nobody reads at the other end any more.
fn read_some(from: &mut File, to: &File, buffer: &mut [u8]) -> io::Result<Option<usize>> {
    loop {
        if !wait_for_bytes(from, to)? {
            return Ok(None);
        }
        match from.read(buffer) {
            Err(error) if is_passing(&error) => {}
            read => return read.map(Some),
        }
    }
}

/// Waits until there is something to be read, be it the end; `false` where nobody reads at the other end any more.
fn wait_for_bytes(from: &File, to: &File) -> io::Result<bool> {
    let gone = PollFlags::ERR | PollFlags::HUP;
    let mut ends = [PollFd::new(from, PollFlags::IN), PollFd::new(to, PollFlags::empty())];
    loop {
        match poll(&mut ends, None) {
            Ok(_) if !ends[0].revents().is_empty() => return Ok(true),
            Ok(_) if ends[1].revents().intersects(gone) => return Ok(false),
            // What cannot be waited for, as devices on some systems, is read.
            Ok(_) => return Ok(true),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Writes all of it, however slowly the other end reads, and whether or not its pipe waits by itself.
fn write_all(to: &mut File, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match to.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                let mut end = [PollFd::new(&*to, PollFlags::OUT)];
                poll(&mut end, None)
                    .or_else(|error| if error == Errno::INTR { Ok(0) } else { Err(error) })?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock)
}
