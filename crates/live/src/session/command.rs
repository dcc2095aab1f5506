//! A command of the user that is no server: it is run to its end, and must not hang or leave anything behind.

use std::fmt;
use std::process::ExitStatus;
use std::time::Duration;

use frankly_verdict::report::shell_word;

use super::Launch;
use super::process::Process;

/// A command that did not do its work.
#[derive(Debug)]
pub struct CommandError {
    /// The command as the user wrote it, so that what was filled in is not shown.
    command: Vec<String>,
    cause: Cause,
    stderr: Vec<String>,
}

#[derive(Debug)]
enum Cause {
    NotStarted(std::io::Error),
    Failed(ExitStatus),
    TooLong(Duration),
}

/// Runs a command to its end, in a process group of its own and with no input. What it writes to standard output is
/// not kept.
///
/// # Errors
///
/// [`CommandError`] when it does not start, fails, or does not end within the launch's time; then whatever is left of
/// its group is ended.
pub(crate) async fn run_command(launch: &Launch) -> Result<(), CommandError> {
    let error = |cause, stderr| CommandError { command: launch.shown.clone(), cause, stderr };
    let (mut process, stdin, mut stdout) =
        Process::start(launch).map_err(|cause| error(Cause::NotStarted(cause), Vec::new()))?;
    drop(stdin);
    let mut nowhere = tokio::io::sink();
    let reading = async {
        // However reading ends, it is the end of the command that is waited for.
        let _ = tokio::io::copy(&mut stdout, &mut nowhere).await;
        std::future::pending::<Option<ExitStatus>>().await
    };
    let status = tokio::select! {
        status = process.wait(launch.timeout) => status,
        status = reading => status,
    };
    let stderr = process.end().await.stderr;
    match status {
        Some(status) if status.success() => Ok(()),
        Some(status) => Err(error(Cause::Failed(status), stderr)),
        None => Err(error(Cause::TooLong(launch.timeout), stderr)),
    }
}

impl CommandError {
    /// The last lines that the command wrote to standard error.
    #[must_use]
    pub fn stderr(&self) -> &[String] {
        &self.stderr
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.command.iter().map(|word| shell_word(word)).collect();
        let command = words.join(" ");
        match &self.cause {
            Cause::NotStarted(error) => {
                write!(
                    f,
                    "`{command}` could not be started: {error}; check its path, and that it is executable"
                )
            }
            Cause::Failed(status) => write!(f, "`{command}` failed ({status})"),
            Cause::TooLong(patience) => {
                write!(f, "`{command}` did not end within {} s", patience.as_secs_f64())
            }
        }
    }
}

impl std::error::Error for CommandError {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    async fn run(script: &str) -> Result<(), (String, Vec<String>)> {
        let command = ["sh", "-c", script].map(str::to_owned).to_vec();
        let shown = vec!["${SEED}".to_owned()];
        let launch = Launch { command, shown, timeout: Duration::from_millis(300), ..Launch::default() };
        run_command(&launch).await.map_err(|error| (error.to_string(), error.stderr().to_vec()))
    }

    #[tokio::test]
    async fn a_command_does_its_work_or_says_how_it_failed() {
        assert_eq!(
            run(
                "read -r line; i=0; while [ $i -lt 5000 ]; do echo 'a long line of output'; i=$((i+1)); done"
            )
            .await,
            Ok(())
        );
        let (error, stderr) = run("echo 'no such table' >&2; exit 3").await.unwrap_err();
        assert_eq!(
            (error.as_str(), stderr),
            ("`'${SEED}'` failed (exit status: 3)", vec!["no such table".to_owned()])
        );
        let launch = Launch { command: vec!["/does/not/exist".to_owned()], ..Launch::default() };
        assert!(run_command(&launch).await.unwrap_err().to_string().contains("could not be started"));
    }

    #[tokio::test]
    async fn a_command_that_hangs_is_ended_with_all_it_started() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("late");
        let start = Instant::now();
        let (error, _) =
            run(&format!("(sleep 3; echo late > {}) & sleep 100", file.display())).await.unwrap_err();
        assert!(error.contains("did not end within 0.3 s"), "{error}");
        assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
        tokio::time::sleep(Duration::from_secs(3)).await;
        assert!(!file.exists(), "what it started goes on");
    }
}
