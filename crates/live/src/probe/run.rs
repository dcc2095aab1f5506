//! What all calls of one round over a server have in common: how many may still be sent, how long it has been silent,
//! what was returned so far, and the seed of every random choice.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use frankly_contract::{ToolCall, ToolDef, ToolResult};
use frankly_verdict::payload::holds_nothing;
use serde_json::Value;

use super::consent::Grants;
use super::given::Given;

/// After so many calls in a row that were not answered in time, a server is left alone.
pub(super) const MOST_SILENCE: usize = 3;

/// The state of a round.
#[derive(Debug)]
pub(super) struct Run {
    silence: AtomicUsize,
    left: AtomicUsize,
    /// Whether a call was not made since none might be any more.
    was_cut_short: AtomicBool,
    most: usize,
    seed: u64,
    /// The seed of texts that are written, which a server may keep from one run to the next.
    written: u64,
    start: Instant,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    given: Given,
    healthy: Vec<Arc<Healthy>>,
    /// Calls of tools that read whose argument of this name came back.
    echoes: Vec<(ToolCall, String)>,
    /// The good calls of tools that write, with which more may be written.
    writers: Vec<(ToolDef, ToolCall)>,
    markers: u64,
}

/// A call to a tool that nothing says writes, which succeeded.
#[derive(Debug)]
pub(super) struct Healthy {
    pub tool: ToolDef,
    pub call: ToolCall,
    /// Whether the answer held anything.
    pub held: bool,
    /// How long the answer took.
    pub took: Duration,
}

impl Run {
    /// A round of at most so many calls; the same seed makes the same choices.
    pub fn new(most: usize, seed: u64) -> Self {
        let (silence, left) = (AtomicUsize::new(0), AtomicUsize::new(most));
        let was_cut_short = AtomicBool::new(false);
        Self {
            silence,
            left,
            was_cut_short,
            most,
            seed,
            written: seed,
            start: Instant::now(),
            state: Mutex::default(),
        }
    }

    /// A round as it was granted. Where no seed was given, no text is written that an earlier round wrote.
    pub fn of(grants: &Grants) -> Self {
        match grants.seed {
            Some(seed) => Self::new(grants.max_calls, seed),
            None => Self { written: of_now(), ..Self::new(grants.max_calls, 0) },
        }
    }

    /// Takes one call off what may be sent. An error when nothing may any more, as the end of a sentence.
    pub fn spend(&self) -> Result<(), String> {
        let spent = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        spent.map(|_| ()).map_err(|_| {
            self.was_cut_short.store(true, Ordering::Relaxed);
            self.spent_why()
        })
    }

    /// Why nothing more is sent, once all calls have been made.
    pub fn spent(&self) -> Option<String> {
        (self.left.load(Ordering::Relaxed) == 0).then(|| self.spent_why())
    }

    /// Whether a call was not made since this was last asked, because none might be any more.
    pub fn take_cut_short(&self) -> bool {
        self.was_cut_short.swap(false, Ordering::Relaxed)
    }

    fn spent_why(&self) -> String {
        format!(
            "--max-calls: {} calls were made, and no more may be; allow more with --max-calls NUMBER",
            self.most
        )
    }

    /// Takes note of whether a call was answered in time.
    pub fn heard(&self, in_time: bool) {
        match in_time {
            true => self.silence.store(0, Ordering::Relaxed),
            false => _ = self.silence.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// Whether the server has been silent for so long that it is left alone.
    pub fn is_silent(&self) -> bool {
        self.silence.load(Ordering::Relaxed) >= MOST_SILENCE
    }

    /// Whether the last call was answered in time.
    pub fn is_heard(&self) -> bool {
        self.silence.load(Ordering::Relaxed) == 0
    }

    /// Takes note of a good answer; `reads`: of a tool that nothing says writes.
    pub fn learn(&self, tool: &ToolDef, call: ToolCall, answer: &ToolResult, took: Duration, reads: bool) {
        let mut state = self.state();
        state.given.take(tool, answer);
        if reads {
            let held = !holds_nothing(answer);
            state.healthy.push(Arc::new(Healthy { tool: tool.clone(), call, held, took }));
        }
    }

    /// Takes note of a good call with which more may be written.
    pub fn wrote(&self, tool: &ToolDef, call: ToolCall) {
        self.state().writers.push((tool.clone(), call));
    }

    /// The good calls with which more may be written, in the order in which they were made.
    pub fn writers(&self) -> Vec<(ToolDef, ToolCall)> {
        self.state().writers.clone()
    }

    /// Takes note of a call of a tool that reads whose argument of this name came back; one for each argument.
    pub fn echoed(&self, call: &ToolCall, name: &str) {
        let mut state = self.state();
        let is_known = |(known, of): &(ToolCall, String)| known.name == call.name && of == name;
        if !state.echoes.iter().any(is_known) {
            state.echoes.push((call.clone(), name.to_owned()));
        }
    }

    /// Calls of tools that read with the name of an argument that came back, whatever it was.
    pub fn echoes(&self) -> Vec<(ToolCall, String)> {
        self.state().echoes.clone()
    }

    /// A value that another tool returned, for a parameter of this one.
    pub fn value_for(
        &self,
        tool: &ToolDef,
        parameter: &str,
        admits: impl Fn(&Value) -> bool,
    ) -> Option<Value> {
        self.state().given.value_for(tool, parameter, admits)
    }

    /// The good calls of tools that read, in the order in which they were made.
    pub fn healthy(&self) -> Vec<Arc<Healthy>> {
        self.state().healthy.clone()
    }

    /// A good call whose answer held something, to see whether the server still answers: the first one.
    pub fn health_check(&self) -> Option<Arc<Healthy>> {
        let healthy = self.healthy();
        healthy.iter().find(|healthy| healthy.held).or(healthy.first()).cloned()
    }

    /// Milliseconds since the round began.
    pub fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// A text that stands nowhere else: letters, digits and hyphens.
    pub fn marker(&self) -> String {
        self.marker_of(self.seed)
    }

    /// The same, to be written: no earlier run wrote it either, unless it had the same seed.
    pub fn marker_to_write(&self) -> String {
        self.marker_of(self.written)
    }

    fn marker_of(&self, seed: u64) -> String {
        let mut state = self.state();
        state.markers += 1;
        format!("frankly-{:08x}", scramble(seed, state.markers) >> 32)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // It is whole between any two statements, so a panic elsewhere cannot have torn it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A seed that no other run has.
fn of_now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // The low digits are those that differ.
    u64::try_from(now.as_nanos() & u128::from(u64::MAX)).unwrap_or_default() ^ u64::from(std::process::id())
}

/// Numbers that look drawn, the same for the same seed: SplitMix64 (Steele, Lea, Flood 2014).
fn scramble(seed: u64, position: u64) -> u64 {
    let mut z = seed.wrapping_add(position.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_calls_are_made_than_may_be() {
        let run = Run::new(2, 0);
        assert!(run.spend().is_ok() && run.spend().is_ok());
        let why = run.spend().unwrap_err();
        assert!(why.starts_with("--max-calls: 2 calls were made"), "{why}");
        assert_eq!(run.spent(), Some(why));
        assert!(run.take_cut_short() && !run.take_cut_short());
    }

    #[test]
    fn the_same_seed_gives_the_same_markers_and_no_two_are_alike() {
        let markers = |seed| {
            let run = Run::new(1, seed);
            [run.marker(), run.marker(), run.marker()]
        };
        assert_eq!(markers(7), markers(7));
        assert_ne!(markers(7), markers(8));
        let [a, b, c] = markers(0);
        assert!(a != b && b != c && a != c);
    }

    #[test]
    fn what_is_written_is_new_in_each_run_unless_a_seed_is_given() {
        let written = |seed| {
            let run = Run::of(&Grants { seed, ..Grants::default() });
            [run.marker(), run.marker_to_write()]
        };
        assert_eq!(written(Some(7)), written(Some(7)));
        let ([asked, kept], [asked_again, kept_again]) = (written(None), written(None));
        assert_eq!(asked, asked_again, "what is only asked for may be the same");
        assert_ne!(kept, kept_again);
    }

    #[test]
    fn silence_ends_with_an_answer() {
        let run = Run::new(1, 0);
        (0..MOST_SILENCE).for_each(|_| run.heard(false));
        assert!(run.is_silent());
        run.heard(true);
        assert!(!run.is_silent());
    }
}
