//! Recordings as they come: from anywhere, with nothing in them, and never written over.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::Place;

const HEADER: &str = r#"{"frankly":"recording","version":1}"#;
const CALL: &str = r#"{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Anna"}]}}}"#;
const PING: &str = r#"{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"ping"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{}}}"#;

fn recording(lines: &str) -> String {
    format!("{HEADER}\n{lines}\n{{\"event\":\"end\"}}\n")
}

#[test]
fn a_recording_in_which_nothing_can_be_looked_at_is_never_green() {
    let place = Place::empty();
    place.write("good.jsonl", &recording(CALL));
    assert_eq!(place.run(&["verify", "good.jsonl"]).0, Some(0));
    let notification = r#"{"from":"client","msg":{"jsonrpc":"2.0","method":"notifications/initialized"}}"#;
    let stderr = r#"{"from":"server","channel":"stderr","raw":"up"}"#;
    for lines in ["", notification, stderr, PING] {
        place.write("idle.jsonl", &recording(lines));
        for named in [&["verify", "idle.jsonl"][..], &["verify", "good.jsonl", "idle.jsonl"]] {
            let (code, text) = place.run(named);
            assert_eq!(code, Some(4), "{lines}: {text}");
            let reason =
                "idle.jsonl: no call and no definitions are in it, so nothing of it was checked (exit 4)";
            assert!(text.contains(reason), "{text}");
        }
    }
    let header = HEADER.replace('}', r#","tools":[{"name":"a"}]}"#);
    place.write("idle.jsonl", &recording("").replace(HEADER, &header));
    assert_eq!(place.run(&["verify", "idle.jsonl"]).0, Some(0));
}

#[test]
fn what_leaves_nothing_to_look_for_is_said_to() {
    let place = Place::empty();
    place.write("good.jsonl", &recording(CALL));
    place.write("tools.json", r#"{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}"#);
    for command in [["verify", "good.jsonl"], ["lint", "tools.json"]] {
        let name = if command[0] == "verify" { "buried-error" } else { "no-limit" };
        let (code, text) = place.run(&[&command[..], &["--select", name, "--ignore", name]].concat());
        assert_eq!(code, Some(4), "{text}");
        assert!(text.contains("what is selected and ignored leaves nothing to look for"), "{text}");
    }
}

#[test]
fn a_recording_may_come_on_standard_input() {
    let place = Place::empty();
    let mut frankly =
        place.frankly(&["verify", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    frankly.stdin.take().unwrap().write_all(recording(CALL).as_bytes()).unwrap();
    let output = frankly.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("1 of 1 call answered"), "{text}");
}

#[test]
fn a_signal_is_heard_while_a_recording_says_nothing() {
    let place = Place::empty();
    assert!(Command::new("mkfifo").arg(place.path().join("pipe")).status().unwrap().success());
    for (name, signal, code) in [("pipe", "-TERM", 143), ("/dev/stdin", "-INT", 130), ("-", "-TERM", 143)] {
        let mut frankly =
            place.frankly(&["verify", name]).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let pid = frankly.id().to_string();
        wait_for_handlers(&pid);
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
        // With its input still open.
        let stdin = frankly.stdin.take();
        assert_eq!(frankly.wait().unwrap().code(), Some(code), "{name}");
        drop(stdin);
    }
}

/// Waits until a process catches TERM, where that can be seen; else a while.
fn wait_for_handlers(pid: &str) {
    for _ in 0..1000 {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        if caught.is_some_and(|mask| mask & (1 << 14) != 0) {
            return;
        }
        std::thread::sleep(Duration::from_millis(if caught.is_some() { 10 } else { 1 }));
    }
}

#[test]
fn what_is_read_is_not_written_over() {
    let place = Place::empty();
    let text = recording(CALL);
    place.write("x.jsonl", &text);
    place.write("tools.json", r#"{"tools":[{"name":"a"}]}"#);
    place.write("frankly.toml", "");
    std::fs::hard_link(place.path().join("x.jsonl"), place.path().join("y.jsonl")).unwrap();
    for arguments in [
        &["verify", "x.jsonl", "--output", "json=x.jsonl"][..],
        &["verify", "x.jsonl", "--output", "json=./y.jsonl"],
        &["verify", "missing.jsonl", "x.jsonl", "--write-baseline", "x.jsonl"],
        &["verify", "x.jsonl", "--output", "json=frankly.toml"],
        &["lint", ".", "--output", "json=tools.json"],
        &["lint", "tools.json", "--save", "tools.json"],
    ] {
        let output = place.frankly(arguments).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains("would destroy it: name another file"), "{error}");
    }
    assert_eq!(place.read("x.jsonl"), text);
    assert_eq!((place.read("tools.json").len(), place.read("frankly.toml").len()), (24, 0));
    assert_eq!(place.run(&["verify", "x.jsonl", "--output", "json=new.json"]).0, Some(0));
    assert_eq!(place.run(&["verify", "x.jsonl", "--output", "json=new.json"]).0, Some(0));
}

#[test]
fn what_the_recorder_left_out_is_told_wherever_calls_are_counted() {
    let place = Place::empty();
    let left_out = r#"{"event":"left_out","frames":12}"#;
    place.write("gaps.jsonl", &recording(&format!("{CALL}\n{left_out}")));
    place.write("whole.jsonl", &recording(CALL));
    let (code, text) = place.run(&["verify", "gaps.jsonl", "whole.jsonl"]);
    assert_eq!(code, Some(0));
    let last = "2 of 2 calls answered · nothing to complain of in what was recorded (exit 0); \
                12 messages were not recorded, so there may have been more calls\n";
    assert!(text.ends_with(last), "{text}");
    let (_, json) = place.run(&["verify", "gaps.jsonl", "--format", "json"]);
    assert!(json.contains("12 messages were not recorded"), "{json}");
    for verb in ["show", "calls"] {
        let output = place.frankly(&["recording", verb, "gaps.jsonl"]).output().unwrap();
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            "gaps.jsonl: 12 messages are missing, which could not be recorded: calls and answers may be among what \
             is missing\n"
        );
        let output = place.frankly(&["recording", verb, "whole.jsonl"]).output().unwrap();
        assert!(output.stderr.is_empty() && !output.stdout.is_empty());
    }
}

#[test]
fn a_recording_that_has_no_end_says_so_and_no_call_of_it_is_lost() {
    let place = Place::empty();
    let under_way = CALL.lines().next().unwrap().replace("\"id\":1", "\"id\":7");
    place.write("killed.jsonl", &format!("{HEADER}\n{CALL}\n{under_way}\n{{\"from\":\"ser"));
    place.write("whole.jsonl", &recording(CALL));
    let output = place.frankly(&["verify", "killed.jsonl"]).output().unwrap();
    let (text, notes) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(0), "{text}");
    let last = "1 of 2 calls answered · nothing to complain of (exit 0); the recording does not say how the session ended\n";
    assert!(text.ends_with(last), "{text}");
    assert!(notes.contains("the last line is torn"), "{notes}");
    let (_, text) = place.run(&["verify", "killed.jsonl", "whole.jsonl"]);
    assert!(text.ends_with("; 1 of 2 recordings do not say how the session ended\n"), "{text}");
    for verb in ["show", "calls"] {
        let output = place.frankly(&["recording", verb, "killed.jsonl"]).output().unwrap();
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            "killed.jsonl: the last line is torn and left out: whoever wrote it was killed\n\
             killed.jsonl: it does not say how the session ended: what has no answer may still have been under way\n"
        );
    }
    // The same session with its end has lost the call.
    let ended = format!(
        "{CALL}\n{under_way}\n{{\"from\":\"client\",\"at_ms\":9000,\"msg\":{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}}}}"
    );
    place.write("ended.jsonl", &recording(&ended));
    assert!(place.run(&["verify", "ended.jsonl"]).1.contains("error[lost-response]"));
}
