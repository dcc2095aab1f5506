//! The spy with `--live`: what a session shows is told while it goes on, and nothing that passes is held up by it.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use frankly_verdict::check::CHECKS;
use frankly_verdict::transcript::{Frame, Side, Transcript, read_recording};
use frankly_verdict::{Example, Expected};

use super::Place;

const BURIED: &str = r#"{\"success\":false,\"error\":\"no such order\"}"#;

fn call(id: u32) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"get_order","arguments":{{"id":"{id}"}}}}}}"#
    )
}

fn answer(id: u32, text: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#)
}

/// A session through `frankly spy`, from the side of the client.
struct Session {
    child: Child,
    stdout: BufReader<ChildStdout>,
    /// What comes on standard error, line by line.
    told: Receiver<String>,
}

impl Session {
    /// With these arguments for the spy, before a server that reads where the client sends, and says what the server says.
    fn open(place: &Place, arguments: &[&str], frames: &[Frame]) -> Self {
        let mut command = place.frankly(&[&["spy"], arguments].concat());
        if !arguments.contains(&"shop") {
            place.write("serve.sh", &script(frames));
            command.args(["--", "sh", "serve.sh"]);
        }
        Self::of(&mut command)
    }

    fn of(command: &mut Command) -> Self {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        let (stdout, told) = (child.stdout.take().unwrap(), lines(child.stderr.take().unwrap()));
        Self { child, stdout: BufReader::new(stdout), told }
    }

    /// Sends and hears the frames in their order, with a pause behind each.
    fn play(&mut self, frames: &[Frame], pause: Duration) {
        for frame in frames.iter().filter(|frame| frame.event().is_none()) {
            let line = format!("{}\n", frame.line());
            if frame.from() == Side::Client {
                self.child.stdin.as_mut().unwrap().write_all(line.as_bytes()).unwrap();
            } else {
                let mut heard = String::new();
                self.stdout.read_line(&mut heard).unwrap();
                assert_eq!(heard, line);
            }
            std::thread::sleep(pause);
        }
    }

    /// The next thing that is told, up to the blank line behind it.
    fn next(&self) -> String {
        let lines = self.told.iter().take_while(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Ends it, with the exit code and all that was told and not heard yet.
    fn end(mut self) -> (Option<i32>, String) {
        drop(self.child.stdin.take());
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "", "standard output is the server's");
        let code = self.child.wait().unwrap().code();
        (code, self.told.iter().fold(String::new(), |text, line| text + &line + "\n"))
    }
}

/// A server for a shell that says what the server says in these frames, in its turn.
fn script(frames: &[Frame]) -> String {
    let turns = frames.iter().filter(|frame| frame.event().is_none()).map(|frame| match frame.from() {
        Side::Client => "IFS= read -r line\n".to_owned(),
        Side::Server => format!("printf '%s\\n' '{}'\n", frame.line().replace('\'', "'\\''")),
    });
    turns.collect::<String>() + "cat > /dev/null\n"
}

fn lines(from: ChildStderr) -> Receiver<String> {
    let (sender, told) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    told
}

fn frames(lines: &[String]) -> Vec<Frame> {
    let side = |line: &String| if line.contains("\"method\"") { Side::Client } else { Side::Server };
    lines.iter().map(|line| Frame::from_line(side(line), line.clone())).collect()
}

/// The first lines of findings, in one order.
fn heads(text: &str) -> Vec<&str> {
    let mut heads: Vec<&str> =
        text.lines().filter(|line| line.starts_with("error[") || line.starts_with("warning[")).collect();
    heads.sort_unstable();
    heads
}

/// How much was found and looked at, of the last line.
fn counts(text: &str) -> String {
    let last = text.lines().last().unwrap_or_default().replace(" (-v lists it)", "");
    last.split(" · ").take(2).collect::<Vec<_>>().join(" · ")
}

#[test]
fn a_fault_is_told_soon_after_its_call_and_a_call_without_an_answer_in_the_end() {
    let place = Place::empty();
    let first = frames(&[call(1), answer(1, BURIED), call(2), call(3), answer(3, "an order")]);
    let second = frames(&[call(4), answer(4, BURIED)]);
    let all = [first.clone(), second.clone()].concat();
    let mut session = Session::open(&place, &["--live"], &all);
    session.play(&first, Duration::ZERO);
    let told = session.next();
    assert!(told.starts_with("error[buried-error] server · get_order\n  what "), "{told}");
    assert!(told.contains("frankly call get_order '{\"id\":\"1\"}' -- sh serve.sh"), "{told}");
    std::thread::sleep(Duration::from_millis(600));
    assert!(session.told.try_recv().is_err(), "it may still be answered");
    session.play(&second, Duration::ZERO);
    assert!(session.next().starts_with("error[buried-error] server · get_order\n"));
    // More than a second later: whoever ends a session takes back what is under way.
    std::thread::sleep(Duration::from_millis(1100));
    let (code, told) = session.end();
    assert_eq!(code, Some(0));
    assert_eq!(heads(&told), ["error[lost-response] server · get_order"]);
    let last = "3 errors, 0 warnings, 0 info · 0 tools listed, 1 called, 3 of 4 calls answered · \
                with --record FILE a session can be looked at again\n";
    assert!(told.ends_with(last), "{told}");
    assert_eq!(
        std::fs::read_dir(place.path()).unwrap().count(),
        1,
        "nothing is recorded that nobody asked for"
    );
}

/// A session that shows what an example does: the spy knows nothing of it beforehand.
fn session(example: &Example) -> Option<Transcript> {
    let session = read_recording("session", example.input).unwrap();
    // What has been replaced, or was seen elsewhere, cannot be sent by a shell.
    let can_be_played = |frame: &Frame| {
        frame.event().is_some() || (frame.is_on_the_wire() && frame.cut().is_none() && frame.flaw().is_none())
    };
    session.frames.iter().all(can_be_played).then_some(session)
}

#[test]
fn in_the_end_as_much_was_told_as_verify_tells_of_the_recording() {
    let mut told_of = 0;
    for check in CHECKS {
        let faults = check.doc().examples.iter().filter(|example| example.expected != Expected::Silence);
        let Some(session) = faults.filter_map(session).next() else { continue };
        for pause in [Duration::ZERO, Duration::from_millis(260)] {
            // Pauses for those that are told of differently when more is known.
            let is_slow = ["argument-ignored", "buried-error", "limit-ignored", "silent-truncation"];
            if !pause.is_zero() && !is_slow.contains(&check.doc().name) {
                continue;
            }
            let place = Place::empty();
            let mut live = Session::open(&place, &["--live", "--record", "session.jsonl"], &session.frames);
            live.play(&session.frames, pause);
            let (_, told) = live.end();
            let (_, verified) = place.run(&["verify", "--quiet", "session.jsonl"]);
            let name = check.doc().name;
            assert_eq!(counts(&told), counts(&verified), "{name}\n{told}\n{verified}");
            let (told, verified) = (heads(&told), heads(&verified));
            if pause.is_zero() {
                assert_eq!(told, verified, "{name}");
            }
            assert!(verified.iter().all(|head| told.contains(head)), "{name}: {told:?} {verified:?}");
            told_of += usize::from(!verified.is_empty());
        }
    }
    assert!(told_of > 15, "{told_of}");
}

#[test]
fn what_the_user_has_decided_counts() {
    let toml = "[servers.shop]\ncommand = [\"sh\", \"serve.sh\"]\nbudget = { bytes = 120 }\n\
                [[allow]]\nrule = \"buried-error\"\nserver = \"shop\"\nreason = \"known\"\n";
    let place = Place::with_config(toml);
    let long = "an order of many things ".repeat(10);
    let all = frames(&[call(1), answer(1, BURIED), call(2), answer(2, &long)]);
    place.write("serve.sh", &script(&all));
    let mut session = Session::open(&place, &["--live", "--record", "shop.jsonl", "shop"], &all);
    session.play(&all, Duration::ZERO);
    let (_, told) = session.end();
    assert_eq!(heads(&told), ["error[over-budget] shop · get_order"], "{told}");
    assert!(told.contains("frankly call shop get_order"), "{told}");
    let last = "1 error, 0 warnings, 0 info, 1 allowed · 0 tools listed, 1 called, 2 of 2 calls answered";
    assert_eq!(told.lines().last().unwrap(), format!("{last} · frankly verify shop.jsonl tells of it again"));
    let (code, verified) = place.run(&["verify", "--quiet", "shop.jsonl"]);
    assert_eq!((code, heads(&verified), counts(&verified)), (Some(1), heads(&told), counts(&told)));
    // A file that cannot be read is said so before anything is started.
    place.write("frankly.toml", "[rules]\n\"no-such-rule\" = \"off\"\n");
    let output = place.frankly(&["spy", "--live", "--", "touch", "started"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("no-such-rule"));
    assert!(!place.path().join("started").exists());
}

#[test]
fn credentials_are_told_as_placeholders() {
    let place = Place::empty();
    let key = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let all = frames(&[call(1).replace("\"1\"", &format!("\"{key}\"")), answer(1, BURIED)]);
    let mut session = Session::open(&place, &["--live", "--redact", "no such [a-z]+"], &all);
    session.play(&all, Duration::ZERO);
    let (_, told) = session.end();
    assert_eq!(heads(&told).len(), 1, "{told}");
    assert!(told.contains("<redacted 1: a GitHub token>") && !told.contains(key), "{told}");
    assert!(!told.contains("no such order"), "{told}");
}

#[test]
fn whoever_does_not_read_standard_error_holds_up_nothing() {
    let place = Place::empty();
    let faults = 1500;
    let script = "echo up >&2; n=0; while IFS= read -r line; do n=$((n+1)); printf '%s\\n' \"${line%%,*},\\\"id\\\":$n,\
                  \\\"result\\\":{\\\"content\\\":[{\\\"type\\\":\\\"text\\\",\\\"text\\\":\\\"{\\\\\\\"success\\\\\\\":false,\\\\\\\"error\\\\\\\":\\\\\\\"x$n\\\\\\\"}\\\"}]}}\"; done; \
                  head -c 30000 /dev/zero >&2; exit 6";
    let mut command =
        place.frankly(&["spy", "--live", "--record", "session.jsonl", "--", "sh", "-c", script]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // It is open, and nobody reads.
    let stderr = child.stderr.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for id in 1..=faults {
        child.stdin.as_mut().unwrap().write_all(format!("{}\n", call(id)).as_bytes()).unwrap();
        let mut heard = String::new();
        stdout.read_line(&mut heard).unwrap();
        assert!(heard.contains(&format!("x{id}")), "{heard}");
        if id % 500 == 0 {
            std::thread::sleep(Duration::from_millis(400));
        }
    }
    let begin = Instant::now();
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(6));
    assert!(begin.elapsed() < Duration::from_secs(20));
    // What had room is there, and all of it is in the recording.
    let mut told = Vec::new();
    BufReader::new(stderr).read_to_end(&mut told).unwrap();
    let told = String::from_utf8_lossy(&told).into_owned();
    assert!(told.starts_with("up\nerror[buried-error]") && told.ends_with('\0'), "{told}");
    assert!(!told.contains("1500 errors"));
    let (_, verified) = place.run(&["verify", "--quiet", "session.jsonl"]);
    assert!(counts(&verified).starts_with("1500 errors"), "{}", counts(&verified));
}

#[test]
fn a_session_in_which_nothing_passed_is_not_called_healthy() {
    let place = Place::empty();
    let (code, told) = Session::open(&place, &["--live"], &[]).end();
    assert_eq!(code, Some(0));
    assert_eq!(
        told,
        "0 errors, 0 warnings, 0 info · 0 tools listed, 0 called · neither a call nor a definition passed, so nothing was checked\n"
    );
    let output = place.frankly(&["spy", "--live", "--", "./no-such"]).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        errors.starts_with("error: failed to start `./no-such`: ") && errors.lines().count() == 1,
        "{errors}"
    );
}

#[test]
fn a_session_over_http_is_told_of_too() {
    let place = Place::empty();
    let mut ledger =
        Session::of(&mut place.frankly(&["demo", "ledger", "--listen", "--fault", "buried-error"]));
    let listening = |session: &Session| {
        let line = session.told.recv().unwrap();
        line.strip_prefix("listening on ").unwrap_or_else(|| panic!("{line:?}")).to_owned()
    };
    let upstream = listening(&ledger);
    let spy = Session::of(&mut place.frankly(&["spy", "--live", "--upstream", &upstream]));
    let url = listening(&spy);
    let (code, _) = place.run(&["call", &url, "import_csv", "{\"file_key\": \"no-such\"}"]);
    assert_eq!(code, Some(0));
    let told = spy.next();
    assert!(told.starts_with("error[buried-error] server · import_csv\n"), "{told}");
    assert!(told.contains(&format!("frankly call {upstream} import_csv")), "{told}");
    let ended = Command::new("kill").args(["-TERM", &spy.child.id().to_string()]).status().unwrap();
    assert!(ended.success());
    let (code, told) = spy.end();
    assert_eq!(code, Some(0));
    assert!(told.starts_with("1 error, 0 warnings, "), "{told}");
    assert!(told.contains("1 of 1 call answered · with --record FILE"), "{told}");
    ledger.child.kill().unwrap();
    ledger.child.wait().unwrap();
}
