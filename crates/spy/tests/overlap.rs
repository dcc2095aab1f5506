//! A cap that is applied passes, and one that is only configured fails, every time and on every executor.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use frankly_contract::{NoArguments, Registry, Tool, ToolCall, Tools};
use frankly_spy::Overlap;
use futures_util::future::join_all;
use futures_util::{FutureExt, StreamExt};
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
    catch_unwind(AssertUnwindSafe(assertion)).err().map(|panic| match panic.downcast::<String>() {
        Ok(words) => *words,
        Err(panic) => (*panic.downcast::<&str>().unwrap()).to_owned(),
    })
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
        for run in 0..10 {
            let tools = tools(CAP);
            // One call waits for its place, or several do.
            runtime.block_on(agent(Arc::clone(&tools), if run % 2 == 0 { CAP + 1 } else { 10 }, true));
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

#[test]
fn calls_that_all_came_in_and_one_that_came_later_show_no_cap() {
    let tools = tools(CAP);
    // Just as many as the cap allows, all of them at once, and nobody who waits.
    pollster::block_on(join_all((0..CAP).map(|_| tools.call(fetch()))));
    pollster::block_on(tools.call(fetch())).unwrap();
    let unshown = "4 calls ran at once, and no other one came in while some of them were inside, so nothing shows that the cap of 4 \
                   held one back: make at least 5 at once";
    assert_eq!(words(|| tools.assert_cap()).as_deref(), Some(unshown));
    // Its twin, in which the fifth has to wait.
    let tools = self::tools(CAP);
    let calls = futures_util::stream::iter(0..=CAP).map(|_| tools.call(fetch()));
    pollster::block_on(calls.buffer_unordered(CAP).for_each(|_| async {}));
    assert_eq!(words(|| tools.assert_cap()), None);
}

#[test]
fn whole_batches_are_not_told_from_calls_that_all_came_in() {
    let tools = tools(CAP);
    for _ in 0..3 {
        pollster::block_on(join_all((0..CAP).map(|_| tools.call(fetch()))));
    }
    assert!(words(|| tools.assert_cap()).is_some_and(|words| words.contains("no other one came in")));
    assert_eq!(tools.peak(), CAP);
}

#[test]
fn a_cap_of_one_is_broken_or_kept() {
    let tools = tools(1);
    (0..2).for_each(|_| drop(pollster::block_on(tools.call(fetch()))));
    tools.assert_cap();
    pollster::block_on(join_all((0..2).map(|_| tools.call(fetch()))));
    assert_eq!(words(|| tools.assert_cap()).as_deref(), Some("2 calls ran at once, expected at most 1"));
}

#[test]
fn a_cap_is_seen_over_tools_that_take_their_time() {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let mut registry = Registry::new();
    let slow = |_: NoArguments| async {
        tokio::time::sleep(std::time::Duration::from_secs(9)).await;
        Ok("fetched")
    };
    registry.add(Tool::typed("fetch", "Fetches.", slow)).unwrap();
    let tools = Arc::new(Overlap::new(registry, CAP));
    runtime.block_on(agent(Arc::clone(&tools), 10, true));
    tools.assert_cap();
}

#[test]
fn what_is_not_named_is_not_counted() {
    let mut registry = Registry::new();
    for name in ["fetch", "search"] {
        registry.add(Tool::typed(name, "Does it.", |_: NoArguments| async { Ok("done") })).unwrap();
    }
    let tools = Overlap::new(registry, 2).only(["fetch"]);
    let search = || tools.call(ToolCall::new("search", serde_json::Map::new()));
    pollster::block_on(join_all((0..5).map(|_| search())));
    assert_eq!(tools.peak(), 0);
    let none = "only 0 calls were made, so nothing could break the cap of 2: make at least 3 at once";
    assert_eq!(words(|| tools.assert_cap()).as_deref(), Some(none));
    pollster::block_on(tools.call(fetch())).unwrap();
    assert_eq!(tools.peak(), 1);
}

#[test]
fn a_call_that_was_dropped_was_not_made() {
    let tools = tools(CAP);
    for _ in 0..=CAP {
        assert!(tools.call(fetch()).now_or_never().is_none());
    }
    let none = "only 0 calls were made, so nothing could break the cap of 4: make at least 5 at once";
    assert_eq!(words(|| tools.assert_cap()).as_deref(), Some(none));
}

#[test]
fn that_nothing_was_reached_is_no_assertion() {
    let zero = "0 calls at once are always reached, so nothing could fail: name at least 1";
    assert_eq!(words(|| tools(CAP).assert_reached(0)).as_deref(), Some(zero));
}
