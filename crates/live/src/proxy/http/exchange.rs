//! One request and its answer, passed on piece by piece.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::stream::poll_fn;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Body as _, Bytes, Frame, Incoming};
use hyper::client::conn::http1::SendRequest;
use hyper::header::{CONNECTION, HOST, HeaderName, TRANSFER_ENCODING, UPGRADE};
use hyper::{HeaderMap, Request, Response, StatusCode, Uri};
use tokio::sync::{Mutex, mpsc};

use super::door::Door;
use super::notes::{End, Notes, What};
use super::upstream::Upstream;

/// What is passed on.
pub(super) type Body = BoxBody<Bytes, hyper::Error>;
/// Why a connection to a client ends: the one behind it broke, and the client is to see it.
pub(super) type Broken = Box<dyn Error + Send + Sync>;

/// Of each connection by itself: both ends agree on them with their neighbour.
const OF_A_CONNECTION: [HeaderName; 3] = [CONNECTION, TRANSFER_ENCODING, UPGRADE];

/// What all connections share.
#[derive(Debug)]
pub(super) struct Shared {
    pub upstream: Upstream,
    pub door: Door,
    pub notes: Notes,
    pub exchanges: AtomicU64,
}

/// A client's connection, and the one behind it.
pub(super) struct Pair {
    shared: Arc<Shared>,
    behind: Mutex<Option<SendRequest<Body>>>,
}

impl Pair {
    pub fn new(shared: Arc<Shared>) -> Self {
        Self { shared, behind: Mutex::default() }
    }

    /// Passes a request on, and its answer back.
    pub async fn pass(&self, request: Request<Incoming>) -> Result<Response<Body>, Broken> {
        if let Some(why) = self.shared.door.refuses(request.headers()) {
            return Ok(own(StatusCode::FORBIDDEN, format!("frankly spy: {why}\n")));
        }
        let exchange = self.shared.exchanges.fetch_add(1, Ordering::Relaxed);
        let asks = What::Asks(request.method().clone(), request.headers().clone());
        self.shared.notes.leave(exchange, asks).await;
        let mut waiting = Waiting { notes: &self.shared.notes, exchange, end: Some(End::Left) };
        let answer = match self.ask(self.request(exchange, request)?).await {
            Ok(answer) => answer,
            Err(Unanswered::Broken(why)) => {
                waiting.end = Some(End::Broken);
                return Err(why.into());
            }
            Err(Unanswered::Unreachable(why, request)) => {
                // What nobody takes is heard to its end all the same: it was asked.
                let mut asked = request.into_body();
                while let Some(Ok(_)) = asked.frame().await {}
                waiting.end = Some(End::Whole);
                let text = format!("frankly spy: the server cannot be reached: {why}\n");
                let status = StatusCode::BAD_GATEWAY;
                self.shared.notes.leave(exchange, What::Answers(status, HeaderMap::new())).await;
                self.shared.notes.leave(exchange, What::Answered(Bytes::from(text.clone()))).await;
                return Ok(own(status, text));
            }
        };
        let (mut head, body) = answer.into_parts();
        self.shared.notes.leave(exchange, What::Answers(head.status, head.headers.clone())).await;
        strip(&mut head.headers);
        let body = self.pump(exchange, body, Direction::Answer).await;
        waiting.end = None;
        Ok(Response::from_parts(head, body))
    }

    /// The request as it goes to the server: asked for by its own name, and else as it came.
    fn request(&self, exchange: u64, request: Request<Incoming>) -> Result<Outgoing, Broken> {
        let (mut head, body) = request.into_parts();
        let path = head.uri.path_and_query().map_or("/", |path| path.as_str());
        head.uri = Uri::try_from(path)?;
        strip(&mut head.headers);
        head.headers.insert(HOST, self.shared.upstream.authority().clone());
        Ok(Outgoing { exchange, head, body })
    }

    async fn ask(
        &self,
        Outgoing { exchange, head, body }: Outgoing,
    ) -> Result<Response<Incoming>, Unanswered> {
        let mut request = Request::from_parts(head, self.pump(exchange, body, Direction::Request).await);
        let mut behind = self.behind.lock().await;
        for is_last in [false, true] {
            let mut sender = match behind.take() {
                Some(sender) if !sender.is_closed() => sender,
                _ => match self.shared.upstream.connect().await {
                    Ok(sender) => sender,
                    Err(why) => return Err(Unanswered::Unreachable(why, Box::new(request))),
                },
            };
            match sender.ready().await {
                Err(_) if !is_last => continue,
                ready => ready.map_err(Unanswered::Broken)?,
            }
            match sender.try_send_request(request).await {
                Ok(answer) => {
                    *behind = Some(sender);
                    return Ok(answer);
                }
                // The server closed a connection that was not used, before anything of this went out on it.
                Err(mut error) => match error.take_message() {
                    Some(unsent) if !is_last => request = unsent,
                    _ => return Err(Unanswered::Broken(error.into_error())),
                },
            }
        }
        unreachable!("the last of them returns")
    }

    /// A body that is passed on and noted, piece by piece, for as long as somebody takes it.
    async fn pump(&self, exchange: u64, from: Incoming, direction: Direction) -> Body {
        let notes = self.shared.notes.clone();
        if from.is_end_stream() {
            notes.leave(exchange, direction.end(End::Whole)).await;
            return from.boxed();
        }
        // No more than one piece waits, so that a slow reader slows the writer.
        let (to, mut pieces) = mpsc::channel(1);
        tokio::spawn(async move { pump(from, to, &notes, exchange, direction).await });
        StreamBody::new(poll_fn(move |cx| pieces.poll_recv(cx))).boxed()
    }
}

/// A client that waits for its answer to begin; one that goes away is dropped here.
struct Waiting<'n> {
    notes: &'n Notes,
    exchange: u64,
    /// How its exchange ended, where it is over with this.
    end: Option<End>,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.end.into_iter().for_each(|end| self.notes.leave_end(self.exchange, end));
    }
}

struct Outgoing {
    exchange: u64,
    head: hyper::http::request::Parts,
    body: Incoming,
}

enum Unanswered {
    /// Nobody was there to be asked.
    Unreachable(std::io::Error, Box<Request<Body>>),
    /// The connection broke.
    Broken(hyper::Error),
}

#[derive(Debug, Clone, Copy)]
enum Direction {
    Request,
    Answer,
}

impl Direction {
    fn more(self, bytes: Bytes) -> What {
        match self {
            Self::Request => What::Asked(bytes),
            Self::Answer => What::Answered(bytes),
        }
    }

    fn end(self, end: End) -> What {
        match self {
            Self::Request => What::EndOfRequest,
            Self::Answer => What::EndOfAnswer(end),
        }
    }
}

/// Passes pieces on until the body ends, breaks, or nobody takes them any more. Its end is noted before the other side can see
/// it: what answers a request cannot come before it then.
async fn pump(
    mut from: Incoming,
    to: mpsc::Sender<Result<Frame<Bytes>, hyper::Error>>,
    notes: &Notes,
    exchange: u64,
    direction: Direction,
) {
    let end = loop {
        let piece = tokio::select! {
            // Nothing may come for hours, and whoever closes now has cancelled.
            () = to.closed() => break End::Left,
            piece = from.frame() => piece,
        };
        let Some(piece) = piece else { break End::Whole };
        let is_broken = piece.is_err();
        if let Some(bytes) = piece.as_ref().ok().and_then(Frame::data_ref) {
            notes.leave(exchange, direction.more(bytes.clone())).await;
        }
        let is_last = from.is_end_stream() && !is_broken;
        if is_last {
            notes.leave(exchange, direction.end(End::Whole)).await;
        }
        let is_taken = to.send(piece).await.is_ok();
        match (is_last, is_broken, is_taken) {
            (true, ..) => return,
            (_, true, _) => break End::Broken,
            (.., false) => break End::Left,
            _ => {}
        }
    };
    notes.leave(exchange, direction.end(end)).await;
}

/// Takes out what is agreed on with one neighbour only, and leaves all else in its order.
fn strip(headers: &mut HeaderMap) {
    let named = headers.get_all(CONNECTION).iter().filter_map(|value| value.to_str().ok());
    let named: Vec<String> =
        named.flat_map(|names| names.split(',')).map(|name| name.trim().to_ascii_lowercase()).collect();
    let is_ours =
        |name: &HeaderName| OF_A_CONNECTION.contains(name) || named.iter().any(|own| own == name.as_str());
    let others = headers.iter().filter(|(name, _)| !is_ours(name));
    *headers = others.map(|(name, value)| (name.clone(), value.clone())).collect();
}

/// What we say ourselves.
fn own(status: StatusCode, text: String) -> Response<Body> {
    let body = Full::from(text).map_err(|never| match never {}).boxed();
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response
}
