//! A server on the official MCP SDK, and what its tests say of it without a process or a socket: messages go through the SDK on both
//! sides. Run it with `cargo test -p frankly-spy --features rmcp --example sdk_server`.

use frankly_contract::{Code, ToolCall, ToolError, ToolResult, Tools};
use frankly_spy::rmcp::connect;
use frankly_spy::rmcp::sdk::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, ListToolsResult,
    PaginatedRequestParams,
};
use frankly_spy::rmcp::sdk::service::RequestContext;
use frankly_spy::rmcp::sdk::{RoleServer, ServerHandler};
use serde_json::{Map, Value, json};

/// What the desk has to say of itself.
fn tools() -> Value {
    let ticket =
        json!({"type": "object", "properties": {"ticket": {"type": "string"}}, "required": ["ticket"]});
    json!([{"name": "find_ticket", "description": "Finds one of your tickets by its id.", "inputSchema": ticket}])
}

/// A help desk for several customers. Whose tickets it may show is what the host says of the run, and never an argument.
struct Desk;

impl ServerHandler for Desk {
    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let read = serde_json::from_value(tools());
        let tools = read.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if request.name != "find_ticket" {
            let unknown = format!("no tool is named `{}`", request.name);
            return Err(ErrorData::invalid_params(unknown, None));
        }
        let ticket = request.arguments.as_ref().and_then(|sent| sent.get("ticket")).and_then(Value::as_str);
        let tenant = context.meta.get("tenant").and_then(Value::as_str);
        let found = match found(tenant, ticket) {
            Ok(ticket) => CallToolResult::structured(ticket),
            // In the form in which an agent finds it: flagged, and with one of four codes.
            Err(error) => serde_json::from_value(json!(ToolResult::from(error)))
                .map_err(|error| ErrorData::internal_error(error.to_string(), None))?,
        };
        Ok(found.into())
    }
}

fn found(tenant: Option<&str>, ticket: Option<&str>) -> Result<Value, ToolError> {
    match (tenant, ticket) {
        (Some("acme"), Some("T-1")) => Ok(json!({"ticket": "T-1", "about": "a door that does not close"})),
        (None, _) => Err(ToolError::new(Code::Forbidden, "nothing says whose tickets these are", "")),
        (_, None) => {
            Err(ToolError::new(Code::InvalidArgs, "`ticket` is missing", "send its id, such as T-1"))
        }
        _ => Err(ToolError::new(Code::NotFound, "you have no such ticket", "ask which one is meant")),
    }
}

/// What an agent would call.
fn find(ticket: &str) -> ToolCall {
    ToolCall::new("find_ticket", Map::from_iter([("ticket".to_owned(), json!(ticket))]))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let desk = connect(Desk).await?;
    for tool in desk.list().await? {
        println!("{}: {}", tool.name(), tool.description());
    }
    match desk.call(find("T-1")).await {
        Ok(result) => println!("{}", json!(result)),
        Err(error) => println!("{error}"),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use frankly_contract::{CallError, RunContext};
    use frankly_spy::rmcp::Connected;
    use frankly_spy::{Spy, scoped_run};

    /// A session in which the desk is told whose run each call is made in, as a host would.
    async fn desk() -> Spy<Connected> {
        let session = connect(Desk).await.unwrap();
        let told = session.telling(|run| Map::from_iter([("tenant".to_owned(), json!(run.tenant()))]));
        Spy::new(told)
    }

    fn run(tenant: &str) -> RunContext {
        RunContext::new(tenant, "u_7", "run-1").unwrap()
    }

    fn code(answer: Result<ToolResult, CallError>) -> Option<Code> {
        let Err(CallError::Tool(result)) = answer else { return None };
        ToolError::from_result(&result).map(|error| error.code())
    }

    #[tokio::test]
    async fn a_customer_finds_their_own_ticket() {
        let desk = desk().await;
        let found = scoped_run(run("acme"), desk.call(find("T-1"))).await.unwrap();
        assert_eq!(found.structured().map(|found| &found["ticket"]), Some(&json!("T-1")));
        desk.calls().assert_called_once_with("find_ticket", json!({"ticket": "T-1"}));
        desk.calls().assert_context("acme", "u_7");
        desk.calls().assert_all_answered();
    }

    #[tokio::test]
    async fn another_ones_ticket_is_not_there_and_without_a_run_nothing_is() {
        let desk = desk().await;
        assert_eq!(code(scoped_run(run("globex"), desk.call(find("T-1"))).await), Some(Code::NotFound));
        assert_eq!(code(desk.call(find("T-1")).await), Some(Code::Forbidden));
        desk.calls().answered().assert_nothing_called();
    }

    #[tokio::test]
    async fn what_the_protocol_refuses_never_ran() {
        let desk = desk().await;
        let refused = desk.call(ToolCall::new("find_tickets", Map::new())).await.unwrap_err();
        assert!(matches!(refused, CallError::Protocol { code: -32602, .. }), "{refused}");
        desk.calls().not_refused().assert_nothing_called();
    }
}
