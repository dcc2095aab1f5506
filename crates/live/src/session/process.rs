//! A server's processes: started in a group of their own, and ended on every path.

use std::collections::VecDeque;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use tokio::io::BufReader;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};

use super::Launch;
use super::lines::{Line, next_line};

/// How long a server may take to end by itself once its input is closed.
const GRACE: Duration = Duration::from_millis(500);
/// How long it may take to end after TERM before it is killed, and after KILL before it is given up on.
const PATIENCE: Duration = Duration::from_millis(1500);
const POLL: Duration = Duration::from_millis(10);
/// How many lines of standard error are kept, the last ones.
const STDERR_LINES: usize = 20;
const STDERR_LINE_BYTES: usize = 64 * 1024;

/// What a server may see of our environment: what programs need to start, and nothing that is secret.
const INHERITED: &[&str] =
    &["HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"];

/// A running server and whatever it started; dropping it ends them all.
#[derive(Debug)]
#[must_use = "dropping it ends the server"]
pub(super) struct Process {
    child: Child,
    group: Option<Pid>,
    stderr: Arc<Mutex<VecDeque<String>>>,
}

impl Process {
    /// Starts a command in a process group of its own, with its standard streams piped.
    pub fn start(launch: &Launch) -> std::io::Result<(Self, ChildStdin, ChildStdout)> {
        let missing = || std::io::Error::new(std::io::ErrorKind::InvalidInput, "the command is empty");
        let (program, arguments) = launch.command.split_first().ok_or_else(missing)?;
        let inherited = INHERITED.iter().filter_map(|name| Some((*name, std::env::var_os(name)?)));
        let mut child = Command::new(program)
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
        let process = Self { child, group, stderr: Arc::default() };
        if let Some(stderr) = stderr {
            tokio::spawn(keep_tail(stderr, Arc::clone(&process.stderr)));
        }
        match (stdin, stdout) {
            (Some(stdin), Some(stdout)) => Ok((process, stdin, stdout)),
            _ => Err(std::io::Error::other("the standard streams could not be piped")),
        }
    }

    /// The last lines of standard error.
    pub fn stderr_tail(&self) -> Vec<String> {
        self.stderr.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// The exit status, if the server ends within this time.
    pub async fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        tokio::time::timeout(patience, self.child.wait()).await.ok()?.ok()
    }

    /// Waits a moment for the server to end by itself, then ends the group.
    pub async fn end(mut self) {
        self.wait(GRACE).await;
        for signal in [Signal::TERM, Signal::KILL] {
            self.signal(signal);
            let start = Instant::now();
            while self.is_alive() && start.elapsed() < PATIENCE {
                tokio::time::sleep(POLL).await;
            }
        }
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = self.group {
            // An error means that nobody is left in the group.
            let _ = kill_process_group(group, signal);
        }
    }

    /// Whether any process of the group is left. The server itself is reaped on the way, since a process that
    /// ended and was not waited for still counts as a member.
    fn is_alive(&mut self) -> bool {
        let reaped = !matches!(self.child.try_wait(), Ok(None));
        !reaped || self.group.is_some_and(|group| test_kill_process_group(group).is_ok())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
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

async fn keep_tail(stderr: ChildStderr, tail: Arc<Mutex<VecDeque<String>>>) {
    let mut reader = BufReader::new(stderr);
    while let Line::Whole(bytes) = next_line(&mut reader, STDERR_LINE_BYTES).await {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        if tail.len() == STDERR_LINES {
            tail.pop_front();
        }
        tail.push_back(String::from_utf8_lossy(&bytes).into_owned());
    }
    // A line beyond the bound, or the end: whatever else comes is read and forgotten, so that a server that
    // logs a lot is not blocked by a full pipe.
    let _ = tokio::io::copy(&mut reader, &mut tokio::io::sink()).await;
}
