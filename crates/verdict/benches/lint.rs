//! What linting costs beside reading: `lint_all` against `serde_json::from_slice` of the same bytes.
//!
//! Aimed at: ten times the reading at most, at every size. Nothing here fails; the last lines are for people. What may
//! not enter: a bound that ends a build, since clocks differ.
#![expect(clippy::expect_used, reason = "what was just written can be read")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};
use frankly_verdict::ToolSet;
use frankly_verdict::lint::{Audience, lint_all};
use serde_json::Value;

#[path = "lint/tools.rs"]
mod tools;

const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

fn main() {
    // `cargo test --benches` only wants to know that it runs.
    let is_bench = std::env::args().any(|argument| argument == "--bench");
    let sizes = if is_bench { &SIZES[..] } else { &SIZES[..1] };
    let mut criterion = Criterion::default().sample_size(10).configure_from_args();
    let lines: Vec<String> = sizes.iter().filter_map(|size| compare(&mut criterion, *size)).collect();
    println!();
    lines.iter().for_each(|line| println!("{line}"));
    criterion.final_summary();
}

/// Measures both at one size; the line that compares them, if both were chosen to be measured.
fn compare(criterion: &mut Criterion, size: usize) -> Option<String> {
    let bytes = tools::definitions(size);
    let mut group = criterion.benchmark_group("definitions");
    group.throughput(Throughput::Bytes(bytes.len() as u64)).sampling_mode(SamplingMode::Flat);
    let (mut reading, mut linting) = (None, None);
    group.bench_function(BenchmarkId::new("reading", size), |bencher| {
        bencher.iter_custom(|times| measure(times, &mut reading, || read(&bytes)));
    });
    let set = ToolSet::from_document("bench", read(&bytes)).expect("an array is a set of tools");
    let (sets, audience) = ([set], Audience::default());
    group.bench_function(BenchmarkId::new("linting", size), |bencher| {
        bencher.iter_custom(|times| measure(times, &mut linting, || lint_all(&sets, &audience)));
    });
    group.finish();
    let (reading, linting) = (reading?, linting?);
    Some(format!(
        "{size:>7} tools, {:>6.1} MB: read in {:>9.2?}, linted in {:>9.2?}, {:>5.1} times as long",
        bytes.len() as f64 / 1e6,
        reading,
        linting,
        linting.as_secs_f64() / reading.as_secs_f64()
    ))
}

fn read(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).expect("what was written can be read")
}

/// How long so many runs take, without letting go of what they give; keeps the shortest run.
fn measure<T>(times: u64, shortest: &mut Option<Duration>, mut run: impl FnMut() -> T) -> Duration {
    let mut total = Duration::ZERO;
    for _ in 0..times {
        let start = Instant::now();
        let given = black_box(run());
        let took = start.elapsed();
        drop(given);
        total += took;
        *shortest = Some(shortest.map_or(took, |known| known.min(took)));
    }
    total
}
