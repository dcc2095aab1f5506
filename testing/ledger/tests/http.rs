//! The ledger over streamable HTTP, spoken to in hand-written requests.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::net::SocketAddr;
use std::time::Duration;

use frankly_ledger::{Faults, HttpServer, ServeError};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

const ANY: ([u8; 4], u16) = ([127, 0, 0, 1], 0);

/// A running server.
struct Place {
    address: String,
    end: oneshot::Sender<()>,
    server: JoinHandle<()>,
}

impl Place {
    async fn open(faults: Faults) -> Self {
        Self::open_at(ANY.into(), faults).await
    }

    async fn open_at(address: SocketAddr, faults: Faults) -> Self {
        let server = HttpServer::bind(faults, address).await.unwrap();
        let address = server.url().strip_prefix("http://").unwrap().strip_suffix("/mcp").unwrap().to_owned();
        let (end, ended) = oneshot::channel();
        let server = tokio::spawn(server.serve(async move { drop(ended.await) }));
        Self { address, end, server }
    }

    /// Sends one request on a connection of its own.
    async fn send(&self, request: hyper::http::request::Builder, body: &str) -> Response<Incoming> {
        let stream = TcpStream::connect(&self.address).await.unwrap();
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        let body = Full::new(Bytes::from(body.to_owned()));
        sender.send_request(request.body(body).unwrap()).await.unwrap()
    }

    fn post(&self) -> hyper::http::request::Builder {
        Request::post("/mcp")
            .header("host", &self.address)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
    }

    async fn initialized(&self) -> Client<'_> {
        let answer = self.send(self.post(), INITIALIZE).await;
        assert_eq!(answer.status(), StatusCode::OK);
        let session = answer.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        let message = message(answer).await;
        assert_eq!(message["result"]["protocolVersion"], "2025-11-25");
        assert_eq!(message["result"]["serverInfo"]["name"], "ledger");
        let client = Client { place: self, session };
        let done = client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
        assert_eq!(done.status(), StatusCode::ACCEPTED);
        client
    }
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;

/// A session with a server.
struct Client<'a> {
    place: &'a Place,
    session: String,
}

impl Client<'_> {
    async fn send(&self, body: &str) -> Response<Incoming> {
        let request = self.place.post().header("mcp-session-id", &self.session);
        self.place.send(request.header("mcp-protocol-version", "2025-11-25"), body).await
    }

    async fn ask(&self, method: &str, params: Value) -> Value {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let answer = self.send(&body.to_string()).await;
        assert_eq!(answer.status(), StatusCode::OK);
        message(answer).await
    }

    async fn call(&self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments})).await
    }
}

/// The JSON-RPC message of an event stream, which has one.
async fn message(answer: Response<Incoming>) -> Value {
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    let text = String::from_utf8(body.to_vec()).unwrap();
    let data = text.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim);
    let messages: Vec<&str> = data.filter(|data| !data.is_empty()).collect();
    assert_eq!(messages.len(), 1, "{text}");
    serde_json::from_str(messages[0]).unwrap()
}

#[tokio::test]
async fn a_session_lists_calls_and_is_refused() {
    let place = Place::open(Faults::default()).await;
    let client = place.initialized().await;
    let listed = client.ask("tools/list", json!({})).await;
    assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 8);
    let page = client.call("query_transactions", json!({"category": "Dining"})).await;
    assert_eq!(page["result"]["structuredContent"]["matched"], 262);
    let refused = client.call("run_sql", json!({"sql": "DELETE FROM transactions"})).await;
    assert_eq!(refused["result"]["isError"], true);
    assert_eq!(refused["result"]["_meta"]["frankly/error"]["code"], "FORBIDDEN");
    let unknown = client.call("query_transaction", json!({})).await;
    assert_eq!(unknown["error"]["code"], -32602);
}

#[tokio::test]
async fn all_sessions_share_one_ledger() {
    let place = Place::open(Faults::default()).await;
    let expense = json!({"amount": 3, "category": "Dining"});
    place.initialized().await.call("log_expense", expense).await;
    let page = place.initialized().await.call("query_transactions", json!({"category": "Dining"})).await;
    assert_eq!(page["result"]["structuredContent"]["matched"], 263);
}

#[tokio::test]
async fn faults_are_the_same_over_http() {
    let place = Place::open(Faults::all()).await;
    let page = place.initialized().await.call("query_transactions", json!({"category": "Dining"})).await;
    let payload = page["result"]["structuredContent"].as_object().unwrap();
    assert_eq!(payload.keys().collect::<Vec<_>>(), ["count", "transactions"]);
}

#[tokio::test]
async fn strangers_are_refused() {
    let place = Place::open(Faults::default()).await;
    let (here, port) = (&place.address, place.address.rsplit(':').next().unwrap());
    for (host, origin, status) in [
        ("evil.example", None, StatusCode::FORBIDDEN),
        (here, Some("https://evil.example"), StatusCode::FORBIDDEN),
        (here, Some("null"), StatusCode::FORBIDDEN),
        (here, Some("http://localhost:6274"), StatusCode::OK),
        (&format!("localhost:{port}"), None, StatusCode::OK),
    ] {
        let mut request = place.post();
        request.headers_mut().unwrap().insert("host", host.parse().unwrap());
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        let answer = place.send(request, INITIALIZE).await;
        assert_eq!(answer.status(), status, "{host} {origin:?}");
    }
}

/// On other systems such an address has to be set up first.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn who_asks_under_the_address_that_is_listened_on_is_no_stranger() {
    Place::open_at(([127, 0, 0, 2], 0).into(), Faults::default()).await.initialized().await;
}

#[tokio::test]
async fn only_one_path_is_served() {
    let place = Place::open(Faults::default()).await;
    let answer = place.send(Request::get("/").header("host", &place.address), "").await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    assert_eq!(body, "nothing is here; the ledger is at /mcp\n");
}

#[tokio::test]
async fn other_machines_are_not_listened_to() {
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let address: SocketAddr = address.parse().unwrap();
        let refused = HttpServer::bind(Faults::default(), address).await.err().unwrap();
        assert!(matches!(refused, ServeError::NotLoopback(_)), "{address}");
    }
    let place = Place::open(Faults::default()).await;
    let taken = HttpServer::bind(Faults::default(), place.address.parse().unwrap()).await.err().unwrap();
    assert_eq!(taken.to_string(), format!("failed to listen on {}", place.address));
}

#[tokio::test]
async fn a_call_in_progress_is_answered_before_the_end() {
    let place = Place::open(Faults::default()).await;
    let client = place.initialized().await;
    let endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c";
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "run_sql", "arguments": {"sql": endless}}});
    let answer = client.send(&body.to_string()).await;
    let Place { address, end, server } = place;
    end.send(()).unwrap();
    assert_eq!(message(answer).await["result"]["isError"], true);
    tokio::time::timeout(Duration::from_secs(10), server).await.unwrap().unwrap();
    assert!(TcpStream::connect(&address).await.is_err(), "nobody listens any more");
}

#[tokio::test]
async fn what_cannot_be_answered_before_the_end_is_answered_with_an_error() {
    let place = Place::open(Faults::default()).await;
    let client = place.initialized().await;
    let endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c";
    let mut waiting = vec![];
    for id in 1..=6 {
        let body = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": "run_sql", "arguments": {"sql": endless}}});
        waiting.push(client.send(&body.to_string()).await);
    }
    place.end.send(()).unwrap();
    let mut errors = 0;
    for (id, answer) in (1..).zip(waiting) {
        let message = message(answer).await;
        assert_eq!(message["id"], id);
        let ended = message["error"]["code"] == -32603;
        assert!(ended || message["result"]["isError"] == true, "{message}");
        errors += u32::from(ended);
    }
    assert!(errors > 0, "six seconds of queries in two");
    tokio::time::timeout(Duration::from_secs(10), place.server).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_stream_that_waits_does_not_hold_up_the_end() {
    let place = Place::open(Faults::default()).await;
    let client = place.initialized().await;
    let request = Request::get("/mcp")
        .header("host", &place.address)
        .header("accept", "text/event-stream")
        .header("mcp-session-id", &client.session);
    let waiting = place.send(request, "").await;
    assert_eq!(waiting.status(), StatusCode::OK);
    place.end.send(()).unwrap();
    tokio::time::timeout(Duration::from_secs(10), place.server).await.unwrap().unwrap();
    drop(waiting);
}

#[tokio::test]
async fn a_tenant_is_named_by_a_header() {
    let place = Place::open(Faults::default()).await;
    let client = place.initialized().await;
    let ask = async |tenant: &str, tool: &str, arguments: Value| {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments}});
        let request = place.post().header("mcp-session-id", &client.session).header("x-tenant", tenant);
        let request = request.header("mcp-protocol-version", "2025-11-25");
        message(place.send(request, &body.to_string()).await).await["result"]["structuredContent"].take()
    };
    ask("a", "log_expense", json!({"amount": 3, "category": "Tea"})).await;
    for (tenant, seen) in [("a", 1), ("b", 0)] {
        let page = ask(tenant, "query_transactions", json!({"category": "Tea"})).await;
        assert_eq!(page["matched"], seen, "{page}");
    }
}
