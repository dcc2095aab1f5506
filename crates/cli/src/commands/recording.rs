//! `frankly recording`

mod shown;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use frankly_live::recording::{self, Completeness, INPUT, Imported};
use frankly_verdict::report::{counted, plain};
use frankly_verdict::transcript::{Frame, Redactor, Transcript, frame_line, header_line};

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
    /// Makes a recording of a log of JSON-RPC messages: a line each, or an array
    Import {
        #[command(flatten)]
        log: Source,
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
            Verb::Import { log, to } => return import(&log, &to),
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

    fn text(&self) -> anyhow::Result<String> {
        let (text, name) = match self.is_input() {
            true => (std::io::read_to_string(std::io::stdin().lock()), INPUT.into()),
            false => (std::fs::read_to_string(&self.file), self.file.to_string_lossy()),
        };
        text.with_context(|| format!("failed to read {}", plain(&name)))
    }
}

impl Target {
    /// Writes a recording, never over a file that is there.
    fn write(&self, transcript: &Transcript) -> anyhow::Result<()> {
        let lines = std::iter::once(header_line(transcript)).chain(transcript.frames.iter().map(frame_line));
        let text: String = lines.map(|line| line + "\n").collect();
        let Some(path) = &self.output else { return output::print(&text) };
        let name = plain(&path.to_string_lossy());
        let mut file = match std::fs::File::create_new(path) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                bail!("{name} is there already, and is not written over; name a new file")
            }
            file => file.with_context(|| format!("failed to write {name}"))?,
        };
        std::io::Write::write_all(&mut file, text.as_bytes())
            .with_context(|| format!("failed to write {name}"))
    }
}

fn import(log: &Source, to: &Target) -> anyhow::Result<Exit> {
    let Imported { frames, left_out, first_left_out, .. } = Imported::of(&log.text()?);
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
    let count = counted(frames.len(), "message");
    to.write(&Transcript { frames, ..Transcript::default() })?;
    output::note(&format!("{name}: {count}{}", left.map(|left| format!("; {left}")).unwrap_or_default()));
    Ok(Exit::Clean)
}

fn redact(source: &Source, patterns: &[String], to: &Target) -> anyhow::Result<()> {
    let transcript = source.read()?;
    let before: usize = transcript.frames.iter().filter(|frame| frame.line().contains("<redacted ")).count();
    let redactor = Redactor::new(patterns)?;
    let mut redactor = match before {
        0 => redactor,
        _ => transcript.frames.iter().fold(redactor, |redactor, frame| redactor.going_on_from(frame.line())),
    };
    let tools = transcript.tools.as_ref().map(|tools| tools.iter().map(|tool| redactor.tool(tool)).collect());
    let frames: Vec<Frame> = transcript.frames.iter().map(|frame| redactor.frame(frame.clone())).collect();
    let (frames, number) = (frames, redactor.count());
    to.write(&Transcript { frames, tools, ..transcript })?;
    output::note(&format!(
        "{}: {} redacted",
        plain(&source.file.to_string_lossy()),
        counted(number, "credential")
    ));
    Ok(())
}
