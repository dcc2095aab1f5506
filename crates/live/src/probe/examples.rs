//! Executes the examples of every probe against a small server that behaves as the example says.

use std::time::Duration;

use frankly_contract::ToolDef;
use frankly_verdict::Expected;
use frankly_verdict::check::{check_all, one_per_fault};
use frankly_verdict::transcript::Transcript;
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

/// Serves one tool that answers as `answer` says: not at all where that is `null`.
async fn serve(
    answer: impl Fn(&Value) -> Value,
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
            "tools/call" => answer(&request["params"]["arguments"]),
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
    send_after(probe, tool, examples, nature, answer, false).await
}

/// The same, after what the probe's examples send before where that is `prepared`.
async fn send_after(
    probe: &dyn Probe,
    tool: ToolDef,
    examples: &[Map<String, Value>],
    nature: Nature,
    answer: impl Fn(&Value) -> Value + Send + 'static,
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
    if prepared {
        probe.before_example(&bench).await;
    }
    let outcome = if probe.fits(&bench) { Some(probe.run(&bench).await) } else { None };
    let refusals = bench.refusals();
    drop(bench);
    let transcript = session.close(Some(vec![tool])).await.transcript;
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

/// Probes of tools whose check is still to come: their fault and its twin come with it.
const CHECK_TO_COME: &[&str] = &[
    "path-escape", "read-only-truth", "round-trip-text", "same-twice", "spelled-defaults", "write-then-read",
    "write-twice",
];

#[test]
fn every_probe_has_a_fault_and_a_healthy_twin() {
    for probe in PROBES.iter().filter(|probe| !CHECK_TO_COME.contains(&probe.doc().name)) {
        let Doc { name, examples, .. } = probe.doc();
        assert!(examples.iter().any(|example| example.expected == Expected::Silence), "{name}: no twin");
        assert!(examples.iter().any(|example| example.expected != Expected::Silence), "{name}: no fault");
    }
    for name in CHECK_TO_COME {
        let probe = PROBES.iter().find(|probe| probe.doc().name == *name);
        assert!(probe.is_some_and(|probe| probe.doc().examples.is_empty()), "{name} is done");
    }
}

#[tokio::test]
async fn every_example_gives_what_it_says() {
    for probe in PROBES.iter().copied() {
        for example in probe.doc().examples {
            let input: Value = serde_json::from_str(example.input).unwrap();
            let good: Vec<_> = input["good"].as_object().cloned().into_iter().collect();
            let tool = probe.example_tool(&input);
            let answer = move |arguments: &Value| probe.example_answer(&input, arguments);
            let (outcome, _, transcript) = send_after(probe, tool, &good, Nature::Reads, answer, true).await;
            assert_eq!(outcome, Some(Outcome::Exercised), "{}", example.about);
            let findings = one_per_fault(check_all(&transcript));
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
