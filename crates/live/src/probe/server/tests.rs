//! What each probe of a server sends, and its examples, against a small server.

use std::time::Duration;

use frankly_contract::{ToolCall, ToolDef, ToolResult};
use frankly_verdict::check::{check_all, one_per_fault};
use frankly_verdict::transcript::{Side, Transcript};
use frankly_verdict::{Expected, Severity};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, duplex, split};

use super::super::examples::reading;
use super::*;
use crate::session::Launch;

/// What an honest server with one tool answers to a request.
pub(super) fn honest(request: &Value) -> Value {
    let id = &request["id"];
    let error = |code: i64, message: &str| json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}});
    let result = |result: Value| json!({"jsonrpc": "2.0", "id": id, "result": result});
    let params = &request["params"];
    match request["method"].as_str().unwrap_or_default() {
        "initialize" => {
            result(json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {}}))
        }
        "tools/list" => result(json!({"tools": [tool().raw()]})),
        _ if !params["arguments"].is_object() => error(-32602, "tools/call takes `name` and `arguments`"),
        _ if params["name"] == "find_orders" => {
            let customer = params["arguments"]["customer"].as_str().unwrap_or("anybody");
            let orders = json!([{"id": "o-1", "total": 3}, {"id": "o-2", "total": 4}]);
            result(json!({"content": [], "structuredContent": {"customer": customer, "matched": 2,
                "returned": 2, "truncated": false, "orders": orders}}))
        }
        _ => error(-32602, "there is no such tool; tools/list lists them"),
    }
}

fn tool() -> ToolDef {
    let customer = json!({"type": "string", "description": "Whose orders, by their name."});
    reading("find_orders", json!({ "customer": customer }), &[])
}

/// Serves whatever `answer` says to a request after those before it.
async fn serve(
    answer: impl Fn(&[Value], &Value) -> Vec<Value>,
    reader: impl AsyncRead + Unpin,
    mut writer: impl AsyncWrite + Unpin,
) {
    let mut lines = BufReader::new(reader).lines();
    let mut before: Vec<Value> = Vec::new();
    while let Ok(Some(line)) = lines.next_line().await {
        let request: Value = serde_json::from_str(&line).unwrap();
        for answer in answer(&before, &request) {
            writer.write_all(format!("{answer}\n").as_bytes()).await.unwrap();
        }
        before.push(request);
    }
}

/// Sends a probe to a server of which a call succeeded before; what came of it, and everything that was said.
async fn send(
    probe: &dyn ServerProbe,
    config: &Server,
    answer: impl Fn(&[Value], &Value) -> Vec<Value> + Send + 'static,
) -> (Outcome, usize, Transcript) {
    let (ours, theirs) = duplex(1 << 16);
    let (reader, writer) = split(ours);
    let (their_reader, their_writer) = split(theirs);
    let server = tokio::spawn(async move { serve(answer, their_reader, their_writer).await });
    let launch = Launch { timeout: Duration::from_millis(500), ..Launch::default() };
    let session = Session::over(reader, writer, &launch).await.unwrap();
    let run = Run::new(1000, 0);
    let call = ToolCall::new("find_orders", Map::new());
    let first = session.call(call.clone()).await.unwrap();
    run.learn(&tool(), call.clone(), &first, Duration::ZERO, true);
    run.echoed(&call, "customer");
    let bench = ServerBench::new(&session, config, &run);
    probe.before_example(&bench);
    let outcome = probe.run(&bench).await;
    let refusals = bench.refusals();
    let frames = bench.into_frames();
    // The tools of the examples, whichever of them a probe calls.
    let text = json!({"type": "string", "description": "The note."});
    let (add, list) = (json!({ "text": text }), json!({}));
    let notes = [reading("add_note", add, &["text"]), reading("list_notes", list, &[])];
    let tools = std::iter::once(tool()).chain(notes).collect();
    let mut transcript = session.close(Some(tools)).await.transcript;
    transcript.frames.extend(frames);
    server.abort();
    (outcome, refusals, transcript)
}

/// The answers of an honest server.
pub(super) fn answers(_: &[Value], request: &Value) -> Vec<Value> {
    if request.get("id").is_some() { vec![honest(request)] } else { Vec::new() }
}

/// What an honest server is sent after the first call: method and parameters of each message.
async fn sent(probe: &dyn ServerProbe) -> (Outcome, usize, Vec<(String, Value)>) {
    let (outcome, refusals, transcript) = send(probe, &Server::default(), answers).await;
    let ours = transcript.frames.iter().filter(|frame| frame.from() == Side::Client);
    let messages = ours.filter_map(|frame| {
        Some((frame.method()?.to_owned(), frame.msg()?.get("params").cloned().unwrap_or_default()))
    });
    (outcome, refusals, messages.skip(3).collect())
}

fn healthy() -> (String, Value) {
    ("tools/call".to_owned(), json!({"name": "find_orders", "arguments": {}}))
}

#[tokio::test]
async fn tools_are_listed_twice_and_a_tool_that_is_not_is_called() {
    let (outcome, _, messages) = sent(&list_twice::ListTwice).await;
    let list = ("tools/list".to_owned(), json!({}));
    assert_eq!((outcome, messages), (Outcome::Exercised, vec![list.clone(), list]));
    let (outcome, refusals, messages) = sent(&unknown_tool::UnknownTool).await;
    assert_eq!((outcome, refusals, messages.len()), (Outcome::Exercised, 1, 1));
    assert_ne!(messages[0].1["name"], "find_orders");
}

#[tokio::test]
async fn a_call_is_taken_back_and_made_again() {
    let (outcome, _, messages) = sent(&cancel_then_call::CancelThenCall).await;
    assert_eq!(outcome, Outcome::Exercised);
    let methods: Vec<_> = messages.iter().map(|(method, _)| method.as_str()).collect();
    assert_eq!(methods, ["tools/call", "notifications/cancelled", "tools/call"]);
    assert_eq!(messages[1].1["reason"], crate::session::TAKEN_BACK);
}

#[tokio::test]
async fn a_call_is_left_without_a_word() {
    let (outcome, _, messages) = sent(&slow_then_call::SlowThenCall).await;
    assert_eq!((outcome, messages), (Outcome::Exercised, vec![healthy(), healthy()]));
}

#[tokio::test]
async fn each_malformed_call_is_followed_by_a_healthy_one() {
    let (outcome, refusals, messages) = sent(&garbage_then_call::GarbageThenCall).await;
    let as_text = ("tools/call".to_owned(), json!({"name": "find_orders", "arguments": "no object"}));
    let without = ("tools/call".to_owned(), Value::Null);
    assert_eq!((outcome, refusals), (Outcome::Exercised, 2));
    assert_eq!(messages, [as_text, healthy(), without, healthy()]);
}

#[tokio::test]
async fn calls_at_once_have_texts_of_their_own() {
    let (outcome, _, messages) = sent(&at_once::AtOnce).await;
    assert_eq!((outcome, messages.len()), (Outcome::Exercised, 4));
    let customers: std::collections::BTreeSet<_> =
        messages.iter().filter_map(|(_, params)| params["arguments"]["customer"].as_str()).collect();
    assert_eq!(customers.len(), 3, "no two are alike");
}

#[tokio::test]
async fn without_a_call_that_succeeded_nothing_is_shown() {
    let run = Run::new(10, 0);
    run.learn(&tool(), ToolCall::new("t", Map::new()), &ToolResult::text("x"), Duration::ZERO, false);
    assert!(run.health_check().is_none(), "a tool that writes is not called to see whether it answers");
}

#[test]
fn every_probe_has_a_fault_and_a_healthy_twin() {
    for probe in SERVER_PROBES {
        let Doc { name, examples, .. } = probe.doc();
        let has = |silent: bool| examples.iter().any(|e| (e.expected == Expected::Silence) == silent);
        assert!(has(true) && has(false), "{name} has no fault, or no twin");
    }
}

#[tokio::test]
async fn every_example_gives_what_it_says() {
    for probe in SERVER_PROBES.iter().copied() {
        for example in probe.doc().examples {
            let input: Value = serde_json::from_str(example.input).unwrap();
            let directory = tempfile::tempdir().unwrap();
            let config = probe.example_server(&input, &directory.path().join("store"));
            let answer =
                move |before: &[Value], request: &Value| probe.example_answer(&input, before, request);
            let (outcome, _, transcript) = send(probe, &config, answer).await;
            assert_eq!(outcome, Outcome::Exercised, "{}", example.about);
            let mut findings = one_per_fault(check_all(&transcript));
            findings.retain(|finding| finding.severity > Severity::Info);
            let found: Vec<_> = findings.iter().map(|f| (f.severity, f.pointer.as_str())).collect();
            match example.expected {
                Expected::Silence => assert!(found.is_empty(), "{}: {found:?}", example.about),
                Expected::Finding(severity, pointer) => {
                    assert_eq!(found, [(severity, pointer)], "{}: {findings:?}", example.about);
                }
            }
        }
    }
}
