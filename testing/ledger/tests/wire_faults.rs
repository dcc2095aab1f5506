//! The faults of the server and of its lines, over a real connection, each beside the honest ledger.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::time::{Duration, Instant};

use frankly_ledger::{Fault, Faults, ServeError, serve};
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf, duplex, split,
};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Longer than any answer takes that comes at all.
const PATIENCE: Duration = Duration::from_secs(2);

struct Peer {
    lines: BufReader<ReadHalf<DuplexStream>>,
    out: WriteHalf<DuplexStream>,
    server: JoinHandle<Result<(), ServeError>>,
}

impl Peer {
    /// A peer that has not spoken yet.
    fn silent(faults: Faults) -> Self {
        let (here, there) = duplex(1 << 22);
        let (reader, writer) = split(there);
        let server = tokio::spawn(serve(faults, reader, writer));
        let (lines, out) = split(here);
        Self { lines: BufReader::new(lines), out, server }
    }

    async fn connect(faults: Faults) -> Self {
        let banner = faults.contains(Fault::Banner);
        let mut peer = Self::silent(faults);
        if banner {
            peer.line().await.unwrap();
        }
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        peer.send(json!(0), "initialize", hello).await;
        assert_eq!(peer.message().await["id"], 0);
        peer.write(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        peer
    }

    async fn with(fault: Fault) -> Self {
        Self::connect(Faults::from_iter([fault])).await
    }

    async fn honest() -> Self {
        Self::connect(Faults::default()).await
    }

    async fn write(&mut self, message: Value) {
        self.out.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    async fn send(&mut self, id: Value, method: &str, params: Value) {
        self.write(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
    }

    async fn ask(&mut self, id: u32, tool: &str, arguments: Value) {
        self.send(json!(id), "tools/call", json!({"name": tool, "arguments": arguments})).await;
    }

    /// The next line, if one comes.
    async fn line(&mut self) -> Option<Vec<u8>> {
        let mut line = vec![];
        let read = timeout(PATIENCE, self.lines.read_until(b'\n', &mut line)).await;
        matches!(read, Ok(Ok(1..))).then_some(line)
    }

    async fn message(&mut self) -> Value {
        serde_json::from_slice(&self.line().await.unwrap()).unwrap()
    }

    /// Whether a healthy call is answered.
    async fn is_alive(&mut self) -> bool {
        let ping = json!({"jsonrpc": "2.0", "id": "alive", "method": "ping"});
        if self.out.write_all(format!("{ping}\n").as_bytes()).await.is_err() {
            return false;
        }
        while let Some(line) = self.line().await {
            if serde_json::from_slice::<Value>(&line).is_ok_and(|message| message["id"] == "alive") {
                return true;
            }
        }
        false
    }

    async fn end(mut self) -> Result<(), ServeError> {
        // The server may have closed its end first.
        let _ = self.out.shutdown().await;
        self.server.await.unwrap()
    }
}

#[tokio::test]
async fn a_banner_comes_before_the_first_message() {
    let mut lying = Peer::silent(Faults::from_iter([Fault::Banner]));
    let first = lying.line().await.unwrap();
    assert!(first.starts_with(b"Ledger demo server") && serde_json::from_slice::<Value>(&first).is_err());
    assert!(Peer::with(Fault::Banner).await.is_alive().await);
    let mut honest = Peer::silent(Faults::default());
    assert_eq!(timeout(Duration::from_millis(200), honest.line()).await.ok(), None);
}

#[tokio::test]
async fn a_line_of_the_log_comes_before_an_answer() {
    let mut lying = Peer::with(Fault::LogLine).await;
    lying.ask(1, "read_statement", json!({"month": "2025-03"})).await;
    assert!(String::from_utf8(lying.line().await.unwrap()).unwrap().contains("INFO"));
    assert_eq!(lying.message().await["id"], 1);
    lying.ask(2, "list_accounts", json!({})).await;
    assert_eq!(lying.message().await["id"], 2);
    let mut honest = Peer::honest().await;
    honest.ask(1, "read_statement", json!({"month": "2025-03"})).await;
    assert_eq!(honest.message().await["id"], 1);
}

#[tokio::test]
async fn an_answer_that_is_not_utf8_is_no_message() {
    let mut lying = Peer::with(Fault::InvalidUtf8).await;
    lying.ask(1, "inspect_csv", json!({"file_key": "Zoë ☕"})).await;
    let line = lying.line().await.unwrap();
    assert!(std::str::from_utf8(&line).is_err() && line.windows(3).any(|bytes| bytes == b"Zo\xeb"));
    lying.ask(2, "inspect_csv", json!({"file_key": "Zoe"})).await;
    assert_eq!(lying.message().await["id"], 2);
    let mut honest = Peer::honest().await;
    honest.ask(1, "inspect_csv", json!({"file_key": "Zoë ☕"})).await;
    assert!(honest.message().await.to_string().contains("Zoë ☕"));
}

#[tokio::test]
async fn an_answer_comes_twice() {
    for (faults, ids) in [(vec![Fault::DoubleAnswer], vec![1, 1, 2]), (vec![], vec![1, 2])] {
        let mut peer = Peer::connect(Faults::from_iter(faults)).await;
        peer.ask(1, "list_categories", json!({})).await;
        let mut met = vec![peer.message().await["id"].as_u64().unwrap()];
        peer.ask(2, "list_accounts", json!({})).await;
        while met.last() != Some(&2) {
            met.push(peer.message().await["id"].as_u64().unwrap());
        }
        assert_eq!(met, ids);
    }
}

/// The category that the answer to each of two calls is about, by id.
async fn categories(mut peer: Peer) -> [String; 2] {
    peer.ask(1, "query_transactions", json!({"category": "Rent", "limit": 1})).await;
    peer.ask(2, "query_transactions", json!({"category": "Travel", "limit": 1})).await;
    let mut met = [String::new(), String::new()];
    for _ in 0..2 {
        let message = peer.message().await;
        let place = usize::try_from(message["id"].as_u64().unwrap()).unwrap() - 1;
        let category = &message["result"]["structuredContent"]["items"][0]["category"];
        met[place] = category.as_str().unwrap().to_owned();
    }
    // One at a time gets its own.
    peer.ask(3, "query_transactions", json!({"category": "Rent", "limit": 1})).await;
    assert_eq!(peer.message().await["id"], 3);
    met
}

#[tokio::test]
async fn answers_are_crossed() {
    assert_eq!(categories(Peer::with(Fault::CrossedAnswers).await).await, ["Travel", "Rent"]);
    assert_eq!(categories(Peer::honest().await).await, ["Rent", "Travel"]);
}

#[tokio::test]
async fn an_answer_is_lost_among_several() {
    for (faults, count) in [(vec![Fault::LostAnswer], 1), (vec![], 3)] {
        let mut peer = Peer::connect(Faults::from_iter(faults)).await;
        for id in 1..=3 {
            peer.ask(id, "list_accounts", json!({})).await;
        }
        for _ in 0..count {
            assert!(peer.message().await["result"].is_object());
        }
        assert!(peer.is_alive().await);
        peer.ask(4, "list_accounts", json!({})).await;
        assert_eq!(peer.message().await["id"], 4);
    }
}

/// How long three calls at once take.
async fn time_of_three(faults: Faults) -> Duration {
    let mut peer = Peer::connect(faults).await;
    let start = Instant::now();
    for id in 1..=3 {
        peer.ask(id, "inspect_csv", json!({"file_key": "card-2026-01.csv"})).await;
    }
    for _ in 1..=3 {
        assert!(peer.message().await["result"].is_object());
    }
    start.elapsed()
}

#[tokio::test]
async fn calls_wait_for_each_other() {
    let fifth = Duration::from_millis(200);
    assert!(time_of_three(Faults::from_iter([Fault::SerialCalls])).await >= 3 * fifth);
    assert!(time_of_three(Faults::default()).await < 3 * fifth);
}

#[tokio::test]
async fn a_queue_goes_on_when_a_call_in_it_is_cancelled() {
    let mut peer = Peer::with(Fault::SerialCalls).await;
    for id in 1..=4 {
        peer.ask(id, "inspect_csv", json!({"file_key": "card-2026-01.csv"})).await;
    }
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}});
    peer.write(cancel).await;
    let mut met = vec![];
    while met.last() != Some(&4) {
        met.push(peer.message().await["id"].as_u64().unwrap());
    }
    assert!(met.starts_with(&[1, 2]), "{met:?}");
}

#[tokio::test]
async fn nothing_is_answered_after_a_cancel() {
    for (faults, alive) in [(vec![Fault::DeadAfterCancel], false), (vec![], true)] {
        let mut peer = Peer::connect(Faults::from_iter(faults)).await;
        assert!(peer.is_alive().await);
        peer.ask(1, "list_accounts", json!({})).await;
        let cancel =
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
        peer.write(cancel).await;
        assert_eq!(peer.is_alive().await, alive);
        assert!(peer.end().await.is_ok());
    }
}

#[tokio::test]
async fn garbage_and_long_requests_are_deadly() {
    let garbage = json!({"name": "list_accounts", "arguments": "{}"});
    let long = json!({"name": "run_sql", "arguments": {"sql": "x".repeat(70_000)}});
    for (fault, params) in [(Fault::DeadAfterGarbage, garbage), (Fault::DeadAfterLarge, long)] {
        let mut honest = Peer::honest().await;
        honest.send(json!(1), "tools/call", params.clone()).await;
        assert!(honest.is_alive().await, "{}", fault.name());
        let mut lying = Peer::with(fault).await;
        lying.ask(1, "list_accounts", json!({})).await;
        assert_eq!(lying.message().await["id"], 1);
        lying.send(json!(2), "tools/call", params).await;
        assert!(!lying.is_alive().await, "{}", fault.name());
        assert!(matches!(lying.end().await, Err(ServeError::Died(_))));
    }
}

/// The names on the pages of the list of tools.
async fn listed(peer: &mut Peer) -> Vec<String> {
    let (mut names, mut params) = (vec![], json!({}));
    loop {
        peer.send(json!(1), "tools/list", params.clone()).await;
        let page = peer.message().await["result"].take();
        let tools = page["tools"].as_array().unwrap();
        names.extend(tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()));
        let Some(cursor) = page.get("nextCursor") else { return names };
        params = json!({ "cursor": cursor });
    }
}

#[tokio::test]
async fn the_list_of_tools_changes_its_order_or_repeats_itself() {
    let mut honest = Peer::honest().await;
    let names = listed(&mut honest).await;
    assert_eq!((names.len(), &listed(&mut honest).await), (8, &names));
    let mut shuffled = Peer::with(Fault::ShuffledList).await;
    let (first, mut second) = (listed(&mut shuffled).await, listed(&mut shuffled).await);
    assert_ne!(first, second);
    second.sort();
    assert!(names.iter().all(|name| second.contains(name)) && first.len() == 8);
    let repeated = listed(&mut Peer::with(Fault::RepeatingList).await).await;
    assert_eq!((repeated.len(), &repeated[4]), (9, &repeated[5]));
}

/// What tenant b is answered to what a has been answered before.
async fn seen_by_another(mut peer: Peer) -> u64 {
    let call = |tenant: &str, tool: &str, arguments: Value| json!({"name": tool, "arguments": arguments, "_meta": {"tenant": tenant}});
    let tea = json!({"amount": 3, "category": "Tea"});
    let asked = json!({"category": "Tea"});
    for (tenant, tool, arguments) in [("a", "log_expense", tea), ("a", "query_transactions", asked.clone())] {
        peer.send(json!(1), "tools/call", call(tenant, tool, arguments)).await;
        peer.message().await;
    }
    peer.send(json!(2), "tools/call", call("b", "query_transactions", asked)).await;
    peer.message().await["result"]["structuredContent"]["matched"].as_u64().unwrap()
}

#[tokio::test]
async fn a_tenant_is_shown_what_is_anothers() {
    assert_eq!(seen_by_another(Peer::with(Fault::OtherTenant).await).await, 1);
    assert_eq!(seen_by_another(Peer::honest().await).await, 0);
}

#[tokio::test]
async fn all_faults_at_once_leave_a_server_that_answers() {
    let mut peer = Peer::connect(Faults::all()).await;
    for id in 1..4 {
        for tool in ["list_categories", "list_accounts", "query_transactions", "inspect_csv"] {
            peer.ask(id, tool, json!({})).await;
        }
        assert!(peer.is_alive().await);
    }
    assert!(peer.end().await.is_ok());
}
