//! A server on the SDK is spied on in process, over real messages.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use frankly_contract::{CallError, RunContext, ToolCall, ToolDef, Tools};
use frankly_spy::rmcp::connect;
use frankly_spy::{Outcome, Spy, scoped_run};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorCode, ErrorData,
    InitializeRequestParams, InitializeResult, ListToolsResult, PaginatedRequestParams,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Map, Value, json};

/// A desk that books seats, and lists its tools one a page.
#[derive(Default)]
struct Desk {
    refuses: bool,
    ended: Arc<AtomicBool>,
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::SeqCst);
    }
}

const TOOLS: [&str; 4] = ["book", "fail", "hang", "whose"];

impl ServerHandler for Desk {
    async fn initialize(
        &self,
        _: InitializeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        match self.refuses {
            true => Err(ErrorData::new(ErrorCode(-32001), "the desk is closed", None)),
            false => Ok(self.get_info()),
        }
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let page: usize =
            request.and_then(|request| request.cursor).map_or(0, |cursor| cursor.parse().unwrap());
        let schema = json!({"type": "object", "properties": {"seat": {"type": "string"}}});
        let tool = ToolDef::new(TOOLS[page], "Does it.", schema);
        let mut listed = ListToolsResult::with_all_items(vec![serde_json::from_value(json!(tool)).unwrap()]);
        listed.next_cursor = (page + 1 < TOOLS.len()).then(|| (page + 1).to_string());
        Ok(listed)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match request.name.as_ref() {
            "book" => Ok(CallToolResult::structured(json!({"booked": request.arguments})).into()),
            "fail" => Ok(CallToolResult::error(vec![ContentBlock::text("the seat is taken")]).into()),
            "whose" => Ok(CallToolResult::structured(json!({"told": context.meta.get("tenant")})).into()),
            "hang" => std::future::pending().await,
            name => {
                let data = json!({"did_you_mean": "book"});
                Err(ErrorData::invalid_params(format!("no tool is named `{name}`"), Some(data)))
            }
        }
    }
}

fn call(name: &str, arguments: Value) -> ToolCall {
    let Value::Object(arguments) = arguments else { unreachable!("arguments are an object") };
    ToolCall::new(name, arguments)
}

#[tokio::test]
async fn every_page_is_listed() {
    let tools = connect(Desk::default()).await.unwrap().list().await.unwrap();
    assert_eq!(tools.iter().map(ToolDef::name).collect::<Vec<_>>(), TOOLS);
    assert_eq!(tools[0].input_schema().unwrap()["properties"]["seat"], json!({"type": "string"}));
}

#[tokio::test]
async fn what_the_server_answers_is_told_apart() {
    let spy = Spy::new(connect(Desk::default()).await.unwrap());
    let run = RunContext::new("acme", "u_7", "run-1").unwrap();
    scoped_run(run, async {
        let booked = spy.call(call("book", json!({"seat": "12A"}))).await.unwrap();
        assert_eq!(booked.structured(), Some(&json!({"booked": {"seat": "12A"}})));
        let failed = spy.call(call("fail", json!({}))).await.unwrap_err();
        assert_eq!(failed.to_string(), "the tool failed: the seat is taken");
        let unknown = spy.call(call("bok", json!({}))).await.unwrap_err();
        let data = Some(json!({"did_you_mean": "book"}));
        let message = "no tool is named `bok`".to_owned();
        assert_eq!(unknown, CallError::Protocol { code: -32602, message, data });
    })
    .await;
    let calls = spy.calls();
    calls.assert_sequence(["book", "fail", "bok"]);
    calls.assert_called_with("book", json!({"seat": "12A"}));
    calls.assert_context("acme", "u_7");
    assert!(calls[2].refused() && !calls[1].refused());
}

#[tokio::test]
async fn a_server_knows_of_a_run_what_it_is_told() {
    let session = connect(Desk::default()).await.unwrap();
    let tools = session.telling(|run| Map::from_iter([("tenant".to_owned(), json!(run.tenant()))]));
    let whose = || tools.call(call("whose", json!({})));
    let run = RunContext::new("acme", "u_7", "run-1").unwrap();
    assert_eq!(scoped_run(run, whose()).await.unwrap().structured(), Some(&json!({"told": "acme"})));
    assert_eq!(whose().await.unwrap().structured(), Some(&json!({"told": null})));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_given_up_harms_none_that_follow() {
    let spy = Spy::new(connect(Desk::default()).await.unwrap());
    let hanging = spy.call(call("hang", json!({})));
    assert!(tokio::time::timeout(Duration::from_secs(5), hanging).await.is_err());
    spy.call(call("book", json!({"seat": "12A"}))).await.unwrap();
    assert_eq!(spy.calls()[0].outcome, Outcome::Dropped);
}

#[tokio::test]
async fn a_session_that_is_refused_says_why() {
    let error = connect(Desk { refuses: true, ended: Arc::default() }).await.unwrap_err();
    let source = std::error::Error::source(&error).unwrap();
    assert!(source.is::<frankly_spy::rmcp::sdk::service::ServerInitializeError>(), "{source:?}");
    let error = error.to_string();
    assert!(error.starts_with("failed to open a session with the server: "), "{error}");
    assert!(error.contains("the desk is closed"), "{error}");
}

#[tokio::test]
async fn the_server_ends_with_its_session() {
    let ended = Arc::new(AtomicBool::new(false));
    let connected = connect(Desk { refuses: false, ended: Arc::clone(&ended) }).await.unwrap();
    connected.call(ToolCall::new("book", Map::new())).await.unwrap();
    assert!(!ended.load(Ordering::SeqCst));
    drop(connected);
    while !ended.load(Ordering::SeqCst) {
        tokio::task::yield_now().await;
    }
}
