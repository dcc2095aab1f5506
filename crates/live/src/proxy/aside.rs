//! What a spy itself says on standard error, beside what the server does. It never holds up anything: whoever does not read
//! misses what is said here, and what the server says has most of the room.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, sleep};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionread};

/// How much may wait to be said.
const MOST_BYTES: usize = 256 * 1024;
/// How much of a pipe is used that nobody reads: a quarter of what one usually holds, so that the rest is left to the server.
const OF_A_PIPE: usize = 16 * 1024;
/// How long to wait before it is looked again whether somebody reads.
const RESPITE: Duration = Duration::from_millis(20);
/// How long nothing may be read, in the end, before the rest is left unsaid.
const PATIENCE: Duration = Duration::from_millis(500);

/// Something to be said beside the traffic.
///
/// ```
/// use std::io::Read;
///
/// use frankly_live::proxy::Aside;
///
/// let (mut read, write) = std::io::pipe()?;
/// let aside = Aside::to(std::os::fd::OwnedFd::from(write).into())?;
/// assert!(aside.say("one call failed\n".to_owned()));
/// aside.finish();
/// let mut said = String::new();
/// read.read_to_string(&mut said)?;
/// assert_eq!(said, "one call failed\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Aside(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    change: Condvar,
}

#[derive(Debug, Default)]
struct State {
    texts: VecDeque<String>,
    bytes: usize,
    /// How many were said.
    said: u64,
    /// Whether nothing more is to come.
    is_over: bool,
    /// Whether nobody says anything any more.
    is_gone: bool,
}

impl Aside {
    /// Says it there, on a thread of its own.
    ///
    /// # Errors
    ///
    /// What the system says where it has no thread to give.
    pub fn to(to: File) -> io::Result<Self> {
        let shared = Arc::<Shared>::default();
        Builder::new().spawn({
            let shared = Arc::clone(&shared);
            move || {
                // Where nobody can read there is nobody to tell.
                let _ = say_all(&shared, to);
                shared.lock().is_gone = true;
                shared.change.notify_all();
            }
        })?;
        Ok(Self(shared))
    }

    /// Says it on the standard error of this process.
    ///
    /// # Errors
    ///
    /// As [`Self::to`].
    pub fn of_process() -> io::Result<Self> {
        Self::to(io::stderr().as_fd().try_clone_to_owned()?.into())
    }

    /// Says this in its turn, all of it or nothing; `false` where too much waits already, since nobody reads.
    pub fn say(&self, text: String) -> bool {
        let mut state = self.0.lock();
        let has_room = state.bytes == 0 || state.bytes + text.len() <= MOST_BYTES;
        if !has_room || state.is_gone {
            return false;
        }
        state.bytes += text.len();
        state.texts.push_back(text);
        self.0.change.notify_all();
        true
    }

    /// Waits until all is said, as long as somebody reads it.
    pub fn finish(self) {
        let mut state = self.0.lock();
        state.is_over = true;
        self.0.change.notify_all();
        let mut progress = (state.said, Instant::now());
        while !state.is_gone && progress.1.elapsed() < PATIENCE {
            let waited = self.0.change.wait_timeout(state, RESPITE);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            if state.said != progress.0 {
                progress = (state.said, Instant::now());
            }
        }
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        self.0.lock().is_over = true;
        self.0.change.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is to be said next; `None` once it was all.
    fn next(&self) -> Option<String> {
        let mut state = self.lock();
        loop {
            if let Some(text) = state.texts.pop_front() {
                return Some(text);
            }
            if state.is_over {
                return None;
            }
            state = self.change.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn say_all(shared: &Shared, mut to: File) -> io::Result<()> {
    let is_pipe = to.metadata().is_ok_and(|to| to.file_type().is_fifo());
    while let Some(text) = shared.next() {
        while is_pipe && is_unread(&to, text.len()) {
            sleep(RESPITE);
        }
        write_all(&mut to, text.as_bytes())?;
        let mut state = shared.lock();
        state.bytes -= text.len();
        state.said += 1;
        shared.change.notify_all();
    }
    Ok(())
}

/// Whether so much waits in a pipe that this has no room beside what the server may say.
fn is_unread(to: &File, bytes: usize) -> bool {
    // Where the system does not say, it is written as anything is.
    let waits = ioctl_fionread(to).ok().and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or_default();
    waits > 0 && waits + bytes > OF_A_PIPE
}

/// Writes as soon as there is room, whether or not it waits by itself: as few writes as can be, since the server writes between
/// them.
fn write_all(to: &mut File, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        wait_for_room(to)?;
        match to.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn wait_for_room(to: &File) -> io::Result<()> {
    let now_and_then = Timespec { tv_sec: 1, tv_nsec: 0 };
    loop {
        match poll(&mut [PollFd::new(to, PollFlags::OUT)], Some(&now_and_then)) {
            Ok(0) | Err(Errno::INTR) => {}
            Ok(_) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::os::fd::OwnedFd;

    use super::*;

    fn aside() -> (io::PipeReader, io::PipeWriter, Aside) {
        let (read, write) = io::pipe().unwrap();
        let server = write.try_clone().unwrap();
        (read, server, Aside::to(OwnedFd::from(write).into()).unwrap())
    }

    #[test]
    fn what_nobody_reads_is_left_unsaid_and_the_server_has_its_room() {
        let (mut read, mut server, aside) = aside();
        let text = "a line that is neither short nor long\n".repeat(50);
        let said = (0..1000).filter(|_| aside.say(text.clone())).count();
        assert!((MOST_BYTES / text.len()..1000).contains(&said), "{said}");
        sleep(Duration::from_millis(100));
        // It would wait here for good.
        server.write_all(&[b'x'; 40_000]).unwrap();
        let begin = Instant::now();
        aside.finish();
        assert!(begin.elapsed() < Duration::from_secs(10));
        let mut first = vec![0; text.len()];
        read.read_exact(&mut first).unwrap();
        assert_eq!(first, text.as_bytes());
    }

    #[test]
    fn whoever_reads_slowly_hears_all() {
        let (mut read, server, aside) = aside();
        drop(server);
        let texts: Vec<String> = (0..100).map(|number| format!("{number}\n").repeat(500)).collect();
        let reading = std::thread::spawn(move || {
            let (mut all, mut some) = (Vec::new(), [0; 10_000]);
            while let Ok(count @ 1..) = read.read(&mut some) {
                all.extend_from_slice(&some[..count]);
                sleep(Duration::from_millis(1));
            }
            all
        });
        for text in &texts {
            while !aside.say(text.clone()) {
                sleep(RESPITE);
            }
        }
        aside.finish();
        assert_eq!(String::from_utf8(reading.join().unwrap()).unwrap(), texts.concat());
    }

    #[test]
    fn whoever_has_gone_is_told_nothing() {
        let (read, _server, aside) = aside();
        drop(read);
        let begin = Instant::now();
        while aside.say("a\n".to_owned()) {
            assert!(begin.elapsed() < Duration::from_secs(10));
            sleep(RESPITE);
        }
        aside.finish();
    }
}
