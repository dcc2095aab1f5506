//! A spy between a client and a server: what passes arrives as it was sent, and all of it is recorded in order.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs::File;
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use frankly_live::proxy::{Ended, Spy, Streams};
use frankly_live::recording::{Writer, read};
use frankly_verdict::transcript::{Channel, Frame, Side, Transcript};
use proptest::prelude::*;
use serde_json::json;
use tempfile::TempDir;

/// A running spy, seen from the client.
struct Session {
    to_server: Option<PipeWriter>,
    from_server: BufReader<PipeReader>,
    errors: PipeReader,
    spy: JoinHandle<Ended>,
    directory: TempDir,
}

impl Session {
    /// A spy before what this script for a shell serves; in it `$1` is a directory.
    fn start(script: &str) -> Self {
        Self::start_with(script, |spy| spy)
    }

    fn start_with(script: &str, with: impl FnOnce(Spy) -> Spy) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().to_str().unwrap();
        let command = ["sh", "-c", script, "sh", place].map(str::to_owned).to_vec();
        let writer = Writer::create(&recording(directory.path()), &Transcript::default()).unwrap();
        let spy = with(Spy::new(command, writer));
        let ((input, to_server), (from_server, output), (errors, to_errors)) = (pipe(), pipe(), pipe());
        let file = |end: OwnedFd| File::from(end);
        let streams = Streams {
            input: file(input.into()),
            output: file(output.into()),
            errors: file(to_errors.into()),
        };
        let spy = std::thread::spawn(move || spy.run(streams).unwrap());
        let from_server = BufReader::new(from_server);
        Self { to_server: Some(to_server), from_server, errors, spy, directory }
    }

    /// Sends all of this at once and closes; what came back for it.
    fn send_all(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        let mut to_server = self.to_server.take().unwrap();
        let sending = std::thread::spawn(move || to_server.write_all(&bytes).unwrap());
        let mut back = Vec::new();
        self.from_server.read_to_end(&mut back).unwrap();
        sending.join().unwrap();
        back
    }

    /// The exit code, and what was recorded.
    fn end(mut self) -> (u8, Transcript, TempDir) {
        drop(self.to_server.take());
        let ended = self.spy.join().unwrap();
        (ended.code(), read(&recording(self.directory.path())).unwrap(), self.directory)
    }
}

fn pipe() -> (PipeReader, PipeWriter) {
    std::io::pipe().unwrap()
}

fn recording(directory: &Path) -> PathBuf {
    directory.join("session.jsonl")
}

/// What was recorded of one side on the wire, line by line.
fn lines(transcript: &Transcript, side: Side) -> Vec<&str> {
    let of_side = |(_, frame): &(usize, &Frame)| frame.from() == side;
    transcript.wire().filter(of_side).map(|(_, frame)| frame.line()).collect()
}

/// What a recording holds of these bytes: their lines, and the last one also where it has no end.
fn lines_of(bytes: &[u8]) -> Vec<String> {
    let mut lines: Vec<_> = bytes.split(|byte| *byte == b'\n').collect();
    if lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    lines.into_iter().map(|line| String::from_utf8_lossy(line).into_owned()).collect()
}

fn any_line() -> impl Strategy<Value = Vec<u8>> {
    let message = ("[a-z/]{1,12}", any::<i64>(), ".{0,40}").prop_map(|(method, id, text)| {
        json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {"_meta": {"text": text}}}).to_string()
    });
    prop_oneof![
        message.prop_map(String::into_bytes),
        proptest::collection::vec(any::<u8>(), 0..200),
        Just(br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"0"}}"#.to_vec()),
        Just(b"{\"id\":1}\r".to_vec()),
        Just(b"\0".to_vec()),
        Just(b"\xff\xfe".to_vec()),
        Just(b" [1e999, {\"id\":-1}] ".to_vec()),
        Just(Vec::new()),
        (0usize..200_000).prop_map(|length| vec![b'x'; length]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn whatever_is_sent_arrives_at_both_ends_and_is_recorded(
        sent in proptest::collection::vec(any_line(), 0..12), is_ended in any::<bool>(),
    ) {
        let mut bytes = sent.join(&b'\n');
        if is_ended {
            bytes.push(b'\n');
        }
        let mut session = Session::start("exec tee \"$1/arrived\"");
        let back = session.send_all(bytes.clone());
        let (code, transcript, directory) = session.end();
        prop_assert_eq!(code, 0);
        prop_assert!(std::fs::read(directory.path().join("arrived")).unwrap() == bytes, "not as it was sent");
        prop_assert!(back == bytes, "not as it was answered");
        let expected = lines_of(&bytes);
        prop_assert_eq!(lines(&transcript, Side::Client), expected.clone());
        prop_assert_eq!(lines(&transcript, Side::Server), expected);
        prop_assert_eq!(transcript.end(), Some("exit"));
    }
}

#[test]
fn a_line_of_20_mb_arrives_and_both_ends_of_it_are_recorded() {
    let mut bytes = vec![b'x'; 20_000_000];
    bytes[0] = b'<';
    bytes.extend_from_slice(b">\nnext\n");
    let mut session = Session::start("exec cat");
    assert!(session.send_all(bytes.clone()) == bytes);
    let (_, transcript, _directory) = session.end();
    for side in [Side::Client, Side::Server] {
        let mut frames = transcript.wire().map(|(_, frame)| frame).filter(|frame| frame.from() == side);
        let cut = frames.next().unwrap().cut().unwrap();
        assert_eq!((cut.bytes, cut.head.len()), (20_000_001, 64 * 1024));
        assert!(cut.head.starts_with("<x") && cut.tail.ends_with("x>"));
        assert_eq!(frames.next().map(Frame::line), Some("next"));
    }
}

#[test]
fn a_long_answer_that_breaks_off_is_no_answer() {
    let begin = r#"{"jsonrpc":"2.0","id":7,"result":{"text":""#;
    for (rest, is_answered) in [("", false), (r#""}}"#, true)] {
        let text = "x".repeat(2_000_000);
        let mut session = Session::start("read -r line; exec cat");
        let request =
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{}}}"#;
        session.send_all(format!("{request}\n{begin}{text}{rest}").into_bytes());
        let (_, transcript, _directory) = session.end();
        let server = transcript.wire().map(|(_, frame)| frame).find(|frame| frame.from() == Side::Server);
        assert_eq!(server.unwrap().is_response(), is_answered, "{rest}");
    }
}

#[test]
fn no_answer_is_recorded_before_its_request_nor_a_request_before_what_it_follows() {
    const CALLS: usize = 3000;
    let mut session = Session::start("exec cat");
    let mut to_server = session.to_server.take().unwrap();
    let mut line = String::new();
    for id in 0..CALLS {
        to_server.write_all(format!("{{\"id\":{id}}}\n").as_bytes()).unwrap();
        line.clear();
        session.from_server.read_line(&mut line).unwrap();
    }
    drop(to_server);
    let (_, transcript, _directory) = session.end();
    let order: Vec<_> = transcript.wire().map(|(_, frame)| (frame.from(), frame.line().to_owned())).collect();
    let expected = (0..CALLS).flat_map(|id| {
        let line = format!("{{\"id\":{id}}}");
        [(Side::Client, line.clone()), (Side::Server, line)]
    });
    assert!(order.into_iter().eq(expected), "the order is not that in which it went");
    let times: Vec<_> = transcript.frames.iter().filter_map(Frame::at_ms).collect();
    assert!(times.len() == transcript.frames.len() && times.is_sorted());
}

#[test]
fn the_first_line_goes_out_before_it_is_whole() {
    let mut session = Session::start("exec cat");
    let mut first = [0; 4];
    session.to_server.as_mut().unwrap().write_all(b"{\"id").unwrap();
    session.from_server.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"{\"id");
    let (_, transcript, _directory) = session.end();
    assert_eq!(lines(&transcript, Side::Server), ["{\"id"]);
}

#[test]
fn standard_error_passes_and_is_recorded_beside_the_wire() {
    let mut session = Session::start("printf 'up\\n\\377' >&2; exec cat");
    drop(session.to_server.take());
    let mut errors = Vec::new();
    session.errors.read_to_end(&mut errors).unwrap();
    assert_eq!(errors, b"up\n\xff");
    let (_, transcript, _directory) = session.end();
    let beside = transcript.frames.iter().filter(|frame| frame.channel() == Channel::Stderr);
    assert_eq!(beside.map(Frame::line).collect::<Vec<_>>(), ["up", "\u{fffd}"]);
    assert_eq!(transcript.wire().count(), 0);
}

#[test]
fn every_frame_passes_through_one_step_before_it_is_written() {
    let hide = |frame: Frame| {
        if frame.event().is_some() {
            return frame;
        }
        let hidden = frame.line().replace("hunter2", "[password]");
        Frame::from_line(frame.from(), hidden).on(frame.channel())
    };
    let mut session = Session::start_with("echo hunter2 >&2; exec cat", |spy| spy.step(hide));
    assert_eq!(session.send_all(b"my hunter2\nhunter2".to_vec()), b"my hunter2\nhunter2");
    let (_, transcript, directory) = session.end();
    assert_eq!(lines(&transcript, Side::Client), ["my [password]", "[password]"]);
    let text = std::fs::read_to_string(recording(directory.path())).unwrap();
    assert!(!text.contains("hunter2"), "{text}");
}
