//! From what the user wrote to an endpoint: addresses and headers that cannot work are told before anything is sent.

use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, StatusCode, Url};

use super::trust::trust;

/// How long a connection that is not used is kept; servers close them after a few seconds, which may hit a request.
const IDLE: Duration = Duration::from_secs(2);
/// How long it may take to be let in.
const CONNECT: Duration = Duration::from_secs(10);
const MOST_REDIRECTS: usize = 5;
/// What is told to the server by us and not by the user.
const OURS: [&str; 8] = [
    "accept", "content-length", "content-type", "host", "last-event-id", "mcp-protocol-version",
    "mcp-session-id", "transfer-encoding",
];

/// An address that can be asked, with the user's headers.
pub(super) fn client(url: &str, headers: &[(String, String)]) -> Result<(Client, Url), String> {
    let url = Url::parse(url).map_err(|error| format!("is no address ({error})"))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err("is no address of http or https".to_owned());
    }
    let config = trust(url.scheme() == "https").map_err(|error| format!("cannot be spoken to: {error}"))?;
    let builder = Client::builder()
        .tls_backend_preconfigured(config)
        .redirect(Policy::custom(follow))
        .referer(false)
        .default_headers(header_map(headers)?)
        .user_agent(concat!("frankly/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT)
        .pool_idle_timeout(IDLE);
    // A proxy cannot reach what runs on this machine.
    let builder = if is_here(&url) { builder.no_proxy() } else { builder };
    let client = builder.build().map_err(|error| format!("cannot be spoken to: {error}"))?;
    Ok((client, url))
}

fn is_here(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Follows only where the message stays the message, and the host the host: the user named whom to trust with both.
fn follow(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    let keeps_message =
        matches!(attempt.status(), StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT);
    let same_host = attempt.previous().first().is_some_and(|first| first.origin() == attempt.url().origin());
    if keeps_message && same_host && attempt.previous().len() <= MOST_REDIRECTS {
        attempt.follow()
    } else {
        attempt.stop()
    }
}

fn header_map(headers: &[(String, String)]) -> Result<HeaderMap, String> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let key = HeaderName::try_from(name.as_str())
            .map_err(|_| format!("cannot be told the header {name:?}, which is no name of one"))?;
        if OURS.contains(&key.as_str()) {
            return Err(format!("cannot be told the header {name}, which frankly sets itself; leave it out"));
        }
        // The value may be a secret, and is never shown.
        let mut value = HeaderValue::try_from(value.as_str()).map_err(|_| {
            format!(
                "cannot be told the header {name}: its value has a line break or another control character"
            )
        })?;
        value.set_sensitive(true);
        map.append(key, value);
    }
    Ok(map)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_work_is_told_without_values() {
        let fault = |url: &str, name: &str, value: &str| {
            client(url, &[(name.to_owned(), value.to_owned())]).err().unwrap_or_default()
        };
        assert_eq!(fault("http://127.0.0.1:1/mcp", "X-Tenant", "acme"), "");
        assert_eq!(fault("https://[::1]/mcp", "Authorization", "Bearer é"), "");
        assert!(fault("http:", "a", "b").starts_with("is no address"));
        assert!(fault("ftp://127.0.0.1", "a", "b").contains("http or https"));
        let error = fault("http://h/", "Authorization", "Bearer secret\n");
        assert!(error.contains("Authorization: its value has a line break"), "{error}");
        assert!(!error.contains("secret"), "{error}");
        assert!(fault("http://h/", "a b", "c").contains("no name of one"));
        assert!(fault("http://h/", "Mcp-Session-Id", "c").contains("leave it out"));
    }

    #[test]
    fn a_proxy_is_not_asked_for_this_machine() {
        for (url, here) in [
            ("http://127.0.0.1:80/", true),
            ("http://[::1]/", true),
            ("http://localhost/", true),
            ("http://localhost.example/", false),
            ("http://10.0.0.1/", false),
        ] {
            assert_eq!(is_here(&Url::parse(url).unwrap()), here, "{url}");
        }
    }
}
