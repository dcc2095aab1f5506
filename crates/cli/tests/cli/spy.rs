//! The spy as a client meets it: what it takes for its server behaves as the server does.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::Place;

/// `frankly spy`, recording to `session.jsonl`, before what this script for a shell serves.
fn spy(place: &Place, script: &str) -> Command {
    let mut command = place.frankly(&["spy", "--record", "session.jsonl", "--", "sh", "-c", script]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

/// Waits until something is so, or fails.
fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Reads one line of what a child writes to standard output.
fn line(child: &mut Child) -> String {
    let mut line = String::new();
    // As it was read byte by byte nothing of the next one is lost.
    let mut byte = [0];
    while !line.ends_with('\n') && child.stdout.as_mut().unwrap().read(&mut byte).unwrap() > 0 {
        line.push(char::from(byte[0]));
    }
    line
}

#[test]
fn the_exit_code_is_that_of_the_server() {
    let place = Place::empty();
    for code in [0, 1, 2, 3, 7, 255] {
        let output = spy(&place, &format!("echo out; echo err >&2; exit {code}")).output().unwrap();
        assert_eq!(output.status.code(), Some(code));
        assert_eq!((&*output.stdout, &*output.stderr), (&b"out\n"[..], &b"err\n"[..]));
    }
    let last = place.read("session-6.jsonl");
    assert!(last.ends_with("\"event\":\"exit\",\"code\":255}\n"), "{last}");
}

#[test]
fn a_server_that_a_signal_ended_is_told_as_one() {
    let place = Place::empty();
    for (name, number) in [("TERM", 15), ("KILL", 9), ("SEGV", 11)] {
        let output = spy(&place, &format!("kill -{name} $$")).output().unwrap();
        assert_eq!(output.status.signal(), Some(number));
    }
    let last = place.read("session.jsonl");
    assert!(last.contains("\"code\":143") && last.contains("\"signal\":\"SIGTERM\""), "{last}");
}

#[test]
fn a_signal_is_for_the_server() {
    let place = Place::empty();
    for name in ["TERM", "INT", "HUP", "USR1"] {
        // Counts, so that one that came twice would show.
        let script = format!(
            "n=0; trap 'n=$((n+1))' {name}; echo up; while [ $n = 0 ]; do sleep 0.05; done; sleep 0.3; echo $n; exit 5"
        );
        let mut child = spy(&place, &script).spawn().unwrap();
        assert_eq!(line(&mut child), "up\n");
        signal(&child, &format!("-{name}"));
        assert_eq!(line(&mut child), "1\n", "{name}");
        assert_eq!(child.wait().unwrap().code(), Some(5), "{name}");
    }
    let mut child = spy(&place, "echo up; exec sleep 100").spawn().unwrap();
    assert_eq!(line(&mut child), "up\n");
    signal(&child, "-TERM");
    assert_eq!(child.wait().unwrap().signal(), Some(15));
}

#[test]
fn a_server_that_ends_ends_the_spy_though_the_client_says_nothing() {
    let place = Place::empty();
    let mut child = spy(&place, "read -r line; echo \"$line\"; exit 4").spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(b"last\n").unwrap();
    assert_eq!(line(&mut child), "last\n");
    // With its input still open.
    let stdin = child.stdin.take();
    assert_eq!(child.wait().unwrap().code(), Some(4));
    drop(stdin);
}

#[test]
fn what_a_server_left_behind_is_heard_and_holds_up_nothing() {
    let place = Place::empty();
    let start = Instant::now();
    let script = "(echo still; sleep 0.1; echo here; exec sleep 100) & exit 6";
    let mut child = spy(&place, script).spawn().unwrap();
    let (mut text, mut stdout) = (String::new(), child.stdout.take().unwrap());
    stdout.read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(6));
    assert_eq!(text, "still\nhere\n");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn each_side_learns_that_the_other_has_closed_its_end() {
    let place = Place::empty();
    // The server closes its output and lives on.
    let mut child = spy(&place, "echo out; exec >&-; read -r line; exit 8").spawn().unwrap();
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!((&*text, child.try_wait().unwrap()), ("out\n", None));
    child.stdin.take().unwrap().write_all(b"end\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(8));
    // The server closes its input and lives on.
    let mut child = spy(&place, "exec <&-; echo closed; exec sleep 100").spawn().unwrap();
    assert_eq!(line(&mut child), "closed\n");
    let mut stdin = child.stdin.take().unwrap();
    wait_until("the client can still write", || (&stdin).write_all(b"x\n").is_err());
    signal(&child, "-TERM");
    child.wait().unwrap();
    assert!(stdin.flush().is_ok());
    // The client closes what it reads.
    let mut child = spy(&place, "while echo on; do sleep 0.02; done; exit 9").spawn().unwrap();
    assert_eq!(line(&mut child), "on\n");
    drop(child.stdout.take());
    let status = child.wait().unwrap();
    assert!(status.signal() == Some(13) || status.code() == Some(9), "{status}");
}

#[test]
fn a_spy_that_is_killed_leaves_no_server_and_a_recording() {
    let place = Place::empty();
    let mut child = spy(&place, "echo $$ > pid; exec cat").spawn().unwrap();
    for id in 0..100 {
        let message = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n");
        child.stdin.as_mut().unwrap().write_all(message.as_bytes()).unwrap();
        assert_eq!(line(&mut child), message);
    }
    wait_until("what passed is not recorded", || place.read("session.jsonl").lines().count() == 201);
    child.kill().unwrap();
    let pid = place.read("pid").trim().to_owned();
    wait_until("the server goes on", || !runs(&pid));
    let file = place.path().join("session.jsonl");
    assert_eq!(frankly_live::recording::read(&file).unwrap().frames.len(), 200);
    child.wait().unwrap();
}

/// Whether a process runs; one that ended and was not reaped by whoever inherited it does not.
fn runs(pid: &str) -> bool {
    let output = Command::new("ps").args(["-o", "stat=", "-p", pid]).output().unwrap();
    let state = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

#[test]
fn a_slow_reader_slows_the_server_and_memory_stays_flat() {
    let place = Place::empty();
    let script = "exec yes 'a line that is neither short nor long, as servers have them'";
    let mut child = spy(&place, script).spawn().unwrap();
    let recorded = || std::fs::metadata(place.path().join("session.jsonl")).map_or(0, |file| file.len());
    // Nobody reads: it comes to a stop by itself.
    let start = Instant::now();
    let (mut before, mut now) = (0, 1);
    while before != now || now < 1000 {
        assert!(start.elapsed() < Duration::from_secs(20), "the server is not slowed");
        std::thread::sleep(Duration::from_millis(300));
        (before, now) = (now, recorded());
    }
    assert!(now < 4 * 1024 * 1024, "{now} bytes were recorded that nobody read");
    // Somebody does, and far more passes than is kept.
    let mut stdout = child.stdout.take().unwrap().take(24 * 1024 * 1024);
    std::io::copy(&mut stdout, &mut std::io::sink()).unwrap();
    let peak = peak_kib(&child);
    signal(&child, "-TERM");
    child.wait().unwrap();
    assert!(peak < 48 * 1024, "{peak} KiB");
}

#[test]
fn a_line_without_an_end_is_not_kept_in_memory() {
    let place = Place::empty();
    let script = "head -c 100000000 /dev/zero | tr '\\0' x; echo; read -r line; echo $line";
    let mut child = spy(&place, script).spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let passed = std::io::copy(&mut stdout.by_ref().take(100_000_001), &mut std::io::sink()).unwrap();
    assert_eq!(passed, 100_000_001);
    let peak = peak_kib(&child);
    child.stdin.take().unwrap().write_all(b"end\n").unwrap();
    let mut last = String::new();
    stdout.read_line(&mut last).unwrap();
    assert_eq!(last, "end\n");
    assert!(child.wait().unwrap().success());
    assert!(peak < 48 * 1024, "{peak} KiB");
    assert!(place.read("session.jsonl").lines().nth(1).unwrap().contains("\"bytes\":100000000,"));
}

/// How much memory a process had at most, where that can be told.
fn peak_kib(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|peak| peak.trim().strip_suffix(" kB")?.parse().ok());
    assert!(peak.is_some() || !Path::new("/proc/self/status").exists());
    peak.unwrap_or(0)
}

#[test]
fn a_recording_that_cannot_be_written_on_stops_nothing_else() {
    let place = Place::empty();
    let frankly = env!("CARGO_BIN_EXE_frankly");
    let script = format!("ulimit -f 8; exec {frankly} spy --record session.jsonl -- sh -c 'cat; exit 3'");
    let mut child = Command::new("sh")
        .args(["-c", &script])
        .current_dir(place.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let sent = "a line that is neither short nor long\n".repeat(1000);
    for part in sent.as_bytes().chunks(4096) {
        child.stdin.as_mut().unwrap().write_all(part).unwrap();
    }
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(3), sent.len()), "{errors}");
    assert!(errors.starts_with("frankly spy: failed to write session.jsonl: "), "{errors}");
    assert!(errors.ends_with("; the session goes on, and is recorded no further\n"), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    let read = frankly_live::recording::read(&place.path().join("session.jsonl")).unwrap();
    assert!(read.torn && !read.frames.is_empty());
}

#[test]
fn what_cannot_begin_says_so_before_anything_is_started() {
    let place = Place::empty();
    let output =
        place.frankly(&["spy", "--record", "no/such/place", "--", "touch", "started"]).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(errors.starts_with("error: failed to write no/such/place: "), "{errors}");
    assert!(!place.path().join("started").exists());
    let output = place.frankly(&["spy", "--record", "x.jsonl", "--", "./no-such"]).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(errors.starts_with("error: failed to start `./no-such`: "), "{errors}");
    assert!(!place.path().join("x.jsonl").exists());
}

#[test]
fn a_server_behind_a_spy_is_found_to_be_as_it_is() {
    let place = Place::empty();
    let ledger = ["frankly", "demo", "ledger"];
    let frankly = Path::new(env!("CARGO_BIN_EXE_frankly"));
    let path = std::env::var("PATH").unwrap();
    let probe = |command: &[&str]| {
        let arguments = [&["probe", "--quiet", "--"], command].concat();
        let path = format!("{}:{path}", frankly.parent().unwrap().display());
        let output = place.frankly(&arguments).env("PATH", path).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let direct = probe(&ledger);
    assert_eq!(direct.0, Some(0));
    assert_eq!(
        probe(&[&["frankly", "spy", "--record", "session.jsonl", "--"], &ledger[..]].concat()),
        direct
    );
    let recorded = frankly_live::recording::read(&place.path().join("session.jsonl")).unwrap();
    assert!(recorded.calls().len() > 100 && recorded.tools.is_some_and(|tools| tools.len() == 8));
}

#[test]
fn an_honest_session_is_recorded_without_a_finding() {
    let place = Place::empty();
    let arguments =
        ["spy", "--record", "session.jsonl", "--", env!("CARGO_BIN_EXE_frankly"), "demo", "ledger"];
    let mut child = place.frankly(&arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let messages = [
        r#""id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}"#,
        r#""method":"notifications/initialized""#,
        r#""id":"one","method":"tools/list""#,
        r#""id":-2,"method":"tools/call","params":{"name":"list_categories","arguments":{}}"#,
        r#""id":3,"method":"tools/call","params":{"name":"query_transactions","arguments":{"category":"Rent"}}"#,
    ];
    for message in messages {
        let line_sent = format!("{{\"jsonrpc\":\"2.0\",{message}}}\n");
        child.stdin.as_mut().unwrap().write_all(line_sent.as_bytes()).unwrap();
        if message.contains("\"id\"") {
            assert!(line(&mut child).contains("\"result\""));
        }
    }
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let (code, text) = place.run(&["verify", "session.jsonl"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("8 tools listed, 2 called, 2 of 2 calls answered"), "{text}");
    assert!(text.contains("0 errors, 0 warnings"), "{text}");
}

#[test]
fn a_client_that_closes_its_end_waits_for_no_answer() {
    let place = Place::empty();
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","arguments":{}}}"#;
    let answer = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"It rains."}]}}"#;
    // One ends without an answer; the other answers a line that never came to its end.
    let scripts = ["cat > /dev/null; exit 1".to_owned(), format!("cat > /dev/null; echo '{answer}'")];
    for (number, script) in scripts.iter().enumerate() {
        let mut child = spy(&place, script).spawn().unwrap();
        let end = if number == 0 { "\n" } else { "" };
        child.stdin.take().unwrap().write_all(format!("{call}{end}").as_bytes()).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(1 - i32::try_from(number).unwrap()));
        let name = if number == 0 { "session.jsonl" } else { "session-2.jsonl" };
        let names: Vec<_> = recording(&place, name);
        assert_eq!(names[..2], ["tools/call", "close"], "{names:?}");
        let (code, told) = place.run(&["verify", name]);
        assert_eq!(code, Some(0), "{told}");
    }
}

/// What each line of a recording is: a method, an event, or an answer.
fn recording(place: &Place, name: &str) -> Vec<String> {
    let transcript = frankly_live::recording::read(&place.path().join(name)).unwrap();
    let names = transcript.frames.iter().map(|frame| {
        frame
            .event()
            .map_or_else(|| frame.method().unwrap_or("answer").to_owned(), |event| event.name.clone())
    });
    names.collect()
}

#[test]
fn those_that_a_server_left_behind_hold_nothing_up_however_much_they_say() {
    let place = Place::empty();
    let start = Instant::now();
    let mut child =
        spy(&place, "(while sleep 0.05; do echo on >&2; done) & echo $! > pid; exit 6").spawn().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(6));
    assert!(start.elapsed() < Duration::from_secs(30));
    let left: i32 = place.read("pid").trim().parse().unwrap();
    let _ = Command::new("kill").arg(left.to_string()).status();
}

#[test]
fn a_recorder_that_hangs_is_left_when_a_signal_says_so() {
    let place = Place::empty();
    let pipe = place.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::fs::File::options().read(true).write(true).open(&pipe).unwrap();
    let script = "head -c 300000 /dev/zero | tr '\\0' 'x' >&2; exit 3";
    let mut command = place.frankly(&["spy", "--record", "pipe", "--", "sh", "-c", script]);
    let mut child = command.stdin(Stdio::null()).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(child.try_wait().unwrap(), None, "nobody has read what is recorded");
    signal(&child, "-TERM");
    let start = Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert!(start.elapsed() < Duration::from_secs(20));
    drop(reader);
}

#[test]
fn a_recording_does_not_go_into_the_protocol() {
    let place = Place::empty();
    let output = place.frankly(&["spy", "--record", "/dev/stdout", "--", "echo", "up"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{told}");
    assert!(told.contains("belong to the client and its server; name a file"), "{told}");
}
