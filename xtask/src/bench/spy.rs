//! What a spy costs: the same calls to the same server, directly and through the spy, in turns within one run.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

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

/// Times both ways, prints the figures, and says whether the targets are met.
pub fn run() -> anyhow::Result<bool> {
    let frankly = binary::frankly()?;
    let folder = tempfile::tempdir().context("failed to make a folder")?;
    let (mut direct, mut through) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let recording = folder.path().join(format!("{round}.jsonl"));
        direct.push(Figures::of(None)?);
        through.push(Figures::of(Some((&frankly, &recording)))?);
        std::fs::remove_file(&recording).context("failed to remove a recording")?;
    }
    let pairs: Vec<(Duration, f64)> = direct
        .iter()
        .zip(&through)
        .map(|(direct, through)| {
            (through.median.saturating_sub(direct.median), through.per_second / direct.per_second)
        })
        .collect();
    for (round, ((direct, through), (later, share))) in direct.iter().zip(&through).zip(&pairs).enumerate() {
        println!(
            "round {}: median {:.0} µs direct, {:.0} µs through the spy, {:.0} µs later; {:.0} and {:.0} calls a second, {:.0} %",
            round + 1,
            micros(direct.median),
            micros(through.median),
            micros(*later),
            direct.per_second,
            through.per_second,
            share * 100.0
        );
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
    fn of(spy: Option<(&Path, &Path)>) -> anyhow::Result<Self> {
        let mut peer = Peer::start(spy)?;
        let mut times = Vec::new();
        for id in 0..TIMED {
            let begin = Instant::now();
            peer.ask(id, BYTES).context("failed to ask")?;
            ensure!(peer.next() == Some(id), "no answer came");
            times.push(begin.elapsed());
        }
        let per_second = throughput(&mut peer)?;
        peer.end()?;
        Ok(Self { median: middle(times), per_second })
    }
}

/// How many calls a second are answered with many open at once.
fn throughput(peer: &mut Peer) -> anyhow::Result<f64> {
    let begin = Instant::now();
    let (mut asked, mut answered) = (0, 0);
    while answered < MANY {
        let more: String = (asked..MANY.min(answered + OPEN)).map(|id| request(id, BYTES)).collect();
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
