//! Executes the examples of every probe against a small server that behaves as the example says.

use std::time::Duration;

use frankly_contract::ToolDef;
use frankly_verdict::Expected;
use frankly_verdict::check::check_all;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, duplex, split};

use super::*;
use crate::session::Launch;

/// Serves one tool, `list`, over a list of `rows` items, `default` to a page, with the members that the example
/// `says` beside them.
async fn serve(example: Value, reader: impl AsyncRead + Unpin, mut writer: impl AsyncWrite + Unpin) {
    let mut lines = BufReader::new(reader).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let request: Value = serde_json::from_str(&line).unwrap();
        let Some(id) = request.get("id") else { continue };
        let result = match request["method"].as_str().unwrap() {
            "initialize" => {
                json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {}})
            }
            "tools/call" => page(&example, request["params"]["arguments"]["limit"].as_u64()),
            other => panic!("{other} was not expected"),
        };
        let answer = json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string() + "\n";
        writer.write_all(answer.as_bytes()).await.unwrap();
    }
}

fn page(example: &Value, limit: Option<u64>) -> Value {
    let total = example["rows"].as_u64().unwrap();
    let returned = limit.unwrap_or(example["default"].as_u64().unwrap()).min(total);
    let rows: Vec<Value> = (0..returned).map(|id| json!({"id": id})).collect();
    let mut payload = json!({"rows": rows});
    for member in example["says"].as_array().unwrap() {
        let member = member.as_str().unwrap();
        payload[member] = if member == "count" { json!(returned) } else { json!(returned < total) };
    }
    json!({"content": [], "structuredContent": payload})
}

#[tokio::test]
async fn every_example_gives_what_it_says() {
    for probe in PROBES {
        for example in probe.doc().examples {
            let (ours, theirs) = duplex(1 << 16);
            let (reader, writer) = split(ours);
            let (their_reader, their_writer) = split(theirs);
            let server =
                tokio::spawn(serve(serde_json::from_str(example.input).unwrap(), their_reader, their_writer));
            let launch = Launch { timeout: Duration::from_secs(5), ..Launch::default() };
            let session = Session::over(reader, writer, &launch).await.unwrap();
            let tool = ToolDef::from_raw(
                json!({"name": "list", "annotations": {"readOnlyHint": true}, "inputSchema":
                {"type": "object", "properties": {"limit": {"type": "integer", "minimum": 1}}}}),
            );
            let tools = [tool];
            let coverage = probe_all(&session, &tools, &Server::default(), &Grants::default()).await;
            assert_eq!((coverage.probes_run, coverage.not_exercised), (1, vec![]), "{}", example.about);
            let findings = check_all(&session.close(Some(tools.to_vec())).await.transcript);
            server.abort();
            let found: Vec<_> = findings.iter().map(|f| (f.severity, f.pointer.as_str())).collect();
            match example.expected {
                Expected::Silence => assert!(found.is_empty(), "{}: {found:?}", example.about),
                Expected::Finding(severity, pointer) => {
                    assert_eq!(found, [(severity, pointer)], "{}", example.about);
                }
            }
        }
    }
}
