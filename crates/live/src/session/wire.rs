//! One connection: requests out, lines in, every line kept.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use frankly_contract::CallError;
use frankly_verdict::transcript::{Frame, Side};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use super::lines::{Line, MAX_LINE_BYTES, next_line};

/// How much of what a server says is kept before it counts as flooding.
const MAX_KEPT_BYTES: usize = 256 * 1024 * 1024;
/// What keeping a line costs beside its bytes.
const FRAME_BYTES: usize = 128;
/// How many lines may wait to be written; a server that does not read stops getting answers.
const OUTGOING: usize = 256;
const METHOD_NOT_FOUND: i64 = -32601;

/// A connection over any pair of byte streams. Dropping it stops reading and writing.
#[derive(Debug)]
pub(super) struct Wire {
    shared: Arc<Shared>,
    outgoing: Option<mpsc::Sender<String>>,
    tasks: [JoinHandle<()>; 2],
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    frames: Vec<Frame>,
    kept_bytes: usize,
    waiting: HashMap<i64, oneshot::Sender<Value>>,
    last_id: i64,
    gone: Option<String>,
}

impl Wire {
    /// Starts to read and write; needs a tokio runtime.
    pub fn over(
        reader: impl AsyncRead + Send + Unpin + 'static,
        writer: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Self {
        let shared = Arc::new(Shared::default());
        let (outgoing, lines) = mpsc::channel(OUTGOING);
        let writing = tokio::spawn(write_lines(writer, lines));
        let reading = tokio::spawn(read_lines(reader, Arc::clone(&shared), outgoing.downgrade()));
        Self { shared, outgoing: Some(outgoing), tasks: [writing, reading] }
    }

    /// Sends a request and waits for its result.
    pub async fn request(&self, method: &str, params: Value, patience: Duration) -> Result<Value, CallError> {
        let (id, answer) = {
            let mut state = self.shared.state();
            if let Some(why) = &state.gone {
                return Err(CallError::PeerGone(why.clone()));
            }
            state.last_id += 1;
            let (sender, answer) = oneshot::channel();
            let id = state.last_id;
            state.waiting.insert(id, sender);
            (id, answer)
        };
        let exchange = async {
            self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await?;
            answer.await.map_err(|_| CallError::PeerGone(self.why_gone()))
        };
        match tokio::time::timeout(patience, exchange).await {
            Ok(answer) => read_answer(answer?),
            Err(_) => {
                self.shared.state().waiting.remove(&id);
                let cancelled = json!({"requestId": id, "reason": "no answer in time"});
                let notice =
                    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled});
                self.shared.offer(self.outgoing.as_ref(), &notice);
                Err(CallError::TimedOut)
            }
        }
    }

    /// Sends a notification.
    pub async fn notify(&self, method: &str) -> Result<(), CallError> {
        self.send(json!({"jsonrpc": "2.0", "method": method})).await
    }

    async fn send(&self, msg: Value) -> Result<(), CallError> {
        let line = self.shared.keep(Side::Client, msg.to_string().into_bytes());
        let gone = || CallError::PeerGone(self.why_gone());
        self.outgoing.as_ref().ok_or_else(gone)?.send(line).await.map_err(|_| gone())
    }

    pub fn with_frames<T>(&self, look: impl FnOnce(&[Frame]) -> T) -> T {
        look(&self.shared.state().frames)
    }

    pub fn take_frames(&self) -> Vec<Frame> {
        std::mem::take(&mut self.shared.state().frames)
    }

    /// Why nothing more will come, once that is so: what the server did, without a subject.
    pub fn gone(&self) -> Option<String> {
        self.shared.state().gone.clone()
    }

    /// Closes the way out, which a server on standard input sees as its end.
    pub fn close(&mut self) {
        self.outgoing = None;
    }

    fn why_gone(&self) -> String {
        self.gone().unwrap_or_else(|| "stopped reading".to_owned())
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // The state is whole between any two statements, so a panic elsewhere cannot have torn it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a frame and gives its line back.
    fn keep(&self, from: Side, bytes: Vec<u8>) -> String {
        let frame = Frame::from_bytes(from, bytes);
        let line = frame.line().to_owned();
        let mut state = self.state();
        state.kept_bytes += line.len() + FRAME_BYTES;
        state.frames.push(frame);
        line
    }

    /// Sends a line if there is room for it: what a server asked for must not make us wait for it.
    fn offer(&self, outgoing: Option<&mpsc::Sender<String>>, msg: &Value) {
        if let Some(permit) = outgoing.and_then(|outgoing| outgoing.try_reserve().ok()) {
            permit.send(self.keep(Side::Client, msg.to_string().into_bytes()));
        }
    }

    /// Takes note of a line from the server; gives back what to answer, if it was a request.
    fn receive(&self, bytes: Vec<u8>) -> Option<Value> {
        let frame = Frame::from_bytes(Side::Server, bytes);
        let mut state = self.state();
        state.kept_bytes += frame.line().len() + FRAME_BYTES;
        let reply = match (frame.method(), frame.id()) {
            (Some(method), Some(id)) => Some(answer_request(method, id)),
            _ => None,
        };
        if frame.is_response()
            && let Some(waiting) = frame.id().and_then(Value::as_i64).and_then(|id| state.waiting.remove(&id))
        {
            // Whoever waited may have given up.
            let _ = waiting.send(frame.msg().cloned().unwrap_or_default());
        }
        state.frames.push(frame);
        reply
    }

    fn end(&self, why: &str) {
        let mut state = self.state();
        state.gone.get_or_insert_with(|| why.to_owned());
        state.waiting.clear();
    }
}

/// We offer nothing to servers but an answer to `ping`.
fn answer_request(method: &str, id: &Value) -> Value {
    if method == "ping" {
        return json!({"jsonrpc": "2.0", "id": id, "result": {}});
    }
    let error = json!({"code": METHOD_NOT_FOUND, "message": format!("this client does not offer {method}")});
    json!({"jsonrpc": "2.0", "id": id, "error": error})
}

fn read_answer(msg: Value) -> Result<Value, CallError> {
    let Value::Object(mut members) = msg else {
        return Err(CallError::Malformed("the answer is no JSON object".to_owned()));
    };
    match (members.remove("error"), members.remove("result")) {
        (None | Some(Value::Null), Some(result)) => Ok(result),
        (Some(error), _) => Err(CallError::Protocol {
            code: error.get("code").and_then(Value::as_i64).unwrap_or_default(),
            message: error.get("message").and_then(Value::as_str).unwrap_or("no message").to_owned(),
            data: error.get("data").cloned(),
        }),
        (None, None) => Err(CallError::Malformed("the answer has neither result nor error".to_owned())),
    }
}

async fn write_lines(mut writer: impl AsyncWrite + Unpin, mut lines: mpsc::Receiver<String>) {
    while let Some(mut line) = lines.recv().await {
        line.push('\n');
        if writer.write_all(line.as_bytes()).await.is_err() || writer.flush().await.is_err() {
            return;
        }
    }
}

async fn read_lines(
    reader: impl AsyncRead + Send + Unpin,
    shared: Arc<Shared>,
    outgoing: mpsc::WeakSender<String>,
) {
    let mut reader = BufReader::new(reader);
    loop {
        match next_line(&mut reader, MAX_LINE_BYTES).await {
            Line::Whole(bytes) => {
                if let Some(reply) = shared.receive(bytes) {
                    shared.offer(outgoing.upgrade().as_ref(), &reply);
                }
            }
            Line::TooLong => return shared.end("sent a line of more than 64 MiB"),
            Line::End => return shared.end("closed its output"),
        }
        if shared.state().kept_bytes > MAX_KEPT_BYTES {
            return shared.end("sent more than 256 MiB");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncBufReadExt, DuplexStream, duplex};

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
                .write_all(
                    b"starting up\n{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{\"of\":\"another\"}}\n",
                )
                .await
                .unwrap();
            answers
                .write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"of\":\"this\"}}\n")
                .await
                .unwrap();
        };
        let (result, ()) = tokio::join!(wire.request("tools/list", json!({}), PATIENCE), server);
        assert_eq!(result, Ok(json!({"of": "this"})));
        assert_eq!(wire.take_frames().iter().filter(|frame| frame.is_noise()).count(), 1);
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
}
