//! `frankly demo`

use std::net::SocketAddr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use frankly_ledger::{Fault, Faults, HttpServer};

use crate::exit::Exit;
use crate::{args, output, signalled};

/// Runs a server to try things on
#[derive(Debug, Args)]
pub struct Demo {
    #[command(subcommand)]
    server: Server,
}

#[derive(Debug, Subcommand)]
enum Server {
    Ledger(Ledger),
}

/// An MCP server over a year of personal transactions
///
/// It speaks over standard input and output, or over HTTP with --listen. It is honest unless a fault is switched on.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  frankly probe -- frankly demo ledger                              honest, and passes
  frankly probe -- frankly demo ledger --fault silent-truncation    50 rows of 262 that read as all
  frankly demo ledger --listen                                      over HTTP, on a free port
  frankly demo ledger --fault help                                  lists the faults")]
struct Ledger {
    /// Switches a fault on; repeatable
    #[arg(long, value_name = "NAME", value_parser = choice())]
    fault: Vec<Choice>,
    /// Serves over streamable HTTP instead, on an address of this machine; the URL goes to standard error
    #[arg(long, value_name = "ADDR", num_args = 0..=1, default_missing_value = "127.0.0.1:0", value_parser = args::address)]
    listen: Option<SocketAddr>,
}

/// What can be said to `--fault`.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Choice {
    One(Fault),
    All,
    Help,
}

impl Demo {
    /// Whether it serves until a signal comes, and then ends by itself.
    pub fn listens(&self) -> bool {
        let Server::Ledger(ledger) = &self.server;
        ledger.listen.is_some()
    }

    pub async fn execute(self) -> anyhow::Result<Exit> {
        let Server::Ledger(ledger) = self.server;
        if ledger.fault.contains(&Choice::Help) {
            output::print(&list())?;
            return Ok(Exit::Clean);
        }
        let faults = ledger.fault.iter().flat_map(Choice::faults).collect();
        match ledger.listen {
            Some(address) => listen(faults, address, &untold(&ledger.fault)).await,
            None => frankly_ledger::serve_stdio(faults).await.map(|()| Exit::Clean).map_err(Into::into),
        }
    }
}

/// Serves over HTTP until a signal comes, and says what it does not tell there.
async fn listen(faults: Faults, address: SocketAddr, untold: &[&str]) -> anyhow::Result<Exit> {
    let signal = signalled()?;
    let server = HttpServer::bind(faults, address).await?;
    output::note(&format!("listening on {}", server.url()));
    for fault in untold {
        output::note(&format!("{fault} is not told over HTTP: it lies in the lines of standard output"));
    }
    let mut exit = Exit::Clean;
    server.serve(async { exit = Exit::Signal(signal.await) }).await;
    Ok(exit)
}

/// The names of faults that were chosen one by one and are not told over HTTP.
fn untold(chosen: &[Choice]) -> Vec<&'static str> {
    let untold = chosen.iter().filter_map(|choice| match choice {
        Choice::One(fault) if fault.is_of_lines() => Some(fault.name()),
        _ => None,
    });
    untold.collect()
}

impl Choice {
    fn faults(&self) -> impl Iterator<Item = Fault> {
        let is_meant = |fault: &&Fault| match self {
            Self::One(one) => one == *fault,
            Self::All => !fault.is_alone(),
            Self::Help => false,
        };
        Fault::ALL.iter().filter(is_meant).copied()
    }
}

/// Every name that `--fault` takes, with what it does.
fn names() -> impl Iterator<Item = (&'static str, String)> {
    let faults = Fault::ALL.iter().map(|fault| (fault.name(), told(*fault)));
    let others = [
        ("all", "every fault at once that can be seen beside the others"),
        ("help", "lists the faults and serves nothing"),
    ];
    faults.chain(others.map(|(name, description)| (name, description.to_owned())))
}

/// What a fault does, and where it does not.
fn told(fault: Fault) -> String {
    match fault.remark() {
        "" => fault.description().to_owned(),
        remark => format!("{} ({remark})", fault.description()),
    }
}

fn choice() -> impl TypedValueParser<Value = Choice> {
    let values = names().map(|(name, description)| PossibleValue::new(name).help(description));
    PossibleValuesParser::new(values).try_map(|name| match &*name {
        "all" => Ok(Choice::All),
        "help" => Ok(Choice::Help),
        fault => fault.parse::<Fault>().map(Choice::One),
    })
}

fn list() -> String {
    let width = names().map(|(name, _)| name.len()).max().unwrap_or_default();
    names().map(|(name, description)| format!("{name:<width$}  {description}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Cli {
        #[command(flatten)]
        demo: Demo,
    }

    fn parse(arguments: &[&str]) -> Result<Vec<Choice>, String> {
        let arguments = ["demo", "ledger"].iter().chain(arguments);
        let Server::Ledger(ledger) =
            Cli::try_parse_from(arguments).map_err(|error| error.to_string())?.demo.server;
        Ok(ledger.fault)
    }

    #[test]
    fn every_name_that_is_listed_is_taken() {
        for (name, _) in names() {
            assert_eq!(parse(&["--fault", name]).map(|chosen| chosen.len()), Ok(1), "{name}");
        }
        let chosen = parse(&["--fault", "silent-truncation", "--fault", "all"]);
        assert_eq!(chosen, Ok(vec![Choice::One(Fault::SilentTruncation), Choice::All]));
        assert_eq!(parse(&[]), Ok(vec![]));
    }

    #[test]
    fn all_is_what_can_be_seen_together_and_one_is_one() {
        let all: Vec<Fault> = Choice::All.faults().collect();
        assert!(all.contains(&Fault::SilentTruncation) && !all.contains(&Fault::DeadAfterCancel));
        assert_eq!(all.into_iter().collect::<Faults>(), Faults::all());
        let dead = Choice::One(Fault::DeadAfterCancel);
        assert!(dead.faults().eq([Fault::DeadAfterCancel]) && Choice::Help.faults().next().is_none());
        let chosen = [dead, Choice::One(Fault::SilentTruncation), Choice::All];
        assert_eq!(untold(&chosen), ["dead-after-cancel"]);
    }

    #[test]
    fn help_is_where_it_is_sought() {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let help = words(&parse(&["--help"]).unwrap_err());
        let listen = words(&parse(&["--listen", "localhost"]).unwrap_err());
        assert!(listen.contains("write an address and a port, such as 127.0.0.1:8080"), "{listen}");
        let slip = parse(&["--fault", "silent-truncaton"]).unwrap_err();
        for fault in Fault::ALL {
            assert!(words(&list()).contains(&format!("{} {}", fault.name(), told(*fault))));
            assert!(help.contains(&format!("- {}: {}", fault.name(), told(*fault))), "{help}");
            assert!(slip.contains(fault.name()), "{slip}");
        }
    }
}
