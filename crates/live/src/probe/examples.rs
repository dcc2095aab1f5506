//! Executes the examples of every probe against a small server that behaves as the example says.

use std::time::Duration;

use frankly_contract::{ToolCall, ToolDef, ToolResult};
use frankly_verdict::check::{check_all, one_per_fault};
use frankly_verdict::transcript::Transcript;
use frankly_verdict::{Expected, Severity};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, duplex, split};

use super::bench::Setup;
use super::consent::Nature;
use super::run::Run;
use super::*;
use crate::session::{Launch, Session};

/// A tool that only reads, for examples: described, and closed.
pub(super) fn reading(name: &str, properties: Value, required: &[&str]) -> ToolDef {
    ToolDef::from_raw(json!({
        "name": name,
        "description": "Looks things up for an example.",
        "annotations": {"readOnlyHint": true},
        "inputSchema": {
            "type": "object", "properties": properties, "required": required, "additionalProperties": false
        }
    }))
}

/// Serves tools that answer as `answer` says to a call after those before it: not at all where that is `null`.
async fn serve(
    answer: impl Fn(&[Value], &Value) -> Value,
    reader: impl AsyncRead + Unpin,
    mut writer: impl AsyncWrite + Unpin,
) {
    let mut lines = BufReader::new(reader).lines();
    let mut before = Vec::new();
    while let Ok(Some(line)) = lines.next_line().await {
        let request: Value = serde_json::from_str(&line).unwrap();
        let Some(id) = request.get("id") else { continue };
        let result = match request["method"].as_str().unwrap() {
            "initialize" => {
                json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {}})
            }
            "tools/call" => {
                let result = answer(&before, &request["params"]);
                before.push(request["params"].clone());
                result
            }
            other => panic!("{other} was not expected"),
        };
        if result.is_null() {
            continue;
        }
        let answer = json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string() + "\n";
        writer.write_all(answer.as_bytes()).await.unwrap();
    }
}

/// Sends a probe to one tool that answers so, if it fits; what came of it, how many calls were refused as may be, and
/// everything that was said.
pub(super) async fn send(
    probe: &dyn Probe,
    tool: ToolDef,
    examples: &[Map<String, Value>],
    nature: Nature,
    answer: impl Fn(&Value) -> Value + Send + 'static,
) -> (Option<Outcome>, usize, Transcript) {
    let answer = move |_: &[Value], call: &Value| answer(&call["arguments"]);
    send_after(probe, tool, examples, nature, answer, false).await
}

/// The same, after what the probe's examples send before where that is `prepared`.
async fn send_after(
    probe: &dyn Probe,
    tool: ToolDef,
    examples: &[Map<String, Value>],
    nature: Nature,
    answer: impl Fn(&[Value], &Value) -> Value + Send + 'static,
    prepared: bool,
) -> (Option<Outcome>, usize, Transcript) {
    let (ours, theirs) = duplex(1 << 16);
    let (reader, writer) = split(ours);
    let (their_reader, their_writer) = split(theirs);
    let server = tokio::spawn(async move { serve(answer, their_reader, their_writer).await });
    let launch = Launch { timeout: Duration::from_secs(2), ..Launch::default() };
    let session = Session::over(reader, writer, &launch).await.unwrap();
    let run = Run::new(1000, 0);
    let setup = Setup { examples, nature, sandbox: probe.needs_sandbox(), may_write: false };
    let bench = Bench::new(&session, &tool, setup, &run);
    let mut tools = vec![tool.clone()];
    if prepared {
        if let Some(reader) = probe.example_reader() {
            let call = ToolCall::new(reader.name(), Map::new());
            run.learn(&reader, call, &ToolResult::text("known"), Duration::ZERO, true);
            tools.push(reader);
        }
        probe.before_example(&bench).await;
    }
    let outcome = if probe.fits(&bench) { Some(probe.run(&bench).await) } else { None };
    let refusals = bench.refusals();
    drop(bench);
    let transcript = session.close(Some(tools)).await.transcript;
    server.abort();
    (outcome, refusals, transcript)
}

/// What a probe sends to a tool: the arguments of every call.
pub(super) async fn sent(
    probe: &dyn Probe,
    tool: ToolDef,
    good: Value,
    nature: Nature,
    answer: impl Fn(&Value) -> Value + Send + 'static,
) -> (Option<Outcome>, Vec<Value>) {
    let examples: Vec<_> = good.as_object().cloned().into_iter().collect();
    let (outcome, _, transcript) = send(probe, tool, &examples, nature, answer).await;
    let calls = transcript.calls();
    (outcome, calls.iter().map(|call| Value::from(call.to_tool_call().arguments)).collect())
}

#[test]
fn every_probe_has_a_fault_and_a_healthy_twin() {
    for probe in all_probes() {
        let Doc { name, examples, .. } = probe.doc();
        let has = |silent: bool| examples.iter().any(|e| (e.expected == Expected::Silence) == silent);
        assert!(has(true) && has(false), "{name} has no fault, or no twin");
    }
}

#[tokio::test]
async fn every_example_gives_what_it_says() {
    for probe in all_probes() {
        for example in probe.doc().examples {
            let input: Value = serde_json::from_str(example.input).unwrap();
            let good: Vec<_> = input["good"].as_object().cloned().into_iter().collect();
            let tool = probe.example_tool(&input);
            let nature = if probe.example_writes() { Nature::Writes } else { Nature::Reads };
            let name = tool.name().to_owned();
            let answer = move |before: &[Value], call: &Value| match call["name"] == *name {
                true => probe.example_answer(&input, &call["arguments"]),
                false => probe.example_reading(&input, before),
            };
            let (outcome, _, transcript) = send_after(probe, tool, &good, nature, answer, true).await;
            assert_eq!(outcome, Some(Outcome::Exercised), "{}", example.about);
            let mut findings = one_per_fault(check_all(&transcript));
            findings.retain(|finding| finding.severity > Severity::Info);
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
