//! The three streams that a client has of what it takes for its server.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;

/// What the client writes, and what it reads. Each is closed once the server's own is.
#[derive(Debug)]
pub struct Streams {
    /// From the client.
    pub input: File,
    /// To the client.
    pub output: File,
    /// What the client shows its user.
    pub errors: File,
}

impl Streams {
    /// The standard streams of this process, whose standard input and output lead nowhere from now on: only so can they be
    /// closed. Standard error stays open too.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn of_process() -> io::Result<Self> {
        let nowhere = File::options().read(true).write(true).open("/dev/null")?;
        let streams = Self {
            input: io::stdin().as_fd().try_clone_to_owned()?.into(),
            output: io::stdout().as_fd().try_clone_to_owned()?.into(),
            errors: io::stderr().as_fd().try_clone_to_owned()?.into(),
        };
        rustix::stdio::dup2_stdin(&nowhere)?;
        rustix::stdio::dup2_stdout(&nowhere)?;
        Ok(streams)
    }
}
