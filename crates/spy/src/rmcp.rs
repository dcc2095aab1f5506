//! A server on the official MCP SDK, as tools in process. What may not enter: a process, and a socket.

use std::any::Any;
use std::error::Error;
use std::fmt;

use frankly_contract::{BoxFuture, CallError, RunContext, ToolCall, ToolDef, ToolResult, Tools};
use futures_util::future::join;
/// The SDK itself, in the version that this adapter speaks to.
pub use rmcp as sdk;
use rmcp::model::{CallToolRequestParams, CallToolResponse};
use rmcp::service::{RunningService, ServiceError, serve_client, serve_server};
use rmcp::{RoleClient, RoleServer, Service};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// So many bytes are on their way in either direction before who writes has to wait.
const BUFFER: usize = 64 * 1024;

/// A session with a server, over a pipe in memory: messages go through the SDK on both sides, as they do in production. Dropped, it ends
/// the server.
///
/// ```
/// use frankly_contract::{ToolCall, Tools};
/// use frankly_spy::Spy;
/// use frankly_spy::rmcp::{Connected, connect};
/// use frankly_spy::rmcp::sdk::model::{
///     CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
/// };
/// use frankly_spy::rmcp::sdk::service::RequestContext;
/// use frankly_spy::rmcp::sdk::{RoleServer, ServerHandler};
///
/// struct Ping;
///
/// impl ServerHandler for Ping {
///     async fn call_tool(
///         &self,
///         _: CallToolRequestParams,
///         _: RequestContext<RoleServer>,
///     ) -> Result<CallToolResponse, ErrorData> {
///         Ok(CallToolResult::success(vec![ContentBlock::text("pong")]).into())
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let connected: Connected = connect(Ping).await?;
/// let spy = Spy::new(connected);
/// let result = spy.call(ToolCall::new("ping", Default::default())).await?;
/// assert!(result.texts().eq([(0, "pong")]));
/// spy.calls().assert_sequence(["ping"]);
/// # Ok(())
/// # }
/// ```
///
/// A spy around it sees under whose name a call is made. The server itself runs in tasks of the SDK, where no run context is
/// bound: what it has to know it has to be told, as by [`Connected::telling`].
pub struct Connected {
    client: RunningService<RoleClient, ()>,
    tells: Option<Box<Tells>>,
    /// Serves for as long as it is held.
    _server: Box<dyn Any + Send + Sync>,
}

/// What of a run is told.
type Tells = dyn Fn(&RunContext) -> Map<String, Value> + Send + Sync;

/// The session could not be opened. Its source is the SDK's own error: the server's, where both sides have one.
///
/// ```
/// use std::error::Error;
///
/// use frankly_spy::rmcp::NotConnected;
/// use frankly_spy::rmcp::sdk::service::ServerInitializeError;
///
/// fn is_the_servers(error: &NotConnected) -> bool {
///     error.source().is_some_and(|source| source.is::<ServerInitializeError>())
/// }
/// ```
#[derive(Debug, thiserror::Error)]
#[error("failed to open a session with the server: {why}")]
#[non_exhaustive]
pub struct NotConnected {
    why: String,
    source: Box<dyn Error + Send + Sync>,
}

impl NotConnected {
    fn of(source: impl Error + Send + Sync + 'static) -> Self {
        Self { why: source.to_string(), source: Box::new(source) }
    }
}

/// Serves this server over a pipe in memory, and opens a session with it (`initialize`). It needs a tokio runtime; one thread is
/// enough.
///
/// # Errors
///
/// A [`NotConnected`] when the server or the client in it refuses the session.
pub async fn connect<S: Service<RoleServer>>(server: S) -> Result<Connected, NotConnected> {
    let (ours, theirs) = tokio::io::duplex(BUFFER);
    let (server, client) =
        join(serve_server(server, tokio::io::split(theirs)), serve_client((), tokio::io::split(ours))).await;
    match (server, client) {
        (Ok(server), Ok(client)) => Ok(Connected { client, tells: None, _server: Box::new(server) }),
        (Err(server), Ok(_)) => Err(NotConnected::of(server)),
        (Ok(_), Err(client)) => Err(NotConnected::of(client)),
        (Err(server), Err(client)) => {
            Err(NotConnected { why: format!("{server}; {client}"), source: Box::new(server) })
        }
    }
}

impl Connected {
    /// The same session, in which every call that is made in a run tells the server this of it, in its `_meta`: what a host's
    /// client would send, such as the tenant. Outside of any run nothing is told.
    ///
    /// ```
    /// use frankly_contract::RunContext;
    /// use frankly_spy::rmcp::Connected;
    /// use serde_json::{Map, json};
    ///
    /// fn of_a_tenant(session: Connected) -> Connected {
    ///     session.telling(|run: &RunContext| Map::from_iter([("tenant".to_owned(), json!(run.tenant()))]))
    /// }
    /// ```
    #[must_use]
    pub fn telling(
        mut self,
        tells: impl Fn(&RunContext) -> Map<String, Value> + Send + Sync + 'static,
    ) -> Self {
        self.tells = Some(Box::new(tells));
        self
    }

    fn params(&self, call: ToolCall) -> CallToolRequestParams {
        let mut params = CallToolRequestParams::new(call.name).with_arguments(call.arguments);
        if let (Some(tells), Ok(run)) = (&self.tells, RunContext::current()) {
            params.meta = Some(tells(&run).into());
        }
        params
    }
}

impl Tools for Connected {
    fn list(&self) -> BoxFuture<'_, Result<Vec<ToolDef>, CallError>> {
        Box::pin(async move {
            let tools = self.client.list_all_tools().await.map_err(why)?;
            tools.iter().map(|tool| raw(tool).map(ToolDef::from_raw)).collect()
        })
    }

    fn call(&self, call: ToolCall) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async move {
            let response = self.client.peer().call_tool_once(self.params(call)).await.map_err(why)?;
            let result = complete(response)?;
            if result.is_error() { Err(CallError::Tool(result)) } else { Ok(result) }
        })
    }
}

/// The result, where there is one.
fn complete(response: CallToolResponse) -> Result<ToolResult, CallError> {
    let result = match response {
        CallToolResponse::Complete(result) => raw(&result)?,
        CallToolResponse::InputRequired(_) => {
            return Err(no_result("it asks for input (`input_required`), and nobody is there to be asked"));
        }
        CallToolResponse::Task(_) => {
            return Err(no_result(
                "it is a task, whose result comes later, and this adapter does not wait for one",
            ));
        }
        _ => return Err(no_result("it is of a kind that this adapter does not know")),
    };
    ToolResult::try_from(result).map_err(|error| CallError::Malformed(error.to_string()))
}

/// An answer that is none yet: taken for a result, it would be an empty one.
fn no_result(why: &str) -> CallError {
    CallError::Malformed(why.to_owned())
}

/// What the SDK read, as JSON again.
fn raw(read: &impl Serialize) -> Result<Value, CallError> {
    serde_json::to_value(read).map_err(|error| CallError::Malformed(error.to_string()))
}

/// Why a request has no answer.
fn why(error: ServiceError) -> CallError {
    match error {
        ServiceError::McpError(error) => CallError::Protocol {
            code: error.code.0.into(),
            message: error.message.into_owned(),
            data: error.data,
        },
        ServiceError::TransportSend(error) => CallError::PeerGone(format!("takes no more messages: {error}")),
        ServiceError::TransportClosed => CallError::PeerGone("closed the connection".to_owned()),
        ServiceError::Cancelled { .. } => CallError::Cancelled,
        ServiceError::Timeout { .. } => CallError::TimedOut,
        other => CallError::Malformed(other.to_string()),
    }
}

impl fmt::Debug for Connected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let info = self.client.peer().peer_info();
        f.debug_struct("Connected").field("server", &json!(info.as_deref())).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::{CallToolResult, CreateTaskResult, InputRequiredResult, Task, TaskStatus};

    use super::*;

    #[test]
    fn an_answer_that_is_no_result_yet_is_none() {
        let now = "2026-01-01T00:00:00Z";
        let task = CreateTaskResult::new(Task::new("task-1", TaskStatus::Working, now, now));
        let ask = InputRequiredResult::new(None, Some("state".to_owned()));
        for (response, why) in [
            (
                CallToolResponse::from(ask),
                "malformed reply: it asks for input (`input_required`), and nobody is there to be asked",
            ),
            (
                CallToolResponse::from(task),
                "malformed reply: it is a task, whose result comes later, and this adapter does not wait for one",
            ),
        ] {
            let error = complete(response).unwrap_err();
            assert!(matches!(error, CallError::Malformed(_)));
            assert_eq!(error.to_string(), why);
        }
        let done = complete(CallToolResult::structured(json!({"n": 1})).into());
        assert_eq!(done.unwrap().structured(), Some(&json!({"n": 1})));
    }
}
