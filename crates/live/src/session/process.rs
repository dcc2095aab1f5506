//! A server's processes: started in a group of their own, and ended on every path.

use std::collections::VecDeque;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use frankly_verdict::transcript::Cut;
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use tokio::io::BufReader;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;

use super::Launch;
use super::lines::{Line, next_line};

/// How long a server may take to end by itself once its input is closed.
pub(super) const GRACE: Duration = Duration::from_millis(500);
/// How long it may take to end after TERM before it is killed, and after KILL before it is given up on.
const PATIENCE: Duration = Duration::from_millis(1500);
/// How long what it wrote to standard error may still be on its way once it has ended.
const LAST_WORDS: Duration = Duration::from_millis(100);
const POLL: Duration = Duration::from_millis(10);
/// How many lines of standard error are kept, the last ones.
const STDERR_LINES: usize = 20;
const STDERR_LINE_BYTES: usize = 64 * 1024;

/// What a server may see of our environment: what programs need to start, and nothing that is secret.
pub(super) const INHERITED: &[&str] =
    &["HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"];

/// A running server and whatever it started; dropping it ends them all.
#[derive(Debug)]
#[must_use = "dropping it ends the server"]
pub(super) struct Process {
    child: Child,
    group: Option<Pid>,
    stderr: Arc<Mutex<VecDeque<String>>>,
    reading: Option<JoinHandle<()>>,
    ended: bool,
}

/// How a server ended.
#[derive(Debug, Default)]
pub(super) struct Ended {
    /// The exit status, if it ended by itself.
    pub status: Option<ExitStatus>,
    /// The last lines of standard error.
    pub stderr: Vec<String>,
}

impl Process {
    /// Starts a command in a process group of its own, with its standard streams piped.
    pub fn start(launch: &Launch) -> std::io::Result<(Self, ChildStdin, ChildStdout)> {
        let missing = || std::io::Error::new(std::io::ErrorKind::InvalidInput, "the command is empty");
        let (program, arguments) = launch.command.split_first().ok_or_else(missing)?;
        let inherited = INHERITED.iter().filter_map(|name| Some((*name, std::env::var_os(name)?)));
        let mut command = Command::new(program);
        if let Some(directory) = &launch.directory {
            command.current_dir(directory);
        }
        let mut child = command
            .args(arguments)
            .env_clear()
            .envs(inherited)
            .envs(launch.env.iter().map(|(name, value)| (name, value)))
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let tail = Arc::default();
        let reading = stderr.map(|stderr| tokio::spawn(keep_tail(stderr, Arc::clone(&tail))));
        let process = Self { child, group, stderr: tail, reading, ended: false };
        match (stdin, stdout) {
            (Some(stdin), Some(stdout)) => Ok((process, stdin, stdout)),
            _ => Err(std::io::Error::other("the standard streams could not be piped")),
        }
    }

    /// The last lines of standard error, of a server that has ended or is given up on.
    pub async fn stderr_tail(&mut self) -> Vec<String> {
        if let Some(reading) = self.reading.take() {
            // Whatever the server started may hold its standard error open.
            let _ = tokio::time::timeout(LAST_WORDS, reading).await;
        }
        self.stderr.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// The exit status, if the server ends within this time.
    pub async fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        tokio::time::timeout(patience, self.child.wait()).await.ok()?.ok()
    }

    /// Waits a moment for the server to end by itself, then ends what is left of the group.
    pub async fn end(mut self) -> Ended {
        let status = self.wait(GRACE).await;
        for signal in [Signal::TERM, Signal::KILL] {
            if !self.is_alive() {
                break;
            }
            self.signal(signal);
            let start = Instant::now();
            while self.is_alive() && start.elapsed() < PATIENCE {
                tokio::time::sleep(POLL).await;
            }
        }
        self.ended = true;
        Ended { status, stderr: self.stderr_tail().await }
    }

    fn signal(&mut self, signal: Signal) {
        if let Some(group) = self.group {
            // An error means that nobody is left in the group.
            let _ = kill_process_group(group, signal);
        }
        if signal == Signal::KILL {
            // The server itself may have left the group; an error means that it has ended.
            let _ = self.child.start_kill();
        }
    }

    /// Whether any process of the group is left. The server itself is reaped on the way, since a process that
    /// ended and was not waited for still counts as a member.
    fn is_alive(&mut self) -> bool {
        let reaped = !matches!(self.child.try_wait(), Ok(None));
        !reaped || self.group.is_some_and(|group| test_kill_process_group(group).is_ok() && has_living(group))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.ended {
            return;
        }
        for signal in [Signal::TERM, Signal::KILL] {
            let start = Instant::now();
            let mut alive = self.is_alive();
            if alive {
                self.signal(signal);
            }
            // Blocking is right here: this runs on panics and signals too, where no executor will come back to it.
            while alive && start.elapsed() < PATIENCE {
                std::thread::sleep(POLL);
                alive = self.is_alive();
            }
        }
    }
}

/// Whether a group has members that have not ended. Where nobody reaps orphans, as in many containers, those
/// that have ended stay members for good.
fn has_living(group: Pid) -> bool {
    let Some(processes) = std::fs::read_dir("/proc").ok().filter(|_| cfg!(target_os = "linux")) else {
        return true;
    };
    let group = group.as_raw_nonzero().to_string();
    processes.flatten().any(|process| {
        let stat = std::fs::read_to_string(process.path().join("stat")).unwrap_or_default();
        // The name before the last parenthesis may hold anything; then come state, parent and group.
        let mut fields = stat.rsplit(')').next().unwrap_or_default().split_ascii_whitespace();
        let state = fields.next();
        fields.nth(1) == Some(group.as_str()) && !matches!(state, Some("Z" | "X"))
    })
}

async fn keep_tail(stderr: ChildStderr, tail: Arc<Mutex<VecDeque<String>>>) {
    let mut reader = BufReader::new(stderr);
    while let Some(line) = next_line(&mut reader, STDERR_LINE_BYTES).await {
        let text = match line {
            Line::Whole(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Line::Cut(Cut { head, tail, .. }, _) => format!("{head} … {tail}"),
        };
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        if tail.len() == STDERR_LINES {
            tail.pop_front();
        }
        tail.push_back(text.trim_end_matches('\r').to_owned());
    }
}
