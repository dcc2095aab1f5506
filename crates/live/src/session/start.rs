//! From a command line or an address to a session. What is said first is for `handshake`, and what to say when there
//! is no session for `error`.

use std::path::PathBuf;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};

use super::Session;
use super::error::{Cause, StartError};
use super::handshake::shake_hands;
use super::http::Endpoint;
use super::process::Process;
use super::wire::{CLOSED_OUTPUT, Wire};

/// How long a server that closed its output may take to end, before its status is given up on.
const EXIT: Duration = Duration::from_millis(500);

/// How to start or reach a server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Launch {
    /// The name the user knows the server by; else it is asked for its own.
    pub name: Option<String>,
    /// The program and its arguments; not used where there is an address.
    pub command: Vec<String>,
    /// The command or address as the user wrote it, to be shown: variables that may hold secrets are not filled in.
    pub shown: Vec<String>,
    /// Environment variables beyond the few that starting needs.
    pub env: Vec<(String, String)>,
    /// Where the program runs; here, if nothing is said.
    pub directory: Option<PathBuf>,
    /// The address of a server that is reached over streamable HTTP.
    pub url: Option<String>,
    /// What to tell it with each request.
    pub headers: Vec<(String, String)>,
    /// Whether to speak [`STATELESS_REVISION`](super::STATELESS_REVISION) from the first request on. Else it is spoken
    /// only where the server refuses `initialize` for it.
    pub stateless: bool,
    /// How long each call may take.
    pub timeout: Duration,
    /// The ids of requests begin after this one: several sessions that are told of together have no id twice.
    pub ids_from: i64,
}

impl Session {
    /// Starts a server on its standard streams, or reaches it over HTTP, and shakes hands.
    ///
    /// # Errors
    ///
    /// [`StartError`] says which command it was, how it ended, and what it last wrote to standard error; or which
    /// address, and what came instead of an answer.
    pub async fn start(launch: &Launch) -> Result<Self, StartError> {
        if let Some(url) = &launch.url {
            return Self::reach(url, launch).await;
        }
        let error = |cause, stderr| failed(launch, cause, stderr);
        let (mut process, stdin, stdout) = Process::start(launch)
            .map_err(|cause| error(Cause::not_started(cause, &launch.command, &launch.shown), Vec::new()))?;
        let wire = Wire::over(stdout, stdin);
        wire.count_from(launch.ids_from);
        match shake_hands(wire, launch).await {
            Ok(session) => Ok(Self { process: Some(process), ..session }),
            Err(mut cause) => {
                match &mut cause {
                    Cause::Gone { status, .. } => *status = process.wait(EXIT).await,
                    // Whatever it started may hold its output open, which then does not tell that it ended.
                    Cause::Silent(_) => {
                        if let Some(status) = process.wait(Duration::ZERO).await {
                            cause = Cause::Gone { what: CLOSED_OUTPUT.to_owned(), status: Some(status) };
                        }
                    }
                    _ => {}
                }
                let stderr = process.stderr_tail().await;
                Err(error(cause, stderr))
            }
        }
    }

    async fn reach(url: &str, launch: &Launch) -> Result<Self, StartError> {
        let endpoint = Endpoint::new(url, &launch.headers);
        let endpoint = endpoint.map_err(|what| failed(launch, Cause::NoAddress(what), Vec::new()))?;
        let wire = Wire::http(endpoint);
        wire.count_from(launch.ids_from);
        let session = shake_hands(wire, launch).await;
        session.map_err(|cause| failed(launch, cause, Vec::new()))
    }

    /// Shakes hands over any pair of byte streams, with a server that runs elsewhere.
    ///
    /// # Errors
    ///
    /// As [`Session::start`], without a process to tell of.
    pub async fn over(
        reader: impl AsyncRead + Send + Unpin + 'static,
        writer: impl AsyncWrite + Send + Unpin + 'static,
        launch: &Launch,
    ) -> Result<Self, StartError> {
        let session = shake_hands(Wire::over(reader, writer), launch).await;
        session.map_err(|cause| failed(launch, cause, Vec::new()))
    }
}

fn failed(launch: &Launch, cause: Cause, stderr: Vec<String>) -> StartError {
    StartError { command: launch.shown.clone(), over_http: launch.url.is_some(), cause, stderr }
}
