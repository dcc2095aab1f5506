//! `frankly recording`

mod shown;

use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use frankly_live::recording::{self, Completeness, INPUT, Imported};
use frankly_verdict::report::{counted, plain};
use frankly_verdict::transcript::{
    Frame, Redactor, Side, Transcript, frame_line, header_line, read_recording,
};

use crate::exit::Exit;
use crate::output;

/// Looks at recordings, makes them of other logs, and takes credentials out
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  frankly recording calls session.jsonl                     what was called, and what came back
  frankly recording show session.jsonl                      every line, with its number as findings name it
  frankly recording import server.log -o session.jsonl      a log of JSON-RPC, for frankly verify
  frankly recording redact session.jsonl -o public.jsonl --pattern 'acct-[0-9]+'")]
pub struct Recording {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Prints every frame: its number, who sent it, and what it is
    Show(Source),
    /// Prints every call: the tool, its arguments, what came back, how large it was and how long it took
    Calls(Source),
    /// Makes a recording of a log of JSON-RPC messages: a line each, or an array; with placeholders for credentials
    Import {
        #[command(flatten)]
        log: Source,
        /// Also takes out what matches this; repeatable
        #[arg(long = "redact", value_name = "REGEX", conflicts_with = "keep_secrets")]
        patterns: Vec<String>,
        /// Takes nothing out: credentials are written as they are in the log
        #[arg(long)]
        keep_secrets: bool,
        #[command(flatten)]
        to: Target,
    },
    /// Puts a placeholder for each credential
    Redact {
        #[command(flatten)]
        recording: Source,
        /// A regular expression for what else is to go; may be repeated
        #[arg(long = "pattern", value_name = "REGEX")]
        patterns: Vec<String>,
        #[command(flatten)]
        to: Target,
    },
}

#[derive(Debug, Args)]
struct Source {
    /// The file; `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

#[derive(Debug, Args)]
struct Target {
    /// Where to write it, in a new file; else to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Recording {
    pub fn execute(self) -> anyhow::Result<Exit> {
        match self.verb {
            Verb::Show(source) => source.show(shown::frames)?,
            Verb::Calls(source) => source.show(shown::calls)?,
            Verb::Import { log, patterns, keep_secrets, to } => {
                let redactor = if keep_secrets { None } else { Some(Redactor::new(&patterns)?) };
                import(&log, redactor, &to)?;
            }
            Verb::Redact { recording, patterns, to } => redact(&recording, &patterns, &to)?,
        }
        Ok(Exit::Clean)
    }
}

impl Source {
    fn read(&self) -> anyhow::Result<Transcript> {
        Ok(if self.is_input() { recording::read_input()? } else { recording::read(&self.file)? })
    }

    /// Prints it in this form, and says beside that what is missing from it.
    fn show(&self, shown: impl Fn(&Transcript) -> String) -> anyhow::Result<()> {
        let transcript = self.read()?;
        output::print(&shown(&transcript))?;
        let name = if self.is_input() { INPUT.into() } else { self.file.to_string_lossy() };
        if transcript.torn {
            output::note(&format!("{name}: the last line is torn and left out: whoever wrote it was killed"));
        }
        Completeness::of(&transcript).told().iter().for_each(|gap| output::note(&format!("{name}: {gap}")));
        Ok(())
    }

    fn is_input(&self) -> bool {
        self.file == Path::new("-")
    }

    fn bytes(&self) -> anyhow::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let (read, name) = match self.is_input() {
            true => (std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes), INPUT.into()),
            false => (std::fs::read(&self.file), self.file.to_string_lossy()),
        };
        read.with_context(|| format!("failed to read {}", plain(&name)))
    }
}

impl Target {
    /// Writes a recording that only its owner can read, never over a file that is there.
    fn write(&self, header: String, frames: &[Frame]) -> anyhow::Result<()> {
        let lines = std::iter::once(header).chain(frames.iter().map(frame_line));
        let text: String = lines.map(|line| line + "\n").collect();
        let Some(path) = &self.output else { return output::print(&text) };
        let name = plain(&path.to_string_lossy());
        let mut options = std::fs::OpenOptions::new();
        let mut file = match options.write(true).create_new(true).mode(0o600).open(path) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                bail!("{name} is there already, and is not written over; name a new file")
            }
            file => file.with_context(|| format!("failed to write {name}"))?,
        };
        std::io::Write::write_all(&mut file, text.as_bytes())
            .with_context(|| format!("failed to write {name}"))
    }
}

fn import(log: &Source, redactor: Option<Redactor>, to: &Target) -> anyhow::Result<()> {
    let Imported { mut frames, left_out, first_left_out, .. } =
        Imported::of(&String::from_utf8_lossy(&log.bytes()?));
    let name = plain(&log.file.to_string_lossy());
    let lines =
        |number: usize| if number == 1 { "1 line holds".to_owned() } else { format!("{number} lines hold") };
    let left = first_left_out.map(|first| {
        format!(
            "{} no message and {} left out, the first is line {first}",
            lines(left_out),
            if left_out == 1 { "was" } else { "were" }
        )
    });
    if frames.is_empty() {
        let left = left.map(|left| format!(" ({left})")).unwrap_or_default();
        bail!(
            "{name}: no JSON-RPC message is in it{left}; a line with one reads as {{\"jsonrpc\":\"2.0\",…}}, maybe behind `-->` or within {{\"direction\":\"client\",\"message\":…}}"
        );
    }
    let mut said = vec![counted(frames.len(), "message")];
    if let Some(mut redactor) = redactor {
        frames = frames.into_iter().map(|frame| redactor.frame(frame)).collect();
        let taken = redactor.count();
        said.extend((taken > 0).then(|| format!("{} redacted", counted(taken, "credential"))));
    }
    to.write(header_line(&Transcript::default()), &frames)?;
    output::note(&format!("{name}: {}", said.into_iter().chain(left).collect::<Vec<_>>().join("; ")));
    Ok(())
}

fn redact(source: &Source, patterns: &[String], to: &Target) -> anyhow::Result<()> {
    let name = plain(&source.file.to_string_lossy());
    let text = String::from_utf8(source.bytes()?)
        .with_context(|| format!("{name} is no recording: a recording is UTF-8"))?;
    let transcript = read_recording("", &text).with_context(|| name.clone())?;
    let redactor = Redactor::new(patterns)?;
    let mut redactor = match text.contains("<redacted ") {
        false => redactor,
        true => text.lines().fold(redactor, |redactor, line| redactor.going_on_from(line)),
    };
    let header = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    // With the tools that it may have, and as it was written where nothing in it is to go.
    let header = redactor.frame(Frame::from_line(Side::Server, header.to_owned())).line().to_owned();
    let frames: Vec<Frame> = transcript.frames.into_iter().map(|frame| redactor.frame(frame)).collect();
    to.write(header, &frames)?;
    let torn = if transcript.torn { "; a last line without its end was left out" } else { "" };
    output::note(&format!("{name}: {} redacted{torn}", counted(redactor.count(), "credential")));
    Ok(())
}
