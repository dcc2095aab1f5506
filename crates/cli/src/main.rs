//! `frankly`: proves that the tools people give to AI agents tell the truth.

mod allows;
mod args;
mod cases;
mod cli;
mod commands;
mod diff;
mod exit;
mod files;
mod fix;
mod names;
mod output;
mod server;
mod spare;
mod survey;
mod tokenizer;

use std::process::ExitCode;

use tokio::signal::unix::{SignalKind, signal};

use cli::Command;
use exit::Exit;

fn main() -> ExitCode {
    match run(cli::parse().command) {
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
        Command::Init(command) => live(command.execute()),
        Command::Lint(command) => live(command.execute()),
        Command::Probe(command) => live(command.execute()),
        Command::Test(command) => live(command.execute()),
        Command::Verify(command) => live(command.execute()),
        Command::Call(command) => live(command.execute()),
        // A server that listens ends by itself when a signal comes.
        Command::Demo(command) if command.listens() => runtime(command.execute()),
        Command::Demo(command) => live(command.execute()),
        Command::Diff(command) => live(command.execute()),
        Command::Explain(command) => command.execute(),
        Command::Recording(command) => command.execute(),
        // Signals are for the server, or end it by itself where it listens.
        Command::Spy(command) => command.execute(),
    }
}

/// Runs a command that talks to servers. A signal drops it where it stands, which ends its servers.
fn live(command: impl Future<Output = anyhow::Result<Exit>>) -> anyhow::Result<Exit> {
    runtime(async {
        let signal = signalled()?;
        tokio::select! {
            result = command => result,
            signal = signal => Ok(Exit::Signal(signal)),
        }
    })
}

/// Runs a command to its end.
fn runtime(command: impl Future<Output = anyhow::Result<Exit>>) -> anyhow::Result<Exit> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(command);
    // A thread may still wait for standard input; it must not hold up the end.
    runtime.shutdown_background();
    result
}

/// Ready with the first signal that asks the process to end.
fn signalled() -> std::io::Result<impl Future<Output = SignalKind>> {
    let mut hangup = signal(SignalKind::hangup())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut quit = signal(SignalKind::quit())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = hangup.recv() => SignalKind::hangup(),
            _ = interrupt.recv() => SignalKind::interrupt(),
            _ = quit.recv() => SignalKind::quit(),
            _ = terminate.recv() => SignalKind::terminate(),
        }
    })
}
