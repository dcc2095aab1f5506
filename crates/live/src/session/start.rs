//! From a command line to a session: start and handshake. What to say when there is none is for `error`.

use std::time::Duration;

use frankly_contract::CallError;
use frankly_verdict::report::shorten;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};

use super::error::{Cause, StartError};
use super::process::Process;
use super::wire::{CLOSED_OUTPUT, Wire};
use super::{REVISION, Session};

/// How long a server may take to answer `initialize`, if calls may not take longer still.
const START: Duration = Duration::from_secs(30);
/// How long a server that closed its output may take to end, before its status is given up on.
const EXIT: Duration = Duration::from_millis(500);

/// How much of the name that a server gives itself is kept.
const LONGEST_NAME: usize = 100;

/// How to start a server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Launch {
    /// The name the user knows the server by; else it is asked for its own.
    pub name: Option<String>,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The same as the user wrote it, to be shown: variables that may hold secrets are not filled in.
    pub shown: Vec<String>,
    /// Environment variables beyond the few that starting needs.
    pub env: Vec<(String, String)>,
    /// How long each call may take.
    pub timeout: Duration,
}

impl Session {
    /// Starts a server on its standard streams and shakes hands.
    ///
    /// # Errors
    ///
    /// [`StartError`] says which command it was, how it ended, and what it last wrote to standard error.
    pub async fn start(launch: &Launch) -> Result<Self, StartError> {
        let error = |cause, stderr| StartError { command: launch.shown.clone(), cause, stderr };
        let (mut process, stdin, stdout) = Process::start(launch)
            .map_err(|cause| error(Cause::not_started(cause, &launch.command, &launch.shown), Vec::new()))?;
        let wire = Wire::over(stdout, stdin);
        match Self::shake_hands(wire, launch).await {
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
        let cause = match Self::shake_hands(Wire::over(reader, writer), launch).await {
            Ok(session) => return Ok(session),
            Err(cause) => cause,
        };
        Err(StartError { command: launch.shown.clone(), cause, stderr: Vec::new() })
    }

    async fn shake_hands(wire: Wire, launch: &Launch) -> Result<Self, Cause> {
        let params = json!({
            "protocolVersion": REVISION,
            "capabilities": {},
            "clientInfo": {"name": "frankly", "version": env!("CARGO_PKG_VERSION")},
        });
        let patience = START.max(launch.timeout);
        let answer = wire.request("initialize", params, patience).await.map_err(|error| match error {
            _ if wire.echoes() => Cause::Echo,
            CallError::Protocol { code, message, .. } => Cause::Refused { code, message },
            CallError::Malformed(what) => Cause::Malformed(what),
            CallError::TimedOut => Cause::Silent(patience),
            CallError::PeerGone(what) => Cause::Gone { what, status: None },
            other => Cause::Malformed(other.to_string()),
        })?;
        let text = |pointer: &str| answer.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let revision = text("/protocolVersion").ok_or_else(|| {
            Cause::Malformed("the answer to initialize names no protocolVersion".to_owned())
        })?;
        let gone = |_| Cause::Gone { what: "stopped reading".to_owned(), status: None };
        let notice = wire.notify("notifications/initialized");
        tokio::time::timeout(patience, notice).await.map_err(|_| Cause::Unread)?.map_err(gone)?;
        let own_name = text("/serverInfo/name").filter(|name| !name.is_empty());
        let own_name = own_name.map(|name| shorten(&name, LONGEST_NAME));
        Ok(Self {
            wire,
            process: None,
            server: launch.name.clone().or(own_name).unwrap_or_else(|| "server".to_owned()),
            revision,
            timeout: launch.timeout,
        })
    }
}
