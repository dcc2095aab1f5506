//! `frankly verify --expect`: what the calls of a recording must show; and what recordings are looked at with.

use serde_json::{Value, json};

use super::Place;

/// A recording of calls by tenants, each of which was answered.
fn recording(tools: Value, calls: &[(&str, &str, Value)]) -> String {
    let mut lines = vec![json!({"frankly": "recording", "version": 1, "tools": tools})];
    for (id, (tenant, tool, arguments)) in calls.iter().enumerate() {
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}});
        let answer =
            json!({"jsonrpc": "2.0", "id": id, "result": {"content": [{"type": "text", "text": "done"}]}});
        let context = json!({"tenant": tenant});
        lines.push(json!({"from": "client", "context": context, "msg": call}));
        lines.push(json!({"from": "server", "context": context, "msg": answer}));
    }
    lines.push(json!({"event": "end"}));
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The exit code of `frankly` with these arguments, and all that it wrote.
fn run(place: &Place, arguments: &[&str]) -> (Option<i32>, String) {
    let output = place.frankly(arguments).output().unwrap();
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    (output.status.code(), text.concat())
}

fn booking() -> Place {
    let place = Place::empty();
    let tool =
        |name: &str| json!({"name": name, "description": "Does it.", "inputSchema": {"type": "object"}});
    let tools = ["search", "hold_seat", "refund"].map(tool);
    let calls = [("acme", "search", json!({"to": "AMS"})), ("acme", "hold_seat", json!({"seat": "12A"}))];
    place.write("session.jsonl", &recording(json!(tools), &calls));
    place
}

#[test]
fn a_run_that_was_expected_passes_and_another_one_fails_with_its_line() {
    let place = booking();
    place.write("run.yaml", "sequence: [search, hold_seat]\nonce: { hold_seat: { seat: 12A } }\nnot_called: [refund]\ncontext: { tenant: acme }\n");
    let (code, text) = run(&place, &["verify", "session.jsonl", "--expect", "run.yaml"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("4 of 4 expectations met"), "{text}");

    place.write("run.yaml", "sequence: [search, refund]\ncontext: { tenant: globex }\n");
    let (code, text) = run(&place, &["verify", "session.jsonl", "--expect", "run.yaml"]);
    assert_eq!(code, Some(1), "{text}");
    for told in [
        "error[unmet-expectation]",
        "call 2: expected `refund`, `hold_seat` was called",
        "call 1: `search` ran under tenant `acme`, expected `globex`",
        "run.yaml:2:1",
        "0 of 2 expectations met",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
    let (_, report) = run(&place, &["verify", "session.jsonl", "--expect", "run.yaml", "--format", "json"]);
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["coverage"]["expectations"], json!({"stated": 2, "met": 0}));
    let (_, told) = run(&place, &["explain", "unmet-expectation"]);
    assert!(told.contains("calls that are not as the file of expectations says"), "{told}");
}

#[test]
fn a_slip_of_the_pen_is_no_expectation() {
    let place = booking();
    for (text, told) in [
        ("not_called: [refnd]", "run.yaml:1:1: no tool is called `refnd`; did you mean `refund`?"),
        ("not_caled: [refund]", "run.yaml:1:1: the file has no key `not_caled`; did you mean `not_called`?"),
        ("", "run.yaml:1:1: the file expects nothing"),
    ] {
        place.write("run.yaml", text);
        let (code, all) = run(&place, &["verify", "session.jsonl", "--expect", "run.yaml"]);
        assert_eq!(code, Some(2), "{all}");
        assert!(all.contains(told), "{text}: {all}");
    }
    let (code, all) = run(&place, &["verify", "-", "--expect", "run.yaml"]);
    assert_eq!(code, Some(2), "{all}");
}

#[test]
fn a_recording_is_shown_imported_and_redacted() {
    let place = booking();
    let (code, calls) = run(&place, &["recording", "calls", "session.jsonl"]);
    assert_eq!(code, Some(0));
    assert!(calls.contains("0 search {\"to\":\"AMS\"} for {\"tenant\":\"acme\"}\n    answered, "), "{calls}");
    let (_, frames) = run(&place, &["recording", "show", "session.jsonl"]);
    assert!(frames.contains("2 client tools/call 1 ") && frames.contains("4 event  end"), "{frames}");

    let secret = "hunter2-91x";
    place.write("server.log", &format!("12:00 --> {{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"login\",\"arguments\":{{\"password\":\"{secret}\"}}}}}}\n12:01 <-- {{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"content\":[]}}}}\nclosed\n"));
    let (code, told) = run(&place, &["recording", "import", "server.log", "-o", "log.jsonl"]);
    assert_eq!(code, Some(0), "{told}");
    assert!(
        told.contains(
            "server.log: 2 messages; 1 credential redacted; 1 line holds no message and was left out, the first is line 3"
        ),
        "{told}"
    );
    assert!(!place.read("log.jsonl").contains(secret));
    let (code, told) =
        run(&place, &["recording", "import", "server.log", "-o", "kept.jsonl", "--keep-secrets"]);
    assert_eq!(code, Some(0), "{told}");
    assert!(place.read("kept.jsonl").contains(secret));
    let (code, told) =
        run(&place, &["recording", "redact", "kept.jsonl", "-o", "public.jsonl", "--pattern", "log[a-z]n"]);
    assert_eq!(code, Some(0), "{told}");
    let public = place.read("public.jsonl");
    assert!(!public.contains(secret) && public.contains("\"name\":\"<redacted "), "{public}");
    assert!(told.contains("kept.jsonl: 2 credentials redacted"), "{told}");

    for (arguments, why) in [
        (
            &["recording", "import", "session.jsonl", "-o", "log.jsonl"][..],
            "is there already, and is not written over",
        ),
        (&["recording", "redact", "log.jsonl", "--pattern", "("], "the pattern `(` cannot be read"),
        (&["recording", "import", "run.toml"], "failed to read run.toml"),
    ] {
        let (code, told) = run(&place, arguments);
        assert_eq!(code, Some(2), "{told}");
        assert!(told.contains(why), "{told}");
    }
    place.write("empty.log", "closed\n");
    let (code, told) = run(&place, &["recording", "import", "empty.log"]);
    assert_eq!(code, Some(2));
    assert!(told.contains("no JSON-RPC message is in it (1 line holds no message"), "{told}");
}

#[test]
fn probes_begin_with_what_an_agent_really_asked() {
    let place = Place::empty();
    let tools = json!([{"name": "query_transactions"}]);
    let asked = json!({"category": "Dining"});
    place.write("session.jsonl", &recording(tools, &[("acme", "query_transactions", asked)]));
    let ledger = ["--", env!("CARGO_BIN_EXE_frankly"), "demo", "ledger", "--fault", "silent-truncation"];
    let probe = |from: &[&str]| run(&place, &[&["probe"][..], from, &ledger].concat());
    let (code, text) = probe(&["--from", "session.jsonl"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains(r#"frankly call query_transactions '{"category":"Dining"}'"#), "{text}");
    assert!(!probe(&[]).1.contains("Dining\"}'"), "it is not asked by itself");
    place.write("session.jsonl", &recording(json!([]), &[]));
    let (code, text) = probe(&["--from", "session.jsonl"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("session.jsonl: no call that worked is in it"), "{text}");
}
