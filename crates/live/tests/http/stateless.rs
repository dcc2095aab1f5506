//! The revision in which each request stands for itself.

use frankly_contract::{CallError, ToolCall, Tools};
use frankly_live::{Launch, Session};
use serde_json::{Value, json};

use super::place::{Asked, Place, Step, call, http, result};

fn unsupported(asked: &Asked, supported: &str) -> Vec<Step> {
    let data = json!({"supported": [supported], "requested": "2025-11-25"});
    let error = json!({"code": -32022, "message": "Unsupported protocol version", "data": data});
    let body = json!({"jsonrpc": "2.0", "id": asked.body["id"], "error": error});
    http("400 Bad Request", "content-type: application/json\r\nmcp-session-id: odd\r\n", &body.to_string())
}

fn answer(asked: &Asked) -> Option<Vec<Step>> {
    let info = json!({"io.modelcontextprotocol/serverInfo": {"name": "modern", "version": "1"}});
    Some(match asked.what() {
        "initialize" => unsupported(asked, "2026-07-28"),
        "server/discover" => result(
            asked,
            json!({"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {}, "_meta": info}),
        ),
        "tools/list" => {
            let region = json!({"type": "string", "x-mcp-header": "Region"});
            let schema = json!({"type": "object", "properties": {"region": region}});
            result(asked, json!({"tools": [{"name": "t", "inputSchema": schema}]}))
        }
        "tools/call" if asked.body["params"]["name"] == "silent" => vec![Step::Hang],
        "tools/call" => result(asked, json!({"resultType": "complete", "content": []})),
        _ => return None,
    })
}

fn assert_self_contained(asked: &Asked) {
    let meta = &asked.body["params"]["_meta"];
    assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    assert_eq!(meta["io.modelcontextprotocol/clientInfo"]["name"], "frankly");
    assert_eq!(meta["io.modelcontextprotocol/clientCapabilities"], json!({}));
    assert_eq!(asked.header("mcp-protocol-version"), "2026-07-28");
    assert_eq!(asked.header("mcp-method"), asked.what());
    let name = asked.body["params"]["name"].as_str().unwrap_or_default();
    assert_eq!(asked.header("mcp-name"), name);
    assert_eq!(asked.header("mcp-session-id"), "");
}

#[tokio::test]
async fn it_is_spoken_where_initialize_is_refused_for_it() {
    let place = Place::open(answer).await;
    let launch = Launch { name: None, ..place.launch() };
    let session = Session::start(&launch).await.unwrap();
    assert_eq!(session.server(), "modern");
    session.call(call("t")).await.unwrap();
    assert_eq!(session.call(call("silent")).await, Err(CallError::TimedOut));
    session.call(call("t")).await.unwrap();
    let closed = session.close(None).await;
    assert_eq!(closed.transcript.revision.as_deref(), Some("2026-07-28"));
    let calls = ["tools/call"; 3];
    assert_eq!(place.what()[..3], ["initialize", "server/discover", "tools/list"]);
    assert_eq!(place.what()[3..], calls, "who closes a stream has cancelled, and there is no session to end");
    place.asked()[1..].iter().for_each(assert_self_contained);
    let frames = closed.transcript.frames;
    assert!(frames.iter().all(|frame| frame.method() != Some("notifications/cancelled")), "{frames:?}");
}

#[tokio::test]
async fn arguments_are_told_again_where_the_tool_wants_that() {
    let place = Place::open(answer).await;
    let session = Session::start(&Launch { stateless: true, ..place.launch() }).await.unwrap();
    for region in ["us-west1", "Zürich"] {
        let arguments = json!({"region": region}).as_object().unwrap().clone();
        session.call(ToolCall::new("t", arguments)).await.unwrap();
    }
    session.close(None).await;
    let asked = place.asked();
    let told: Vec<_> = asked.iter().map(|asked| asked.header("mcp-param-region")).collect();
    assert_eq!(told, ["", "", "us-west1", "=?base64?WsO8cmljaA==?="]);
}

#[tokio::test]
async fn it_is_spoken_at_once_where_that_is_configured() {
    let place = Place::open(answer).await;
    let launch = Launch { stateless: true, ..place.launch() };
    Session::start(&launch).await.unwrap().close(None).await;
    assert_eq!(place.what(), ["server/discover"]);
}

#[tokio::test]
async fn a_server_of_neither_revision_is_none() {
    let place = Place::open(|asked| match asked.what() {
        "initialize" => Some(unsupported(asked, "2027-01-01")),
        _ => Some(result(asked, json!({"supportedVersions": ["2027-01-01"]}))),
    })
    .await;
    assert!(place.error().await.ends_with("it speaks neither 2025-11-25 nor 2026-07-28"));
}

#[tokio::test]
async fn over_standard_input_requests_are_the_same() {
    let refused = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no"}}"#;
    let discovered =
        r#"{"jsonrpc":"2.0","id":2,"result":{"supportedVersions":["2026-07-28"],"capabilities":{}}}"#;
    let script = format!("read -r l; echo '{refused}'; read -r l; echo '{discovered}'; cat > /dev/null");
    let command: Vec<_> = ["sh", "-c", &script].map(str::to_owned).to_vec();
    let timeout = std::time::Duration::from_millis(200);
    let launch = Launch { shown: command.clone(), command, timeout, ..Launch::default() };
    let session = Session::start(&launch).await.unwrap();
    assert_eq!(session.call(call("t")).await, Err(CallError::TimedOut));
    let frames = session.close(None).await.transcript.frames;
    let sent = |method: &str| frames.iter().find(|frame| frame.method() == Some(method)).cloned();
    let meta =
        sent("tools/call").unwrap().msg().and_then(|msg| msg.pointer("/params/_meta").cloned()).unwrap();
    assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], Value::from("2026-07-28"));
    assert!(sent("notifications/initialized").is_none() && sent("notifications/cancelled").is_some());
}
