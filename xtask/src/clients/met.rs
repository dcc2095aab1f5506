//! One run of a client with a server, directly or through a spy. What may not enter: what is made of it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::json;

use super::sdk::{Meeting, Server, Transport};
use super::seen::Seen;
use crate::live::orphans;
use crate::live::places::Places;
use crate::live::probe::{end, wait};
use crate::live::sandbox;

/// How long a client may take.
const MOST: Duration = Duration::from_secs(120);
/// How long a server or a spy may take to say where it listens.
const PATIENCE: Duration = Duration::from_secs(30);
const POLL: Duration = Duration::from_millis(20);
/// Goes away in the middle of a call, and then one that stays to the end.
const PARTS: [&str; 2] = ["leave", "all"];

/// What came of a run.
#[derive(Debug)]
pub struct Met {
    pub seen: Seen,
    /// Where it was recorded; nothing where it went directly.
    pub recordings: Vec<PathBuf>,
}

/// Who is there to be met.
#[derive(Debug)]
pub struct Host<'a> {
    pub frankly: &'a Path,
    pub places: &'a Places,
    /// Whether a spy stands between.
    pub spied: bool,
}

impl Host<'_> {
    /// Lets the client run, and says what it saw and what it left behind.
    pub fn meet(&self, meeting: &Meeting) -> anyhow::Result<Met> {
        sandbox::prepare(self.places)?;
        let seen = match meeting.transport {
            Transport::Stdio => self.over_stdio(meeting),
            Transport::Http => self.over_http(meeting),
        };
        let left = orphans::end(&self.places.home);
        let mut seen = seen?;
        seen.add("end", "left behind", &json!(without_spies(left, self.frankly)));
        Ok(Met { seen, recordings: self.recordings()? })
    }

    fn over_stdio(&self, meeting: &Meeting) -> anyhow::Result<Seen> {
        let mut seen = Seen::default();
        for part in PARTS {
            let server = self.server(meeting);
            let to = match self.spied {
                true => [self.spy(part), vec!["--".into()], server].concat(),
                false => server,
            };
            seen.append(self.client(meeting, part, &to)?);
        }
        Ok(seen)
    }

    fn over_http(&self, meeting: &Meeting) -> anyhow::Result<Seen> {
        let mut command = self.server(meeting);
        command.push("--listen".into());
        let server = self.listening(&command, "server")?;
        let spy = match self.spied {
            true => {
                Some([self.spy("session"), vec!["--upstream".into(), server.url.clone().into()]].concat())
            }
            false => None,
        };
        let spy = spy.map(|command| self.listening(&command, "spy")).transpose()?;
        let to = [PathBuf::from(&spy.as_ref().unwrap_or(&server).url)];
        let mut seen = Seen::default();
        for part in PARTS {
            seen.append(self.client(meeting, part, &to)?);
        }
        Ok(seen)
    }

    fn server(&self, meeting: &Meeting) -> Vec<PathBuf> {
        match meeting.server {
            Server::Own => meeting.sdk.server(&self.places.install),
            Server::Ledger => vec![self.frankly.to_owned(), "demo".into(), "ledger".into()],
        }
    }

    fn spy(&self, name: &str) -> Vec<PathBuf> {
        let file = self.places.state.join(format!("{name}.jsonl"));
        vec![self.frankly.to_owned(), "spy".into(), "--record".into(), file]
    }

    /// One part of what a client does.
    fn client(&self, meeting: &Meeting, part: &str, to: &[PathBuf]) -> anyhow::Result<Seen> {
        let mut command = self.command(&meeting.sdk.client(&self.places.install))?;
        command.args([meeting.life.name(), meeting.server.name(), part]).args(to);
        let (printed, errors) = (self.file("client.jsonl"), self.file("client.txt"));
        command.stdout(File::create(&printed).context("failed to make a file for what a client prints")?);
        command.stderr(File::create(&errors).context("failed to make a file for standard error")?);
        let mut child = command.spawn().context("failed to start a client")?;
        let status = wait(&mut child, MOST)?;
        if status.is_none() {
            end(&mut child)?;
        }
        let mut seen = Seen::read(&text(&printed)?)?;
        let ended = status.map_or(json!("not within its time"), |status| json!(status.code()));
        if ended != json!(0) {
            seen.add(part, "standard error of the client", &json!(text(&errors)?));
        }
        seen.add(part, "exit", &ended);
        Ok(seen)
    }

    /// Starts what says on standard error where it listens.
    fn listening(&self, command: &[PathBuf], name: &str) -> anyhow::Result<Listening> {
        let errors = self.file(&format!("{name}.txt"));
        let mut command = self.command(command)?;
        command.stdout(Stdio::null());
        command.stderr(File::create(&errors).context("failed to make a file for standard error")?);
        let child = command.spawn().with_context(|| format!("failed to start the {name}"))?;
        let mut listening = Listening { child, url: String::new() };
        let began = Instant::now();
        while listening.url.is_empty() {
            if began.elapsed() > PATIENCE || listening.child.try_wait()?.is_some() {
                bail!("the {name} did not say where it listens: {}", text(&errors)?);
            }
            thread::sleep(POLL);
            listening.url = url(&text(&errors)?).unwrap_or_default().to_owned();
        }
        Ok(listening)
    }

    fn command(&self, words: &[PathBuf]) -> anyhow::Result<Command> {
        let (program, arguments) = words.split_first().context("there is no command")?;
        let mut command = sandbox::command(program, self.places);
        command.args(arguments).stdin(Stdio::null());
        Ok(command)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.places.home.join(name)
    }

    fn recordings(&self) -> anyhow::Result<Vec<PathBuf>> {
        let entries = std::fs::read_dir(&self.places.state).context("failed to look for recordings")?;
        let mut paths: Vec<_> = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
        paths.sort();
        Ok(paths)
    }
}

/// A process that listens, and ends with this.
#[must_use = "it ends when this is dropped"]
#[derive(Debug)]
struct Listening {
    child: Child,
    url: String,
}

impl Drop for Listening {
    fn drop(&mut self) {
        // What is left is found by its HOME.
        let _ = end(&mut self.child);
    }
}

/// What was left behind without the spies that still wait for the servers among it: one that waits for nobody stays.
fn without_spies(left: Vec<String>, frankly: &Path) -> Vec<String> {
    let spy = format!("{} spy ", frankly.display());
    let (spies, others): (Vec<_>, Vec<_>) = left.into_iter().partition(|command| command.starts_with(&spy));
    let waiting = spies.len().min(others.len());
    others.into_iter().chain(spies.into_iter().skip(waiting)).collect()
}

fn text(path: &Path) -> anyhow::Result<String> {
    let bytes = std::fs::read(path).with_context(|| format!("failed to read {}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The first address in a text that is there whole: a line end or a space comes after it.
fn url(text: &str) -> Option<&str> {
    let (_, from) = text.split_at(text.find("http://127.0.0.1:")?);
    from.find(char::is_whitespace).map(|end| &from[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_spy_whose_server_is_still_there_is_left_out() {
        let left = |commands: &[&str]| {
            without_spies(commands.iter().map(|&command| command.to_owned()).collect(), Path::new("/frankly"))
        };
        let spy = "/frankly spy --record a -- node b";
        assert_eq!(left(&[spy, "node b"]), ["node b"]);
        assert_eq!(left(&[spy]), [spy]);
        assert_eq!(left(&[spy, "node b", spy]), ["node b", spy]);
        assert_eq!(left(&["/frankly demo ledger"]), ["/frankly demo ledger"]);
    }

    #[test]
    fn an_address_counts_once_it_is_there_whole() {
        assert_eq!(url("listening on http://127.0.0.1:44895/mcp\n"), Some("http://127.0.0.1:44895/mcp"));
        for no in ["", "listening on http://127.0.0.1:448", "see http://example.org/mcp\n"] {
            assert_eq!(url(no), None, "{no}");
        }
    }
}
