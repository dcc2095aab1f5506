//! Executes the examples of every probe against a small server that behaves as the example says.

use std::time::Duration;

use frankly_contract::ToolDef;
use frankly_verdict::Expected;
use frankly_verdict::check::{check_all, one_per_fault};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, duplex, split};

use super::*;
use crate::session::Launch;

/// Serves one tool, `list`, that answers as the probe's example says.
async fn serve(
    probe: &'static dyn Probe,
    example: Value,
    reader: impl AsyncRead + Unpin,
    mut writer: impl AsyncWrite + Unpin,
) {
    let mut lines = BufReader::new(reader).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let request: Value = serde_json::from_str(&line).unwrap();
        let Some(id) = request.get("id") else { continue };
        let result = match request["method"].as_str().unwrap() {
            "initialize" => {
                json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {}})
            }
            "tools/call" => probe.example_answer(&example, request["params"]["arguments"]["limit"].as_u64()),
            other => panic!("{other} was not expected"),
        };
        let answer = json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string() + "\n";
        writer.write_all(answer.as_bytes()).await.unwrap();
    }
}

#[tokio::test]
async fn every_example_gives_what_it_says() {
    for probe in PROBES.iter().copied() {
        for example in probe.doc().examples {
            let (ours, theirs) = duplex(1 << 16);
            let (reader, writer) = split(ours);
            let (their_reader, their_writer) = split(theirs);
            let input = serde_json::from_str(example.input).unwrap();
            let server = tokio::spawn(serve(probe, input, their_reader, their_writer));
            let launch = Launch { timeout: Duration::from_secs(5), ..Launch::default() };
            let session = Session::over(reader, writer, &launch).await.unwrap();
            let tool = ToolDef::from_raw(
                json!({"name": "list", "annotations": {"readOnlyHint": true}, "inputSchema":
                {"type": "object", "properties": {"limit": {"type": "integer", "minimum": 1}}}}),
            );
            let tools = [tool];
            let silence = AtomicUsize::new(0);
            let outcome = probe.run(&Bench::new(&session, &tools[0], &[], &silence)).await;
            assert_eq!(outcome, Outcome::Exercised, "{}", example.about);
            let transcript = session.close(Some(tools.to_vec())).await.transcript;
            let findings = one_per_fault(check_all(&transcript));
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
