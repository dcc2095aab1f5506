//! The ledger as an MCP server: the only room that knows rmcp. What may not enter: what a tool does.

use std::error::Error;
use std::sync::Arc;

use frankly_contract::{ToolDef, ToolResult};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult, ErrorCode,
    ErrorData, Implementation, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
    Tool,
};
use rmcp::service::{QuitReason, RequestContext, ServerInitializeError, serve_server};
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::Faults;
use crate::args::shown_text;
use crate::ledger::{self, Ledger};

/// Why serving ended before the peer closed its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The data could not be built.
    #[error("failed to build the ledger")]
    Ledger(#[source] Box<dyn Error + Send + Sync>),
    /// What the peer sent first opens no session, or the answer could not be sent.
    #[error("failed to open a session: {0}")]
    Session(String),
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
    let ledger = Ledger::new(faults).map_err(|error| ServeError::Ledger(error.into()))?;
    let running = match serve_server(Server(Arc::new(ledger)), (reader, writer)).await {
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

struct Server(Arc<Ledger>);

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
        if request.is_some_and(|request| request.cursor.is_some()) {
            return Err(ErrorData::invalid_params("no such cursor: all tools are on one page", None));
        }
        let tools = ledger::definitions().map(definition).collect::<Result<_, _>>()?;
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = ledger::tool(&request.name).ok_or_else(|| unknown_tool(&request.name))?;
        let ledger = Arc::clone(&self.0);
        // A query may take a while, and the runtime may have no other thread to answer with.
        let answer =
            tokio::task::spawn_blocking(move || ledger.call(tool, &request.arguments.unwrap_or_default()));
        answer.await.map_err(internal).and_then(result)
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
        let message = format!("there is no method {}", shown_text(&request.method));
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None))
    }
}

fn definition(tool: ToolDef) -> Result<Tool, ErrorData> {
    serde_json::from_value(json!(tool)).map_err(internal)
}

fn result(answer: ToolResult) -> Result<CallToolResponse, ErrorData> {
    serde_json::from_value::<CallToolResult>(Value::Object(answer.into_raw()))
        .map(CallToolResponse::Complete)
        .map_err(internal)
}

fn unknown_tool(name: &str) -> ErrorData {
    let known: Vec<String> = ledger::definitions().map(|tool| tool.name().to_owned()).collect();
    let message = format!("no tool is named {}; the tools are {}", shown_text(name), known.join(", "));
    ErrorData::invalid_params(message, None)
}

fn internal(error: impl Error) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}
