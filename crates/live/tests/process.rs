//! Servers that misbehave as processes: they must not outlive their session, nor hang it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use frankly_contract::{CallError, ToolCall, Tools};
use frankly_live::{Launch, Session};
use serde_json::Map;

/// A server in shell: answers `initialize`, then does what `then` says.
fn server(then: &str) -> Launch {
    let answer = r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}"#;
    shell(&format!("read -r line; echo '{answer}'; {then}"))
}

fn shell(script: &str) -> Launch {
    let command = vec!["sh".to_owned(), "-c".to_owned(), script.to_owned()];
    Launch {
        name: Some("shell".to_owned()),
        shown: command.clone(),
        command,
        timeout: Duration::from_millis(300),
        ..Launch::default()
    }
}

/// Waits for a file to hold a process id.
fn read_pid(path: &Path) -> u32 {
    let start = Instant::now();
    loop {
        if let Some(pid) = std::fs::read_to_string(path).ok().and_then(|text| text.trim().parse().ok()) {
            return pid;
        }
        assert!(start.elapsed() < Duration::from_secs(5), "the server did not write its process id");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Whether a process runs; one that ended and was not reaped by whoever inherited it does not.
fn runs(pid: u32) -> bool {
    let state = match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => stat.rsplit(')').next().unwrap_or_default().trim().to_owned(),
        Err(_) if Path::new("/proc/self").exists() => return false,
        Err(_) => {
            let output = Command::new("ps").args(["-o", "stat=", "-p", &pid.to_string()]).output().unwrap();
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        }
    };
    !state.is_empty() && !state.starts_with('Z')
}

/// A server that ignores TERM and has a child that does too.
fn stubborn(directory: &Path) -> (Launch, std::path::PathBuf) {
    let pid_file = directory.join("pid");
    let child = "trap '' TERM; while true; do sleep 1; done";
    let script = format!(
        "trap '' TERM; sh -c \"{child}\" & echo $! > {}; while true; do sleep 1; done",
        pid_file.display()
    );
    (server(&script), pid_file)
}

#[tokio::test]
async fn closing_ends_the_whole_group_even_against_its_will() {
    let directory = tempfile::tempdir().unwrap();
    let (launch, pid_file) = stubborn(directory.path());
    let session = Session::start(&launch).await.unwrap();
    let pid = read_pid(&pid_file);
    assert!(runs(pid));
    session.close(None).await;
    assert!(!runs(pid));
}

#[tokio::test]
async fn a_panic_ends_the_whole_group() {
    let directory = tempfile::tempdir().unwrap();
    let (launch, pid_file) = stubborn(directory.path());
    let session = Session::start(&launch).await.unwrap();
    let pid = read_pid(&pid_file);
    let panicking = tokio::spawn(async move {
        let _session = session;
        panic!("on purpose");
    });
    assert!(panicking.await.unwrap_err().is_panic());
    assert!(!runs(pid));
}

#[tokio::test]
async fn a_server_that_ends_leaves_no_child_behind() {
    let directory = tempfile::tempdir().unwrap();
    let pid_file = directory.path().join("pid");
    let launch = server(&format!("sleep 100 >/dev/null 2>&1 & echo $! > {}", pid_file.display()));
    let session = Session::start(&launch).await.unwrap();
    let pid = read_pid(&pid_file);
    session.close(None).await;
    assert!(!runs(pid));
}

#[tokio::test]
async fn a_well_behaved_server_is_not_waited_for() {
    let session = Session::start(&server("cat > /dev/null")).await.unwrap();
    let closed = session.close(None).await;
    assert!(closed.status.is_some_and(|status| status.success()), "it ended by itself, when its input did");
    assert_eq!(closed.transcript.wire().count(), 3, "initialize, its answer, and initialized");
}

#[tokio::test]
async fn silence_and_death_are_errors_not_hangs() {
    let session = Session::start(&server("cat > /dev/null")).await.unwrap();
    let call = || session.call(ToolCall::new("t", Map::new()));
    assert_eq!(call().await, Err(CallError::TimedOut));
    session.close(None).await;

    let session = Session::start(&server("read -r line; read -r line; exit 3")).await.unwrap();
    let error = session.call(ToolCall::new("t", Map::new())).await.unwrap_err();
    assert!(matches!(error, CallError::PeerGone(_)), "{error:?}");
    assert!(session.gone().is_some());
}

#[tokio::test]
async fn a_server_that_does_not_come_up_is_described() {
    let describe = async |launch: &Launch| Session::start(launch).await.err().unwrap().to_string();
    let error = describe(&shell("echo 'no module named x' >&2; exit 7")).await;
    assert!(error.contains("exit status: 7") && error.ends_with("\n  no module named x"), "{error}");
    let missing = Launch { command: vec!["/does/not/exist".to_owned()], ..shell("") };
    assert!(describe(&missing).await.contains("could not be started"));
    let error =
        describe(&Launch { shown: vec!["${TOKEN}".to_owned()], ..shell("cat > /dev/null & exit 0") }).await;
    assert!(error.starts_with("`'${TOKEN}'`") && error.contains("--env NAME"), "{error}");
    assert!(describe(&shell("cat")).await.ends_with("it only echoes what it is sent"));
    let answer = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"go away"}}"#;
    let error = describe(&shell(&format!("read -r line; echo '{answer}'; cat > /dev/null"))).await;
    assert!(error.contains("refused initialize with error -32600: go away"), "{error}");
}

#[tokio::test]
async fn a_server_sees_what_it_was_given_and_no_more_of_the_environment() {
    // Cargo sets this variable for every test.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let directory = tempfile::tempdir().unwrap();
    let seen = directory.path().join("env");
    let mut launch = server(&format!("env > {}; cat > /dev/null", seen.display()));
    launch.env.push(("GIVEN".to_owned(), "yes".to_owned()));
    Session::start(&launch).await.unwrap().close(None).await;
    let seen = std::fs::read_to_string(seen).unwrap();
    assert!(seen.contains("GIVEN=yes\n") && seen.contains("PATH="), "{seen}");
    assert!(!seen.contains("CARGO"), "{seen}");
}

#[tokio::test]
async fn a_talkative_standard_error_does_not_block_the_server() {
    let noise = "i=0; while [ $i -lt 3000 ]; do echo 'a line of sixty characters, as loggers like to write them all' >&2; \
                 i=$((i+1)); done";
    let answer = r#"{"jsonrpc":"2.0","id":2,"result":{"content":[]}}"#;
    let session =
        Session::start(&server(&format!("{noise}; echo '{answer}'; cat > /dev/null"))).await.unwrap();
    for _ in 0..10 {
        // The first request has the id 2, and the answer may be there before it.
        if session.call(ToolCall::new("t", Map::new())).await.is_ok() {
            break;
        }
    }
    let closed = session.close(None).await;
    assert!(closed.transcript.frames.iter().any(|frame| frame.line() == answer), "{:?}", closed.transcript);
    assert_eq!(closed.stderr.len(), 20);
}

#[tokio::test]
async fn a_server_that_died_left_its_status_and_its_last_words() {
    let session = Session::start(&server("read -r line; echo 'out of cheese' >&2; exit 3")).await.unwrap();
    let error = session.call(ToolCall::new("t", Map::new())).await.unwrap_err();
    assert!(matches!(error, CallError::PeerGone(_)), "{error:?}");
    let closed = session.close(None).await;
    assert_eq!(closed.status.and_then(|status| status.code()), Some(3));
    assert_eq!(closed.stderr, ["out of cheese"]);
}

#[tokio::test]
async fn a_closed_input_ends_the_session_for_those_who_wait() {
    let mut launch = server("exec <&-; sleep 30");
    launch.timeout = Duration::from_secs(20);
    let session = Session::start(&launch).await.unwrap();
    // What is written before the shell comes to close its input waits in the pipe for good.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let start = Instant::now();
    let error = session.call(ToolCall::new("t", Map::new())).await.unwrap_err();
    assert_eq!(error, CallError::PeerGone("stopped reading".to_owned()));
    assert!(start.elapsed() < Duration::from_secs(5));
    let frames = session.close(None).await.transcript.frames;
    assert!(frames.iter().all(|frame| frame.method() != Some("tools/call")), "{frames:?}");
}

#[tokio::test]
async fn a_flood_is_an_error_and_not_a_full_memory() {
    let mut launch = server("yes");
    launch.timeout = Duration::from_secs(60);
    let session = Session::start(&launch).await.unwrap();
    let error = session.call(ToolCall::new("t", Map::new())).await.unwrap_err();
    assert_eq!(error, CallError::PeerGone("sent more than frankly keeps".to_owned()));
    session.close(None).await;
}

#[tokio::test]
async fn of_a_hundred_megabytes_both_ends_are_kept() {
    let begin = r#"{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":""#;
    let mut launch = server(&format!(
        "read -r line; read -r line; printf '%s' '{begin}'; head -c 100000000 /dev/zero | tr '\\0' x; echo '\"}}]}}}}'; \
         read -r line; echo '{{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{{\"content\":[]}}}}'; read -r line"
    ));
    launch.timeout = Duration::from_secs(60);
    let session = Session::start(&launch).await.unwrap();
    let answer = session.call(ToolCall::new("t", Map::new())).await.unwrap();
    assert!(answer.texts().all(|(_, text)| text.len() < 1_000_000 && text.contains("bytes left out")));
    assert!(session.call(ToolCall::new("t", Map::new())).await.is_ok(), "the session goes on");
    let frames = session.close(None).await.transcript.frames;
    let cut = frames.iter().find_map(|frame| frame.cut()).unwrap();
    assert_eq!(cut.bytes, 100_000_000 + begin.len() as u64 + 5);
    assert!(frames.iter().all(|frame| frame.line().len() < 1_000_000));
}

#[tokio::test]
async fn what_came_without_a_line_end_is_told_of_a_call_that_was_given_up() {
    let session =
        Session::start(&server("read -r line; read -r line; printf 1234567; sleep 5")).await.unwrap();
    let error = session.call(ToolCall::new("t", Map::new())).await.unwrap_err();
    assert_eq!(error, CallError::TimedOut);
    let closed = session.close(None).await;
    let call = closed.transcript.frames.iter().position(|frame| frame.method() == Some("tools/call"));
    assert_eq!(closed.unended.into_iter().collect::<Vec<_>>(), [(call.unwrap(), 7)]);
}
