//! A server written by hand: each request is answered by what a function says, byte for byte.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use frankly_contract::ToolCall;
use frankly_live::{Launch, Session, StartError};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A request as it came.
#[derive(Debug, Clone)]
pub struct Asked {
    pub method: String,
    pub path: String,
    pub headers: HashMap<String, String>,
    pub body: Value,
}

impl Asked {
    /// The method of the message, or of the request where it has none.
    pub fn what(&self) -> &str {
        self.body["method"].as_str().unwrap_or(&self.method)
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

/// What is done with a connection, step by step; at the end it is closed.
#[derive(Debug, Clone)]
pub enum Step {
    Send(Vec<u8>),
    Wait(u64),
    /// Never does anything again.
    Hang,
    /// No server any more, for anybody.
    Die,
}

/// A running server.
pub struct Place {
    address: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    server: JoinHandle<()>,
}

impl Place {
    /// A server that answers like this; `initialize` and notifications are seen to where it says nothing.
    pub async fn open(answer: impl Fn(&Asked) -> Option<Vec<Step>> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (asked, answer) = (Arc::default(), Arc::new(answer));
        let server = tokio::spawn(serve(listener, Arc::clone(&asked), answer));
        Self { address, asked, server }
    }

    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    pub fn launch(&self) -> Launch {
        launch(&self.url())
    }

    pub async fn session(&self) -> Session {
        Session::start(&self.launch()).await.unwrap()
    }

    /// Why there is no session.
    pub async fn error(&self) -> String {
        self.refusal().await.to_string()
    }

    pub async fn refusal(&self) -> StartError {
        Session::start(&self.launch()).await.err().unwrap()
    }

    /// Everything that was asked.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// Everything that was asked, by what it was.
    pub fn what(&self) -> Vec<String> {
        self.asked().iter().map(|asked| asked.what().to_owned()).collect()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.server.abort();
    }
}

pub fn launch(url: &str) -> Launch {
    Launch {
        name: Some("here".to_owned()),
        shown: vec![url.to_owned()],
        url: Some(url.to_owned()),
        timeout: Duration::from_millis(500),
        ..Launch::default()
    }
}

pub fn call(tool: &str) -> ToolCall {
    ToolCall::new(tool, Map::new())
}

/// A whole answer.
pub fn http(status: &str, headers: &str, body: &str) -> Vec<Step> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n");
    vec![Step::Send(format!("{head}{body}").into_bytes())]
}

pub fn json_answer(body: &Value) -> Vec<Step> {
    http("200 OK", "content-type: application/json\r\n", &body.to_string())
}

/// The result of a request.
pub fn result(asked: &Asked, result: Value) -> Vec<Step> {
    json_answer(&json!({"jsonrpc": "2.0", "id": asked.body["id"], "result": result}))
}

/// The head of a stream that ends with its connection.
pub fn stream() -> Step {
    Step::Send(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n".to_vec())
}

pub fn send(text: &str) -> Step {
    Step::Send(text.as_bytes().to_vec())
}

pub fn initialized(asked: &Asked) -> Value {
    json!({"jsonrpc": "2.0", "id": asked.body["id"],
        "result": {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "hand"}}})
}

fn usual(asked: &Asked) -> Vec<Step> {
    match asked.what() {
        "initialize" => json_answer(&initialized(asked)),
        "HEAD" => http("405 Method Not Allowed", "", ""),
        _ => http("202 Accepted", "", ""),
    }
}

type Answer = dyn Fn(&Asked) -> Option<Vec<Step>> + Send + Sync;

async fn serve(listener: TcpListener, asked: Arc<Mutex<Vec<Asked>>>, answer: Arc<Answer>) {
    let (die, mut died) = tokio::sync::mpsc::channel(1);
    let mut connections = tokio::task::JoinSet::new();
    loop {
        tokio::select! {
            _ = died.recv() => return,
            accepted = listener.accept() => {
                let (stream, _) = accepted.unwrap();
                let (asked, answer, die) = (Arc::clone(&asked), Arc::clone(&answer), die.clone());
                connections.spawn(async move {
                    if let Some(request) = read(stream, &asked).await {
                        let (request, mut stream) = request;
                        let steps = answer(&request).unwrap_or_else(|| usual(&request));
                        run(&mut stream, steps, &die).await;
                    }
                });
            }
        }
    }
}

async fn read(stream: TcpStream, all: &Mutex<Vec<Asked>>) -> Option<(Asked, TcpStream)> {
    let mut reader = BufReader::new(stream);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let mut words = lines[0].split(' ').map(str::to_owned);
    let (method, path) = (words.next()?, words.next()?);
    let headers = lines[1..].iter().filter_map(|line| line.split_once(": "));
    let headers: HashMap<_, _> =
        headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
    let length = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).await.ok()?;
    let body = serde_json::from_slice(&body).unwrap_or_default();
    let asked = Asked { method, path, headers, body };
    all.lock().unwrap().push(asked.clone());
    Some((asked, reader.into_inner()))
}

async fn run(stream: &mut TcpStream, steps: Vec<Step>, die: &tokio::sync::mpsc::Sender<()>) {
    for step in steps {
        match step {
            Step::Send(bytes) => {
                if stream.write_all(&bytes).await.is_err() {
                    return;
                }
            }
            Step::Wait(millis) => tokio::time::sleep(Duration::from_millis(millis)).await,
            Step::Hang => std::future::pending().await,
            Step::Die => die.send(()).await.unwrap(),
        }
    }
    let _ = stream.shutdown().await;
}
