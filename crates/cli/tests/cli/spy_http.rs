//! The spy before a server over HTTP, what it takes out, and for whom it says that calls are.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use frankly_verdict::transcript::{Side, Transcript};
use serde_json::{Value, json};

use super::Place;

/// Something that says on standard error where it listens.
struct Listening {
    child: Child,
    url: String,
}

impl Listening {
    fn open(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.strip_prefix("listening on ").unwrap_or_else(|| panic!("{line:?}")).trim().to_owned();
        Self { child, url }
    }

    fn ledger(place: &Place) -> Self {
        Self::open(&mut place.frankly(&["demo", "ledger", "--listen"]))
    }

    fn spy(place: &Place, url: &str, more: &[&str]) -> Self {
        let arguments = [&["spy", "--record", "session.jsonl", "--upstream", url], more].concat();
        Self::open(&mut place.frankly(&arguments))
    }

    /// Ends it by this signal; its exit code.
    fn end(mut self, signal: &str) -> Option<i32> {
        let ended = Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(ended.success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn recorded(place: &Place) -> Transcript {
    frankly_live::recording::read(&place.path().join("session.jsonl")).unwrap()
}

/// What a server answers to one request over HTTP.
fn ask(url: &str, headers: &str, body: &Value) -> String {
    let authority = url.trim_start_matches("http://").split('/').next().unwrap();
    let mut stream = TcpStream::connect(authority).unwrap();
    let body = body.to_string();
    let head = "POST /mcp HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json\r\n";
    let accept = "Accept: application/json, text/event-stream\r\n";
    write!(stream, "{head}{accept}{headers}Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_server_over_http_answers_through_the_spy_as_it_does_directly() {
    let place = Place::empty();
    let ledger = Listening::ledger(&place);
    let spy = Listening::spy(&place, &ledger.url, &[]);
    assert!(spy.url.starts_with("http://127.0.0.1:") && spy.url.ends_with("/mcp") && spy.url != ledger.url);
    let call = |url: &str| place.run(&["call", url, "query_transactions", "{\"category\": \"Rent\"}"]);
    let direct = call(&ledger.url);
    assert_eq!(direct.0, Some(0));
    assert_eq!(call(&spy.url), direct);

    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let refused = ask(&spy.url, "Host: ledger.example.org\r\n", &body);
    assert!(refused.starts_with("HTTP/1.1 403 ") && refused.contains("not one of ours"), "{refused}");

    assert_eq!(spy.end("-TERM"), Some(0));
    assert_eq!(recorded(&place).end(), Some("end"));
    let (code, text) = place.run(&["verify", "session.jsonl"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("1 of 1 call answered") && text.contains("0 errors, 0 warnings"), "{text}");
}

#[test]
fn a_host_that_is_named_is_let_in_and_an_interrupt_ends_the_spy() {
    let place = Place::empty();
    let ledger = Listening::ledger(&place);
    let spy = Listening::spy(&place, &ledger.url, &["--host", "spy.internal"]);
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    assert!(!ask(&spy.url, "Host: spy.internal\r\n", &body).starts_with("HTTP/1.1 403 "));
    assert_eq!(spy.end("-INT"), Some(0));
}

#[test]
fn what_does_not_go_together_is_said_before_anything_is_started() {
    let place = Place::with_config("[servers.far]\nurl = \"http://127.0.0.1:1/mcp\"\n");
    let touch = ["--", "touch", "started"];
    for (arguments, told) in [
        (vec![], "-- COMMAND"),
        (vec!["--upstream", "http://127.0.0.1:1/mcp", "--", "touch", "started"], "cannot be used with"),
        (vec!["far", "--", "touch", "started"], "cannot be used with"),
        (vec!["--upstream", "ftp://127.0.0.1/mcp"], "write one such as http://127.0.0.1:8080/mcp"),
        ([&["--redact", "("], &touch[..]].concat(), "the pattern `(` cannot be read"),
        ([&["--redact", "x", "--keep-secrets"], &touch[..]].concat(), "cannot be used with"),
        ([&["--listen", "127.0.0.1:0"], &touch[..]].concat(), "go with --upstream URL"),
        ([&["--context", "tenant"], &touch[..]].concat(), "write it as PART=SOURCE"),
        (
            [&["--context", "tenant=cookie:t"], &touch[..]].concat(),
            "write env:TENANT, meta:tenant or header:",
        ),
        ([&["--context", "tenant=env:NOT_SET_HERE"], &touch[..]].concat(), "NOT_SET_HERE, which is not set"),
        ([&["--context", "t=header:x-t"], &touch[..]].concat(), "write env:NAME or meta:KEY"),
        (vec!["fra"], "servers there: far"),
        (vec!["frankly.toml"], "name a server instead of the file, as `far`"),
    ] {
        let arguments = [&["spy", "--record", "session.jsonl"], &arguments[..]].concat();
        let output = place.frankly(&arguments).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(told), "{arguments:?}: {errors}");
        assert!(!place.path().join("started").exists(), "{arguments:?}");
        assert!(!place.path().join("session.jsonl").exists(), "{arguments:?}");
    }
}

const KEY: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

/// What a client sends, and what arrived at it through a spy with these options, over standard streams.
fn through(place: &Place, options: &[&str], sent: &str, script: &str) -> (String, String) {
    let arguments = [&["spy", "--record", "session.jsonl"], options, &["--", "sh", "-c", script]].concat();
    let mut command = place.frankly(&arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).env("TENANT_KEY", KEY);
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(sent.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn credentials_pass_and_are_not_recorded() {
    let sent = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "log_in", "arguments": {"password": "hunter2-91x", "account": "acct-771"}}});
    let sent = format!("{sent}\n");
    let script = format!("echo token {KEY} >&2; tee arrived");
    for (options, is_kept) in [(vec!["--redact", "acct-[0-9]+"], false), (vec!["--keep-secrets"], true)] {
        let place = Place::empty();
        let options = [&options[..], &["--context", "tenant=env:TENANT_KEY"]].concat();
        let (back, errors) = through(&place, &options, &sent, &script);
        assert_eq!((&back, &place.read("arrived"), errors), (&sent, &sent, format!("token {KEY}\n")));
        let text = place.read("session.jsonl");
        for secret in ["hunter2-91x", "acct-771", KEY] {
            assert_eq!(text.contains(secret), is_kept, "{secret}: {text}");
        }
        // Twice in the message there and back, once on standard error; and in the context of each.
        let placeholders = text.matches("<redacted ").count();
        assert_eq!(placeholders, if is_kept { 0 } else { 2 + 2 + 1 + 3 }, "{text}");
        let transcript = recorded(&place);
        let lines = transcript.frames.iter().filter(|frame| frame.event().is_none());
        assert!(lines.clone().count() == 3 && lines.into_iter().all(|frame| frame.context().is_some()));
    }
}

#[test]
fn credentials_over_http_are_not_recorded_either() {
    let place = Place::empty();
    let ledger = Listening::ledger(&place);
    let spy = Listening::spy(&place, &ledger.url, &["--context", "tenant=header:x-tenant"]);
    let arguments = format!("{{\"category\": \"{KEY}\"}}");
    let header = ["--header", "X-Tenant: acme"];
    let call =
        |url: &str| place.run(&[&["call", url, "query_transactions", &arguments], &header[..]].concat());
    let direct = call(&ledger.url);
    assert!(direct.1.contains(KEY), "{direct:?}");
    assert_eq!(call(&spy.url), direct);
    assert_eq!(spy.end("-TERM"), Some(0));
    assert!(!place.read("session.jsonl").contains(KEY));
    let wire = recorded(&place);
    let contexts: Vec<_> = wire.wire().map(|(_, frame)| frame.context().cloned()).collect();
    assert!(contexts.len() > 3 && contexts.iter().all(|context| *context == Some(json!({"tenant": "acme"}))));
}

#[test]
fn a_call_is_recorded_for_whom_it_was_made() {
    let place = Place::empty();
    let call = |id: u32, user: &str| {
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": "x", "_meta": {"com.example/user": user}}})
    };
    let sent = format!("{}\n{}\n", call(1, "u1"), call(2, "u2"));
    let answer = |id: u32| json!({"jsonrpc": "2.0", "id": id, "result": {"content": []}});
    let script = format!("read -r a; read -r b; echo '{}'; echo '{}'", answer(2), answer(1));
    through(&place, &["--context", "user=meta:com.example/user"], &sent, &script);
    let transcript = recorded(&place);
    let users: Vec<_> =
        transcript.wire().map(|(_, frame)| frame.context().unwrap()["user"].clone()).collect();
    assert_eq!(users, ["u1", "u2", "u2", "u1"]);
    assert!(transcript.calls().iter().all(|call| call.response.is_some()));
}

#[test]
fn a_server_is_found_by_its_name() {
    let place = Place::with_config(
        "[servers.near]\ncommand = [\"sh\", \"-c\", \"echo $WORD $USER_OF_IT\"]\nenv = { WORD = \"configured\" }\n\
         context = { user = \"env:USER_OF_IT\" }\n",
    );
    let mut near = place.frankly(&["spy", "--record", "session.jsonl", "near"]);
    let output = near.env("USER_OF_IT", "u7").stdin(Stdio::null()).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "configured u7\n");
    let transcript = recorded(&place);
    let first = transcript.frames.iter().find(|frame| frame.event().is_none()).unwrap();
    assert_eq!(first.context(), Some(&json!({"user": "u7"})));
}

#[test]
fn a_server_at_an_address_is_found_by_its_name_and_is_not_told_its_headers() {
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", server.local_addr().unwrap());
    let place = Place::with_config(&format!(
        "[servers.far]\nurl = \"{url}\"\nheaders = {{ Authorization = \"Bearer configured\" }}\ncontext = {{ tenant = \"header:x-tenant\" }}\n"
    ));
    let spy = Listening::open(&mut place.frankly(&["spy", "--record", "session.jsonl", "far"]));
    let serving = std::thread::spawn(move || {
        let (mut stream, _) = server.accept().unwrap();
        let (mut seen, mut chunk) = (String::new(), [0; 4096]);
        while !seen.contains("\"ping\"") {
            let read = stream.read(&mut chunk).unwrap();
            seen.push_str(std::str::from_utf8(&chunk[..read]).unwrap());
        }
        let body = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
        write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        seen
    });
    let answer = ask(
        &spy.url,
        "Host: localhost\r\nX-Tenant: acme\r\n",
        &json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}),
    );
    assert!(answer.contains("\"result\""), "{answer}");
    let seen = serving.join().unwrap().to_lowercase();
    assert!(seen.contains("x-tenant: acme") && !seen.contains("authorization"), "{seen}");
    assert_eq!(spy.end("-TERM"), Some(0));
    let transcript = recorded(&place);
    let of: Vec<_> = transcript.wire().map(|(_, frame)| (frame.from(), frame.context().cloned())).collect();
    let acme = Some(json!({"tenant": "acme"}));
    assert_eq!(of, [(Side::Client, acme.clone()), (Side::Server, acme)]);
}
