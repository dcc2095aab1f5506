//! A session over standard streams: the server is started, everything is passed on, and its end becomes ours.

use std::fmt;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use frankly_verdict::report::shell_word;
use frankly_verdict::transcript::{Event, Frame, Transcript};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use serde_json::{Map, json};

use super::context::ContextSources;
use super::copy::{Complain, Copy, Step};
use super::oversee::{News, oversee};
use super::pump::{Progress, Pump};
use super::queue::{MOST_BYTES, Queue, Stream};
use super::signals::Listening;
use super::watch::{Haste, Shown, Watching};
use super::{Streams, signals};
use crate::recording::{RecordingFileError, Writer};
use crate::session::Launch;

/// How long a recorder may still take that somebody does not want to wait for.
const PATIENCE: Duration = Duration::from_secs(5);

/// A spy, ready to stand between a client and its server.
///
/// ```
/// use frankly_live::proxy::{Spy, Streams};
/// use frankly_live::recording::{Writer, read};
/// use frankly_verdict::transcript::Transcript;
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("session.jsonl");
/// let nowhere = || std::fs::File::options().read(true).write(true).open("/dev/null");
/// let streams = Streams { input: nowhere()?, output: nowhere()?, errors: nowhere()? };
/// let server = ["sh", "-c", "echo up; exit 7"].map(str::to_owned).to_vec();
/// let ended = Spy::new(server, Writer::create(&path, &Transcript::default())?).run(streams)?;
/// assert_eq!(ended.code(), 7);
/// assert!(read(&path)?.frames.iter().any(|frame| frame.line() == "up"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "it does nothing until it runs"]
pub struct Spy {
    launch: Launch,
    recording: Option<Writer>,
    watching: Option<Watching>,
    context: ContextSources,
    step: Step,
    complain: Complain,
}

/// Why a spy cannot stand between a client and a server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpyError {
    /// The server does not start.
    #[error("failed to start {}: {why}; check its path, and that it is executable", shown(command))]
    Start {
        /// Its command.
        command: Vec<String>,
        /// What the system says.
        why: io::Error,
    },
    /// Signals would end the spy, and not reach the server.
    #[error("failed to listen for signals: {0}")]
    Signals(io::Error),
    /// Nobody knows how the server ended.
    #[error("failed to wait for the server: {0}")]
    Wait(io::Error),
}

/// How a server ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended(ExitStatus);

impl Spy {
    /// A spy that starts this server and records what passes, where it is to be recorded.
    pub fn new(command: Vec<String>, recording: impl Into<Option<Writer>>) -> Self {
        Self::of(Launch { shown: command.clone(), command, ..Launch::default() }, recording)
    }

    /// A spy that starts a server as it is configured: in its directory, with its variables beside our own environment.
    pub fn of(launch: Launch, recording: impl Into<Option<Writer>>) -> Self {
        Self {
            launch,
            recording: recording.into(),
            watching: None,
            context: ContextSources::default(),
            step: Box::new(|frame| frame),
            complain: Box::new(|_| ()),
        }
    }

    /// The session is watched: what it shows is told while it goes on, on a thread beside the traffic, and each thing once. This is what
    /// is known of it beforehand.
    ///
    /// # Errors
    ///
    /// What the system says where it has no thread to give.
    pub fn watch(self, about: Transcript, tell: impl FnMut(Shown) + Send + 'static) -> io::Result<Self> {
        Ok(Self { watching: Some(Watching::start(about, Box::new(tell))?), ..self })
    }

    /// Every frame is recorded with a context from there.
    pub fn context(self, context: ContextSources) -> Self {
        Self { context, ..self }
    }

    /// Every frame passes through this before it is written and judged.
    pub fn step(self, step: impl FnMut(Frame) -> Frame + Send + 'static) -> Self {
        Self { step: Box::new(step), ..self }
    }

    /// This is told once if the recording can be written no further. The traffic goes on.
    pub fn complain(self, complain: impl FnMut(&RecordingFileError) + Send + 'static) -> Self {
        Self { complain: Box::new(complain), ..self }
    }

    /// Starts the server, with our own environment and in our own process group, and stands between the two until it has
    /// ended. What it wrote is passed on to its end, its last line recorded, and all told that it shows, before this returns.
    ///
    /// Signals that others send to this process are passed on to the server from here on, and never end it.
    ///
    /// # Errors
    ///
    /// [`SpyError`] where the server does not start; the recording is then taken away again. Where a recorder hangs when the
    /// server has ended, it is waited for no longer than five seconds after a signal.
    pub fn run(self, streams: Streams) -> Result<Ended, SpyError> {
        let Self { launch, recording, watching, context, step, complain } = self;
        let (tell, news) = channel();
        let (mut child, listening) = match begin(&launch, &tell) {
            Ok(begun) => begun,
            Err(error) => {
                recording.into_iter().for_each(Writer::discard);
                return Err(error);
            }
        };
        let queue = Arc::new(Queue::new(MOST_BYTES));
        let haste = watching.as_ref().map(Watching::haste);
        let copy = Copy::to(recording, step, complain, context).watched(watching);
        let (end, ending) = channel();
        record(copy, &queue, ending, tell.clone());
        let outputs = connect(&mut child, streams, &queue, &tell);
        let server = pid(&child);
        await_end(server, tell);
        oversee(&news, &outputs, server);
        let ended = child.wait().map(Ended);
        queue.close();
        haste.into_iter().for_each(Haste::make);
        // A recorder that panicked hears nothing more. Whoever is told to end by now has only the recorder left to wait for.
        if end.send(exit(ended.as_ref().ok())).is_ok() {
            await_recorder(&news);
        }
        drop(listening);
        ended.map_err(SpyError::Wait)
    }
}

/// Hears signals from now on, and starts the server.
fn begin(launch: &Launch, tell: &Sender<News>) -> Result<(Child, Listening), SpyError> {
    let listening = signals::listen(tell.clone()).map_err(SpyError::Signals)?;
    let child = start(launch).map_err(|why| SpyError::Start { command: launch.shown.clone(), why })?;
    Ok((child, listening))
}

/// Records what comes through the queue until it is closed, and then how the session ended.
fn record(copy: Copy, queue: &Arc<Queue>, ending: Receiver<Event>, tell: Sender<News>) {
    let queue = Arc::clone(queue);
    std::thread::spawn(move || {
        let _done = Done { queue: &queue, tell };
        // It is gone before anybody is told.
        let ending = ending;
        let mut copy = copy.follow(&queue);
        ending.into_iter().take(1).for_each(|event| copy.event(event, queue.at_ms()));
        copy.finish();
    });
}

/// Waits until all is recorded; once a signal has come, for as long as it can be waited for.
fn await_recorder(news: &Receiver<News>) {
    let mut deadline = None;
    loop {
        let left =
            deadline.map_or(Duration::MAX, |end: Instant| end.saturating_duration_since(Instant::now()));
        match news.recv_timeout(left) {
            Ok(News::Signal(_)) => _ = deadline.get_or_insert_with(|| Instant::now() + PATIENCE),
            Ok(News::Ended { .. } | News::Through) => {}
            Ok(News::Recorded) | Err(_) => return,
        }
    }
}

/// Whatever ends the recorder, nobody waits for it any more.
struct Done<'q> {
    queue: &'q Queue,
    tell: Sender<News>,
}

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.queue.close();
        // Nobody may be left to be told.
        let _ = self.tell.send(News::Recorded);
    }
}

fn start(launch: &Launch) -> io::Result<Child> {
    let missing = || io::Error::new(io::ErrorKind::InvalidInput, "the command is empty");
    let (program, arguments) = launch.command.split_first().ok_or_else(missing)?;
    let mut command = Command::new(program);
    if let Some(directory) = &launch.directory {
        command.current_dir(directory);
    }
    command.envs(launch.env.iter().map(|(name, value)| (name, value)));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
}

fn pid(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

/// Starts all three directions, and gives what goes on in the two in which the server sends.
fn connect(
    child: &mut Child,
    streams: Streams,
    queue: &Arc<Queue>,
    tell: &Sender<News>,
) -> [Arc<Progress>; 2] {
    let begin = |stream, from: Option<File>, to: Option<File>| {
        let progress = Arc::<Progress>::default();
        if let (Some(from), Some(to)) = (from, to) {
            let pump = Pump { stream, from, to, queue: Arc::clone(queue), progress: Arc::clone(&progress) };
            let tell = tell.clone();
            std::thread::spawn(move || {
                pump.run();
                tell.send(News::Through)
            });
        }
        progress
    };
    let Streams { input, output, errors } = streams;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    begin(Stream::Client, Some(input), stdin.map(|end| OwnedFd::from(end).into()));
    [
        begin(Stream::Server, stdout.map(|end| OwnedFd::from(end).into()), Some(output)),
        begin(Stream::Stderr, stderr.map(|end| OwnedFd::from(end).into()), Some(errors)),
    ]
}

/// Tells when the server has ended, and leaves it to be waited for: until then its number is no other's.
fn await_end(server: Option<Pid>, tell: Sender<News>) {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    let wait = move || server.map(|server| waitid(WaitId::Pid(server), options));
    std::thread::spawn(move || {
        let mut status = wait();
        while matches!(status, Some(Err(rustix::io::Errno::INTR))) {
            status = wait();
        }
        let by_signal = matches!(status, Some(Ok(Some(status))) if !status.exited());
        tell.send(News::Ended { by_signal })
    });
}

/// The last line of a recording.
fn exit(ended: Option<&Ended>) -> Event {
    let mut details = Map::new();
    if let Some(ended) = ended {
        details.insert("code".to_owned(), json!(ended.code()));
        if let Some(name) = ended.0.signal().and_then(signal_hook::low_level::signal_name) {
            details.insert("signal".to_owned(), json!(name));
        }
    }
    Event { name: "exit".to_owned(), details }
}

impl Ended {
    /// The server's own exit code; 128 and the number of the signal where one ended it.
    #[must_use]
    pub fn code(self) -> u8 {
        let code = self.0.code().or_else(|| self.0.signal().map(|signal| 128 + signal));
        code.and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX)
    }

    /// Ends this process by the signal that ended the server, where one did: whoever waits for it sees what it would have
    /// seen of the server.
    pub fn die_alike(self) {
        use rustix::process::{Resource, Rlimit, setrlimit};
        let Some(signal) = self.0.signal() else { return };
        // There is nothing to be learned from the remains of a spy.
        let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
        // A signal that is not known ends nobody: the code says it then.
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    }
}

impl fmt::Debug for Spy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spy")
            .field("command", &self.launch.shown)
            .field("recording", &self.recording)
            .finish_non_exhaustive()
    }
}

fn shown(command: &[String]) -> String {
    format!("`{}`", command.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" "))
}
