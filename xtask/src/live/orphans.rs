//! Processes that a run left behind: those whose environment has its HOME, which no other process has.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// How long what was told to end may take to be gone.
const GRACE: Duration = Duration::from_secs(1);

/// Ends whatever is still there, and says what it was, by its command lines.
pub fn end(home: &Path) -> Vec<String> {
    let began = Instant::now();
    while began.elapsed() < GRACE && !find(home).is_empty() {
        thread::sleep(Duration::from_millis(50));
    }
    let left = find(home);
    for (pid, _) in &left {
        // It may have ended just now, which is what is wanted.
        let _ = kill_process(*pid, Signal::KILL);
    }
    left.into_iter().map(|(_, command)| command).collect()
}

fn find(home: &Path) -> Vec<(Pid, String)> {
    let wanted = format!("HOME={}", home.display());
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = entries.filter_map(|entry| {
        let pid = Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)?;
        // A process may end, or belong to somebody else: then it is none of ours.
        let environment = std::fs::read(entry.path().join("environ")).ok()?;
        let is_ours = environment.split(|byte| *byte == 0).any(|variable| variable == wanted.as_bytes());
        let command = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        is_ours.then(|| (pid, String::from_utf8_lossy(&command).replace('\0', " ").trim().to_owned()))
    });
    processes.collect()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn only_what_has_this_home_is_found_and_ended() {
        let home = tempfile::tempdir().unwrap();
        let sleeper = |home: &Path| Command::new("sleep").arg("60").env("HOME", home).spawn().unwrap();
        let (mut left, mut other) = (sleeper(home.path()), sleeper(Path::new("/other")));
        let found = end(home.path());
        assert_eq!(found, ["sleep 60"]);
        assert!(!left.wait().unwrap().success());
        assert_eq!(other.try_wait().unwrap(), None);
        other.kill().unwrap();
        other.wait().unwrap();
        assert_eq!(end(home.path()), Vec::<String>::new());
    }
}
