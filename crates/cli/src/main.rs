//! `frankly`: proves that the tools people give to AI agents tell the truth.

mod args;
mod cli;
mod commands;
mod exit;
mod names;
mod output;
mod survey;

use std::process::ExitCode;

use clap::Parser;
use tokio::signal::unix::{SignalKind, signal};

use cli::{Cli, Command};
use exit::Exit;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli.command) {
        Ok(exit) => exit.into(),
        Err(error) => {
            output::error(&error);
            Exit::Usage.into()
        }
    }
}

fn run(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Check(command) => live(command.execute()),
        Command::Lint(command) => live(command.execute()),
        Command::Probe(command) => live(command.execute()),
        Command::Call(command) => live(command.execute()),
        Command::Demo(command) => live(command.execute()),
        Command::Explain(command) => command.execute(),
    }
}

/// Runs a command that talks to servers. A signal drops it where it stands, which ends its servers.
fn live(command: impl Future<Output = anyhow::Result<Exit>>) -> anyhow::Result<Exit> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(async {
        let mut hangup = signal(SignalKind::hangup())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut quit = signal(SignalKind::quit())?;
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            result = command => result,
            _ = hangup.recv() => Ok(Exit::Signal(SignalKind::hangup())),
            _ = interrupt.recv() => Ok(Exit::Signal(SignalKind::interrupt())),
            _ = quit.recv() => Ok(Exit::Signal(SignalKind::quit())),
            _ = terminate.recv() => Ok(Exit::Signal(SignalKind::terminate())),
        }
    });
    // A thread may still wait for standard input; it must not hold up the end.
    runtime.shutdown_background();
    result
}
