//! What each request tells beside its body.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use frankly_verdict::transcript::Frame;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, RequestBuilder, Response};
use serde_json::Value;

use super::mirrored::Mirrored;
use super::{Endpoint, SHORT};

const SESSION: &str = "mcp-session-id";
const REVISION: &str = "mcp-protocol-version";
const METHOD: &str = "mcp-method";
const NAME: &str = "mcp-name";
const LAST_EVENT: &str = "last-event-id";
const EVENTS: &str = "text/event-stream";
const ANSWERS: &str = "application/json, text/event-stream";
const JSON: &str = "application/json";

impl Endpoint {
    /// A message on its way.
    pub(super) async fn post(&self, frame: &Frame) -> reqwest::Result<Response> {
        let request = self.request(Method::POST).header(ACCEPT, ANSWERS).header(CONTENT_TYPE, JSON);
        let request =
            if self.is_stateless() { request.headers(routing(frame, self.mirrored.get())) } else { request };
        request.body(frame.line().to_owned()).send().await
    }

    /// The rest of a stream, from after this event.
    pub(super) async fn go_on(&self, last_event: &str) -> reqwest::Result<Response> {
        self.request(Method::GET).header(ACCEPT, EVENTS).header(LAST_EVENT, last_event).send().await
    }

    /// Whether anybody is there.
    pub(in super::super) async fn is_there(&self) -> bool {
        let answer = self.client.head(self.url.clone()).timeout(SHORT).send().await;
        !answer.is_err_and(|error| error.is_connect())
    }

    /// Tells that the session is over; servers need not care.
    pub(super) async fn leave(&self) {
        if self.agreed().session.is_some() {
            let _ = self.request(Method::DELETE).timeout(SHORT).send().await;
        }
    }

    /// A session that the server begins with this answer.
    pub(super) fn begin_session(&self, response: &Response) {
        if let Some(session) = response.headers().get(SESSION) {
            self.agreed().session = Some(session.clone());
        }
    }

    pub(super) fn has_session(&self) -> bool {
        self.agreed().session.is_some()
    }

    fn request(&self, method: Method) -> RequestBuilder {
        let agreed = self.agreed();
        let mut request = self.client.request(method, self.url.clone());
        if let Some(session) = &agreed.session {
            request = request.header(SESSION, session);
        }
        match &agreed.revision {
            Some(revision) => request.header(REVISION, revision),
            None => request,
        }
    }
}

/// What a message asks for, told again for those who pass it on; since the revision without sessions.
fn routing(frame: &Frame, mirrored: Option<&Mirrored>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let mut tell = |name: HeaderName, text: &str| {
        if let Ok(value) = HeaderValue::try_from(plain_or_encoded(text)) {
            headers.insert(name, value);
        }
    };
    let Some(method) = frame.method() else { return headers };
    tell(HeaderName::from_static(METHOD), method);
    let name = match method {
        "tools/call" | "prompts/get" => "/params/name",
        "resources/read" => "/params/uri",
        _ => return headers,
    };
    if let Some(name) = frame.msg().and_then(|msg| msg.pointer(name)).and_then(Value::as_str) {
        tell(HeaderName::from_static(NAME), name);
    }
    let call = frame.msg().filter(|_| method == "tools/call").and_then(|msg| msg.get("params"));
    let arguments = mirrored.zip(call).map(|(mirrored, call)| mirrored.headers(call));
    arguments.into_iter().flatten().for_each(|(name, text)| tell(name, &text));
    headers
}

/// A text as a header's value: as it is where that arrives unchanged.
fn plain_or_encoded(text: &str) -> String {
    let arrives = text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) && text.trim() == text;
    if arrives && !(text.starts_with("=?base64?") && text.ends_with("?=")) {
        return text.to_owned();
    }
    format!("=?base64?{}?=", BASE64_STANDARD.encode(text))
}

#[cfg(test)]
mod tests {
    use frankly_verdict::transcript::Side;

    use super::*;

    #[test]
    fn a_message_is_named_in_headers_that_arrive() {
        let told = |line: &str| {
            let headers = routing(&Frame::from_line(Side::Client, line.to_owned()), None);
            let text = |name| headers.get(name).map(|value| value.to_str().unwrap().to_owned());
            (text(METHOD).unwrap_or_default(), text(NAME).unwrap_or_default())
        };
        for (line, method, name) in [
            (r#"{"method":"tools/call","params":{"name":"a b"}}"#, "tools/call", "a b"),
            (r#"{"method":"tools/call","params":{"name":"é"}}"#, "tools/call", "=?base64?w6k=?="),
            (r#"{"method":"tools/call","params":{"name":" a"}}"#, "tools/call", "=?base64?IGE=?="),
            (r#"{"method":"tools/list","params":{"name":"a"}}"#, "tools/list", ""),
            (r#"{"id":1,"result":{}}"#, "", ""),
        ] {
            assert_eq!(told(line), (method.to_owned(), name.to_owned()), "{line}");
        }
    }
}
