//! `frankly call`

use std::io::IsTerminal;

use anyhow::bail;
use clap::Args;
use frankly_contract::{CallError, ToolCall, Tools};
use frankly_live::config::Source;
use frankly_live::{Closed, Session};
use frankly_verdict::lint::cost::Tokenizer;
use frankly_verdict::report::plain;
use serde_json::Value;

use crate::args::{self, CommandLine};
use crate::exit::Exit;
use crate::{output, tokenizer};

/// Makes one call and prints the raw answer
///
/// Prints the line with which the server answered to standard output, and its size to standard error.
/// Exits 1 when the tool or the protocol reports an error, 3 when no answer came.
#[derive(Debug, Args)]
#[command(
    override_usage = "frankly call SERVER TOOL [JSON]\n       frankly call TOOL [JSON] -- COMMAND...",
    after_help = "\
Examples:
  frankly call ledger query_transactions '{\"category\": \"Dining\"}'
  frankly call list_categories -- frankly demo ledger"
)]
pub struct Call {
    /// A server by its name or URL (unless a command follows `--`), the tool, and its arguments as a JSON object
    #[arg(value_name = "SERVER TOOL JSON", required = true, num_args = 1..=3)]
    words: Vec<String>,
    /// Counts the tokens of the answer as one family of models does, instead of estimating them from bytes
    #[arg(long, value_name = "NAME")]
    tokenizer: Option<tokenizer::Known>,
    #[command(flatten)]
    server: CommandLine,
}

impl Call {
    pub async fn execute(self) -> anyhow::Result<Exit> {
        let has_command = !self.server.to_string().is_empty();
        let (named, words) = self.words.split_at(usize::from(!has_command));
        let source = self.server.sources(named)?.pop();
        let (tool, arguments) = match words {
            [tool] => (tool, "{}"),
            [tool, arguments] => (tool, arguments.as_str()),
            _ if has_command => {
                bail!("name a tool and its arguments: frankly call TOOL '{{…}}' -- COMMAND")
            }
            _ => bail!("name a server, a tool and its arguments: frankly call SERVER TOOL '{{…}}'"),
        };
        let arguments = match serde_json::from_str(arguments) {
            Ok(Value::Object(arguments)) => arguments,
            Ok(_) => bail!("{arguments:?} is no JSON object; a tool takes one, such as '{{\"limit\": 5}}'"),
            Err(error) => bail!("{arguments:?} is no JSON: {error}"),
        };
        let (name, server) = match source {
            Some(Source::Server(name, server)) => (name, server),
            Some(source) => return Err(args::no_server(&source, "called")),
            None => bail!("name a server of frankly.toml or a URL, or give a command after `--`"),
        };
        let session = match Session::start(&server.launch(name.as_deref())).await {
            Ok(session) => session,
            Err(error) if error.is_misconfigured() => bail!(error),
            Err(error) => {
                output::error(&error.into());
                return Ok(Exit::NothingUp);
            }
        };
        let result = session.call(ToolCall::new(tool, arguments)).await;
        let tokenizer = self.tokenizer.map(tokenizer::Known::tokenizer).unwrap_or_default();
        print(&session.close(None).await, &result.err(), tokenizer)
    }
}

fn print(closed: &Closed, error: &Option<CallError>, tokenizer: Tokenizer) -> anyhow::Result<Exit> {
    let transcript = &closed.transcript;
    let Some(answer) = transcript.calls().last().and_then(|call| call.response) else {
        let why = error.as_ref().map_or_else(|| "no answer came".to_owned(), ToString::to_string);
        let status = closed.status.map(|status| format!(" ({status})")).unwrap_or_default();
        output::note(&format!("error: {why}{status}"));
        closed.stderr.iter().for_each(|line| output::note(&format!("  {line}")));
        return Ok(Exit::NothingUp);
    };
    let answer = transcript.frames[answer].line();
    let shown = if std::io::stdout().is_terminal() { plain(answer) } else { answer.to_owned() };
    output::print(&format!("{shown}\n"))?;
    output::note(&format!("{} bytes, {}", answer.len(), tokenizer.shown((tokenizer.count)(answer))));
    match error {
        None => Ok(Exit::Clean),
        Some(error) => {
            output::note(&format!("error: {error}"));
            Ok(Exit::Findings)
        }
    }
}
