//! The ledger as an MCP server: the only room that knows rmcp. What may not enter: what a tool does.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;

use frankly_contract::{CallError, ToolCall, ToolDef, ToolResult, shown};
use hyper::http::request::Parts;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult, ErrorCode,
    ErrorData, Implementation, ListToolsResult, PaginatedRequestParams, ResultType, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::{QuitReason, RequestContext, ServerInitializeError, serve_server};
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::Handle;
use tokio::sync::watch;

use crate::Faults;
use crate::listing::Listing;
use crate::tenants::Tenants;
use crate::wire;

/// Why serving ended before the peer closed its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The data could not be built.
    #[error("failed to build the ledger")]
    Ledger(#[source] Box<dyn Error + Send + Sync>),
    /// The address could not be listened on.
    #[error("failed to listen on {address}")]
    Listen {
        /// The address that was asked for.
        address: SocketAddr,
        /// What the system says.
        source: std::io::Error,
    },
    /// The address is not one of this machine's own, such as 127.0.0.1.
    #[error("{0} can be reached from other machines; the ledger only listens on 127.0.0.1 or [::1]")]
    NotLoopback(SocketAddr),
    /// What the peer sent first opens no session, or the answer could not be sent.
    #[error("failed to open a session: {0}")]
    Session(String),
    /// A fault made the server end at what the peer sent.
    #[error("the server died of {0}, as its fault has it")]
    Died(&'static str),
    /// The server's own task ended early.
    #[error("the server stopped unexpectedly")]
    Stopped(#[source] Box<dyn Error + Send + Sync>),
}

/// Serves a ledger with these faults until the peer closes its end.
///
/// Messages are lines of JSON-RPC. The tokio runtime needs its timers enabled; one thread is enough.
///
/// # Errors
///
/// A [`ServeError`] when no session could be opened, or it ended otherwise than by the peer.
pub async fn serve<R, W>(faults: Faults, reader: R, writer: W) -> Result<(), ServeError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    if !faults.touch_lines() {
        return serve_over(faults, reader, writer).await;
    }
    let ((reader, writer), relay) = wire::lay(&faults, reader, writer);
    let served = serve_over(faults, reader, writer).await;
    match relay.await {
        Ok(Some(of)) => Err(ServeError::Died(of)),
        Ok(None) => served,
        Err(error) => Err(ServeError::Stopped(error.into())),
    }
}

async fn serve_over<R, W>(faults: Faults, reader: R, writer: W) -> Result<(), ServeError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    // What is served until its peer closes has no other end.
    let (_never, ending) = watch::channel(false);
    let running = match serve_server(server(faults, ending)?, (reader, writer)).await {
        Ok(running) => running,
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        // rmcp would print the whole message in Rust's own notation.
        Err(ServerInitializeError::ExpectedInitializeRequest(_)) => {
            return Err(ServeError::Session("the first message is not an initialize request".to_owned()));
        }
        Err(error) => return Err(ServeError::Session(error.to_string())),
    };
    match running.waiting().await {
        Ok(QuitReason::JoinError(error)) | Err(error) => Err(ServeError::Stopped(error.into())),
        Ok(_) => Ok(()),
    }
}

/// Serves a ledger with these faults over standard input and output until standard input ends.
///
/// # Errors
///
/// As for [`serve`].
pub async fn serve_stdio(faults: Faults) -> Result<(), ServeError> {
    serve(faults, tokio::io::stdin(), tokio::io::stdout()).await
}

/// A server over a new ledger; calls that are not answered when `ending` turns true are answered with an error.
pub(crate) fn server(faults: Faults, ending: watch::Receiver<bool>) -> Result<Server, ServeError> {
    let listing = Arc::new(Listing::new(&faults));
    Ok(Server { tenants: Arc::new(Tenants::new(faults)?), listing, ending })
}

/// The ledger as rmcp serves it; clones share the ledger.
#[derive(Clone)]
pub(crate) struct Server {
    tenants: Arc<Tenants>,
    listing: Arc<Listing>,
    ending: watch::Receiver<bool>,
}

impl Server {
    async fn ended(&self) {
        if self.ending.clone().wait_for(|ending| *ending).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("ledger", env!("CARGO_PKG_VERSION")))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.tenants.list().await.map_err(protocol)?;
        let tools = tools.into_iter().map(definition).collect::<Result<_, _>>()?;
        self.listing.page(tools, request.and_then(|request| request.cursor).as_deref())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let call = ToolCall::new(request.name, request.arguments.unwrap_or_default());
        let (tenants, runtime) = (Arc::clone(&self.tenants), Handle::current());
        let tenant = tenant(&context);
        // A query may take a while, and the runtime may have no other thread to answer with.
        let answer =
            tokio::task::spawn_blocking(move || runtime.block_on(tenants.call(tenant.as_deref(), call)));
        let answer = tokio::select! {
            biased;
            answer = answer => answer.map_err(internal)?,
            () = self.ended() => {
                let message = "the server ended before this call was answered; start it again, and call again";
                return Err(ErrorData::internal_error(message, None));
            }
        };
        match answer {
            Ok(answer) | Err(CallError::Tool(answer)) => result(answer),
            Err(error) => Err(protocol(error)),
        }
    }

    /// What rmcp could not read, which includes a known method with misshapen params.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if request.method == "tools/call" {
            let message = "tools/call takes a `name`, a string, and `arguments`, an object";
            return Err(ErrorData::invalid_params(message, None));
        }
        let message = format!("there is no method {}", shown(&request.method));
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None))
    }
}

/// Whose ledger is meant: the member `tenant` of the request's `_meta`, or else the header `x-tenant`.
fn tenant(context: &RequestContext<RoleServer>) -> Option<String> {
    let told = context.meta.get("tenant").and_then(Value::as_str);
    let header = || context.extensions.get::<Parts>()?.headers.get("x-tenant")?.to_str().ok();
    told.or_else(header).map(str::to_owned)
}

fn definition(tool: ToolDef) -> Result<Tool, ErrorData> {
    serde_json::from_value(json!(tool)).map_err(internal)
}

fn result(answer: ToolResult) -> Result<CallToolResponse, ErrorData> {
    let mut result: CallToolResult =
        serde_json::from_value(Value::Object(answer.into_raw())).map_err(internal)?;
    // Clients of the newest revision refuse a result that does not say so; for older ones it is taken out again.
    result.result_type.get_or_insert(ResultType::COMPLETE);
    Ok(CallToolResponse::Complete(result))
}

/// An error that is not for the agent.
fn protocol(error: CallError) -> ErrorData {
    match error {
        CallError::Protocol { code, message, data } => {
            let code = i32::try_from(code).map_or(ErrorCode::INTERNAL_ERROR, ErrorCode);
            ErrorData::new(code, message, data)
        }
        other => internal(other),
    }
}

fn internal(error: impl Error) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}
