//! Whatever a server may answer over HTTP as a stream of events, to whoever shakes hands with it.

#![no_main]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

use frankly_live::{Launch, Session};
use libfuzzer_sys::fuzz_target;
use tokio::runtime::{Builder, Runtime};

/// What is answered next.
static BODY: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static URL: LazyLock<String> = LazyLock::new(serve);
static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_current_thread().enable_all().build().expect("a runtime can be built"));

fuzz_target!(|data: &[u8]| {
    *BODY.lock().expect("nobody panics with it") = data.to_vec();
    let launch =
        Launch { url: Some(URL.clone()), timeout: Duration::from_millis(20), ..Launch::default() };
    RUNTIME.block_on(async {
        // A stream may ask to be waited for, and nothing more is learned from that.
        let started = tokio::time::timeout(Duration::from_millis(50), Session::start(&launch)).await;
        if let Ok(Ok(session)) = started {
            let listed = tokio::time::timeout(Duration::from_millis(50), session.tool_set()).await;
            if let Ok(Ok(tools)) = listed {
                assert!(tools.tools.len() <= data.len());
            }
        }
    });
});

/// A server on a free port that answers every request with the events of the day.
fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let address = listener.local_addr().expect("it is bound");
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer(stream));
        }
    });
    format!("http://{address}/mcp")
}

fn answer(mut stream: TcpStream) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    loop {
        let (mut length, mut line) = (0, String::new());
        while reader.read_line(&mut line).ok()? > 2 {
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().ok()?;
            }
            line.clear();
        }
        let mut sent = vec![0; length];
        reader.read_exact(&mut sent).ok()?;
        let body = BODY.lock().ok()?.clone();
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: {}\r\n\r\n", body.len());
        stream.write_all(head.as_bytes()).ok()?;
        stream.write_all(&body).ok()?;
    }
}
