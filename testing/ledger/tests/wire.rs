//! The ledger over a real connection, spoken to in hand-written lines.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use frankly_ledger::{Fault, Faults, ServeError, serve};
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf, duplex, split,
};
use tokio::task::JoinHandle;

struct Peer {
    lines: BufReader<ReadHalf<DuplexStream>>,
    out: WriteHalf<DuplexStream>,
    server: JoinHandle<Result<(), ServeError>>,
}

impl Peer {
    fn connect(faults: Faults) -> Self {
        let (here, there) = duplex(1 << 16);
        let (reader, writer) = split(there);
        let server = tokio::spawn(serve(faults, reader, writer));
        let (lines, out) = split(here);
        Self { lines: BufReader::new(lines), out, server }
    }

    async fn initialized(faults: Faults) -> Self {
        let mut peer = Self::connect(faults);
        peer.send(
            r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#,
        )
        .await;
        let answer = peer.receive().await;
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
        assert_eq!(
            answer["result"]["serverInfo"],
            json!({"name": "ledger", "version": env!("CARGO_PKG_VERSION")})
        );
        assert_eq!(answer["result"]["capabilities"], json!({"tools": {}}));
        peer.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
        peer
    }

    async fn send(&mut self, line: &str) {
        self.out.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    async fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.lines.read_line(&mut line).await.unwrap();
        serde_json::from_str(&line).unwrap()
    }

    async fn call(&mut self, tool: &str, arguments: &str) -> Value {
        self.send(&format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
        ))
        .await;
        self.receive().await
    }

    async fn close(mut self) -> Result<(), ServeError> {
        self.out.shutdown().await.unwrap();
        self.server.await.unwrap()
    }
}

#[tokio::test]
async fn the_tools_are_listed_in_order_and_closed() {
    let mut peer = Peer::initialized(Faults::default()).await;
    peer.send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).await;
    let answer = peer.receive().await;
    let tools = answer["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "query_transactions", "list_categories", "run_sql", "list_accounts", "read_statement",
            "inspect_csv", "import_csv", "log_expense"
        ]
    );
    for tool in tools {
        assert_eq!(tool["inputSchema"]["additionalProperties"], false);
        assert_eq!(tool["annotations"]["destructiveHint"], false);
        assert_eq!(tool["annotations"]["openWorldHint"], false);
    }
    assert_eq!(tools[2]["inputSchema"]["required"], json!(["sql"]));
}

#[tokio::test]
async fn an_honest_page_and_a_lying_one() {
    let arguments = r#"{"category":"Dining"}"#;
    let mut honest = Peer::initialized(Faults::default()).await;
    let answer = honest.call("query_transactions", arguments).await;
    let page = &answer["result"]["structuredContent"];
    assert_eq!(
        (&page["returned"], &page["matched"], &page["truncated"]),
        (&json!(50), &json!(262), &json!(true))
    );
    assert!(page["hint"].as_str().unwrap().contains("run_sql"));
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert_eq!(&serde_json::from_str::<Value>(text).unwrap(), page);

    let mut lying = Peer::initialized(Faults::from_iter([Fault::SilentTruncation])).await;
    let answer = lying.call("query_transactions", arguments).await;
    let rows = &page["items"];
    assert_eq!(answer["result"]["structuredContent"], json!({"count": 50, "transactions": rows}));
}

#[tokio::test]
async fn the_total_comes_from_sql() {
    let mut peer =
        Peer::initialized(Faults::from_iter([Fault::SilentTruncation, Fault::CappedSqlWithoutWayOn])).await;
    let sql =
        r#"{"sql":"SELECT COUNT(*) AS n, SUM(amount) AS total FROM transactions WHERE category = 'Dining'"}"#;
    let answer = peer.call("run_sql", sql).await;
    assert_eq!(answer["result"]["structuredContent"]["items"], json!([{"n": 262, "total": 2752.25}]));
}

#[tokio::test]
async fn a_wrong_argument_is_for_the_agent_to_read() {
    let mut peer = Peer::initialized(Faults::default()).await;
    for (tool, arguments, code) in [
        ("query_transactions", r#"{"catgory":"Dining"}"#, "INVALID_ARGS"),
        ("query_transactions", r#"{"limit":"10"}"#, "INVALID_ARGS"),
        ("list_categories", r#"{"x":1}"#, "INVALID_ARGS"),
        ("run_sql", "{}", "INVALID_ARGS"),
        ("run_sql", r#"{"sql":"DELETE FROM transactions"}"#, "FORBIDDEN"),
    ] {
        let answer = peer.call(tool, arguments).await;
        let result = &answer["result"];
        assert_eq!(result["isError"], true, "{answer}");
        assert_eq!(result["_meta"]["frankly/error"]["code"], code);
        assert!(result["content"][0]["text"].as_str().unwrap().starts_with(code));
    }
}

#[tokio::test]
async fn an_unknown_tool_is_a_protocol_error() {
    let mut peer = Peer::initialized(Faults::default()).await;
    let error = peer.call("query_transaction", "{}").await["error"].take();
    assert_eq!(error["code"], -32602);
    let message = error["message"].as_str().unwrap();
    assert!(message.starts_with("no tool is named \"query_transaction\""), "{message}");
    assert!(
        message.contains("did you mean `query_transactions`?") && message.contains("`log_expense`"),
        "{message}"
    );
}

#[tokio::test]
async fn a_thrown_error_is_one_of_the_protocol_and_a_buried_one_is_a_success() {
    let arguments = r#"{"file_key":"abc"}"#;
    let mut honest = Peer::initialized(Faults::default()).await;
    for tool in ["inspect_csv", "import_csv"] {
        let answer = honest.call(tool, arguments).await;
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        assert_eq!(answer["result"]["_meta"]["frankly/error"]["kind"], "file_unreadable");
    }
    let mut lying = Peer::initialized(Faults::from_iter([Fault::ThrownError, Fault::BuriedError])).await;
    let thrown = lying.call("inspect_csv", arguments).await;
    assert_eq!(
        thrown["error"],
        json!({"code": -32603, "message": "FileNotFoundError: [Errno 2] No such file or directory: 'abc'"})
    );
    let buried = lying.call("import_csv", arguments).await;
    assert_eq!(buried["result"].get("isError"), None, "{buried}");
    assert_eq!(buried["result"]["structuredContent"], json!({"status": "error", "error": "file not found"}));
}

#[tokio::test]
async fn a_misshapen_request_is_told_what_is_wrong_with_it() {
    let mut peer = Peer::initialized(Faults::default()).await;
    let error = peer.call("run_sql", r#""SELECT 1""#).await["error"].take();
    assert_eq!(error["code"], -32602);
    assert!(error["message"].as_str().unwrap().contains("`arguments`, an object"));
    peer.send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"2"}}"#).await;
    assert_eq!(peer.receive().await["error"]["code"], -32602);
    peer.send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/delete"}"#).await;
    assert_eq!(peer.receive().await["error"]["code"], -32601);
}

#[tokio::test]
async fn a_slow_query_does_not_keep_others_waiting() {
    let mut peer = Peer::initialized(Faults::default()).await;
    let endless = r#"{"jsonrpc":"2.0","id":"slow","method":"tools/call","params":{"name":"run_sql","arguments":{"sql":"WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c"}}}"#;
    peer.send(endless).await;
    peer.send(r#"{"jsonrpc":"2.0","id":"quick","method":"ping"}"#).await;
    assert_eq!(peer.receive().await["id"], "quick");
    let stopped = peer.receive().await;
    assert_eq!((&stopped["id"], &stopped["result"]["isError"]), (&json!("slow"), &json!(true)));
    assert_eq!(peer.call("list_categories", "{}").await["result"]["structuredContent"]["matched"], 9);
}

#[tokio::test]
async fn serving_ends_when_the_peer_closes() {
    assert!(Peer::initialized(Faults::default()).await.close().await.is_ok());
    assert!(Peer::connect(Faults::default()).close().await.is_ok());
    let mut rude = Peer::connect(Faults::default());
    rude.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    let error = rude.close().await.unwrap_err();
    assert_eq!(error.to_string(), "failed to open a session: the first message is not an initialize request");
}
