//! Answers in every form that they may have.

use frankly_contract::{CallError, Tools};
use frankly_live::Session;
use frankly_verdict::transcript::Side;
use serde_json::json;

use super::place::{Asked, Place, Step, call, http, initialized, launch, result, send, stream};

fn message(asked: &Asked, text: &str) -> String {
    json!({"jsonrpc": "2.0", "id": asked.body["id"], "result": {"content": [{"type": "text", "text": text}]}})
        .to_string()
}

#[tokio::test]
async fn what_was_agreed_on_is_told_with_each_request_and_the_end_as_well() {
    let place = Place::open(|asked| match asked.what() {
        "initialize" => Some(http(
            "200 OK",
            "content-type: application/json; charset=utf-8\r\nmcp-session-id: s-1\r\n",
            &initialized(asked).to_string(),
        )),
        "tools/list" => Some(result(asked, json!({"tools": []}))),
        _ => None,
    })
    .await;
    let mut launch = place.launch();
    launch.headers.push(("Authorization".to_owned(), "Bearer token".to_owned()));
    launch.name = None;
    let session = Session::start(&launch).await.unwrap();
    assert_eq!(session.server(), "hand");
    session.tool_set().await.unwrap();
    let transcript = session.close(None).await.transcript;
    assert_eq!(transcript.revision.as_deref(), Some("2025-11-25"));
    let sides: Vec<_> = transcript.wire().map(|(_, frame)| frame.from()).collect();
    assert_eq!(sides, [Side::Client, Side::Server, Side::Client, Side::Client, Side::Server]);
    assert_eq!(place.what(), ["initialize", "notifications/initialized", "tools/list", "DELETE"]);
    let asked = place.asked();
    for (index, asked) in asked.iter().enumerate() {
        let agreed = if index == 0 { ("", "") } else { ("s-1", "2025-11-25") };
        assert_eq!((asked.header("mcp-session-id"), asked.header("mcp-protocol-version")), agreed);
        assert_eq!(asked.header("authorization"), "Bearer token");
    }
    assert_eq!(asked[2].header("accept"), "application/json, text/event-stream");
    assert_eq!(asked[2].header("content-type"), "application/json");
}

#[tokio::test]
async fn without_a_session_there_is_none_to_end() {
    let place = Place::open(|_| None).await;
    place.session().await.close(None).await;
    assert_eq!(place.what(), ["initialize", "notifications/initialized"]);
}

#[tokio::test]
async fn a_stream_is_read_however_it_is_split_and_written() {
    let place = Place::open(|asked| {
        let answer = message(asked, "grüß");
        let (head, tail) = answer.split_at(answer.find("ü").unwrap());
        let (first, rest) = tail.as_bytes().split_at(1);
        let lines =
            serde_json::to_string_pretty(&serde_json::from_str::<serde_json::Value>(&answer).unwrap());
        let lines: String = lines.unwrap().lines().map(|line| format!("data: {line}\n")).collect();
        let note =
            "event: message\r\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\r\n\r\n";
        (asked.what() == "tools/call").then(|| match asked.body["params"]["name"].as_str() {
            Some("split") => vec![
                stream(),
                send(": welcome\n\nid: 1\ndata:\n\n"),
                send(&format!("{note}data:{head}")),
                Step::Wait(20),
                Step::Send(first.to_vec()),
                Step::Wait(20),
                Step::Send(rest.to_vec()),
                send("\r\n"),
                Step::Wait(20),
                send("\r\n"),
                Step::Hang,
            ],
            Some("lines") => vec![stream(), send(&lines), send("\n"), Step::Hang],
            _ => vec![stream(), send("data: "), send(&answer)],
        })
    })
    .await;
    let session = place.session().await;
    for tool in ["split", "lines", "no blank line at the end"] {
        let result = session.call(call(tool)).await.unwrap();
        assert_eq!(result.texts().next(), Some((0, "grüß")), "{tool}");
    }
    let frames = session.close(None).await.transcript.frames;
    assert!(frames.iter().any(|frame| frame.method() == Some("notifications/progress")));
    assert!(frames.iter().all(|frame| !frame.is_noise() && frame.flaw().is_none()), "{frames:?}");
}

#[tokio::test]
async fn what_the_server_asks_within_a_stream_is_answered_or_declined() {
    let place = Place::open(|asked| {
        (asked.what() == "tools/call").then(|| {
            vec![
                stream(),
                send("data: {\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}\n\n"),
                send("data: {\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"sampling/createMessage\"}\n\n"),
                Step::Wait(100),
                send(&format!("data: {}\n\n", message(asked, "done"))),
            ]
        })
    })
    .await;
    let session = place.session().await;
    session.call(call("t")).await.unwrap();
    session.close(None).await;
    let replies: Vec<_> = place.asked().into_iter().filter(|asked| asked.body["method"].is_null()).collect();
    assert_eq!(replies.len(), 2, "{replies:?}");
    assert!(replies.iter().any(|reply| reply.body["id"] == "p" && reply.body["result"] == json!({})));
    assert!(replies.iter().any(|reply| reply.body["id"] == 7 && reply.body["error"]["code"] == -32601));
}

#[tokio::test]
async fn an_answer_is_joined_by_the_type_of_its_id() {
    let place = Place::open(|asked| {
        (asked.what() == "tools/call").then(|| {
            let id = asked.body["id"].as_i64().unwrap();
            let other = json!({"jsonrpc": "2.0", "id": id.to_string(), "result": {"of": "another"}});
            vec![stream(), send(&format!("data: {other}\n\ndata: {}\n\n", message(asked, "mine")))]
        })
    })
    .await;
    let session = place.session().await;
    assert_eq!(session.call(call("t")).await.unwrap().texts().next(), Some((0, "mine")));
    session.close(None).await;
}

#[tokio::test]
async fn a_stream_that_breaks_off_is_gone_on_with() {
    let place = Place::open(|asked| match asked.what() {
        "tools/call" => Some(vec![stream(), send("id: e-1\nretry: 10\ndata:\n\n")]),
        "GET" => {
            let answer = json!({"jsonrpc": "2.0", "id": 2, "result": {"content": []}});
            Some(vec![stream(), send(&format!("data: {answer}\n\n"))])
        }
        _ => None,
    })
    .await;
    let session = place.session().await;
    session.call(call("t")).await.unwrap();
    session.close(None).await;
    let asked = place.asked();
    let again = asked.iter().find(|asked| asked.what() == "GET").unwrap();
    assert_eq!((again.header("last-event-id"), again.header("accept")), ("e-1", "text/event-stream"));
}

#[tokio::test]
async fn calls_at_once_do_not_wait_for_each_other() {
    let place = Place::open(|asked| {
        let name = asked.body["params"]["name"].as_str().map(str::to_owned);
        name.map(|name| {
            let wait = Step::Wait(if name == "slow" { 300 } else { 0 });
            let mut steps = vec![wait];
            steps.extend(result(asked, json!({"content": [{"type": "text", "text": name}]})));
            steps
        })
    })
    .await;
    let session = place.session().await;
    let slow = async { (session.call(call("slow")).await, std::time::Instant::now()) };
    let fast = async { (session.call(call("fast")).await, std::time::Instant::now()) };
    let ((slow, slow_end), (fast, fast_end)) = tokio::join!(slow, fast);
    assert_eq!(slow.unwrap().texts().next(), Some((0, "slow")));
    assert_eq!(fast.unwrap().texts().next(), Some((0, "fast")));
    assert!(fast_end < slow_end);
    session.close(None).await;
}

#[tokio::test]
async fn a_redirect_is_followed_where_message_and_host_stay() {
    let place = Place::open(|asked| {
        (asked.path == "/mcp" && asked.method == "POST")
            .then(|| http("307 Temporary Redirect", "location: /mcp/\r\n", ""))
    })
    .await;
    place.session().await.close(None).await;
    assert_eq!(place.what()[..2], ["initialize", "initialize"]);
}

#[tokio::test]
async fn no_other_host_sees_what_was_meant_for_this_one() {
    let other = Place::open(|_| None).await;
    let target = other.url();
    for status in ["307 Temporary Redirect", "308 Permanent Redirect", "302 Found"] {
        let target = target.clone();
        let location = format!("location: {target}?token=secret\r\n");
        let place = Place::open(move |_| Some(http(status, &location, ""))).await;
        let error = place.error().await;
        assert!(
            error.contains(&format!("redirects (HTTP {status}), to {target}; name the address")),
            "{error}"
        );
        assert!(!error.contains("secret"), "{error}");
    }
    assert_eq!(other.what(), Vec::<String>::new());
}

#[tokio::test]
async fn an_address_that_is_none_is_told_before_anything_is_sent() {
    let error = Session::start(&launch("ftp://127.0.0.1/mcp")).await.err().unwrap().to_string();
    assert_eq!(error, "`ftp://127.0.0.1/mcp` is no address of http or https");
    let mut launch = launch("http://127.0.0.1:9/mcp");
    launch.headers.push(("Authorization".to_owned(), "Bearer secret\nx".to_owned()));
    let error = Session::start(&launch).await.err().unwrap().to_string();
    assert!(error.contains("header Authorization") && !error.contains("secret"), "{error}");
}

#[tokio::test]
async fn a_protocol_error_is_one_whatever_its_status() {
    for status in ["200 OK", "400 Bad Request", "404 Not Found"] {
        let place = Place::open(move |asked| {
            (asked.what() == "tools/call").then(|| {
                let error = json!({"code": -32602, "message": "no such tool"});
                let body = json!({"jsonrpc": "2.0", "id": asked.body["id"], "error": error});
                http(status, "content-type: application/json\r\n", &body.to_string())
            })
        })
        .await;
        let session = place.session().await;
        let error = session.call(call("t")).await.unwrap_err();
        assert!(matches!(error, CallError::Protocol { code: -32602, .. }), "{status}: {error:?}");
        assert_eq!(session.gone(), None);
        session.close(None).await;
    }
}
