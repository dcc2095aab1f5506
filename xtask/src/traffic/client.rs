//! The client.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::Context;
use serde_json::{Value, json};

/// A server under way, or a spy with one behind it.
pub struct Peer {
    pub child: Child,
    pub to: ChildStdin,
    pub from: BufReader<ChildStdout>,
}

impl Peer {
    /// The server that fills answers by itself, or behind this spy, which records there.
    pub fn start(spy: Option<(&Path, &Path)>) -> anyhow::Result<Self> {
        let here = std::env::current_exe().context("failed to find this binary")?;
        Self::of(&here, &["serve"], spy)
    }

    /// A server by its command, or behind this spy.
    pub fn of(server: &Path, arguments: &[&str], spy: Option<(&Path, &Path)>) -> anyhow::Result<Self> {
        let mut command = match spy {
            Some((frankly, recording)) => {
                let mut command = Command::new(frankly);
                command.arg("spy").arg("--record").arg(recording).arg("--").arg(server);
                command
            }
            None => Command::new(server),
        };
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().context("failed to start the server")?;
        let to = child.stdin.take().context("the server has no input")?;
        let from = child.stdout.take().context("the server has no output")?;
        Ok(Self { child, to, from: BufReader::with_capacity(1 << 16, from) })
    }

    /// The id of the next answer; `None` at the end, and for half of one.
    pub fn next(&mut self) -> Option<u64> {
        answered(&mut self.from)
    }

    /// Closes the input and waits.
    pub fn end(mut self) -> anyhow::Result<()> {
        drop(self.to);
        self.child.wait().context("failed to wait for the server")?;
        Ok(())
    }
}

/// A call for an answer of so many bytes, with its line end.
pub fn request(id: u64, bytes: u64) -> String {
    let params = json!({"name": "fill", "arguments": {"bytes": bytes}});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string() + "\n"
}

/// The id of the next answer on a stream.
pub fn answered(from: &mut impl BufRead) -> Option<u64> {
    let mut line = String::new();
    from.read_line(&mut line).ok().filter(|_| line.ends_with('\n'))?;
    serde_json::from_str::<Value>(&line).ok()?["id"].as_u64()
}
