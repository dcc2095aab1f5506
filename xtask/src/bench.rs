//! Measurements that need the built binary. They say how much something takes, and gate nothing: machines differ.

pub mod spy;
pub mod verify;

use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use anyhow::Context;

/// What a process took.
pub struct Took {
    pub status: ExitStatus,
    pub time: Duration,
    /// The most memory that it held at once, in bytes, where the system tells.
    pub peak: Option<u64>,
}

/// Runs a command to its end, and says what it took.
pub fn measure(command: &mut Command) -> anyhow::Result<Took> {
    let begin = Instant::now();
    let mut child = command.spawn().context("failed to start what is measured")?;
    let mut peak = None;
    let status = loop {
        peak = peak_of(&child).max(peak);
        match child.try_wait()? {
            Some(status) => break status,
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    Ok(Took { status, time: begin.elapsed(), peak })
}

/// The most memory that a process has held so far.
fn peak_of(child: &Child) -> Option<u64> {
    let status =
        std::fs::read_to_string(Path::new("/proc").join(child.id().to_string()).join("status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// An amount of memory in a sentence.
pub fn megabytes(bytes: Option<u64>) -> String {
    bytes.map_or_else(
        || "not known on this system".to_owned(),
        |bytes| format!("{:.0} MB", bytes as f64 / 1e6),
    )
}
