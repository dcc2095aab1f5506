//! The listener: a client's connection each, until it is told to end.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use frankly_verdict::transcript::{Event, Frame, Side, Transcript};
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::Map;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::super::context::ContextSources;
use super::super::copy::{Complain, Copy, Step};
use super::super::watch::{Haste, Shown, Watching};
use super::door::Door;
use super::exchange::{Pair, Shared};
use super::follow::follow;
use super::notes::Notes;
use super::upstream::Upstream;
use crate::recording::{RecordingFileError, Writer};

/// How long a recorder may take at the end for what it has not written yet.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long to wait when the system cannot open another connection.
const RESPITE: Duration = Duration::from_millis(100);

/// A spy between clients and a server over HTTP.
///
/// ```no_run
/// use std::path::Path;
///
/// use frankly_live::proxy::{HttpSpy, Upstream};
/// use frankly_live::recording::Writer;
/// use frankly_verdict::transcript::Transcript;
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let recording = Writer::create(Path::new("session.jsonl"), &Transcript::default())?;
/// let spy = HttpSpy::bind(Upstream::parse("http://127.0.0.1:8080/mcp")?, ([127, 0, 0, 1], 0).into(), &[]).await?;
/// eprintln!("listening on {}", spy.url());
/// spy.record(recording).serve(std::future::pending()).await;
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is passed on before `serve`"]
pub struct HttpSpy {
    listener: TcpListener,
    address: SocketAddr,
    upstream: Upstream,
    door: Door,
    recording: Option<Writer>,
    watching: Option<Watching>,
    context: ContextSources,
    step: Step,
    complain: Complain,
}

/// Why a spy cannot listen.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HttpSpyError {
    /// The address could not be listened on.
    #[error("failed to listen on {address}: {source}")]
    Listen {
        /// The address that was asked for.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// The address can be reached from other machines, and nobody said by which name.
    #[error(
        "{0} can be reached from other machines, which any of them may use; name a host by which it may be asked for, or listen on 127.0.0.1"
    )]
    Exposed(SocketAddr),
}

impl HttpSpy {
    /// Opens an address; port 0 is any that is free. Clients ask for it as this machine, by the address, or by one of these
    /// names; without a name only an address of this machine alone is opened.
    ///
    /// # Errors
    ///
    /// [`HttpSpyError`] for an address that cannot be opened, or is open to others.
    pub async fn bind(
        upstream: Upstream,
        address: SocketAddr,
        names: &[String],
    ) -> Result<Self, HttpSpyError> {
        if !address.ip().is_loopback() && names.is_empty() {
            return Err(HttpSpyError::Exposed(address));
        }
        let failed = |source| HttpSpyError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self {
            listener,
            address,
            upstream,
            door: Door::new(address.ip(), names),
            recording: None,
            watching: None,
            context: ContextSources::default(),
            step: Box::new(|frame| frame),
            complain: Box::new(|_| ()),
        })
    }

    /// Where clients connect, such as `http://127.0.0.1:49152/mcp`: at the same path as the server's.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, self.upstream.path())
    }

    /// The same spy, which records what passes.
    pub fn record(self, recording: Writer) -> Self {
        Self { recording: Some(recording), ..self }
    }

    /// The session is watched: what it shows is told while it goes on, on a thread beside the traffic, and each thing once. This is what
    /// is known of it beforehand.
    ///
    /// # Errors
    ///
    /// What the system says where it has no thread to give.
    pub fn watch(self, about: Transcript, tell: impl FnMut(Shown) + Send + 'static) -> io::Result<Self> {
        Ok(Self { watching: Some(Watching::start(about, Box::new(tell))?), ..self })
    }

    /// Every frame is recorded with a context from there.
    pub fn context(self, context: ContextSources) -> Self {
        Self { context, ..self }
    }

    /// Every frame passes through this before it is written and judged.
    pub fn step(self, step: impl FnMut(Frame) -> Frame + Send + 'static) -> Self {
        Self { step: Box::new(step), ..self }
    }

    /// This is told once if the recording can be written no further. The traffic goes on.
    pub fn complain(self, complain: impl FnMut(&RecordingFileError) + Send + 'static) -> Self {
        Self { complain: Box::new(complain), ..self }
    }

    /// Passes on whatever comes until `end` is ready; then every connection is closed, what passed is recorded to its end, and all
    /// is told that it shows.
    pub async fn serve(self, end: impl Future<Output = ()>) {
        let Self { listener, upstream, door, recording, watching, context, step, complain, .. } = self;
        let (notes, read) = Notes::new();
        let haste = watching.as_ref().map(Watching::haste);
        let copy = Copy::to(recording, step, complain, context).watched(watching);
        let begin = notes.begin();
        let (finished, finish) = oneshot::channel();
        std::thread::spawn(move || {
            let mut copy = follow(read, copy);
            let end = Event { name: "end".to_owned(), details: Map::new() };
            let at_ms = u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX);
            copy.write(Frame::from_event(Side::Server, end).at(at_ms));
            copy.finish();
            finished.send(())
        });
        let shared = Arc::new(Shared { upstream, door, notes, exchanges: 0.into() });
        let mut connections = JoinSet::new();
        let mut end = pin!(end);
        loop {
            tokio::select! {
                () = &mut end => break,
                Some(_) = connections.join_next() => {}
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => {
                        connections.spawn(connection(stream, Pair::new(Arc::clone(&shared))));
                    }
                    Err(_) => sleep(RESPITE).await,
                },
            }
        }
        connections.shutdown().await;
        drop(shared);
        haste.into_iter().for_each(Haste::make);
        // A recorder that panicked has nothing more to say, and one that hangs is not waited for.
        let _ = timeout(PATIENCE, finish).await;
    }
}

async fn connection(stream: TcpStream, pair: Pair) {
    // Small messages are not to wait for others.
    let _ = stream.set_nodelay(true);
    let pair = &pair;
    let passed = service_fn(move |request| pair.pass(request));
    let mut builder = Builder::new();
    // How long a connection stays open is between the client and the server.
    let builder = builder.timer(TokioTimer::new()).header_read_timeout(None);
    let builder = builder.preserve_header_case(true).auto_date_header(false);
    // A connection that breaks concerns only the client whose it is.
    let _ = builder.serve_connection(TokioIo::new(stream), passed).await;
}
