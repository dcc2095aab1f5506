use super::*;
use frankly_verdict::transcript::Side;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex};

const PATIENCE: Duration = Duration::from_secs(5);

fn connect() -> (Wire, BufReader<DuplexStream>, DuplexStream) {
    let (ours, theirs) = duplex(1 << 16);
    let (their_answers, our_answers) = duplex(1 << 16);
    (Wire::over(our_answers, ours), BufReader::new(theirs), their_answers)
}

#[tokio::test]
async fn an_answer_is_joined_by_id_and_type_and_noise_is_kept() {
    let (wire, mut requests, mut answers) = connect();
    let server = async {
        let mut line = String::new();
        requests.read_line(&mut line).await.unwrap();
        answers
            .write_all(b"starting up\n{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{\"of\":\"another\"}}\n")
            .await
            .unwrap();
        answers.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"of\":\"this\"}}\n").await.unwrap();
    };
    let (result, ()) = tokio::join!(wire.request("tools/list", json!({}), PATIENCE), server);
    assert_eq!(result, Ok(json!({"of": "this"})));
    assert_eq!(wire.into_said(false).await.frames.iter().filter(|frame| frame.is_noise()).count(), 1);
}

#[tokio::test]
async fn requests_of_the_server_are_answered_or_declined() {
    let (wire, mut requests, mut answers) = connect();
    answers
        .write_all(
            b"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ping\"}\n\
                  {\"jsonrpc\":\"2.0\",\"id\":\"s\",\"method\":\"roots/list\"}\n",
        )
        .await
        .unwrap();
    let mut lines = String::new();
    requests.read_line(&mut lines).await.unwrap();
    requests.read_line(&mut lines).await.unwrap();
    assert!(lines.starts_with("{\"id\":0,\"jsonrpc\":\"2.0\",\"result\":{}}\n"), "{lines}");
    assert!(lines.contains("-32601") && lines.contains("\"id\":\"s\""), "{lines}");
    drop(wire);
}

#[tokio::test(start_paused = true)]
async fn silence_times_out_and_is_cancelled() {
    let (wire, mut requests, _answers) = connect();
    let result = wire.request("tools/call", json!({}), PATIENCE).await;
    assert_eq!(result, Err(CallError::TimedOut));
    let mut lines = String::new();
    requests.read_line(&mut lines).await.unwrap();
    requests.read_line(&mut lines).await.unwrap();
    assert!(lines.contains("notifications/cancelled"), "{lines}");
}

#[tokio::test]
async fn a_server_that_closes_fails_what_waits() {
    let (wire, requests, answers) = connect();
    let (result, ()) = tokio::join!(wire.request("tools/call", json!({}), PATIENCE), async {
        drop((requests, answers));
    });
    assert!(matches!(result, Err(CallError::PeerGone(_))), "{result:?}");
    assert!(matches!(wire.request("x", json!({}), PATIENCE).await, Err(CallError::PeerGone(_))));
}

#[tokio::test]
async fn a_dropped_request_is_taken_back_and_cancelled() {
    let (wire, mut requests, _answers) = connect();
    let request = wire.request("tools/call", json!({}), PATIENCE);
    assert!(timeout(Duration::from_millis(20), request).await.is_err());
    assert!(!wire.shared.forget(1));
    let mut lines = String::new();
    requests.read_line(&mut lines).await.unwrap();
    requests.read_line(&mut lines).await.unwrap();
    assert!(lines.contains("notifications/cancelled"), "{lines}");
}

#[tokio::test]
async fn what_was_never_written_is_not_recorded() {
    let (ours, _theirs) = duplex(16);
    let (_their_answers, our_answers) = duplex(16);
    let mut wire = Wire::over(our_answers, ours);
    for _ in 0..3 {
        let request = wire.request("tools/call", json!({}), Duration::from_millis(20));
        assert_eq!(request.await, Err(CallError::TimedOut));
    }
    wire.close(Duration::from_millis(20)).await;
    assert_eq!(wire.into_said(false).await.frames, []);
}

#[tokio::test]
async fn a_request_stands_before_its_answer() {
    let (mut wire, mut requests, mut answers) = connect();
    let server = async {
        requests.read_line(&mut String::new()).await.unwrap();
        answers.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n").await.unwrap();
    };
    let (result, ()) = tokio::join!(wire.request("x", json!({}), PATIENCE), server);
    assert_eq!(result, Ok(json!({})));
    wire.close(PATIENCE).await;
    let sides: Vec<_> = wire.into_said(false).await.frames.iter().map(Frame::from).collect();
    assert_eq!(sides, [Side::Client, Side::Server]);
}
