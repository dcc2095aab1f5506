//! What clients do that are in a hurry or have a fault of their own: they take calls back, stop waiting without a word,
//! and send what is no proper call. Probes look at what becomes of the next call. What may not enter: what that means.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use frankly_contract::{CallError, ToolCall};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::Session;
use super::handshake::self_contained;
use super::shared::Answer;
use super::wire::read_answer;

/// A request under way that nobody waits for.
#[must_use = "its answer is on its way"]
pub(crate) struct Pending(Answer);

impl Session {
    /// Sends a call and takes it back at once.
    pub(crate) async fn call_and_cancel(&self, call: &ToolCall) {
        let mut request = pin!(self.request("tools/call", json!(call)));
        // Asked once it sends the call; nobody asks again, and whoever stops waiting takes the call back.
        poll_fn(|context| Poll::Ready(request.as_mut().poll(context).is_ready())).await;
    }

    /// Sends a `tools/call` request without waiting for its answer, and without taking it back. Parameters may be
    /// anything; `null` leaves them out.
    ///
    /// # Errors
    ///
    /// [`CallError::PeerGone`] when the server has ended.
    pub(crate) async fn leave(&self, params: Value) -> Result<Pending, CallError> {
        let params = if self.stateless { self_contained(params) } else { params };
        Ok(Pending(self.wire.begin("tools/call", params).await?))
    }

    /// Waits for the answer to a request that was left, at most so long and no longer than for any other.
    ///
    /// # Errors
    ///
    /// As [`Session::request`], but the request is not cancelled.
    pub(crate) async fn late_answer(&self, pending: Pending, most: Duration) -> Result<Value, CallError> {
        match timeout(self.timeout.min(most), pending.0).await {
            Err(_) => Err(CallError::TimedOut),
            Ok(Err(_)) => Err(CallError::PeerGone(self.gone().unwrap_or_default())),
            Ok(Ok(Ok(heard))) => read_answer(&heard).map(|result| heard.marked(result)),
            Ok(Ok(Err(failure))) => Err(CallError::Malformed(failure.to_string())),
        }
    }
}
