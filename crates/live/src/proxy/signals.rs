//! Signals that are meant for the server: it is the spy that the client knows, and sends them to.

use std::io;
use std::sync::mpsc::Sender;

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXFSZ};
use signal_hook::iterator::exfiltrator::WithOrigin;
use signal_hook::iterator::{Handle, SignalsInfo};

use super::oversee::News;

/// What can be passed on.
const PASSED_ON: [(i32, Signal); 6] = [
    (SIGHUP, Signal::HUP),
    (SIGINT, Signal::INT),
    (SIGQUIT, Signal::QUIT),
    (SIGTERM, Signal::TERM),
    (SIGUSR1, Signal::USR1),
    (SIGUSR2, Signal::USR2),
];

/// Ends the listening when it goes.
#[derive(Debug)]
pub(super) struct Listening(Handle);

/// Tells of every signal from now on. What a terminal sends it sends to the whole group, in which the server is too: such a
/// signal is not told of, or the server would get it twice.
pub(super) fn listen(news: Sender<News>) -> io::Result<Listening> {
    // A recording that grows beyond what the system allows ends by itself, and not all else with it.
    let all = PASSED_ON.iter().map(|(number, _)| *number).chain([SIGXFSZ]);
    let mut signals = SignalsInfo::<WithOrigin>::new(all)?;
    let handle = signals.handle();
    std::thread::spawn(move || {
        for origin in signals.forever().filter(|origin| origin.process.is_some()) {
            let known = PASSED_ON.iter().find(|(number, _)| *number == origin.signal);
            if known.is_some_and(|(_, signal)| news.send(News::Signal(*signal)).is_err()) {
                return;
            }
        }
    });
    Ok(Listening(handle))
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Sends a signal on to the server, which must not have been waited for yet.
pub(super) fn pass_on(signal: Signal, server: Pid) {
    // An error means that it has ended, or became another user's.
    let _ = kill_process(server, signal);
}
