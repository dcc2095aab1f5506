//! Servers that encrypt: believed where the machine trusts their certificate, and told nothing where it does not.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::{Value, json};

use super::Place;

/// A server that encrypts, its certificate in PEM, and how many requests it read.
struct Encrypted {
    url: String,
    certificate: String,
    asked: Arc<AtomicUsize>,
}

impl Encrypted {
    fn open() -> Self {
        let certified = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
        let key = PrivateKeyDer::try_from(certified.signing_key.serialize_der()).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certified.cert.der().clone()], key)
            .unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("https://{}/mcp", listener.local_addr().unwrap());
        let asked = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&asked);
        let config = Arc::new(config);
        // It ends with the test.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
                answer(StreamOwned::new(connection, stream), &counted);
            }
        });
        Self { url, certificate: certified.cert.pem(), asked }
    }
}

/// Answers one request; one that cannot be read is left alone.
fn answer(stream: impl Read + Write, asked: &AtomicUsize) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim().to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length: ") {
            length = value.parse().unwrap();
        }
        if line.is_empty() {
            break;
        }
    }
    asked.fetch_add(1, Ordering::SeqCst);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let message: Value = serde_json::from_slice(&body).unwrap_or_default();
    let result = match message["method"].as_str() {
        Some("initialize") => json!({"protocolVersion": "2025-11-25", "capabilities": {}}),
        _ => json!({"tools": []}),
    };
    let (status, body) = match &message["id"] {
        Value::Null => ("202 Accepted", String::new()),
        id => ("200 OK", json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string()),
    };
    let head =
        format!("content-type: application/json\r\ncontent-length: {}\r\nconnection: close", body.len());
    write!(reader.get_mut(), "HTTP/1.1 {status}\r\n{head}\r\n\r\n{body}").ok()
}

#[test]
fn a_certificate_that_the_machine_trusts_is_believed_and_no_other() {
    let (place, server) = (Place::empty(), Encrypted::open());
    place.write("ca.pem", &server.certificate);
    let lint = |ca: &str| {
        let output = place.frankly(&["lint", &server.url]).env("SSL_CERT_FILE", ca).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    place.write("other.pem", &Encrypted::open().certificate);
    let (code, text) = lint("other.pem");
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("cannot be reached: invalid peer certificate"), "{text}");
    assert_eq!(server.asked.load(Ordering::SeqCst), 0, "a stranger is told nothing");
    let (code, text) = lint("ca.pem");
    assert_eq!(code, Some(4), "it came up, and has no tool: {text}");
    assert!(server.asked.load(Ordering::SeqCst) >= 3);
}
