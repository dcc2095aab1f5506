//! The command line as a whole: which commands there are.

use clap::error::ContextValue;
use clap::{Parser, Subcommand};
use frankly_verdict::report::plain;

use crate::commands;

/// Proves that the tools you give an agent tell the truth.
#[derive(Debug, Parser)]
#[command(name = "frankly", version, after_help = EXIT_CODES, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "\
Exit codes, the first that applies:
  2  usage or configuration
  3  nothing ever came up: no server answered
  1  findings at or above --fail-on, or a server that died
  4  nothing, or less than `require` asks, was checked
  0  none of these

Try it: frankly probe -- frankly demo ledger --fault silent-truncation";

#[derive(Debug, Subcommand)]
pub enum Command {
    Init(commands::init::Init),
    Check(commands::check::Check),
    Lint(commands::lint::Lint),
    Probe(commands::probe::Probe),
    Test(commands::test::Test),
    Spy(commands::spy::Spy),
    Verify(commands::verify::Verify),
    Diff(commands::diff::Diff),
    Call(commands::call::Call),
    Explain(commands::explain::Explain),
    Demo(commands::demo::Demo),
}

/// Reads the command line, or ends with what is wrong with it.
pub fn parse() -> Cli {
    Cli::try_parse().unwrap_or_else(|error| on_one_line(error).exit())
}

/// An error with every argument in it written out, so that none looks like a line of its own: a shell may have put the
/// name of a file there.
fn on_one_line(mut error: clap::Error) -> clap::Error {
    let context: Vec<_> = error.context().map(|(kind, value)| (kind, value.clone())).collect();
    for (kind, value) in context {
        match value {
            ContextValue::String(text) => {
                error.insert(kind, ContextValue::String(plain(&text)));
            }
            ContextValue::Strings(texts) => {
                let texts = texts.iter().map(|text| plain(text)).collect();
                error.insert(kind, ContextValue::Strings(texts));
            }
            // A tip that repeats the argument; without it the error still says what is wrong.
            ContextValue::StyledStrs(tips)
                if tips.iter().any(|tip| tip.to_string().contains(char::is_control)) =>
            {
                error.remove(kind);
            }
            _ => {}
        }
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_argument_looks_like_a_line_of_its_own() {
        let forged = "\nerror: all is well\u{1b}[2J";
        for arguments in [
            vec![format!("--x{forged}")],
            vec!["lint".to_owned(), format!("--x{forged}")],
            vec![forged.to_owned()],
            vec!["lint".to_owned(), "--target".to_owned(), forged.to_owned()],
            vec!["lint".to_owned(), "--format".to_owned(), forged.to_owned()],
            vec!["lint".to_owned(), format!("--fix={forged}")],
            vec!["explain".to_owned(), "a".to_owned(), forged.to_owned()],
            vec!["lint".to_owned(), "--env".to_owned(), forged.to_owned(), "--".to_owned(), "x".to_owned()],
        ] {
            let error = Cli::try_parse_from(["frankly".to_owned()].iter().chain(&arguments)).unwrap_err();
            let shown = on_one_line(error).to_string();
            assert!(!shown.contains("\nerror: all") && !shown.contains('\u{1b}'), "{arguments:?}: {shown}");
            assert!(shown.contains("all is well"), "{arguments:?}: {shown}");
        }
    }
}
