//! The server behind: where it is, and connections to it.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use hyper::client::conn::http1::{Builder, SendRequest};
use hyper::header::HeaderValue;
use hyper_util::rt::TokioIo;
use reqwest::Url;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::exchange::Body;
use crate::session::trust;

/// How long it may take to be let in.
const CONNECT: Duration = Duration::from_secs(10);

/// A server over HTTP, as the user named it.
///
/// ```
/// use frankly_live::proxy::Upstream;
///
/// let server = Upstream::parse("http://127.0.0.1:8080/mcp")?;
/// assert_eq!(server.path(), "/mcp");
/// assert!(Upstream::parse("ftp://127.0.0.1").is_err());
/// # Ok::<(), frankly_live::proxy::InvalidUpstream>(())
/// ```
#[derive(Clone)]
pub struct Upstream {
    host: String,
    port: u16,
    /// How it is asked for.
    authority: HeaderValue,
    path: String,
    tls: Option<(TlsConnector, ServerName<'static>)>,
}

/// An address that no server can be asked at.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the address of the server {0}; write one such as http://127.0.0.1:8080/mcp")]
pub struct InvalidUpstream(String);

impl Upstream {
    /// Reads an address.
    ///
    /// # Errors
    ///
    /// [`InvalidUpstream`] says what is wrong with it, without repeating what may be a password.
    pub fn parse(url: &str) -> Result<Self, InvalidUpstream> {
        let invalid = |why: &str| InvalidUpstream(why.to_owned());
        let url = Url::parse(url).map_err(|error| InvalidUpstream(format!("is no address ({error})")))?;
        let is_encrypted = match url.scheme() {
            "http" => false,
            "https" => true,
            _ => return Err(invalid("is no address of http or https")),
        };
        let host = url.host_str().ok_or_else(|| invalid("names no host"))?.to_owned();
        if !url.username().is_empty() || url.password().is_some() {
            return Err(invalid("has a user or a password in it, which the client has to send as a header"));
        }
        let authority = url.port().map_or(host.clone(), |port| format!("{host}:{port}"));
        let host = host.trim_matches(['[', ']']).to_owned();
        let tls = is_encrypted.then(|| connector(&host)).transpose()?;
        Ok(Self {
            port: url.port_or_known_default().unwrap_or(80),
            authority: HeaderValue::try_from(authority).map_err(|_| invalid("names no host"))?,
            path: url.query().map_or(url.path().to_owned(), |query| format!("{}?{query}", url.path())),
            host,
            tls,
        })
    }

    /// The path of its endpoint with its query, such as `/mcp`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    pub(super) fn authority(&self) -> &HeaderValue {
        &self.authority
    }

    /// A new connection to it.
    pub(super) async fn connect(&self) -> io::Result<SendRequest<Body>> {
        let connect = async {
            let stream = TcpStream::connect((self.host.as_str(), self.port)).await?;
            stream.set_nodelay(true)?;
            match &self.tls {
                Some((tls, name)) => handshake(tls.connect(name.clone(), stream).await?).await,
                None => handshake(stream).await,
            }
        };
        timeout(CONNECT, connect).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl fmt::Debug for Upstream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upstream")
            .field("authority", &self.authority)
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

fn connector(host: &str) -> Result<(TlsConnector, ServerName<'static>), InvalidUpstream> {
    let cannot = |why: String| InvalidUpstream(format!("cannot be spoken to: {why}"));
    let mut config = trust(true).map_err(|error| cannot(error.to_string()))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    let name = ServerName::try_from(host.to_owned()).map_err(|error| cannot(error.to_string()))?;
    Ok((TlsConnector::from(Arc::new(config)), name))
}

async fn handshake<S>(stream: S) -> io::Result<SendRequest<Body>>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let mut builder = Builder::new();
    let builder = builder.preserve_header_case(true);
    let (sender, connection) = builder.handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
    // It ends when the sender goes; what breaks it is told to whoever waits for an answer.
    tokio::spawn(connection);
    Ok(sender)
}
