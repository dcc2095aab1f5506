//! Streamable HTTP: each message is posted, and its answer comes in the response, whole or as a stream of events.
//!
//! What may not enter: what messages mean. The stream that servers may offer for a GET is not opened: what it brings
//! answers no request. A GET is only sent to go on with a response that broke off.

mod address;
mod exchange;
mod failure;
mod mirrored;
mod request;
mod sse;
mod trust;

pub(super) use failure::{Failure, Kind};
pub(crate) use sse::Events;
pub(crate) use trust::trust;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use frankly_contract::ToolDef;
use reqwest::header::HeaderValue;
use reqwest::{Client, Url};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::timeout;

use super::shared::{Ours, Shared};
use exchange::Exchange;
use mirrored::Mirrored;

/// How long what was sent last may still be on its way at the end.
const LAST_WORDS: Duration = Duration::from_millis(300);
/// How long it may take to tell the server that the session is over, or to find out whether it is still there.
const SHORT: Duration = Duration::from_secs(1);
/// How long all of that may take at the end.
pub(super) const FAREWELL: Duration = Duration::from_millis(2500);
/// How long a message may take that must arrive before the next.
const IN_TURN: Duration = Duration::from_secs(30);
/// The revision in which requests stand for themselves.
pub(super) const STATELESS: &str = "2026-07-28";
const INITIALIZED: &str = "notifications/initialized";
const CANCELLED: &str = "notifications/cancelled";

/// Where a server is, and what has been agreed on with it.
#[derive(Debug)]
pub(super) struct Endpoint {
    client: Client,
    url: Url,
    agreed: Mutex<Agreed>,
    /// What the tools that were listed want told again in headers.
    mirrored: OnceLock<Mirrored>,
}

#[derive(Debug, Default)]
struct Agreed {
    session: Option<HeaderValue>,
    revision: Option<String>,
    stateless: bool,
}

impl Endpoint {
    /// An address, and what to tell it with each request.
    ///
    /// # Errors
    ///
    /// What is wrong with them, without a subject.
    pub fn new(url: &str, headers: &[(String, String)]) -> Result<Self, String> {
        let (client, url) = address::client(url, headers)?;
        Ok(Self { client, url, agreed: Mutex::default(), mirrored: OnceLock::new() })
    }

    /// Tells of the revision that both sides speak from now on.
    pub fn agreed_on(&self, revision: &str) {
        self.agreed().revision = Some(revision.to_owned());
    }

    /// Each request stands for itself from now on.
    pub fn go_stateless(&self) {
        *self.agreed() = Agreed { session: None, revision: Some(STATELESS.to_owned()), stateless: true };
    }

    /// Takes note of what the tools want told again in headers.
    pub fn learn(&self, tools: &[ToolDef]) {
        self.mirrored.get_or_init(|| Mirrored::of(tools));
    }

    /// Whether a call may need headers that are known only once the tools have been listed.
    pub fn must_learn(&self) -> bool {
        self.is_stateless() && self.mirrored.get().is_none()
    }

    fn is_stateless(&self) -> bool {
        self.agreed().stateless
    }

    fn agreed(&self) -> MutexGuard<'_, Agreed> {
        // It is whole between any two statements, so a panic elsewhere cannot have torn it.
        self.agreed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Posts every line, each for itself, so that one that is not answered holds up no other; then leaves.
pub(super) async fn post_all(
    endpoint: Arc<Endpoint>,
    mut lines: mpsc::Receiver<String>,
    shared: Arc<Shared>,
    replies: mpsc::WeakSender<String>,
) {
    let mut asking = Asking::default();
    while let Some(line) = asking.next(&mut lines).await {
        let ours = shared.writing(line);
        if let Some(id) = cancelled(&ours).filter(|_| endpoint.is_stateless()) {
            // There, whoever closes the stream of a request has cancelled it.
            shared.never_written(ours.index);
            asking.give_up(id);
            continue;
        }
        shared.written(ours.index);
        let in_turn = ours.frame.method() == Some(INITIALIZED);
        let id = ours.frame.method().and(ours.frame.id()).and_then(serde_json::Value::as_i64);
        let (endpoint, shared, replies) = (Arc::clone(&endpoint), Arc::clone(&shared), replies.clone());
        let exchange = Exchange { endpoint, shared, replies, ours, id };
        if in_turn {
            let _ = timeout(IN_TURN, exchange.run()).await;
        } else {
            asking.begin(id, exchange);
        }
    }
    asking.end().await;
    endpoint.leave().await;
}

/// The id of the request that a message takes back.
fn cancelled(ours: &Ours) -> Option<i64> {
    ours.frame.method().filter(|method| *method == CANCELLED)?;
    ours.frame.msg()?.pointer("/params/requestId")?.as_i64()
}

/// Exchanges under way.
#[derive(Default)]
struct Asking {
    tasks: JoinSet<Option<i64>>,
    requests: HashMap<i64, AbortHandle>,
}

impl Asking {
    /// The next line to send; meanwhile exchanges come to their end.
    async fn next(&mut self, lines: &mut mpsc::Receiver<String>) -> Option<String> {
        loop {
            tokio::select! {
                line = lines.recv() => return line,
                Some(ended) = self.tasks.join_next() => {
                    if let Ok(Some(id)) = ended {
                        self.requests.remove(&id);
                    }
                }
            }
        }
    }

    fn begin(&mut self, id: Option<i64>, exchange: Exchange) {
        let task = self.tasks.spawn(async move {
            exchange.run().await;
            id
        });
        if let Some(id) = id {
            self.requests.insert(id, task);
        }
    }

    fn give_up(&mut self, id: i64) {
        if let Some(task) = self.requests.remove(&id) {
            task.abort();
        }
    }

    /// Nobody waits for answers any more, but what else was sent should arrive.
    async fn end(mut self) {
        self.requests.values().for_each(AbortHandle::abort);
        let _ = timeout(LAST_WORDS, async { while self.tasks.join_next().await.is_some() {} }).await;
    }
}
