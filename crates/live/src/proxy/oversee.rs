//! What goes on around a server until it has ended, and all that it wrote has gone on. What may not enter: the bytes.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use super::pump::Progress;
use super::signals;

/// How long nothing may come from what a server left behind before it is given up on.
const SILENCE: Duration = Duration::from_millis(250);
/// How long those are heard that a server left behind, once all its own words have gone on.
const LEFT_BEHIND: Duration = Duration::from_secs(5);

/// What happens to a session.
#[derive(Debug)]
pub(super) enum News {
    /// Somebody sent us a signal.
    Signal(Signal),
    /// The server has ended, perhaps by a signal.
    Ended { by_signal: bool },
    /// One of its streams has.
    Through,
    /// All is recorded, and told.
    Recorded,
}

/// Passes signals on until the server has ended and all that it wrote has gone on. What it started may hold its streams
/// open for good: such a stream is given up once nothing comes, or nothing of the server's own has come for long enough.
pub(super) fn oversee(news: &Receiver<News>, outputs: &[Arc<Progress>; 2], server: Option<Pid>) {
    let (mut has_ended, mut was_told_to, mut before) = (false, false, None);
    let mut rests = outputs.each_ref().map(|output| Rest { output, is_through: false });
    let mut through = None;
    loop {
        match news.recv_timeout(if has_ended { SILENCE } else { Duration::MAX }) {
            // Whoever is told to end and has nobody to tell ends.
            Ok(News::Signal(_)) if has_ended => return,
            Ok(News::Signal(signal)) => {
                was_told_to = true;
                server.into_iter().for_each(|server| signals::pass_on(signal, server));
            }
            Ok(News::Ended { by_signal }) => (has_ended, was_told_to) = (true, was_told_to || by_signal),
            Ok(News::Through | News::Recorded) => {}
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                let now = standstill(outputs, was_told_to);
                if now.is_some() && now == before {
                    return;
                }
                before = now;
            }
        }
        if has_ended && outputs.iter().all(|output| output.is_over()) {
            return;
        }
        if has_ended && rests.iter_mut().all(Rest::look) {
            // All that comes from now on is of those that it left behind.
            let since: &mut Instant = through.get_or_insert_with(Instant::now);
            if since.elapsed() > LEFT_BEHIND {
                return;
            }
        }
    }
}

/// What a server that has ended had still written on a stream.
struct Rest<'o> {
    output: &'o Progress,
    is_through: bool,
}

impl Rest<'_> {
    /// Whether it has been passed on by now: nothing was left at some moment since.
    fn look(&mut self) -> bool {
        self.is_through |= self.output.is_over() || self.output.is_waiting();
        self.is_through
    }
}

/// How much has come on each stream, where nothing is on its way. What a client does not read is waited for, as the server
/// itself would have, unless that would have been ended there.
fn standstill(outputs: &[Arc<Progress>; 2], was_told_to_end: bool) -> Option<Vec<u64>> {
    let open = outputs.iter().filter(|output| !output.is_over());
    open.map(|output| (was_told_to_end || output.is_waiting()).then(|| output.count())).collect()
}
