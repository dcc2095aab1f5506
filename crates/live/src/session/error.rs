//! Why there is no session, and what to do about it.

use std::fmt;
use std::io::{Error, ErrorKind};
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use frankly_verdict::report::{plain, shell_word, shorten};

use super::http::Failure;
use super::process::INHERITED;
use super::wire::CLOSED_OUTPUT;

/// How much of each line of standard error is shown.
const SHOWN_CHARS: usize = 300;
/// What the system says of a file that it cannot run, on every Unix.
const EXEC_FORMAT: i32 = 8;

/// Why there is no session.
#[derive(Debug)]
pub struct StartError {
    /// The command or address as the user wrote it, so that what was filled in is not shown.
    pub(super) command: Vec<String>,
    /// Whether it is an address.
    pub(super) over_http: bool,
    pub(super) cause: Cause,
    pub(super) stderr: Vec<String>,
}

#[derive(Debug)]
pub(super) enum Cause {
    NotStarted {
        error: Error,
        advice: String,
    },
    Gone {
        what: String,
        status: Option<ExitStatus>,
    },
    Silent(Duration),
    Unread,
    Echo,
    Refused {
        code: i64,
        message: String,
    },
    Malformed(String),
    /// An address that cannot be asked, and why, without a subject.
    NoAddress(String),
    /// Something came over HTTP, and no message.
    Http(Failure),
}

impl Cause {
    /// A command that the system refused to start.
    pub fn not_started(error: Error, command: &[String], shown: &[String]) -> Self {
        let program = command.first().map_or("", String::as_str);
        let advice = advice(&error, program, shown.first().map_or("", String::as_str));
        Self::NotStarted { error, advice }
    }

    /// Whether more of the environment might have helped.
    fn is_about_environment(&self) -> bool {
        matches!(self, Self::Gone { .. } | Self::Silent(_))
    }
}

/// What to do about a program that does not start.
fn advice(error: &Error, program: &str, shown: &str) -> String {
    let word = shell_word(shown);
    let words: Vec<_> = shown.split_whitespace().map(|word| format!("{word:?}")).collect();
    let is_path = program.contains('/');
    match error.kind() {
        ErrorKind::NotFound if Path::new(program).exists() => {
            format!(
                "{word} is there, but not the interpreter that its first line names: install it, or name another"
            )
        }
        ErrorKind::NotFound if words.len() > 1 => format!(
            "it is looked for as one program with spaces in its name: write each word by itself, [{}] in frankly.toml, \
             or without the quotes on the command line",
            words.join(", ")
        ),
        ErrorKind::NotFound if is_path => {
            format!("check the path {word}, which starts at the current directory unless it begins with /")
        }
        ErrorKind::NotFound => {
            format!("{word} is not in PATH: install it, check its name, or give its whole path")
        }
        ErrorKind::PermissionDenied if Path::new(program).is_dir() => format!("{word} is a directory"),
        ErrorKind::PermissionDenied => {
            format!(
                "make it executable, chmod +x {word}, or name its interpreter first, such as python3 {word}"
            )
        }
        _ if error.raw_os_error() == Some(EXEC_FORMAT) => {
            format!("{word} is no program of this system: name its interpreter first, such as sh {word}")
        }
        _ => "check the command".to_owned(),
    }
}

impl StartError {
    /// Whether the user's own configuration is at fault, and no server was asked.
    #[must_use]
    pub fn is_misconfigured(&self) -> bool {
        matches!(self.cause, Cause::NoAddress(_))
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.command.iter().map(|word| shell_word(word)).collect();
        let command = words.join(" ");
        match &self.cause {
            Cause::NotStarted { error, advice } => {
                write!(f, "`{command}` could not be started: {error}; {advice}")?;
            }
            Cause::Gone { what, status: Some(status) } if what == CLOSED_OUTPUT => {
                write!(f, "`{command}` ended before it answered initialize ({status})")?;
            }
            Cause::Gone { what, .. } => {
                write!(f, "`{command}` {} before it answered initialize", plain(what))?;
            }
            Cause::Silent(patience) if self.over_http => {
                write!(
                    f,
                    "`{command}` took the request, and did not answer initialize within {} s",
                    patience.as_secs()
                )?;
            }
            Cause::Silent(patience) => {
                write!(f, "`{command}` runs but did not answer initialize within {} s", patience.as_secs())?;
            }
            Cause::Unread => {
                write!(f, "`{command}` answered initialize and then stopped reading what it was sent")?;
            }
            Cause::Echo => write!(f, "`{command}` is no MCP server: it only echoes what it is sent")?,
            Cause::Refused { code, message } => {
                write!(f, "`{command}` refused initialize with error {code}: {}", plain(message))?;
            }
            Cause::Malformed(what) => write!(f, "`{command}` does not speak MCP: {}", plain(what))?,
            Cause::NoAddress(what) => write!(f, "`{command}` {}", plain(what))?,
            Cause::Http(failure) => write!(f, "`{command}` {}", plain(&failure.to_string()))?,
        }
        if self.over_http {
            return Ok(());
        }
        if self.cause.is_about_environment() {
            write!(
                f,
                "; of the environment it saw only {}: give it more with `env` in frankly.toml, or --env NAME on the \
                 command line",
                INHERITED.join(", ")
            )?;
        }
        if !self.stderr.is_empty() {
            write!(f, "; the end of its standard error:")?;
            for line in &self.stderr {
                write!(f, "\n  {}", shorten(line, SHOWN_CHARS))?;
            }
        } else if matches!(self.cause, Cause::Gone { .. }) {
            write!(f, "; it wrote nothing to standard error")?;
        }
        Ok(())
    }
}

impl std::error::Error for StartError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_fits_the_cause() {
        let advice = |kind: ErrorKind, program: &str| advice(&kind.into(), program, program);
        assert!(advice(ErrorKind::NotFound, "node dist/index.js").contains(r#"["node", "dist/index.js"]"#));
        assert!(advice(ErrorKind::NotFound, "/not/there").contains("check the path /not/there"));
        assert!(advice(ErrorKind::NotFound, "nowhere").contains("nowhere is not in PATH"));
        assert!(advice(ErrorKind::NotFound, "/").contains("interpreter"));
        assert!(advice(ErrorKind::PermissionDenied, "./a b.py").contains("chmod +x './a b.py'"));
        assert!(advice(ErrorKind::PermissionDenied, "/").contains("a directory"));
    }

    #[test]
    fn a_command_is_shown_as_a_shell_reads_it_back() {
        let command = vec!["run it".to_owned(), "${TOKEN}".to_owned()];
        let error =
            StartError { command, over_http: false, cause: Cause::Echo, stderr: Vec::new() }.to_string();
        assert!(error.starts_with("`'run it' '${TOKEN}'` is no MCP server"), "{error}");
    }
}
