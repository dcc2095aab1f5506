//! The ledger over streamable HTTP, on this machine only. What may not enter: what the server says, which is the
//! same over any transport.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::server::{Server, server};
use crate::{Faults, ServeError};

const PATH: &str = "/mcp";
/// How long calls may go on when the server ends: the longest query takes a second, and queries wait for each other.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long the errors of those that were not answered may take to be sent.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// How long to wait when the system cannot open another connection.
const RESPITE: Duration = Duration::from_millis(100);

/// A ledger that listens for MCP clients over streamable HTTP: one ledger for all of them, with what they write.
///
/// Only addresses of this machine can be bound. Requests under another host name, and from web pages of other
/// machines, are refused: a page in a browser would else reach a server that the user meant for an agent. Pages that
/// this machine serves, on any port, are let in, such as an inspector's.
///
/// ```no_run
/// use frankly_ledger::{Faults, HttpServer};
///
/// # async fn run() -> Result<(), frankly_ledger::ServeError> {
/// let server = HttpServer::bind(Faults::default(), ([127, 0, 0, 1], 0).into()).await?;
/// eprintln!("listening on {}", server.url());
/// server.serve(std::future::pending()).await;
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is answered before `serve`"]
pub struct HttpServer {
    listener: TcpListener,
    address: SocketAddr,
    service: Service,
    ending: watch::Sender<bool>,
}

type Service = StreamableHttpService<Server, LocalSessionManager>;

impl HttpServer {
    /// Builds a ledger with these faults and opens the address; port 0 is any that is free.
    ///
    /// # Errors
    ///
    /// A [`ServeError`] when the address is not this machine's own, or cannot be opened.
    pub async fn bind(faults: Faults, address: SocketAddr) -> Result<Self, ServeError> {
        if !address.ip().is_loopback() {
            return Err(ServeError::NotLoopback(address));
        }
        let (ending, ended) = watch::channel(false);
        let server = server(faults, ended)?;
        let failed = |source| ServeError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let service = StreamableHttpService::new(move || Ok(server.clone()), Arc::default(), config(address));
        Ok(Self { listener, address, service, ending })
    }

    /// Where clients connect, such as `http://127.0.0.1:49152/mcp`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}{PATH}", self.address)
    }

    /// Answers clients until `end` is ready, and then no new ones: calls in progress have two seconds to be
    /// answered, and are then answered with a JSON-RPC error before their connections are closed. Dropping the future
    /// closes everything at once.
    pub async fn serve(self, end: impl Future<Output = ()>) {
        let (watch, mut connections) = (GracefulShutdown::new(), JoinSet::new());
        // Sessions go on without connections, so they end with this.
        let sessions = self.service.config.cancellation_token.clone().drop_guard();
        let mut end = pin!(end);
        loop {
            tokio::select! {
                () = &mut end => break,
                Some(_) = connections.join_next() => {}
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => {
                        connections.spawn(connection(stream, self.service.clone(), watch.watcher()));
                    }
                    Err(_) => sleep(RESPITE).await,
                },
            }
        }
        drop(self.listener);
        let mut closed = pin!(watch.shutdown());
        let mut in_time = timeout(PATIENCE, &mut closed).await.is_ok();
        if !in_time {
            self.ending.send_replace(true);
            in_time = timeout(LAST_WORDS, &mut closed).await.is_ok();
        }
        drop(sessions);
        if !in_time {
            // What was still open are streams that waited for something to happen.
            let _ = timeout(PATIENCE, closed).await;
        }
    }
}

/// Every address from 127.0.0.1 to 127.255.255.254 is this machine's, so the one that was asked for is added.
fn config(address: SocketAddr) -> StreamableHttpServerConfig {
    let own = address.ip().to_string();
    let origin = match address {
        SocketAddr::V4(_) => format!("http://{own}:*"),
        SocketAddr::V6(_) => format!("http://[{own}]:*"),
    };
    StreamableHttpServerConfig::default()
        .with_allowed_hosts(["localhost", "127.0.0.1", "::1", &own])
        .with_allowed_origins(["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*", &origin])
}

async fn connection(stream: TcpStream, service: Service, watcher: Watcher) {
    let answers = service_fn(move |request| answer(service.clone(), request));
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .serve_connection(TokioIo::new(stream), answers);
    // A connection that breaks concerns only the client that broke it.
    let _ = watcher.watch(connection).await;
}

async fn answer(
    service: Service,
    request: Request<Incoming>,
) -> Result<Response<BoxBody<Bytes, Infallible>>, Infallible> {
    if request.uri().path() == PATH {
        return Ok(service.handle(request).await);
    }
    let mut nothing =
        Response::new(Full::from(format!("nothing is here; the ledger is at {PATH}\n")).boxed());
    *nothing.status_mut() = StatusCode::NOT_FOUND;
    Ok(nothing)
}
