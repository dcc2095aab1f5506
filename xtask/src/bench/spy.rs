//! What a spy costs: the same calls to the same server, directly and through the spy, in turns within one run; once with a server that
//! does nothing but answer, and once with one that works, as servers do.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::json;

use crate::binary;
use crate::traffic::client::{Peer, request};

/// Calls one after the other, of which each is timed.
const TIMED: u64 = 4000;
/// Calls of which so many are open at once.
const MANY: u64 = 20_000;
const OPEN: u64 = 64;
/// How often both ways take turns.
const ROUNDS: usize = 5;
const BYTES: u64 = 500;

/// The targets: so much later at the median, and so much of the direct throughput.
const MOST_LATER: Duration = Duration::from_micros(150);
const LEAST_SHARE: f64 = 0.8;

/// A server with the calls that it gets.
#[derive(Clone, Copy)]
enum Subject {
    /// It answers with as many bytes as it is asked for.
    Filler,
    /// The demo ledger: SQL for each call, on the official SDK.
    Ledger,
}

/// Times both ways with each server, prints the figures, and says whether the targets are met.
pub fn run() -> anyhow::Result<bool> {
    let mut is_met = true;
    for (subject, name) in
        [(Subject::Filler, "a server that does nothing"), (Subject::Ledger, "the demo ledger")]
    {
        println!("{name}:");
        is_met &= measured(subject)?;
    }
    Ok(is_met)
}

fn measured(subject: Subject) -> anyhow::Result<bool> {
    let frankly = binary::frankly()?;
    let folder = tempfile::tempdir().context("failed to make a folder")?;
    let mut pairs: Vec<(Duration, f64)> = Vec::new();
    for round in 0..ROUNDS {
        let recording = folder.path().join(format!("{round}.jsonl"));
        let direct = Figures::of(subject, &frankly, None)?;
        let through = Figures::of(subject, &frankly, Some((&frankly, &recording)))?;
        std::fs::remove_file(&recording).context("failed to remove a recording")?;
        let later = through.median.saturating_sub(direct.median);
        let share = through.per_second / direct.per_second;
        println!(
            "round {}: median {:.0} µs direct, {:.0} µs through the spy, {:.0} µs later; {:.0} and {:.0} calls a second, {:.0} %",
            round + 1,
            micros(direct.median),
            micros(through.median),
            micros(later),
            direct.per_second,
            through.per_second,
            share * 100.0
        );
        pairs.push((later, share));
    }
    let later = middle(pairs.iter().map(|(later, _)| *later).collect());
    let share = middle(pairs.iter().map(|(_, share)| (share * 1000.0) as u64).collect()) as f64 / 1000.0;
    println!(
        "in the middle: {:.0} µs later (at most {:.0}), {:.0} % of the throughput (at least {:.0})",
        micros(later),
        micros(MOST_LATER),
        share * 100.0,
        LEAST_SHARE * 100.0
    );
    Ok(later <= MOST_LATER && share >= LEAST_SHARE)
}

struct Figures {
    median: Duration,
    per_second: f64,
}

impl Figures {
    fn of(subject: Subject, frankly: &Path, spy: Option<(&Path, &Path)>) -> anyhow::Result<Self> {
        let mut peer = subject.start(frankly, spy)?;
        let mut times = Vec::new();
        for id in 0..TIMED {
            let begin = Instant::now();
            peer.to.write_all(subject.request(id).as_bytes()).context("failed to ask")?;
            ensure!(peer.next() == Some(id), "no answer came");
            times.push(begin.elapsed());
        }
        let per_second = throughput(subject, &mut peer)?;
        peer.end()?;
        Ok(Self { median: middle(times), per_second })
    }
}

impl Subject {
    fn start(self, frankly: &Path, spy: Option<(&Path, &Path)>) -> anyhow::Result<Peer> {
        let Self::Ledger = self else { return Peer::start(spy) };
        let mut peer = Peer::of(frankly, &["demo", "ledger"], spy)?;
        let about = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}});
        let opening = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": about});
        let opened = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        writeln!(peer.to, "{opening}\n{opened}").context("failed to open a session")?;
        ensure!(peer.next() == Some(0), "no session was opened");
        Ok(peer)
    }

    fn request(self, id: u64) -> String {
        match self {
            Self::Filler => request(id, BYTES),
            Self::Ledger => {
                let params =
                    json!({"name": "query_transactions", "arguments": {"category": "Dining", "limit": 5}});
                json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
                    + "\n"
            }
        }
    }
}

/// How many calls a second are answered with many open at once.
fn throughput(subject: Subject, peer: &mut Peer) -> anyhow::Result<f64> {
    let begin = Instant::now();
    let (mut asked, mut answered) = (0, 0);
    while answered < MANY {
        let more: String = (asked..MANY.min(answered + OPEN)).map(|id| subject.request(id)).collect();
        asked = MANY.min(answered + OPEN).max(asked);
        peer.to.write_all(more.as_bytes()).context("failed to ask")?;
        ensure!(peer.next().is_some(), "no answer came");
        answered += 1;
    }
    Ok(MANY as f64 / begin.elapsed().as_secs_f64())
}

fn middle<T: Ord + Copy + Default>(mut values: Vec<T>) -> T {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
