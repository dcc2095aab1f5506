//! Who is let in: a page in a browser would else reach, by way of us, a server that the user meant for an agent.

use std::net::IpAddr;

use hyper::HeaderMap;
use hyper::header::{HOST, ORIGIN};

/// The names under which clients may ask for us.
#[derive(Debug)]
pub(super) struct Door {
    names: Vec<String>,
}

impl Door {
    /// Lets in whoever asks for this machine, for this address of it, or for one of these names.
    pub fn new(address: IpAddr, names: &[String]) -> Self {
        let own = ["localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned(), address.to_string()];
        let names = names.iter().map(|name| name.to_lowercase());
        Self { names: own.into_iter().chain(names).collect() }
    }

    /// Why a request is not let in, if it is not.
    pub fn refuses(&self, headers: &HeaderMap) -> Option<String> {
        let text =
            |value: &hyper::header::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let host = headers.get(HOST).map(text).unwrap_or_default();
        if !self.knows(&host) {
            return Some(format!("the host {host:?} is not one of ours"));
        }
        let foreign = headers.get_all(ORIGIN).iter().map(text).find(|origin| {
            let host = origin.split_once("://").map(|(_, host)| host);
            !host.is_some_and(|host| self.knows(host))
        })?;
        Some(format!("a page of {foreign:?} may not ask"))
    }

    fn knows(&self, authority: &str) -> bool {
        let host = match authority.strip_prefix('[') {
            Some(rest) => rest.split(']').next().unwrap_or_default(),
            None => authority.rsplit_once(':').map_or(authority, |(host, _)| host),
        };
        self.names.contains(&host.to_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_those_who_ask_for_us_are_let_in() {
        let door = Door::new([127, 0, 0, 1].into(), &["Spy.Internal".to_owned()]);
        let is_in = |host: &str, origin: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, host.parse().unwrap());
            if let Some(origin) = origin {
                headers.insert(ORIGIN, origin.parse().unwrap());
            }
            door.refuses(&headers).is_none()
        };
        for host in ["127.0.0.1:8080", "localhost", "LOCALHOST:1", "[::1]:9", "spy.internal:80"] {
            assert!(is_in(host, None), "{host}");
        }
        for host in ["example.org", "127.0.0.1.example.org", "localhost.example.org:80", "", "[::2]:1"] {
            assert!(!is_in(host, None), "{host}");
        }
        assert!(is_in("localhost:1", Some("http://localhost:5173")));
        for origin in ["http://example.org", "null", "https://localhost.example.org", ""] {
            assert!(!is_in("localhost:1", Some(origin)), "{origin}");
        }
    }
}
