//! A cap that is applied passes, and one that is only configured fails, every time and on every executor.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use frankly_contract::{NoArguments, Registry, Tool, ToolCall, Tools};
use frankly_spy::Overlap;
use futures_util::FutureExt;
use futures_util::future::join_all;
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

const CAP: usize = 4;
const RUNS: usize = 100;

fn tools(cap: usize) -> Arc<Overlap<Registry>> {
    let mut registry = Registry::new();
    registry.add(Tool::typed("fetch", "Fetches.", |_: NoArguments| async { Ok("fetched") })).unwrap();
    Arc::new(Overlap::new(registry, cap))
}

fn fetch() -> ToolCall {
    ToolCall::new("fetch", serde_json::Map::new())
}

/// An agent that makes so many calls at once, with a cap of four: applied, or only configured.
async fn agent(tools: Arc<Overlap<Registry>>, calls: usize, is_applied: bool) {
    let cap = Arc::new(Semaphore::new(CAP));
    let mut running = JoinSet::new();
    for _ in 0..calls {
        let (tools, cap) = (Arc::clone(&tools), Arc::clone(&cap));
        running.spawn(async move {
            let permit = cap.acquire().await.unwrap();
            let kept = is_applied.then_some(permit);
            tools.call(fetch()).await.unwrap();
            drop(kept);
        });
    }
    while running.join_next().await.is_some() {}
}

fn runtimes() -> [(&'static str, Runtime); 2] {
    let multi = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    let current = tokio::runtime::Builder::new_current_thread().build().unwrap();
    [("current_thread", current), ("multi_thread", multi)]
}

/// The words with which an assertion fails; `None` where it holds.
fn words(assertion: impl FnOnce()) -> Option<String> {
    catch_unwind(AssertUnwindSafe(assertion)).err().map(|panic| *panic.downcast::<String>().unwrap())
}

#[test]
fn a_cap_that_is_not_applied_fails_every_time() {
    for (name, runtime) in runtimes() {
        for run in 0..RUNS {
            let tools = tools(CAP);
            runtime.block_on(agent(Arc::clone(&tools), CAP + 1, false));
            let words = words(|| tools.assert_cap());
            assert_eq!(
                words.as_deref(),
                Some("5 calls ran at once, expected at most 4"),
                "{name}, run {run}"
            );
        }
    }
}

#[test]
fn a_cap_that_is_applied_passes() {
    for (name, runtime) in runtimes() {
        for run in 0..5 {
            let tools = tools(CAP);
            runtime.block_on(agent(Arc::clone(&tools), 10, true));
            assert_eq!((words(|| tools.assert_cap()), tools.peak()), (None, CAP), "{name}, run {run}");
            tools.assert_reached(CAP);
        }
    }
}

#[test]
fn calls_of_one_task_count_as_those_of_many() {
    let capped = tools(2);
    pollster::block_on(join_all((0..3).map(|_| capped.call(fetch()))));
    assert_eq!(words(|| capped.assert_cap()).as_deref(), Some("3 calls ran at once, expected at most 2"));
}

#[test]
fn calls_that_really_run_at_once_reach_their_number() {
    let tools = tools(3);
    pollster::block_on(join_all((0..3).map(|_| tools.call(fetch()))));
    tools.assert_reached(3);
    let few = "only 3 calls were made, so nothing could break the cap of 3: make at least 4 at once";
    assert_eq!(words(|| tools.assert_cap()).as_deref(), Some(few));
}

#[test]
fn a_cap_that_nothing_could_break_fails() {
    let tools = tools(CAP);
    let call = || pollster::block_on(tools.call(fetch())).unwrap();
    call();
    let few = "only 1 call was made, so nothing could break the cap of 4: make at least 5 at once";
    assert_eq!(words(|| tools.assert_cap()).as_deref(), Some(few));
    (0..4).for_each(|_| drop(call()));
    let apart =
        "no more than 1 call ran at once, so nothing shows that it was the cap of 4 that held them back";
    assert_eq!(words(|| tools.assert_cap()).as_deref(), Some(apart));
    let serial = "no more than 1 call ran at once, expected at least 3";
    assert_eq!(words(|| tools.assert_reached(3)).as_deref(), Some(serial));
}

#[test]
fn a_call_that_is_dropped_while_it_is_kept_in_stalls_nobody() {
    let tools = tools(CAP);
    let mut dropped = tools.call(fetch());
    assert!((&mut dropped).now_or_never().is_none());
    let mut kept = tools.call(fetch());
    assert!((&mut kept).now_or_never().is_none());
    drop(dropped);
    pollster::block_on(kept).unwrap();
    assert_eq!(tools.peak(), 2);
    // Nobody is left inside.
    pollster::block_on(tools.call(fetch())).unwrap();
    assert_eq!(tools.peak(), 2);
}
