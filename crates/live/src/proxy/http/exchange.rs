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
use super::notes::{Notes, What};
use super::upstream::Upstream;

/// What is passed on.
pub(super) type Body = BoxBody<Bytes, hyper::Error>;
/// Why a connection to a client ends: the one behind it broke, and the client is to see it.
pub(super) type Broken = Box<dyn Error + Send + Sync>;

/// Of each connection by itself: both ends agree on them with their neighbour.
const OF_A_CONNECTION: [HeaderName; 2] = [CONNECTION, TRANSFER_ENCODING];

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
        self.shared
            .notes
            .leave(exchange, What::Asks(request.method().clone(), request.headers().clone()))
            .await;
        let answer = match self.ask(self.request(exchange, request)?).await {
            Ok(answer) => answer,
            Err(Unanswered::Unreachable(why)) => {
                self.shared.notes.leave(exchange, What::EndOfAnswer(false)).await;
                return Ok(own(
                    StatusCode::BAD_GATEWAY,
                    format!("frankly spy: the server cannot be reached: {why}\n"),
                ));
            }
            Err(Unanswered::Broken(why)) => {
                self.shared.notes.leave(exchange, What::EndOfAnswer(false)).await;
                return Err(why.into());
            }
        };
        let (mut head, body) = answer.into_parts();
        self.shared.notes.leave(exchange, What::Answers(head.status, head.headers.clone())).await;
        strip(&mut head.headers);
        let body = self.pump(exchange, body, Direction::Answer).await;
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
                _ => self.shared.upstream.connect().await.map_err(Unanswered::Unreachable)?,
            };
            sender.ready().await.map_err(Unanswered::Broken)?;
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
            notes.leave(exchange, direction.end(true)).await;
            return from.boxed();
        }
        // No more than one piece waits, so that a slow reader slows the writer.
        let (to, mut pieces) = mpsc::channel(1);
        tokio::spawn(async move {
            let is_whole = pump(from, to, &notes, exchange, direction).await;
            notes.leave(exchange, direction.end(is_whole)).await;
        });
        StreamBody::new(poll_fn(move |cx| pieces.poll_recv(cx))).boxed()
    }
}

struct Outgoing {
    exchange: u64,
    head: hyper::http::request::Parts,
    body: Incoming,
}

enum Unanswered {
    /// Nobody was there to be asked.
    Unreachable(std::io::Error),
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

    fn end(self, is_whole: bool) -> What {
        match self {
            Self::Request => What::EndOfRequest,
            Self::Answer => What::EndOfAnswer(is_whole),
        }
    }
}

/// Passes pieces on until the body ends, breaks, or nobody takes them any more; whether all of it went.
async fn pump(
    mut from: Incoming,
    to: mpsc::Sender<Result<Frame<Bytes>, hyper::Error>>,
    notes: &Notes,
    exchange: u64,
    direction: Direction,
) -> bool {
    loop {
        let piece = tokio::select! {
            // Nothing may come for hours, and whoever closes now has cancelled.
            () = to.closed() => return false,
            piece = from.frame() => piece,
        };
        let Some(piece) = piece else { return true };
        if let Some(bytes) = piece.as_ref().ok().and_then(Frame::data_ref) {
            notes.leave(exchange, direction.more(bytes.clone())).await;
        }
        let is_broken = piece.is_err();
        if to.send(piece).await.is_err() || is_broken {
            return false;
        }
    }
}

/// Takes out what is agreed on with one neighbour only.
fn strip(headers: &mut HeaderMap) {
    let named: Vec<String> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .map(str::to_owned)
        .collect();
    for name in named.iter().flat_map(|names| names.split(',')) {
        headers.remove(name.trim());
    }
    for name in OF_A_CONNECTION.iter().chain([&UPGRADE]) {
        headers.remove(name);
    }
}

/// What we say ourselves.
fn own(status: StatusCode, text: String) -> Response<Body> {
    let body = Full::from(text).map_err(|never| match never {}).boxed();
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response
}
