//! Standard output and standard error. What may not enter: decisions.

use std::io::{self, IsTerminal, Write};

use anyhow::Context;
use frankly_verdict::Report;
use frankly_verdict::report::{FORMATS, Options, plain};

use crate::args::{Color, ReportArgs};
use crate::exit::{Exit, Reach, decide};

/// Writes to standard output. A reader that has seen enough is no error.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("failed to write the result")
        }
        _ => Ok(()),
    }
}

/// Writes an error to standard error. Its lines are those of an example or of a server's standard error: names in it
/// are written out where it is made.
pub fn error(error: &anyhow::Error) {
    let text: String = format!("{error:#}").lines().map(|line| plain(line) + "\n").collect();
    line(&format!("error: {}", text.trim_end()));
}

/// Writes one line beside the result to standard error, whatever is in the names that it gives; if that is closed there
/// is nobody to tell.
pub fn note(text: &str) {
    line(&plain(text));
}

fn line(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Says what is being done, to a person at a terminal.
pub fn progress(text: &str) {
    if io::stderr().is_terminal() {
        note(text);
    }
}

/// Writes the report in every form that was asked for and says how the run ends.
pub fn finish(mut report: Report, reach: &Reach, args: &ReportArgs) -> anyhow::Result<Exit> {
    let (exit, reason) = decide(&report, args.fail_on.threshold(), reach);
    (report.reason, report.exit) = (reason, exit.code());
    write(&report, args)?;
    Ok(exit)
}

/// Writes a report that came to nothing because of an error; people read the error itself.
pub fn write_failed(source: &str, error: &anyhow::Error, args: &ReportArgs) -> anyhow::Result<()> {
    let report = Report {
        source: source.to_owned(),
        reason: format!("{error:#} (exit 2)"),
        exit: Exit::Usage.code(),
        ..Report::default()
    };
    if args.format == "human" && args.output.is_empty() {
        return Ok(());
    }
    write(&report, args)
}

fn write(report: &Report, args: &ReportArgs) -> anyhow::Result<()> {
    let options = Options { color: use_color(args.color), verbose: args.verbose, quiet: args.quiet };
    // Standard output first: what was found must not be lost because a file cannot be written.
    print(&render(report, &args.format, options))?;
    for (format, path) in &args.output {
        let text = render(report, format, Options { color: false, ..options });
        std::fs::write(path, text)
            .with_context(|| format!("failed to write {}", plain(&path.to_string_lossy())))?;
    }
    Ok(())
}

fn render(report: &Report, name: &str, options: Options) -> String {
    let format = FORMATS.iter().find(|format| format.name() == name);
    format.map(|format| format.render(report, &options)).unwrap_or_default()
}

fn use_color(color: Color) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => has_color(&io::stdout()),
    }
}

/// Whether standard error is read by a person who sees colours.
pub fn errors_have_color() -> bool {
    has_color(&io::stderr())
}

fn has_color(to: &impl IsTerminal) -> bool {
    to.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
