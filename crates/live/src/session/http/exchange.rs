//! One message and what comes back for it.

use std::sync::Arc;
use std::time::Duration;

use frankly_verdict::transcript::{Frame, Side};
use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::{Response, StatusCode};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use super::super::lines::{ENDLESS, Kept, Line, MAX_LINE_BYTES};
use super::super::shared::{Ours, Shared};
use super::super::wire::{INITIALIZE, offer};
use super::sse::Events;
use super::{Endpoint, Failure, Kind, SHORT};

/// How much of a body is read that is no answer.
const MOST_OF_ERROR: usize = 64 * 1024;
/// How long to wait before going on with a stream, where the server does not say.
const PAUSE: Duration = Duration::from_millis(500);
/// The longest that is waited where it does.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// A message to be posted, and whoever wants to know what comes back.
pub(super) struct Exchange {
    pub endpoint: Arc<Endpoint>,
    pub shared: Arc<Shared>,
    /// Where answers to what the server asks are sent from.
    pub replies: mpsc::WeakSender<String>,
    pub ours: Ours,
    /// The id to be answered; `None` for what has no answer.
    pub id: Option<i64>,
}

impl Exchange {
    /// Posts the message and reads whatever comes back, to its end.
    pub async fn run(self) {
        let Err(failure) = self.exchange().await else { return };
        if failure.kind == Kind::Unreachable {
            self.shared.never_written(self.ours.index);
        }
        // Of a server that never said anything there is more to tell than that it is gone.
        let is_first = !self.shared.has_heard();
        let ends =
            failure.ends_session() || (failure.kind == Kind::Broken && !self.endpoint.is_there().await);
        match self.id {
            _ if ends && !is_first => self.shared.end(&failure.what),
            Some(id) => self.shared.fail(&self.ours, id, failure),
            None => {}
        }
    }

    async fn exchange(&self) -> Result<(), Failure> {
        let response = self.endpoint.post(&self.ours.frame).await.map_err(Failure::of)?;
        let status = response.status();
        if !status.is_success() {
            return self.refused(response).await;
        }
        if self.ours.frame.method() == Some(INITIALIZE) {
            self.endpoint.begin_session(&response);
        }
        if is_stream(&response) { self.stream(response).await } else { self.body(response).await }
    }

    /// Whether the answer is still to come.
    fn is_waiting(&self) -> bool {
        self.id.is_some_and(|id| self.shared.waits_for(id))
    }

    /// Takes note of a message, and answers it where it asks for something.
    fn take(&self, line: Line) -> Result<(), Failure> {
        let reply = self.shared.receive(line).map_err(|why| Failure::new(Kind::Flooded, why))?;
        if let Some(reply) = reply {
            offer(self.replies.upgrade().as_ref(), &reply);
        }
        Ok(())
    }

    async fn body(&self, response: Response) -> Result<(), Failure> {
        let (status, form) = (response.status(), content_type(&response).to_owned());
        let body = whole(response).await?;
        let head = body.head()[..body.head().len().min(MOST_OF_ERROR)].to_vec();
        if !body.head().trim_ascii().is_empty() {
            self.take(body)?;
        }
        match self.is_waiting() {
            true => Err(Failure::no_message(status, &form, &head)),
            false => Ok(()),
        }
    }

    /// A status that is no success may still have an answer in its body.
    async fn refused(&self, response: Response) -> Result<(), Failure> {
        let status = response.status();
        if status.is_redirection() {
            let target = response.headers().get(LOCATION).and_then(|target| target.to_str().ok());
            let target = target.and_then(|target| response.url().join(target).ok());
            return Err(Failure::redirect(status, target));
        }
        let has_session = self.endpoint.has_session();
        // A body that breaks off does not make it less of a refusal.
        let body = head_of(response, MOST_OF_ERROR, SHORT).await;
        if is_message(&body) {
            self.take(Line::Whole(body.clone()))?;
            if self.id.is_some() && !self.is_waiting() {
                return Ok(());
            }
        }
        Err(Failure::status(status, has_session, &body))
    }

    /// Reads events to the end of the stream; where that comes before the answer, goes on where it broke off.
    async fn stream(&self, mut response: Response) -> Result<(), Failure> {
        let mut events = Events::default();
        loop {
            let broken = self.read_events(response, &mut events).await?;
            if !self.is_waiting() {
                return Ok(());
            }
            let Some(last_event) = events.last_id.clone() else { return Err(broken) };
            sleep(events.retry.unwrap_or(PAUSE).min(LONGEST_PAUSE)).await;
            if !self.is_waiting() {
                return Ok(());
            }
            response = self.endpoint.go_on(&last_event).await.map_err(Failure::of)?;
            if !is_stream(&response) || response.status() != StatusCode::OK {
                return Err(broken);
            }
        }
    }

    /// Reads one stream to its end; gives back what that is, should the answer not have come.
    async fn read_events(&self, mut response: Response, events: &mut Events) -> Result<Failure, Failure> {
        loop {
            let chunk = match response.chunk().await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break,
                Err(error) => {
                    events.finish();
                    return Ok(Failure::of(error));
                }
            };
            events.feed(&chunk).into_iter().try_for_each(|data| self.take(data))?;
            if events.is_endless() {
                return Err(Failure::new(Kind::Flooded, ENDLESS));
            }
        }
        events.finish().map_or(Ok(()), |data| self.take(data))?;
        Ok(Failure::new(Kind::Broken, "ended its stream of events before it answered"))
    }
}

fn content_type(response: &Response) -> &str {
    response.headers().get(CONTENT_TYPE).and_then(|form| form.to_str().ok()).unwrap_or_default()
}

fn is_stream(response: &Response) -> bool {
    let form = content_type(response).split(';').next().unwrap_or_default();
    form.trim().eq_ignore_ascii_case("text/event-stream")
}

/// Whether a body is a message of the protocol.
fn is_message(body: &[u8]) -> bool {
    let frame = Frame::from_bytes(Side::Server, body.to_vec());
    frame.msg().is_some_and(|msg| msg.get("jsonrpc").is_some_and(Value::is_string))
}

/// A body to its end; of a long one both ends.
async fn whole(mut response: Response) -> Result<Line, Failure> {
    let mut body = Kept::default();
    while let Some(chunk) = response.chunk().await.map_err(Failure::of)? {
        body.push(&chunk, MAX_LINE_BYTES);
        if body.is_endless() {
            return Err(Failure::new(Kind::Flooded, ENDLESS));
        }
    }
    Ok(body.into_line())
}

/// The beginning of a body, as far as it comes in this time.
async fn head_of(mut response: Response, most: usize, patience: Duration) -> Vec<u8> {
    let mut body = Vec::new();
    let _ = timeout(patience, async {
        while let Ok(Some(chunk)) = response.chunk().await {
            body.extend_from_slice(&chunk[..chunk.len().min(most - body.len())]);
            if body.len() == most {
                break;
            }
        }
    })
    .await;
    body
}
