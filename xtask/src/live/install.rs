//! What registries have, installed once for each version.

use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, ensure};

use super::places::Places;
use super::probe::{end, wait};
use super::sandbox::PATH;

/// What was run to install what is there, in the folder that it is installed in.
const MARK: &str = ".installed-by";

/// How long an installation may take.
const MOST: Duration = Duration::from_secs(15 * 60);

/// Runs the shell command that installs something, unless just this is there already.
pub fn install(command: &str, places: &Places) -> anyhow::Result<()> {
    if is_installed(command, &places.install) {
        return Ok(());
    }
    if places.install.exists() {
        std::fs::remove_dir_all(&places.install).context("failed to remove another version")?;
    }
    std::fs::create_dir_all(&places.install).context("failed to make a folder")?;
    let log = File::create(&places.install_log).context("failed to make the log of the installation")?;
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).env("PATH", PATH).current_dir(&places.install);
    shell.stdout(log.try_clone().context("failed to share the log")?).stderr(log);
    shell.process_group(0);
    let mut child = shell.spawn().context("failed to start sh")?;
    let status = wait(&mut child, MOST)?;
    if status.is_none() {
        end(&mut child)?;
    }
    let status = status
        .with_context(|| format!("not installed within {MOST:?}: {}", last_line(&places.install_log)))?;
    ensure!(status.success(), "{status}: {}", last_line(&places.install_log));
    std::fs::write(places.install.join(MARK), command).context("failed to note what is installed")
}

fn is_installed(command: &str, folder: &Path) -> bool {
    std::fs::read_to_string(folder.join(MARK)).is_ok_and(|installed| installed == command)
}

fn last_line(log: &Path) -> String {
    let text = std::fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_reused_and_another_version_replaces_it() {
        let root = tempfile::tempdir().unwrap();
        let places = Places::of(root.path(), "a");
        let times = root.path().join("times");
        let counting = format!("echo once >> {} && : >", times.display());
        for (file, expected) in [("one", 1), ("one", 1), ("two", 2)] {
            install(&format!("{counting} {file}"), &places).unwrap();
            assert_eq!(std::fs::read_to_string(&times).unwrap().lines().count(), expected);
        }
        assert!(places.install.join("two").exists() && !places.install.join("one").exists());
    }

    #[test]
    fn a_failure_says_its_last_words_and_counts_for_nothing() {
        let root = tempfile::tempdir().unwrap();
        let places = Places::of(root.path(), "a");
        let error = install("echo no headers; echo; exit 3", &places).unwrap_err().to_string();
        assert_eq!(error, "exit status: 3: no headers");
        assert!(install("echo no headers; echo; exit 3", &places).is_err());
    }
}
