//! One connection: requests out, lines in, every line kept.

mod streams;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use frankly_contract::{CallError, ToolDef};
use frankly_verdict::transcript::Frame;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::http::{Endpoint, Failure, post_all};
use super::shared::{Answer, Heard, Said, Shared};
use streams::{read_lines, write_lines};

/// What a server did whose output ended.
pub(super) const CLOSED_OUTPUT: &str = "closed its output";
/// What a server did of which nothing is left but its address.
const NOBODY_THERE: &str = "cannot be reached any more";
/// How many lines may wait to be written; a server that does not read stops getting answers.
const OUTGOING: usize = 256;
/// How long what was sent may still be on its way when the other direction has ended.
const LAST_WORDS: Duration = Duration::from_millis(100);
/// What a server did whose input is closed.
const STOPPED_READING: &str = "stopped reading";
/// Why a request was cancelled that somebody took back: it was not for want of an answer in time.
pub(crate) const TAKEN_BACK: &str = "nobody waits for it any more";
/// The one request that must not be cancelled.
pub(super) const INITIALIZE: &str = "initialize";

/// A connection over any pair of byte streams, or over HTTP. Dropping it stops reading and writing.
#[derive(Debug)]
pub(super) struct Wire {
    shared: Arc<Shared>,
    outgoing: Option<mpsc::Sender<String>>,
    writing: JoinHandle<()>,
    /// What reads beside the writing; over HTTP an answer is read where its request was written.
    reading: Option<JoinHandle<()>>,
    endpoint: Option<Arc<Endpoint>>,
}

/// Why a request has no answer.
#[derive(Debug)]
pub(super) enum Unanswered {
    /// None came in time.
    TimedOut,
    /// Nothing more will come, since the server did this.
    Gone(String),
    /// Something came, but no message.
    Instead(Failure),
}

impl From<Unanswered> for CallError {
    fn from(unanswered: Unanswered) -> Self {
        match unanswered {
            Unanswered::TimedOut => Self::TimedOut,
            Unanswered::Gone(what) => Self::PeerGone(what),
            Unanswered::Instead(failure) => Self::Malformed(failure.to_string()),
        }
    }
}

impl Wire {
    /// Starts to read and write; needs a tokio runtime.
    pub fn over(
        reader: impl AsyncRead + Send + Unpin + 'static,
        writer: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Self {
        let shared = Arc::new(Shared::default());
        let (outgoing, lines) = mpsc::channel(OUTGOING);
        let writing = tokio::spawn(write_lines(writer, lines, Arc::clone(&shared)));
        let reading = tokio::spawn(read_lines(reader, Arc::clone(&shared), outgoing.downgrade()));
        Self { shared, outgoing: Some(outgoing), writing, reading: Some(reading), endpoint: None }
    }

    /// Speaks to a server over HTTP; needs a tokio runtime.
    pub fn http(endpoint: Endpoint) -> Self {
        let (shared, endpoint) = (Arc::new(Shared::default()), Arc::new(endpoint));
        let (outgoing, lines) = mpsc::channel(OUTGOING);
        let posting = post_all(Arc::clone(&endpoint), lines, Arc::clone(&shared), outgoing.downgrade());
        let writing = tokio::spawn(posting);
        Self { shared, outgoing: Some(outgoing), writing, reading: None, endpoint: Some(endpoint) }
    }

    /// The ids of requests begin after this one.
    pub fn count_from(&self, id: i64) {
        self.shared.count_from(id);
    }

    /// Whether the server is reached over HTTP.
    pub fn is_http(&self) -> bool {
        self.endpoint.is_some()
    }

    /// Tells of the revision that both sides speak from now on.
    pub fn agreed_on(&self, revision: &str) {
        if let Some(endpoint) = &self.endpoint {
            endpoint.agreed_on(revision);
        }
    }

    /// From now on each request stands for itself.
    pub fn go_stateless(&self) {
        if let Some(endpoint) = &self.endpoint {
            endpoint.go_stateless();
        }
    }

    /// Sends a request and waits for its result. A request that is dropped before its answer came, or whose
    /// answer does not come in time, is cancelled.
    pub async fn request(&self, method: &str, params: Value, patience: Duration) -> Result<Value, CallError> {
        let heard = self.ask(method, params, patience).await?;
        read_answer(&heard).map(|result| heard.marked(result))
    }

    /// Sends a request and waits for its answer, whatever that says.
    pub async fn ask(&self, method: &str, params: Value, patience: Duration) -> Result<Heard, Unanswered> {
        let (id, answer) = self.shared.expect().map_err(Unanswered::Gone)?;
        let mut waiting = Waiting { wire: self, id, cancel: None };
        let exchange = async {
            self.send(request(id, method, params)).await?;
            waiting.cancel = (method != INITIALIZE).then_some(TAKEN_BACK);
            answer.await.map_err(|_| Unanswered::Gone(self.why_gone()))?.map_err(Unanswered::Instead)
        };
        timeout(patience, exchange).await.unwrap_or_else(|_| {
            waiting.cancel = waiting.cancel.map(|_| "no answer in time");
            self.shared.give_up(id);
            Err(Unanswered::TimedOut)
        })
    }

    /// Sends a request and leaves it to the caller to wait for its answer; nobody who stops waiting cancels it.
    pub async fn begin(&self, method: &str, params: Value) -> Result<Answer, Unanswered> {
        let (id, answer) = self.shared.expect().map_err(Unanswered::Gone)?;
        self.send(request(id, method, params)).await?;
        Ok(answer)
    }

    /// Sends a notification.
    pub async fn notify(&self, method: &str) -> Result<(), Unanswered> {
        self.send(json!({"jsonrpc": "2.0", "method": method})).await
    }

    async fn send(&self, msg: Value) -> Result<(), Unanswered> {
        let gone = || Unanswered::Gone(self.why_gone());
        self.outgoing.as_ref().ok_or_else(gone)?.send(msg.to_string()).await.map_err(|_| gone())
    }

    /// Why nothing more will come, once that is so: what the server did, without a subject.
    pub fn gone(&self) -> Option<String> {
        self.shared.gone()
    }

    /// Takes note of what these tools want of their callers beside the call itself.
    pub fn learn(&self, tools: &[ToolDef]) {
        if let Some(endpoint) = &self.endpoint {
            endpoint.learn(tools);
        }
    }

    /// Whether that has to be known before a call can be made.
    pub fn must_learn(&self) -> bool {
        self.endpoint.as_ref().is_some_and(|endpoint| endpoint.must_learn())
    }

    /// Over HTTP, finds out whether the server is still there.
    pub async fn look_again(&self) {
        if let Some(endpoint) = self.endpoint.as_ref().filter(|_| self.gone().is_none())
            && !endpoint.is_there().await
        {
            self.shared.end(NOBODY_THERE);
        }
    }

    /// Whether the server sends back what it is sent.
    pub fn echoes(&self) -> bool {
        self.shared.echoes()
    }

    /// Closes the way out, which a server on standard input sees as its end, once what waits there has been
    /// written; gives that at most this long.
    pub async fn close(&mut self, patience: Duration) {
        self.outgoing = None;
        if timeout(patience, &mut self.writing).await.is_err() {
            self.writing.abort();
        }
    }

    /// Everything that was said, with what is still on its way if the server has ended.
    pub async fn into_said(mut self, has_ended: bool) -> Said {
        if let Some(reading) = self.reading.as_mut().filter(|_| has_ended) {
            // Whatever a server started may hold its output open, and say nothing.
            let _ = timeout(LAST_WORDS, reading).await;
        }
        self.shared.take_said()
    }

    fn why_gone(&self) -> String {
        self.gone().unwrap_or_else(|| STOPPED_READING.to_owned())
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.writing.abort();
        if let Some(reading) = &self.reading {
            reading.abort();
        }
    }
}

/// A request without an answer so far. Dropping it takes it back.
struct Waiting<'a> {
    wire: &'a Wire,
    id: i64,
    /// Why it would be cancelled; `None` if the server need not know.
    cancel: Option<&'static str>,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if self.wire.shared.forget(self.id)
            && let Some(reason) = self.cancel
        {
            let params = json!({"requestId": self.id, "reason": reason});
            let notice = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
            offer(self.wire.outgoing.as_ref(), &notice);
        }
    }
}

/// Sends a line if there is room for it: what a server asked for must not make us wait for it.
pub(super) fn offer(outgoing: Option<&mpsc::Sender<String>>, msg: &Value) {
    if let Some(permit) = outgoing.and_then(|outgoing| outgoing.try_reserve().ok()) {
        permit.send(msg.to_string());
    }
}

/// A request; parameters that are `null` are left out.
fn request(id: i64, method: &str, params: Value) -> Value {
    let mut request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    if let Some(members) = request.as_object_mut().filter(|members| members["params"].is_null()) {
        members.remove("params");
    }
    request
}

pub(super) fn read_answer(frame: &Frame) -> Result<Value, CallError> {
    let member = |key| frame.msg().and_then(|msg| msg.get(key));
    match (member("error"), member("result")) {
        (None | Some(Value::Null), Some(result)) => Ok(result.clone()),
        (Some(error), _) => Err(CallError::Protocol {
            code: error.get("code").and_then(Value::as_i64).unwrap_or_default(),
            message: error.get("message").and_then(Value::as_str).unwrap_or("no message").to_owned(),
            data: error.get("data").cloned(),
        }),
        (None, None) => Err(CallError::Malformed("the answer has neither result nor error".to_owned())),
    }
}
