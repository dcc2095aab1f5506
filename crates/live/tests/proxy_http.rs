//! A spy between clients and a server over HTTP: what passes arrives as it was sent and when it was sent, and all of it is recorded.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::PathBuf;
use std::time::Duration;

use frankly_live::proxy::{ContextSources, HttpSpy, HttpSpyError, Upstream};
use frankly_live::recording::{Writer, read};
use frankly_verdict::transcript::{Side, Transcript};
use serde_json::json;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Nothing here takes so long.
const PATIENCE: Duration = Duration::from_secs(20);
const CALL: &str = r#"{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"echo"}}"#;

/// A running spy before a server that the test plays.
struct Stage {
    /// Where the spy listens.
    port: u16,
    server: TcpListener,
    end: oneshot::Sender<()>,
    spy: JoinHandle<()>,
    directory: TempDir,
}

impl Stage {
    async fn set() -> Self {
        Self::set_with(&[]).await
    }

    /// The same, with parts of a context.
    async fn set_with(context: &[(&str, &str)]) -> Self {
        let parts: Vec<_> =
            context.iter().map(|(part, from)| ((*part).to_owned(), (*from).to_owned())).collect();
        let server = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let directory = tempfile::tempdir().unwrap();
        let url = format!("http://{}/mcp", server.local_addr().unwrap());
        let recording = Writer::create(&file(&directory), &Transcript::default()).unwrap();
        let address = ([127, 0, 0, 1], 0).into();
        let spy =
            HttpSpy::bind(Upstream::parse(&url).unwrap(), address, &[]).await.unwrap().record(recording);
        let spy = spy.context(ContextSources::parse(&parts).unwrap());
        let port = spy.url().trim_end_matches("/mcp").rsplit_once(':').unwrap().1.parse().unwrap();
        let (end, ended) = oneshot::channel::<()>();
        let spy = tokio::spawn(spy.serve(async {
            let _ = ended.await;
        }));
        Self { port, server, end, spy, directory }
    }

    /// A client's connection, on which this was sent.
    async fn client(&self, request: &str) -> Wire {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        Wire(stream)
    }

    /// The spy's next connection to the server.
    async fn server(&self) -> Wire {
        Wire(timeout(PATIENCE, self.server.accept()).await.unwrap().unwrap().0)
    }

    /// What was recorded, when all is over.
    async fn recorded(self) -> Transcript {
        self.end.send(()).unwrap();
        timeout(PATIENCE, self.spy).await.unwrap().unwrap();
        read(&file(&self.directory)).unwrap()
    }
}

fn file(directory: &TempDir) -> PathBuf {
    directory.path().join("session.jsonl")
}

struct Wire(TcpStream);

impl Wire {
    /// Reads until what came ends with this.
    async fn until(&mut self, end: &str) -> String {
        let mut seen = Vec::new();
        let read = async {
            while !seen.ends_with(end.as_bytes()) {
                let byte =
                    self.0.read_u8().await.unwrap_or_else(|_| panic!("{:?}", String::from_utf8_lossy(&seen)));
                seen.push(byte);
            }
        };
        timeout(PATIENCE, read).await.unwrap_or_else(|_| panic!("{end:?} never came"));
        String::from_utf8(seen).unwrap()
    }

    async fn send(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.unwrap();
    }

    /// Whether the other end is closed by now, or soon.
    async fn is_closed(&mut self) -> bool {
        matches!(timeout(PATIENCE, self.0.read(&mut [0; 64])).await, Ok(Ok(0) | Err(_)))
    }
}

fn post(body: &str) -> String {
    format!(
        "POST /mcp?x=1&y=%20 HTTP/1.1\r\nhost: localhost\r\nAccept: application/json, text/event-stream\r\nMcp-Session-Id: S-1\r\n\
         mcp-protocol-VERSION: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\nX-Twice: a\r\nX-Twice: b\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

#[tokio::test]
async fn a_request_and_its_answer_arrive_as_they_were_sent() {
    let stage = Stage::set().await;
    let mut client = stage.client(&post(CALL)).await;
    let mut server = stage.server().await;
    let asked = server.until(CALL).await;
    let host = format!("host: {}", stage.server.local_addr().unwrap());
    assert_eq!(asked, post(CALL).replace("host: localhost", &host));
    for body in [r#"{"jsonrpc":"2.0","id":0,"result":{"content":[]}}"#, "no message, but \u{e9}"] {
        let answer = format!(
            "HTTP/1.1 400 Bad Request\r\nContent-TYPE: x/y\r\nmcp-session-id: S-1\r\nX-Odd:  b \r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        server.send(&answer).await;
        assert_eq!(client.until(body).await, answer.replace(":  b ", ": b"));
        client.send(&post(CALL)).await;
        server.until(CALL).await;
    }
}

#[tokio::test]
async fn an_event_arrives_before_the_next_one_is_sent() {
    let stage = Stage::set().await;
    let mut client = stage.client(&post(CALL)).await;
    let mut server = stage.server().await;
    server.until(CALL).await;
    server
        .send("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
        .await;
    for event in [
        "id: 1\ndata: \n\n",
        "data: {\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n\n",
        "data: {\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}\n\n",
    ] {
        server.send(&format!("{:x}\r\n{event}\r\n", event.len())).await;
        client.until(event).await;
    }
    server.send("0\r\n\r\n").await;
    client.until("0\r\n\r\n").await;
    let recorded = stage.recorded().await;
    let seen: Vec<_> = recorded.frames.iter().map(|frame| (frame.from(), frame.line())).collect();
    assert_eq!(
        seen[..3],
        [
            (Side::Client, CALL),
            (Side::Server, r#"{"jsonrpc":"2.0","method":"n"}"#),
            (Side::Server, r#"{"jsonrpc":"2.0","id":0,"result":{}}"#),
        ]
    );
    assert_eq!((seen.len(), recorded.end()), (4, Some("end")));
}

#[tokio::test]
async fn whoever_closes_has_cancelled_on_either_side() {
    let stage = Stage::set().await;
    // While the answer is waited for, while it is coming, and while nothing comes of it.
    for begun in ["", "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"] {
        let mut client = stage.client(&post(CALL)).await;
        let mut server = stage.server().await;
        server.until(CALL).await;
        server.send(begun).await;
        if !begun.is_empty() {
            client.until("\r\n\r\n").await;
        }
        drop(client);
        assert!(server.is_closed().await, "{begun:?}");
    }
    let half = format!(
        "HTTP/1.1 200 OK\r\ncontent-length: 9000000\r\n\r\n{{\"id\":0,\"result\":[\"{}half",
        "x".repeat(2 << 20)
    );
    for begun in ["", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf", &half] {
        let mut client = stage.client(&post(CALL)).await;
        let mut server = stage.server().await;
        server.until(CALL).await;
        server.send(begun).await;
        drop(server);
        if !begun.is_empty() {
            client.until("half").await;
        }
        assert!(client.is_closed().await, "{begun:?}");
    }
    let recorded = stage.recorded().await;
    let happened: Vec<_> = recorded.frames.iter().filter_map(|frame| frame.event()).collect();
    let names: Vec<_> = happened.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(names, ["cancel", "cancel", "http", "http", "http", "end"]);
    assert!(happened[2..5].iter().all(|event| event.details["broken"] == true));
    assert!(recorded.calls().iter().all(|call| call.response.is_none()));
    // Only what the server broke off is its fault.
    let lost = frankly_verdict::check::check_all(&recorded);
    assert!(
        !lost.is_empty() && lost.iter().all(|finding| finding.calls.iter().all(|call| *call >= 2)),
        "{lost:?}"
    );
}

#[tokio::test]
async fn what_is_refused_before_all_of_it_was_sent_is_recorded_before_its_answer() {
    let stage = Stage::set().await;
    let mut client = stage.client(&post(CALL)[..post(CALL).len() - 4]).await;
    let mut server = stage.server().await;
    server.until("\r\n\r\n").await;
    server.send("HTTP/1.1 401 Unauthorized\r\nconnection: close\r\ncontent-length: 4\r\n\r\nwho?").await;
    client.until("who?").await;
    drop((client, server));
    let recorded = stage.recorded().await;
    let [asked, refused, _] = recorded.frames.as_slice() else { panic!("{recorded:?}") };
    assert_eq!((asked.line(), asked.from()), (&CALL[..CALL.len() - 4], Side::Client));
    assert_eq!(refused.event().unwrap().details["status"], 401);
}

#[tokio::test]
async fn a_connection_that_the_server_closed_meanwhile_is_opened_again() {
    let stage = Stage::set().await;
    let mut client = stage.client("").await;
    for _ in 0..3 {
        client.send(&post(CALL)).await;
        let mut server = stage.server().await;
        server.until(CALL).await;
        server.send("HTTP/1.1 200 OK\r\ncontent-length: 24\r\n\r\n").await;
        server.send(r#"{"id":0,"result":"done"}"#).await;
        client.until("\"done\"}").await;
    }
    assert_eq!(stage.recorded().await.frames.len(), 7);
}

#[tokio::test]
async fn an_answer_that_is_resumed_is_to_the_request_of_its_own_session() {
    let stage = Stage::set().await;
    let events = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\nid: 7\ndata:\n\n";
    let answer = |of: &str| format!("data: {{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":\"{of}\"}}\n\n");
    let mut open = Vec::new();
    for session in ["S-1", "S-2"] {
        let mut client = stage.client(&post(CALL).replace("S-1", session)).await;
        let mut server = stage.server().await;
        server.until(CALL).await;
        server.send(events).await;
        client.until("data:\n\n").await;
        open.push((client, server));
    }
    // The server closes the first stream, and its client comes back for the answer.
    open[0].1 = stage.client("").await;
    open[0].0.until("0\r\n\r\n").await;
    let mut again = stage
        .client("GET /mcp HTTP/1.1\r\nhost: localhost\r\nmcp-session-id: S-1\r\nlast-event-id: 7\r\n\r\n")
        .await;
    let mut server = stage.server().await;
    assert!(server.until("\r\n\r\n").await.contains("last-event-id: 7\r\n"));
    server.send(&(events.to_owned() + &answer("first"))).await;
    again.until("\"first\"}\n\n").await;
    open[1].1.send(&answer("second")).await;
    open[1].0.until("\"second\"}\n\n").await;
    let recorded = stage.recorded().await;
    let answers = recorded
        .calls()
        .into_iter()
        .map(|call| recorded.frames[call.response.unwrap()].msg().unwrap()["result"].clone());
    assert_eq!(answers.collect::<Vec<_>>(), ["first", "second"]);
    assert!(
        recorded
            .frames
            .iter()
            .all(|frame| frame.event().is_some() || !frame.session().unwrap().contains("S-"))
    );
}

#[tokio::test]
async fn what_is_no_message_is_noted_with_its_status() {
    let stage = Stage::set().await;
    let mut client = stage
        .client(&post("{\n  \"jsonrpc\": \"2.0\",\r\n \"id\": \"a\\nb\", \"method\": \"ping\"\n}\n"))
        .await;
    let mut server = stage.server().await;
    server.until("}\n").await;
    server
        .send("HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: 9\r\n\r\n<h1>no</h")
        .await;
    client.until("<h1>no</h").await;
    client.send("DELETE /mcp HTTP/1.1\r\nhost: localhost\r\nmcp-session-id: S-1\r\n\r\n").await;
    server.until("\r\n\r\n").await;
    server.send("HTTP/1.1 204 No Content\r\n\r\n").await;
    client.until("\r\n\r\n").await;
    client.send(&post(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)).await;
    server.until("initialized\"}").await;
    server.send("HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n").await;
    client.until("\r\n\r\n").await;
    let recorded = stage.recorded().await;
    let lines: Vec<_> = recorded.frames.iter().map(|frame| frame.line()).collect();
    assert_eq!(lines[0], r#"{   "jsonrpc": "2.0",   "id": "a\nb", "method": "ping" }"#);
    let noted: Vec<_> = recorded.frames.iter().filter_map(|frame| frame.event()).collect();
    assert_eq!((noted.len(), &*noted[0].name, &noted[0].details["status"]), (3, "http", &502.into()));
    assert_eq!(noted[0].details["body"], "<h1>no</h");
    assert_eq!((&noted[1].details["method"], &noted[1].details["status"]), (&"DELETE".into(), &204.into()));
    assert_eq!(lines.len(), 5, "{lines:?}");
}

#[tokio::test]
async fn strangers_are_not_let_in_and_a_server_that_is_not_there_is_told() {
    let stage = Stage::set().await;
    for strange in ["host: example.org\r\n", "host: localhost\r\nOrigin: http://example.org\r\n"] {
        let mut client = stage.client(&format!("GET /mcp HTTP/1.1\r\n{strange}\r\n")).await;
        assert!(client.until("\r\n\r\n").await.starts_with("HTTP/1.1 403 "), "{strange}");
    }
    assert!(timeout(Duration::from_millis(100), stage.server.accept()).await.is_err());

    let Stage { port, server, directory, .. } = &stage;
    assert!(std::fs::read_to_string(file(directory)).unwrap().lines().count() == 1);
    let address = server.local_addr().unwrap();
    let port = *port;
    let Stage { server, end, spy, directory, .. } = stage;
    drop(server);
    let mut client = Wire(TcpStream::connect(("127.0.0.1", port)).await.unwrap());
    let long =
        CALL.replace("\"echo\"", &format!("\"echo\",\"arguments\":{{\"text\":\"{}\"}}", "x".repeat(300_000)));
    client.send(&post(&long)).await;
    let told = client.until(")\n").await;
    assert!(told.starts_with("HTTP/1.1 502 ") && told.contains("cannot be reached"), "{address}: {told}");
    end.send(()).unwrap();
    spy.await.unwrap();
    let recorded = read(&file(&directory)).unwrap();
    assert_eq!(recorded.frames[0].line(), long);
    assert_eq!(recorded.frames[1].event().unwrap().details["status"], 502);
    assert_eq!(frankly_verdict::check::check_all(&recorded), []);
}

#[tokio::test]
async fn an_address_that_others_can_reach_wants_a_name() {
    let upstream = || Upstream::parse("http://127.0.0.1:1/mcp").unwrap();
    let exposed = HttpSpy::bind(upstream(), ([0, 0, 0, 0], 0).into(), &[]).await;
    assert!(matches!(exposed, Err(HttpSpyError::Exposed(_))));
    for url in ["127.0.0.1:80", "ftp://h", "http://u:p@h/", "http://"] {
        let error = Upstream::parse(url).unwrap_err().to_string();
        assert!(error.contains("write one such as") && !error.contains("u:p"), "{error}");
    }
}

/// A call of the tool `echo` for a user, and an answer to it that says whose it is.
fn call_of(user: &str) -> (String, String) {
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "echo", "arguments": {"user": user},
        "_meta": {"user": user}}});
    let answer = json!({"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": user}]}})
        .to_string();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        answer.len()
    );
    (call.to_string(), head + &answer)
}

#[tokio::test]
async fn two_clients_with_one_id_get_each_their_own_answer_in_the_recording_too() {
    for context in [&[][..], &[("user", "meta:user")]] {
        for order in [["a", "b", "c"], ["c", "a", "b"], ["b", "c", "a"]] {
            let stage = Stage::set_with(context).await;
            let mut open = Vec::new();
            for user in ["a", "b", "c"] {
                let client = stage.client(&post(&call_of(user).0)).await;
                let mut server = stage.server().await;
                server.until(&call_of(user).0).await;
                open.push((user, client, server));
            }
            for user in order {
                let (_, client, server) = open.iter_mut().find(|(of, ..)| *of == user).unwrap();
                server.send(&call_of(user).1).await;
                client.until("]}}").await;
            }
            let recorded = stage.recorded().await;
            let calls = recorded.calls();
            assert_eq!(calls.len(), 3);
            for call in calls {
                let (asked, answered) = (call.request, call.response.unwrap());
                let user = &recorded.frames[asked].msg().unwrap()["params"]["arguments"]["user"];
                let answer = &recorded.frames[answered];
                assert_eq!(&answer.msg().unwrap()["result"]["content"][0]["text"], user, "{order:?}");
                assert_eq!(answer.context(), recorded.frames[asked].context());
                assert_eq!(answer.context().is_some(), !context.is_empty());
            }
        }
    }
}

#[tokio::test]
async fn what_comes_in_an_exchange_is_for_whom_it_is() {
    let stage = Stage::set_with(&[("session", "header:mcp-session-id"), ("user", "meta:user")]).await;
    let mut client = stage.client(&post(&call_of("u7").0)).await;
    let mut server = stage.server().await;
    server.until(&call_of("u7").0).await;
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    let mut other = stage.client(&post(cancel)).await;
    let mut beside = stage.server().await;
    beside.until(cancel).await;
    beside.send("HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n").await;
    other.until("\r\n\r\n").await;
    let events = "data: {\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n";
    server
        .send(&format!(
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {}\r\n\r\n{events}",
            events.len()
        ))
        .await;
    client.until(events).await;
    let recorded = stage.recorded().await;
    let contexts: Vec<_> = recorded.wire().map(|(_, frame)| frame.context().unwrap()).collect();
    assert_eq!(contexts, [&json!({"session": "S-1", "user": "u7"}); 4]);
}

#[tokio::test]
async fn a_compressed_answer_passes_as_it_is_and_is_read_for_the_recording() {
    let said = r#"{"jsonrpc":"2.0","id":0,"result":{"content":[{"type":"text","text":"Rain at noon."}]}}"#;
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::Write::write_all(&mut gzip, said.as_bytes()).unwrap();
    for (coding, body) in [("gzip", gzip.finish().unwrap()), ("br", b"whatever".to_vec())] {
        let stage = Stage::set().await;
        let mut client = stage.client(&post(CALL)).await;
        let mut server = stage.server().await;
        server.until(CALL).await;
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-encoding: {coding}\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        server.0.write_all(&[head.as_bytes(), &body].concat()).await.unwrap();
        client.until("\r\n\r\n").await;
        let mut passed = vec![0; body.len()];
        client.0.read_exact(&mut passed).await.unwrap();
        assert_eq!(passed, body);
        let recorded = stage.recorded().await;
        match recorded.frames[1].event() {
            None => assert_eq!((coding, recorded.frames[1].line()), ("gzip", said)),
            Some(event) => {
                assert_eq!((&*event.name, &event.details["encoding"]), ("left_out", &coding.into()))
            }
        }
        assert_eq!(frankly_verdict::check::check_all(&recorded), []);
    }
}

#[tokio::test]
async fn an_event_that_clients_do_not_hear_answers_nothing() {
    let answer = r#"{"jsonrpc":"2.0","id":0,"result":{}}"#;
    for (stream, is_whole) in [
        (format!("event: ping\ndata: {{}}\n\ndata: {answer}\n\n"), true),
        (format!("event: other\ndata: {answer}\n\n"), false),
        (format!("data: {answer}\n"), false),
    ] {
        let stage = Stage::set().await;
        let mut client = stage.client(&post(CALL)).await;
        let mut server = stage.server().await;
        server.until(CALL).await;
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";
        server.send(&format!("{head}content-length: {}\r\n\r\n{stream}", stream.len())).await;
        client.until(&stream).await;
        let recorded = stage.recorded().await;
        assert_eq!(recorded.calls()[0].response.is_some(), is_whole, "{stream}");
        assert_eq!(recorded.noise().count(), 0, "{stream}");
    }
}
