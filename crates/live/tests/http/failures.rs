//! What comes instead of an answer.

use std::time::{Duration, Instant};

use frankly_contract::{CallError, Tools};
use frankly_live::{Launch, Session};
use serde_json::json;
use tokio::net::TcpListener;

use super::place::{Place, Step, call, http, initialized, launch, result, send, stream};

const HTML: &str = "content-type: text/html\r\n";

#[tokio::test]
async fn each_refusal_of_initialize_is_told_apart_with_what_to_do() {
    for (status, body, expected) in [
        (
            "401 Unauthorized",
            "{\"error\": \"no token\"}",
            "HTTP 401 Unauthorized, saying: {\"error\": \"no token\"}; check",
        ),
        ("403 Forbidden", "", "HTTP 403 Forbidden; check what it is told of who asks: headers ="),
        (
            "404 Not Found",
            "<h1>\n nothing</h1>",
            "HTTP 404 Not Found, saying: <h1> nothing</h1>; check the path",
        ),
        ("405 Method Not Allowed", "", "HTTP 405 Method Not Allowed; check the path"),
        ("422 Unprocessable Entity", "odd", "HTTP 422 Unprocessable Entity, saying: odd"),
        ("503 Service Unavailable", "", "HTTP 503 Service Unavailable; look at the server's own log"),
        (
            "200 OK",
            "<html>",
            "HTTP 200 OK (text/html) and no answer in it, saying: <html>; check the address",
        ),
        ("202 Accepted", "", "HTTP 202 Accepted (text/html) and no answer in it; check the address"),
    ] {
        let place = Place::open(move |_| Some(http(status, HTML, body))).await;
        let error = place.error().await;
        assert!(error.starts_with(&format!("`{}` answered with {expected}", place.url())), "{error}");
        assert!(!error.contains("environment") && !error.contains("standard error"), "{error}");
    }
    let place = Place::open(|_| Some(http("500 Internal Server Error", HTML, &"x".repeat(100_000)))).await;
    assert!(place.error().await.len() < 600);
}

#[tokio::test]
async fn nobody_there_is_told_with_the_address_and_without_secrets() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let url = format!("http://{address}/mcp?key=secret");
    let launch = Launch { shown: vec![format!("http://{address}/mcp?key=${{KEY}}")], ..launch(&url) };
    let error = Session::start(&launch).await.err().unwrap().to_string();
    assert!(
        error.starts_with(&format!("`'http://{address}/mcp?key=${{KEY}}'` cannot be reached: ")),
        "{error}"
    );
    assert!(error.ends_with("; start the server, and check the address"), "{error}");
    assert!(error.to_lowercase().contains("refused") && !error.contains("secret"), "{error}");
}

#[tokio::test]
async fn a_server_that_does_not_encrypt_is_no_server_of_https() {
    let place = Place::open(|_| None).await;
    let url = place.url().replace("http://", "https://");
    let error = Session::start(&launch(&url)).await.err().unwrap().to_string();
    assert!(error.starts_with(&format!("`{url}` cannot be reached: ")), "{error}");
    assert_eq!(place.what(), Vec::<String>::new());
}

#[tokio::test]
async fn other_beginnings_are_no_sessions_either() {
    let refused = Place::open(|asked| {
        let error = json!({"code": -32600, "message": "go away"});
        let body = json!({"jsonrpc": "2.0", "id": asked.body["id"], "error": error});
        Some(http("400 Bad Request", "content-type: application/json\r\n", &body.to_string()))
    })
    .await;
    assert!(refused.error().await.ends_with("refused initialize with error -32600: go away"));
    let echo = Place::open(|asked| {
        Some(http("200 OK", "content-type: application/json\r\n", &asked.body.to_string()))
    })
    .await;
    assert!(echo.error().await.ends_with("it only echoes what it is sent"));
    let closes = Place::open(|_| Some(vec![])).await;
    assert!(closes.error().await.contains("broke the connection before it answered"));
    let unversioned = Place::open(|asked| {
        (asked.what() == "initialize").then(|| result(asked, json!({"capabilities": {}})))
    })
    .await;
    assert!(unversioned.error().await.contains("names no protocolVersion"));
}

#[tokio::test]
async fn a_call_that_fails_by_http_leaves_the_session_and_says_so_in_the_end() {
    let place = Place::open(|asked| {
        (asked.what() == "tools/call").then(|| match asked.body["params"]["name"].as_str() {
            Some("fails") => http("500 Internal Server Error", HTML, "Traceback"),
            Some("unanswered") => vec![stream(), send(": nothing\n\n")],
            Some("cut") => vec![send(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{\"jsonrpc\"",
            )],
            _ => result(asked, json!({"content": []})),
        })
    })
    .await;
    let session = place.session().await;
    for (tool, expected) in [
        ("fails", "answered with HTTP 500 Internal Server Error, saying: Traceback"),
        ("unanswered", "ended its stream of events before it answered"),
        ("cut", "broke the connection before it answered"),
    ] {
        let Err(CallError::Malformed(what)) = session.call(call(tool)).await else { panic!("{tool}") };
        assert!(what.starts_with(expected), "{what}");
        session.call(call("healthy")).await.unwrap();
    }
    assert_eq!(session.gone(), None);
    let closed = session.close(None).await;
    assert_eq!(closed.instead.len(), 3);
    for (request, what) in &closed.instead {
        let frame = &closed.transcript.frames[*request];
        let tool = frame.msg().unwrap()["params"]["name"].as_str().unwrap();
        assert_eq!(tool == "fails", what.contains("HTTP 500"), "{tool}: {what}");
    }
}

#[tokio::test]
async fn silence_times_out_and_is_cancelled() {
    let place = Place::open(|asked| match asked.body["params"]["name"].as_str() {
        Some("silent") => Some(vec![Step::Hang]),
        Some("slow") => Some(vec![
            send("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{"),
            Step::Hang,
        ]),
        Some("waiting") => Some(vec![stream(), send("id: 1\ndata:\n\n"), Step::Hang]),
        Some("fine") => Some(result(asked, json!({"content": []}))),
        _ => None,
    })
    .await;
    let session = place.session().await;
    for tool in ["silent", "slow", "waiting"] {
        assert_eq!(session.call(call(tool)).await, Err(CallError::TimedOut), "{tool}");
        session.call(call("fine")).await.unwrap();
    }
    let start = Instant::now();
    let closed = session.close(None).await;
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    let unanswered = closed.transcript.calls().iter().filter(|call| call.response.is_none()).count();
    assert_eq!((unanswered, closed.instead.len()), (3, 0));
    let cancelled = place.what().iter().filter(|what| *what == "notifications/cancelled").count();
    assert_eq!(cancelled, 3);
}

#[tokio::test]
async fn a_server_that_never_answers_initialize_is_not_waited_for_for_good() {
    let place = Place::open(|_| Some(vec![Step::Hang])).await;
    let launch = place.launch();
    let starting = tokio::spawn(async move { Session::start(&launch).await.err().unwrap().to_string() });
    while place.asked().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    tokio::time::pause();
    let error = starting.await.unwrap();
    assert!(error.ends_with("took the request, and did not answer initialize within 30 s"), "{error}");
}

#[tokio::test]
async fn of_a_huge_answer_both_ends_are_kept() {
    const MEBIBYTE: usize = 1024 * 1024;
    for is_stream in [false, true] {
        let place = Place::open(move |asked| {
            (asked.what() == "tools/call").then(|| {
                let id = &asked.body["id"];
                let begin = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":\"");
                let head = send("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n");
                let mut steps = if is_stream { vec![stream(), send("data: ")] } else { vec![head] };
                steps.push(send(&begin));
                steps.extend(std::iter::repeat_n(Step::Send(vec![b'x'; MEBIBYTE]), 70));
                steps.push(send("\"}]}}\n\n"));
                steps
            })
        })
        .await;
        let launch = Launch { timeout: Duration::from_secs(60), ..place.launch() };
        let session = Session::start(&launch).await.unwrap();
        let answer = session.call(call("t")).await.unwrap();
        let (_, text) = answer.texts().next().unwrap();
        assert!(text.len() < MEBIBYTE && text.contains("bytes left out"), "{}", text.len());
        let cuts: Vec<_> = session.close(None).await.transcript.frames;
        let cut = cuts.iter().find_map(|frame| frame.cut()).unwrap();
        assert!(cut.bytes > 70 * MEBIBYTE as u64 && cut.head.len() + cut.tail.len() < MEBIBYTE);
    }
}

#[tokio::test]
async fn a_lost_session_is_the_end_of_it() {
    let place = Place::open(|asked| match asked.what() {
        "initialize" => Some(http(
            "200 OK",
            "content-type: application/json\r\nmcp-session-id: s-1\r\n",
            &initialized(asked).to_string(),
        )),
        "tools/call" => Some(http("404 Not Found", "", "Session not found")),
        _ => None,
    })
    .await;
    let session = place.session().await;
    let error = session.call(call("t")).await.unwrap_err();
    let expected =
        "answered with HTTP 404 Not Found, as if there were no such session, saying: Session not found";
    assert_eq!(error, CallError::PeerGone(expected.to_owned()));
    assert_eq!(session.gone().as_deref(), Some(expected));
    session.close(None).await;
}
