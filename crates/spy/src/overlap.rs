//! How many calls really run at once. What may not enter: a clock, and sleep.

use std::future::{Future, poll_fn};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use frankly_contract::{BoxFuture, CallError, ToolCall, ToolDef, ToolResult, Tools};

use crate::fault::Touched;

/// So often calls that are kept in are polled, all of them together, without another one coming in, before they are let on.
const PATIENCE: usize = 20_000;

/// After so many of these polls the thread gives way too: on a busy machine another worker may have been stopped in the middle of
/// beginning a call. Each time may take as long as all that is waiting for the processor takes together.
const BREATH: usize = PATIENCE / 32;

/// Tools that keep calls in until more of them are inside than a cap allows, or no more come: so whether a cap holds is found out,
/// and not whether the calls happened to be quick.
///
/// A call waits at a barrier until `cap + 1` calls are inside, or until those that are there were polled thousands of times and
/// nobody came. Then they all go on, and the next ones wait anew. Where just `cap` of them went on, the first one to end leaves, and the
/// others are kept in for as long again: a call that had been held back now takes the place that became free. Nothing sleeps and
/// nothing looks at a clock: a cap that is applied costs some milliseconds, and one that is only configured fails every time.
///
/// What it cannot see:
///
/// - A call that is held back, before it comes in. That there was one is told from another coming in while others of the same `cap`
///   calls are still inside; so a cap that lets calls through in whole batches, the next when all of the last have ended, is not
///   shown, and [`Overlap::peak`] is all there is to assert of it.
/// - Why a call comes in then. One that is made as an answer to the first to end looks like one that had been held back: leave
///   its tool out with [`Overlap::only`].
/// - What comes in only after a wait on a clock or a network: that is too late.
/// - A cap of 1, but for its being broken: calls that are made one after the other keep it by themselves.
///
/// ```
/// use frankly_contract::{NoArguments, Registry, Tool, ToolCall, Tools};
/// use frankly_spy::Overlap;
/// use futures_util::future::join_all;
/// use futures_util::stream::{self, StreamExt};
///
/// # fn tools() -> Result<Registry, frankly_contract::InvalidTool> {
/// # let mut registry = Registry::new();
/// # registry.add(Tool::typed("fetch", "Fetches.", |_: NoArguments| async { Ok("fetched") }))?;
/// # Ok(registry)
/// # }
/// let tools = Overlap::new(tools()?, 4);
/// let fetch = || tools.call(ToolCall::new("fetch", Default::default()));
/// pollster::block_on(stream::iter(0..8).map(|_| fetch()).buffer_unordered(4).for_each(|_| async {}));
/// assert_eq!(tools.peak(), 4);
/// tools.assert_cap();
///
/// pollster::block_on(join_all((0..5).map(|_| fetch())));
/// let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| tools.assert_cap()));
/// assert_eq!(failed.unwrap_err().downcast_ref::<String>().unwrap(), "5 calls ran at once, expected at most 4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Overlap<T> {
    tools: T,
    cap: usize,
    touched: Touched,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// All that came in, but for those that were dropped before they ended.
    made: usize,
    inside: usize,
    peak: usize,
    /// How often the barrier has opened.
    openings: usize,
    /// Polls of those that wait since somebody came in or left.
    idle: usize,
    full: Full,
    /// Whether a call ever took the place of one that left, while others that came in with that one were inside.
    was_held_back: bool,
}

/// Where those stand that just filled the cap.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Full {
    /// There are none, or nobody took the place of the first one to leave.
    #[default]
    No,
    /// All are inside.
    Kept,
    /// The first one has left, and its place is free.
    OneLeft,
}

impl<T: Tools> Overlap<T> {
    /// These tools, of which no more than `cap` calls should run at once.
    pub fn new(tools: T, cap: usize) -> Self {
        Self { tools, cap, touched: Touched::default(), state: Mutex::default() }
    }

    /// The same, for calls of the tools of these names only. Others go through, and are not counted.
    #[must_use]
    pub fn only<N: Into<String>>(mut self, tools: impl IntoIterator<Item = N>) -> Self {
        self.touched.only(tools);
        self
    }

    /// The most calls that were inside at once so far.
    #[must_use]
    pub fn peak(&self) -> usize {
        self.state().peak
    }

    /// Asserts that the cap held, and that something held it: `cap` calls ran at once, and one more wanted in. It fails where more ran
    /// at once; and where nothing could have shown it, since too few calls were made, they never came together, or none took the
    /// place of one that ended while the others were inside. Calls that were dropped before they ended are none that were made.
    ///
    /// ```should_panic
    /// use frankly_contract::Registry;
    /// use frankly_spy::Overlap;
    ///
    /// // only 0 calls were made, so nothing could break the cap of 4: make at least 5 at once
    /// Overlap::new(Registry::new(), 4).assert_cap();
    /// ```
    #[track_caller]
    pub fn assert_cap(&self) {
        let (cap, made, peak, was_held_back) = self.seen();
        assert!(peak <= cap, "{} at once, expected at most {cap}", ran(peak));
        let calls = plural(made);
        assert!(
            made > cap,
            "only {made} {calls} made, so nothing could break the cap of {cap}: make at least {} at once",
            cap.saturating_add(1)
        );
        assert!(
            peak == cap,
            "no more than {} at once, so nothing shows that it was the cap of {cap} that held them back",
            ran(peak)
        );
        assert!(
            was_held_back || cap == 1,
            "{} at once, and no other one came in while some of them were inside, so nothing shows that the cap of {cap} \
             held one back: make at least {} at once",
            ran(peak),
            cap.saturating_add(1)
        );
    }

    /// Asserts that so many calls really ran at once: an agent may claim to, and wait for each before it makes the next. The cap
    /// has to be as large at least, since nobody is kept in for more.
    ///
    /// ```should_panic
    /// use frankly_contract::Registry;
    /// use frankly_spy::Overlap;
    ///
    /// // no more than 0 calls ran at once, expected at least 3
    /// Overlap::new(Registry::new(), 3).assert_reached(3);
    /// ```
    #[track_caller]
    pub fn assert_reached(&self, calls: usize) {
        assert!(calls > 0, "0 calls at once are always reached, so nothing could fail: name at least 1");
        let peak = self.peak();
        assert!(peak >= calls, "no more than {} at once, expected at least {calls}", ran(peak));
    }

    fn seen(&self) -> (usize, usize, usize, bool) {
        let state = self.state();
        (self.cap, state.made, state.peak, state.was_held_back)
    }

    /// Whoever panicked while it held the lock had counted all or nothing.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self) -> Inside<'_, T> {
        let mut state = self.state();
        if state.full == Full::OneLeft && state.inside > 0 && state.inside < self.cap {
            state.was_held_back = true;
        }
        state.full = Full::No;
        state.made += 1;
        state.inside += 1;
        state.peak = state.peak.max(state.inside);
        state.idle = 0;
        let openings = state.openings;
        if state.inside > self.cap {
            state.openings += 1;
        }
        Inside { overlap: self, openings, has_ended: false }
    }
}

fn ran(calls: usize) -> String {
    if calls == 1 { "1 call ran".to_owned() } else { format!("{calls} calls ran") }
}

fn plural(calls: usize) -> &'static str {
    if calls == 1 { "call was" } else { "calls were" }
}

/// A call that is inside.
#[must_use = "the call is inside only while this lives"]
struct Inside<'a, T: Tools> {
    overlap: &'a Overlap<T>,
    /// How often the barrier had opened when it came.
    openings: usize,
    has_ended: bool,
}

impl<T: Tools> Inside<'_, T> {
    /// Waits until the barrier opens.
    fn opened(&self) -> impl Future<Output = ()> {
        poll_fn(|cx| {
            let state = self.overlap.state();
            if state.openings != self.openings {
                return Poll::Ready(());
            }
            let mut state = ready!(patience(state, cx));
            state.openings += 1;
            if state.inside == self.overlap.cap && !state.was_held_back {
                state.full = Full::Kept;
            }
            Poll::Ready(())
        })
    }

    /// Waits, where others just filled the cap with this one, until one of them has left and somebody could have come in.
    fn may_leave(&self) -> impl Future<Output = ()> {
        poll_fn(|cx| {
            let mut state = self.overlap.state();
            match state.full {
                Full::No => return Poll::Ready(()),
                Full::Kept => {
                    (state.full, state.idle) = (Full::OneLeft, 0);
                    return Poll::Ready(());
                }
                Full::OneLeft => {}
            }
            ready!(patience(state, cx)).full = Full::No;
            Poll::Ready(())
        })
    }
}

/// Waits until nobody came in for long; gives what it was given then.
fn patience<'s>(mut state: MutexGuard<'s, State>, cx: &Context<'_>) -> Poll<MutexGuard<'s, State>> {
    state.idle += 1;
    if state.idle > PATIENCE {
        state.idle = 0;
        return Poll::Ready(state);
    }
    let is_breath = state.idle.is_multiple_of(BREATH);
    drop(state);
    if is_breath {
        std::thread::yield_now();
    }
    cx.waker().wake_by_ref();
    Poll::Pending
}

impl<T: Tools> Drop for Inside<'_, T> {
    fn drop(&mut self) {
        let mut state = self.overlap.state();
        state.inside -= 1;
        if !self.has_ended {
            state.made -= 1;
        }
    }
}

impl<T: Tools> Tools for Overlap<T> {
    fn list(&self) -> BoxFuture<'_, Result<Vec<ToolDef>, CallError>> {
        self.tools.list()
    }

    fn call(&self, call: ToolCall) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async move {
            if !self.touched.covers(&call.name) {
                return self.tools.call(call).await;
            }
            let mut inside = self.enter();
            inside.opened().await;
            let answer = self.tools.call(call).await;
            inside.may_leave().await;
            inside.has_ended = true;
            answer
        })
    }
}
