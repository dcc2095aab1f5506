//! Raw JSON-RPC with a server, over its standard streams or HTTP: every line kept as it came, noise included.
//!
//! Probes stand on sessions because what they look for is what SDKs hide: noise, malformed replies, lost
//! fields.

mod command;
mod cost;
mod error;
mod handshake;
mod http;
pub(crate) mod lines;
mod process;
mod shared;
mod start;
mod unmannered;
mod wire;

pub use command::CommandError;
pub(crate) use command::run_command;
pub(crate) use cost::kept_bytes;
pub use error::StartError;
pub(crate) use http::{Events, trust};
pub(crate) use shared::ONLY_ENDS;
pub use start::Launch;
pub(crate) use wire::TAKEN_BACK;

use std::collections::BTreeMap;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use frankly_contract::{BoxFuture, CallError, ToolCall, ToolDef, ToolResult, Tools};
use frankly_verdict::ToolSet;
use frankly_verdict::transcript::{Event, Frame, Side, Transcript};
use serde_json::{Value, json};

use http::FAREWELL;
use process::{Ended, GRACE, Process};
use shared::Said;
use wire::Wire;

/// The revision that is asked for first.
pub const REVISION: &str = "2025-11-25";
/// The revision in which each request stands for itself, without sessions.
pub const STATELESS_REVISION: &str = http::STATELESS;
/// How many pages of `tools/list` are followed at most.
const MAX_LIST_PAGES: usize = 1000;
/// How long all pages of `tools/list` may take together.
const MAX_LIST_TIME: Duration = Duration::from_secs(60);

/// A session with one server, after the handshake.
///
/// Dropping it ends the server's whole process group at once; [`Session::close`] lets the server end by
/// itself first.
#[derive(Debug)]
#[must_use = "a session that is dropped ends its server"]
pub struct Session {
    wire: Wire,
    process: Option<Process>,
    server: String,
    revision: String,
    /// What the server says about itself and its tools as a whole.
    instructions: String,
    stateless: bool,
    timeout: Duration,
}

/// What is left of a session.
#[derive(Debug)]
pub struct Closed {
    /// Everything that was said.
    pub transcript: Transcript,
    /// How the server ended, if it ended by itself: before, or when its input was closed.
    pub status: Option<ExitStatus>,
    /// The last lines it wrote to standard error.
    pub stderr: Vec<String>,
    /// What came instead of an answer, such as "answered with HTTP 500 Internal Server Error", by the frame of the
    /// request.
    pub instead: BTreeMap<usize, String>,
    /// How many bytes of a line without an end there were when a request was given up, by its frame.
    pub unended: BTreeMap<usize, u64>,
}

impl Session {
    /// The server's name: as configured, else as it calls itself.
    #[must_use]
    pub fn server(&self) -> &str {
        &self.server
    }

    /// Sends a request and waits for its result.
    ///
    /// # Errors
    ///
    /// Any [`CallError`] but [`CallError::Tool`]. When no answer comes in time the request is cancelled.
    pub async fn request(&self, method: &str, params: Value) -> Result<Value, CallError> {
        let params = if self.stateless { handshake::self_contained(params) } else { params };
        self.wire.request(method, params, self.timeout).await
    }

    /// Lists the tools, all pages of them, as one tool set.
    ///
    /// # Errors
    ///
    /// Any [`CallError`] but [`CallError::Tool`]; an answer without a list of tools, a cursor that comes
    /// again, and a list that does not end are malformed.
    pub async fn tool_set(&self) -> Result<ToolSet, CallError> {
        let instructions = self.instructions.clone();
        Ok(ToolSet { instructions, ..ToolSet::new(&self.server, self.list_all().await?) })
    }

    async fn list_all(&self) -> Result<Vec<ToolDef>, CallError> {
        let mut tools = Vec::new();
        let mut cursors: Vec<String> = Vec::new();
        let start = Instant::now();
        let patience = MAX_LIST_TIME.max(self.timeout);
        while cursors.len() < MAX_LIST_PAGES && start.elapsed() < patience {
            let params = cursors.last().map_or_else(|| json!({}), |cursor| json!({ "cursor": cursor }));
            let page = self.request("tools/list", params).await?;
            let Some(listed) = page.get("tools").and_then(Value::as_array) else {
                return Err(CallError::Malformed("the answer to tools/list has no array `tools`".to_owned()));
            };
            tools.extend(listed.iter().cloned().map(ToolDef::from_raw));
            let next = page.get("nextCursor").filter(|cursor| !cursor.is_null());
            match next.map(|cursor| cursor.as_str().ok_or(cursor)).transpose() {
                Err(cursor) => {
                    let what = format!("tools/list gave the cursor {cursor}, which is no text");
                    return Err(CallError::Malformed(what));
                }
                Ok(Some(cursor)) if cursors.iter().any(|seen| seen == cursor) => {
                    return Err(CallError::Malformed(format!("tools/list gave the cursor {cursor:?} twice")));
                }
                Ok(Some(cursor)) => cursors.push(cursor.to_owned()),
                Ok(None) => {
                    self.wire.learn(&tools);
                    return Ok(tools);
                }
            }
        }
        Err(CallError::Malformed(format!("tools/list did not end within {} pages", cursors.len())))
    }

    /// What the server did that ended the session, such as "closed its output", once it has.
    #[must_use]
    pub fn gone(&self) -> Option<String> {
        self.wire.gone()
    }

    /// Finds out whether the server is still there, where that does not show by itself: over HTTP nobody is told when
    /// a server ends. [`Session::gone`] says what was found.
    pub async fn look_again(&self) {
        self.wire.look_again().await;
    }

    /// Ends the session: closes the server's input, gives it a moment to end, then ends its process group by
    /// TERM and, if need be, KILL. Over HTTP the server is told that the session is over. Gives back everything that was
    /// said.
    pub async fn close(self, tools: Option<Vec<ToolDef>>) -> Closed {
        let Self { mut wire, process, server, revision, .. } = self;
        let has_process = process.is_some();
        let ending = async {
            match process {
                Some(process) => process.end().await,
                None => Ended::default(),
            }
        };
        let patience = if wire.is_http() { FAREWELL } else { GRACE };
        let (Ended { status, stderr }, ()) = tokio::join!(ending, wire.close(patience));
        let Said { mut frames, instead, unended } = wire.into_said(has_process).await;
        frames.push(end(status));
        let transcript =
            Transcript { server, revision: Some(revision), tools, frames, ..Transcript::default() };
        Closed { transcript, status, stderr, instead, unended }
    }
}

/// That nothing more was to come, and how the server ended, where it did by itself.
fn end(status: Option<ExitStatus>) -> Frame {
    let code = status.and_then(|status| status.code()).map(|code| ("code".to_owned(), json!(code)));
    let name = if status.is_some() { "exit" } else { "end" };
    Frame::from_event(Side::Server, Event { name: name.to_owned(), details: code.into_iter().collect() })
}

impl Tools for Session {
    fn list(&self) -> BoxFuture<'_, Result<Vec<ToolDef>, CallError>> {
        Box::pin(self.list_all())
    }

    fn call(&self, call: ToolCall) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async move {
            if self.wire.must_learn() {
                // A list that cannot be had says nothing of the call.
                let _ = self.list_all().await;
            }
            let result = self.request("tools/call", json!(call)).await?;
            let result =
                ToolResult::try_from(result).map_err(|error| CallError::Malformed(error.to_string()))?;
            if result.is_error() { Err(CallError::Tool(result)) } else { Ok(result) }
        })
    }
}
