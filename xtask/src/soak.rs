//! A spy under load, whose server is killed again and again: every answer that came through is in the recording, once.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use anyhow::{Context, ensure};
use frankly_live::recording;
use frankly_verdict::transcript::{Frame, Side};
use rustix::process::{Pid, Signal, kill_process};

use crate::binary;
use crate::traffic::client::{Peer, answered, request};

/// So many calls are open at once.
const OPEN: usize = 64;
/// Results have at least and at most so many bytes.
const LEAST: f64 = 10.0;
const MOST: f64 = 8_000_000.0;
/// How long a process may take to be gone.
const GONE: Duration = Duration::from_secs(10);

/// What is asked of a run.
pub struct Load {
    pub calls: u64,
    pub kills: u64,
    pub seed: u64,
}

/// What came of it.
#[derive(Default)]
struct Figures {
    answered: HashSet<u64>,
    recordings: Vec<PathBuf>,
    asked: u64,
    peak_kib: u64,
    orphans: u64,
}

/// Runs the load, prints the figures, and says whether all is as it should be.
pub fn run(load: &Load) -> anyhow::Result<bool> {
    let frankly = binary::frankly()?;
    let folder = tempfile::tempdir().context("failed to make a folder")?;
    let mut random = Random(load.seed);
    let mut figures = Figures::default();
    // The server is killed after so many answers of each session.
    let each = load.calls / (load.kills + 1);
    for session in 0..=load.kills {
        let path = folder.path().join(format!("{session}.jsonl"));
        let upto = if session == load.kills { load.calls } else { (figures.asked + each).min(load.calls) };
        let kill_after = (session < load.kills).then(|| random.below(each.max(1)));
        figures.session(&frankly, &path, upto, kill_after, &mut random)?;
        figures.recordings.push(path);
    }
    figures.told()
}

impl Figures {
    /// One life of the server, which is killed after so many answers, in the middle of whatever it does.
    fn session(
        &mut self,
        frankly: &Path,
        path: &Path,
        upto: u64,
        kill_after: Option<u64>,
        random: &mut Random,
    ) -> anyhow::Result<()> {
        let Peer { mut child, mut to, from } = Peer::start(Some((frankly, path)))?;
        let (tell, answers) = channel();
        let reading = std::thread::spawn(move || {
            let mut from = from;
            while let Some(id) = answered(&mut from) {
                if tell.send(id).is_err() {
                    return;
                }
            }
        });
        let spy = child.id();
        let server = server_of(spy);
        let (mut open, mut seen) = (0, 0);
        while self.asked < upto || open > 0 {
            while self.asked < upto && open < OPEN {
                let line = request(self.asked, random.size());
                if to.write_all(line.as_bytes()).is_err() {
                    break;
                }
                (self.asked, open) = (self.asked + 1, open + 1);
            }
            let Ok(id) = answers.recv() else { break };
            ensure!(self.answered.insert(id), "{id} was answered twice");
            (open, seen) = (open - 1, seen + 1);
            if kill_after == Some(seen) {
                self.peak_kib = self.peak_kib.max(peak_of(spy));
                if let Some(server) = server {
                    let _ = kill_process(server, Signal::KILL);
                }
            }
        }
        self.peak_kib = self.peak_kib.max(peak_of(spy));
        drop(to);
        drain(&answers, &mut self.answered);
        child.wait().context("failed to wait for the spy")?;
        let _ = reading.join();
        self.orphans += u64::from(server.is_some_and(|server| !is_gone(server)));
        Ok(())
    }

    fn told(&self) -> anyhow::Result<bool> {
        let (mut lost, mut twice, mut before) = (0, 0, 0);
        let mut recorded: BTreeMap<u64, u64> = BTreeMap::new();
        let mut bytes = 0;
        for path in &self.recordings {
            bytes += std::fs::metadata(path).context("failed to look at a recording")?.len();
            let mut asked = HashSet::new();
            for frame in recording::read(path)?.frames.iter().filter(|frame| frame.is_on_the_wire()) {
                let Some(id) = frame.id().and_then(serde_json::Value::as_u64) else { continue };
                match frame.from() {
                    Side::Client => drop(asked.insert(id)),
                    Side::Server => {
                        before += u64::from(!asked.contains(&id));
                        *recorded.entry(id).or_default() += u64::from(Frame::is_response(frame));
                    }
                }
            }
        }
        for id in &self.answered {
            match recorded.get(id) {
                None | Some(0) => lost += 1,
                Some(1) => {}
                Some(_) => twice += 1,
            }
        }
        println!(
            "{} calls, {OPEN} at a time, {} answered, the server killed {} times",
            self.asked,
            self.answered.len(),
            self.recordings.len() - 1
        );
        println!(
            "recorded: {} answers in {} MB; lost {lost}, twice {twice}, before their request {before}",
            recorded.len(),
            bytes / 1_000_000
        );
        println!("spy: peak memory {} MB, orphans {}", self.peak_kib / 1024, self.orphans);
        Ok(lost == 0 && twice == 0 && before == 0 && self.orphans == 0 && self.peak_kib < MOST_KIB)
    }
}

/// The spy may take no more memory than this: some lines of the largest size, and what waits.
const MOST_KIB: u64 = 150 * 1024;

fn drain(answers: &Receiver<u64>, into: &mut HashSet<u64>) {
    while let Ok(id) = answers.recv() {
        into.insert(id);
    }
}

/// The process that a spy started.
fn server_of(spy: u32) -> Option<Pid> {
    let children = format!("/proc/{spy}/task/{spy}/children");
    let deadline = std::time::Instant::now() + GONE;
    while std::time::Instant::now() < deadline {
        let child = std::fs::read_to_string(&children)
            .ok()
            .and_then(|list| list.split_whitespace().next()?.parse().ok());
        if let Some(child) = child.and_then(Pid::from_raw) {
            return Some(child);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    None
}

/// The most memory that a process has had, in KiB.
fn peak_of(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok());
    peak.unwrap_or_default()
}

fn is_gone(process: Pid) -> bool {
    let path = format!("/proc/{}", process.as_raw_nonzero());
    let deadline = std::time::Instant::now() + GONE;
    while Path::new(&path).exists() {
        if std::time::Instant::now() > deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    true
}

/// Numbers that look random and are the same every time: xorshift64* (Marsaglia 2003, Vigna 2016).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, most: u64) -> u64 {
        1 + self.next() % most
    }

    /// Of 1000 results one is large; most are small, as they are.
    fn size(&mut self) -> u64 {
        let (least, most) = match self.next() % 1000 {
            0 => (64_000.0, MOST),
            1..20 => (2_000.0, 64_000.0),
            _ => (LEAST, 2_000.0),
        };
        let part = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        (least * f64::powf(most / least, part)) as u64
    }
}
