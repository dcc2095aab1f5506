//! `frankly demo`

use clap::{Args, Subcommand};
use frankly_ledger::{Fault, Faults};

use crate::exit::Exit;

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

/// An MCP server over a year of personal transactions, on standard input and output
///
/// It is honest unless a fault is switched on.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  frankly probe -- frankly demo ledger                              the honest one: nothing to complain of
  frankly probe -- frankly demo ledger --fault silent-truncation    50 rows of 262 that read as all")]
struct Ledger {
    /// Switches a fault on; `all` switches on all that can stand together; repeatable
    #[arg(long, value_name = "NAME", value_parser = faults)]
    fault: Vec<Vec<Fault>>,
}

impl Demo {
    pub async fn execute(self) -> anyhow::Result<Exit> {
        match self.server {
            Server::Ledger(ledger) => {
                let faults: Faults = ledger.fault.into_iter().flatten().collect();
                frankly_ledger::serve_stdio(faults).await?;
            }
        }
        Ok(Exit::Clean)
    }
}

fn faults(name: &str) -> Result<Vec<Fault>, String> {
    if name == "all" {
        return Ok(Fault::ALL.to_vec());
    }
    name.parse().map(|fault| vec![fault]).map_err(|error: frankly_ledger::UnknownFault| error.to_string())
}
