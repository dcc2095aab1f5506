//! `frankly spy`

use std::path::PathBuf;

use clap::Args;
use frankly_live::proxy::{Spy as Proxy, Streams};
use frankly_live::recording::Writer;
use frankly_verdict::transcript::Transcript;

use crate::exit::Exit;
use crate::output;

/// Stands between an agent and a server, and records what passes
///
/// Put it into the agent's configuration in place of the server's command: everything goes on unchanged, in both directions, and
/// the server's exit code becomes its own. A recording is read by `frankly verify`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  frankly spy --record /tmp/session.jsonl -- node dist/index.js
  frankly verify /tmp/session.jsonl

Where the file is there already, a new one is written beside it: session-2.jsonl, session-3.jsonl and so on.")]
pub struct Spy {
    /// Where to record; better an absolute path, since the agent decides where it starts its servers
    #[arg(long, value_name = "FILE")]
    record: PathBuf,
    /// The server to start, after `--`
    #[arg(last = true, value_name = "COMMAND", required = true)]
    command: Vec<String>,
}

impl Spy {
    pub fn execute(self) -> anyhow::Result<Exit> {
        let recording = Writer::create(&self.record, &Transcript::default())?;
        let spy = Proxy::new(self.command, recording).complain(|error| {
            output::note(&format!("frankly spy: {error}; the session goes on, and is recorded no further"));
        });
        let ended = spy.run(Streams::of_process()?)?;
        ended.die_alike();
        Ok(Exit::OfServer(ended.code()))
    }
}
