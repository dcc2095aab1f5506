//! One run of `frankly probe`, which may take only so long.

use std::fs::File;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use rustix::process::{Pid, Signal, kill_process_group};

use super::orphans;
use super::places::Places;
use super::run::{Outcome, Run};
use super::sandbox;

/// How long frankly may take to end once it was told to.
const GRACE: Duration = Duration::from_secs(10);
const POLL: Duration = Duration::from_millis(50);

/// Probes a server whose configuration is written, and says what came of it.
pub fn probe(frankly: &Path, name: &str, places: &Places, most: Duration) -> anyhow::Result<Run> {
    let mut command = sandbox::command(frankly, places);
    command.args(["probe", name, "--sandbox", "--call", "all", "--format", "json", "--config"]);
    command.arg(&places.config);
    command.stdout(File::create(&places.report).context("failed to make the report")?);
    command.stderr(File::create(&places.stderr).context("failed to make a file for standard error")?);
    let began = Instant::now();
    let mut child = command.spawn().context("failed to start frankly")?;
    let status = wait(&mut child, most)?;
    let seconds = began.elapsed().as_secs();
    let outcome = status.map_or(Outcome::Hung, |status| Outcome::Ended { exit: status.code() });
    if outcome == Outcome::Hung {
        end(&mut child)?;
    }
    Ok(Run { outcome, seconds, orphans: orphans::end(&places.home) })
}

/// How a child ended; `None` where it has not by then.
pub fn wait(child: &mut Child, most: Duration) -> anyhow::Result<Option<ExitStatus>> {
    let began = Instant::now();
    loop {
        let status = child.try_wait().context("failed to look at frankly")?;
        if status.is_some() || began.elapsed() > most {
            return Ok(status);
        }
        thread::sleep(POLL);
    }
}

/// Ends a child and its group, politely at first.
pub fn end(child: &mut Child) -> anyhow::Result<()> {
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw).context("frankly has no number")?;
    for signal in [Signal::TERM, Signal::KILL] {
        // The group may be gone already, which is what is wanted.
        let _ = kill_process_group(group, signal);
        if wait(child, GRACE)?.is_some() {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// What a program that stands for frankly, started by root or not, gives.
    fn probed(script: &str) -> (Run, String) {
        let root = tempfile::tempdir().unwrap();
        std::fs::set_permissions(root.path(), PermissionsExt::from_mode(0o755)).unwrap();
        let places = Places::of(root.path(), "a");
        std::fs::create_dir_all(root.path().join("reports")).unwrap();
        sandbox::prepare(&places).unwrap();
        let program = root.path().join("frankly");
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
        let run = probe(&program, "a", &places, Duration::from_secs(2)).unwrap();
        (run, std::fs::read_to_string(&places.report).unwrap())
    }

    #[test]
    fn what_ends_says_how_and_what_it_left_is_told() {
        let (run, report) = probed("echo $2 $4; sleep 61 > /dev/null 2>&1 & exit 3");
        assert_eq!((run.outcome, report.as_str()), (Outcome::Ended { exit: Some(3) }, "a --call\n"));
        assert_eq!(run.orphans, ["sleep 61"]);
    }

    #[test]
    fn what_hangs_is_ended_with_its_group() {
        let (run, _) = probed("sleep 62");
        assert_eq!((run.outcome, run.orphans.len()), (Outcome::Hung, 0));
    }
}
