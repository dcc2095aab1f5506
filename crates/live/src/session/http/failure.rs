//! What came over HTTP instead of a message, and what to do about it.

use std::error::Error;
use std::fmt;

use frankly_verdict::report::shorten;
use reqwest::{StatusCode, Url};

/// How much of a body is shown.
const SHOWN_CHARS: usize = 300;

/// What came instead of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Failure {
    /// What the server did, without a subject: "answered with HTTP 500 Internal Server Error".
    pub what: String,
    pub kind: Kind,
}

/// What kind of failure it is, by what follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Kind {
    /// Nobody was there to send it to.
    Unreachable,
    /// The connection broke before an answer came.
    Broken,
    /// The server knows nothing of the session any more.
    Lost,
    /// More came than is read or kept.
    Flooded,
    /// The server does not know who asks.
    Unauthorized,
    /// The server knows, and refuses.
    Forbidden,
    /// Nothing that takes messages is at this path.
    NoEndpoint,
    /// The server is somewhere else.
    Elsewhere,
    /// The server failed by itself.
    ServerError,
    /// Any other status.
    Refused,
    /// A success whose body is no message.
    NoMessage,
}

impl Failure {
    pub fn new(kind: Kind, what: impl Into<String>) -> Self {
        Self { what: what.into(), kind }
    }

    /// Nobody could be reached, or the connection broke; the address is left out, since it may hold a secret.
    pub fn of(error: reqwest::Error) -> Self {
        let is_unreachable = error.is_connect();
        let error = error.without_url();
        let mut cause: &dyn Error = &error;
        while let Some(source) = cause.source() {
            cause = source;
        }
        match is_unreachable {
            true => Self::new(Kind::Unreachable, format!("cannot be reached: {cause}")),
            false => Self::new(Kind::Broken, format!("broke the connection before it answered ({cause})")),
        }
    }

    /// A status that is no success, with the beginning of its body.
    pub fn status(status: StatusCode, has_session: bool, body: &[u8]) -> Self {
        let kind = match status {
            StatusCode::UNAUTHORIZED => Kind::Unauthorized,
            StatusCode::FORBIDDEN => Kind::Forbidden,
            StatusCode::NOT_FOUND if has_session => Kind::Lost,
            StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => Kind::NoEndpoint,
            _ if status.is_server_error() => Kind::ServerError,
            _ => Kind::Refused,
        };
        let lost = if kind == Kind::Lost { ", as if there were no such session" } else { "" };
        Self::new(kind, format!("answered with HTTP {status}{lost}{}", saying(body)))
    }

    /// A redirect that is not followed.
    pub fn redirect(status: StatusCode, target: Option<Url>) -> Self {
        let target = target.map(|mut target| {
            target.set_query(None);
            format!(", to {target}")
        });
        let target = target.unwrap_or_default();
        Self::new(Kind::Elsewhere, format!("redirects (HTTP {status}){target}"))
    }

    /// A success whose body is no message.
    pub fn no_message(status: StatusCode, content_type: &str, body: &[u8]) -> Self {
        let form = if content_type.is_empty() { "no content type" } else { content_type };
        Self::new(
            Kind::NoMessage,
            format!("answered with HTTP {status} ({form}) and no answer in it{}", saying(body)),
        )
    }

    /// Whether there can be no other answer in this session either.
    pub fn ends_session(&self) -> bool {
        matches!(self.kind, Kind::Unreachable | Kind::Lost | Kind::Flooded)
    }

    fn advice(&self) -> &'static str {
        match self.kind {
            Kind::Unreachable => "start the server, and check the address",
            Kind::Unauthorized | Kind::Forbidden => {
                "check what it is told of who asks: headers = { Authorization = \"Bearer ${TOKEN}\" } in frankly.toml, \
                 or --header 'Authorization: Bearer …' on the command line"
            }
            Kind::NoEndpoint => "check the path of the address: many servers listen at /mcp",
            Kind::Elsewhere => "name the address where it answers; requests are not sent on to another one",
            Kind::ServerError => "look at the server's own log",
            Kind::NoMessage => {
                "check the address: a server answers with application/json or text/event-stream"
            }
            Kind::Broken | Kind::Lost | Kind::Flooded | Kind::Refused => "",
        }
    }
}

/// The beginning of a body, as the end of a sentence.
fn saying(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.join(" ") {
        text if text.is_empty() => String::new(),
        text => format!(", saying: {}", shorten(&text, SHOWN_CHARS)),
    }
}

impl fmt::Display for Failure {
    /// What the server did, and what to do about it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        match self.advice() {
            "" => Ok(()),
            advice => write!(f, "; {advice}"),
        }
    }
}
