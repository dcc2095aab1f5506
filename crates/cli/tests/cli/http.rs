//! Servers over HTTP: the ledger in another process, and nobody at all.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use super::Place;

/// A ledger that listens.
struct Listening {
    server: Child,
    url: String,
}

impl Listening {
    fn open(arguments: &[&str]) -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_frankly"))
            .args(["demo", "ledger", "--listen", "127.0.0.1:0"])
            .args(arguments)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(server.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.split_whitespace().find(|word| word.starts_with("http://")).unwrap().to_owned();
        Self { server, url }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// An address at which nobody listens.
fn nobody() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}/mcp", listener.local_addr().unwrap())
}

#[test]
fn a_server_at_an_address_is_linted_probed_and_called() {
    let (place, ledger) = (Place::empty(), Listening::open(&["--fault", "silent-truncation"]));
    let (code, text) = place.run(&["lint", &ledger.url]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("8 tools"), "{text}");
    let (code, text) = place.run(&["probe", &ledger.url, "--header", "X-Tenant: acme"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("error[silent-truncation] ledger"), "{text}");
    let again = format!("frankly call {} query_transactions", ledger.url);
    assert!(text.contains(&again) && text.contains(r#"--header 'X-Tenant: '"${X_TENANT?}""#), "{text}");
    assert!(!text.contains("acme"), "{text}");
    let (code, text) = place.run(&["call", &ledger.url, "query_transactions", "{\"limit\": 1}"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("\"structuredContent\""), "{text}");
}

#[test]
fn two_servers_that_call_themselves_alike_are_told_apart() {
    let (place, one, other) = (Place::empty(), Listening::open(&[]), Listening::open(&[]));
    let (code, text) = place.run(&["lint", &one.url, &other.url]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("warning[name-collision] ledger (2)"), "{text}");
    assert!(!text.contains("lists `query_transactions` twice"), "{text}");
}

#[test]
fn a_server_at_an_address_is_checked_by_its_name() {
    let ledger = Listening::open(&[]);
    let place = Place::with_config(&format!("[servers.far]\nurl = \"{}\"\n", ledger.url));
    let (code, text) = place.run(&["check"]);
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(place.run(&["call", "far", "list_categories"]).0, Some(0));
}

#[test]
fn nobody_at_an_address_never_came_up() {
    let (place, url) = (Place::empty(), nobody());
    let (code, text) = place.run(&["probe", &url]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("error[never-came-up]") && text.contains(&url), "{text}");
    assert!(text.contains("make it answer at this address"), "{text}");
    assert_eq!(place.run(&["call", &url, "t"]).0, Some(3));
    let place = Place::with_config(&format!("[servers.far]\nurl = \"{url}\"\n"));
    assert_eq!(place.run(&["check"]).0, Some(3));
}

#[test]
fn an_address_or_header_that_cannot_be_is_a_matter_of_configuration() {
    let place = Place::empty();
    for arguments in
        [&["lint", "http://"][..], &["call", "http://[::1", "t"], &["probe", "http://127.0.0.1:99999/"]]
    {
        assert_eq!(place.run(arguments).0, Some(2), "{arguments:?}");
    }
    let header = ["lint", "http://127.0.0.1:9/", "--header", "Mcp-Session-Id: 1"];
    assert_eq!(place.run(&header).0, Some(2));
}

#[test]
fn a_header_is_for_one_server_at_an_address() {
    let place = Place::with_config("[servers.a]\ncommand = [\"x\"]\n");
    for arguments in [
        &["lint", "a", "--header", "A: b"][..],
        &["lint", "http://127.0.0.1:9/a", "http://127.0.0.1:9/b", "--header", "A: b"],
        &["lint", "http://127.0.0.1:9/a", "--header", "A"],
        &["lint", "http://127.0.0.1:9/a", "--header", "A: ${FRANKLY_TEST_NOT_SET}"],
    ] {
        assert_eq!(place.run(arguments).0, Some(2), "{arguments:?}");
    }
}
