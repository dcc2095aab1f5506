//! A spy sees every call that began, however it ended, and changes nothing.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::future::{pending, poll_fn};
use std::panic::AssertUnwindSafe;
use std::task::Poll;
use std::time::Duration;

use frankly_contract::{
    CallError, Code, Guarded, NoArguments, NoRunContext, Registry, RunContext, Tool, ToolCall, ToolDef,
    ToolError, ToolResult, Tools,
};
use frankly_spy::{Outcome, Spy, scoped_run};
use futures_util::FutureExt;
use serde_json::{Map, Value, json};

fn call(name: &str) -> ToolCall {
    ToolCall::new(name, Map::new())
}

fn with(name: &str, arguments: Value) -> ToolCall {
    ToolCall::new(name, arguments.as_object().cloned().unwrap())
}

fn run(tenant: &str) -> RunContext {
    RunContext::new(tenant, "u_7", "run-1").unwrap()
}

/// Panics with a text that the program holds, or with one that was made.
fn bug(account: Option<i64>) -> Result<String, ToolError> {
    match account {
        None => panic!("no balance"),
        Some(account) => panic!("no balance of {account}"),
    }
}

fn registry() -> Registry {
    let busy = || ToolError::new(Code::Transient, "the bank is busy", "");
    let schema =
        json!({"type": "object", "properties": {"cents": {"type": "integer"}, "key": {"type": "string"}}});
    let charge = ToolDef::new("charge", "Takes money.", schema);
    let mut registry = Registry::new();
    for tool in [
        Tool::typed("ping", "Answers pong.", |_: NoArguments| async { Ok("pong") }),
        Tool::typed("busy", "Fails.", move |_: NoArguments| async move { Err::<&str, _>(busy()) }),
        Tool::typed("bug", "Panics.", |_: NoArguments| async { bug(None) }),
        Tool::typed("deep_bug", "Panics too.", |_: NoArguments| async { bug(Some(7)) }),
        Tool::typed("odd_bug", "Panics without a word.", |_: NoArguments| async {
            std::panic::panic_any(7_i32);
            #[expect(unreachable_code, reason = "what it would answer says its type")]
            Ok("never")
        }),
        Tool::typed("wait", "Never answers.", |_: NoArguments| pending::<Result<String, ToolError>>()),
        Tool::with_definition(charge, |_| async { Ok("taken") }),
    ] {
        registry.add(tool).unwrap();
    }
    registry
}

#[test]
fn what_comes_back_is_what_would_have_come_without_it() {
    let (bare, spy) = (registry(), Spy::new(registry()));
    for call in [call("ping"), call("busy"), call("pimg"), with("ping", json!({"a": 1}))] {
        let answer = pollster::block_on(spy.call(call.clone()));
        assert_eq!(answer, pollster::block_on(bare.call(call.clone())));
        let calls = spy.calls();
        let seen = calls.last().unwrap();
        assert_eq!((&seen.name, &seen.arguments), (&call.name, &call.arguments));
        let outcome = match answer {
            Ok(result) => Outcome::Answered(result),
            Err(error) => Outcome::Failed(error),
        };
        assert_eq!(seen.outcome, outcome);
    }
    assert_eq!(spy.calls().iter().map(|call| call.refused()).collect::<Vec<_>>(), [false, false, true, true]);
    assert_eq!(pollster::block_on(spy.list()), pollster::block_on(bare.list()));
    assert_eq!(spy.calls().len(), 4);
}

#[test]
fn a_call_that_panics_is_recorded_and_the_panic_goes_on() {
    let spy = Spy::new(registry());
    let panicked =
        |name| pollster::block_on(AssertUnwindSafe(spy.call(call(name))).catch_unwind()).unwrap_err();
    assert_eq!(panicked("bug").downcast_ref::<&str>(), Some(&"no balance"));
    assert_eq!(panicked("deep_bug").downcast_ref::<String>().map(String::as_str), Some("no balance of 7"));
    let calls = spy.calls();
    assert_eq!(calls[0].outcome, Outcome::Panicked("no balance".to_owned()));
    assert_eq!(calls[1].outcome, Outcome::Panicked("no balance of 7".to_owned()));
    assert!(calls[0].duration.is_some() && calls[0].ended == Some(1));
    assert!(panicked("odd_bug").is::<i32>());
    assert_eq!(spy.calls()[2].outcome, Outcome::Panicked("something that is no text".to_owned()));
    // The spy is as good as before.
    pollster::block_on(spy.call(call("ping"))).unwrap();
    spy.calls().assert_sequence(["bug", "deep_bug", "odd_bug", "ping"]);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_given_up_is_recorded_and_one_that_goes_on_is_running() {
    let spy = Spy::new(registry());
    assert!(tokio::time::timeout(Duration::from_secs(9), spy.call(call("wait"))).await.is_err());
    let mut going_on = spy.call(call("wait"));
    assert!((&mut going_on).now_or_never().is_none());
    let calls = spy.calls();
    assert_eq!((&calls[0].outcome, calls[0].ended), (&Outcome::Dropped, Some(1)));
    assert!(calls[0].duration.is_some());
    assert_eq!((&calls[1].outcome, calls[1].began, calls[1].ended), (&Outcome::Running, 2, None));
    assert_eq!(calls[1].duration, None);
    // A snapshot stays what it was.
    drop(going_on);
    assert_eq!(calls[1].outcome, Outcome::Running);
    assert_eq!(spy.calls()[1].outcome, Outcome::Dropped);
}

#[test]
fn a_time_out_that_the_tools_keep_is_a_failure() {
    let spy = Spy::new(frankly_spy::fault::Failing::new(registry(), CallError::TimedOut));
    pollster::block_on(spy.call(call("ping"))).unwrap_err();
    assert_eq!(spy.calls()[0].outcome, Outcome::Failed(CallError::TimedOut));
    assert!(!spy.calls()[0].refused() && spy.calls()[0].error().is_none());
}

#[test]
fn a_call_begins_when_it_is_first_polled_and_under_whose_name_that_is() {
    let spy = Spy::new(registry());
    drop(run("acme").sync_scope(|| spy.call(call("ping"))));
    spy.calls().assert_nothing_called();

    let made_outside = spy.call(call("ping"));
    pollster::block_on(scoped_run(run("acme"), made_outside)).unwrap();
    let made_inside = run("acme").sync_scope(|| spy.call(call("ping")));
    pollster::block_on(made_inside).unwrap();
    let calls = spy.calls();
    assert_eq!(calls[0].context, Some(run("acme")));
    assert_eq!(calls[1].context, None);
}

#[test]
fn the_context_is_that_of_the_first_poll_whoever_polls_later() {
    let spy = Spy::new(registry());
    let mut waiting = spy.call(call("wait"));
    let mut poll = |tenant: &str| {
        run(tenant).sync_scope(|| {
            pollster::block_on(poll_fn(|cx| Poll::Ready(waiting.as_mut().poll(cx).is_pending())))
        })
    };
    assert!(poll("acme") && poll("acme"));
    assert_eq!(spy.calls()[0].went_on_under, None);
    assert!(poll("globex") && poll("initech") && poll("acme"));
    let calls = spy.calls();
    assert_eq!((&calls[0].context, calls.len()), (&Some(run("acme")), 1));
    assert_eq!(calls[0].went_on_under, Some(Ok(run("globex"))), "the first other one");
}

#[test]
fn a_call_that_was_moved_into_another_runs_set_is_told() {
    let spy = Spy::new(registry());
    let mut waiting = spy.call(call("wait"));
    let mut poll = |run: RunContext| run.sync_scope(|| (&mut waiting).now_or_never().is_none());
    let other = RunContext::new("globex", "u_9", "run-2").unwrap();
    assert!(poll(run("acme")) && poll(other));
    let failed = std::panic::catch_unwind(AssertUnwindSafe(|| spy.calls().assert_context("acme", "u_7")));
    assert_eq!(
        failed.unwrap_err().downcast_ref::<String>().unwrap(),
        "call 1: `wait` began under tenant `acme`, user `u_7` and went on under tenant `globex`, user `u_9`"
    );

    // Out of any run, or into one from nowhere, is elsewhere too.
    for (from, to) in [(Some("acme"), None), (None, Some("acme"))] {
        let spy = Spy::new(registry());
        let mut waiting = spy.call(call("wait"));
        for tenant in [from, to] {
            let mut poll = || (&mut waiting).now_or_never().is_none();
            assert!(match tenant {
                Some(tenant) => run(tenant).sync_scope(poll),
                None => poll(),
            });
        }
        assert_eq!(spy.calls()[0].went_on_under, Some(to.map(run).ok_or(NoRunContext)));
    }
}

#[test]
fn what_a_run_changes_for_a_step_is_no_other_run() {
    let spy = Spy::new(registry());
    let mut waiting = spy.call(call("wait"));
    let step = run("acme").with_idempotency_key("step-1").unwrap();
    let allowed = run("acme").with_allowlist(frankly_contract::Allowlist::covering(["wait"]));
    for run in [run("acme"), step, allowed] {
        assert!(run.sync_scope(|| (&mut waiting).now_or_never().is_none()));
    }
    assert_eq!(spy.calls()[0].went_on_under, None);
    spy.calls().assert_context("acme", "u_7");
    // The same tenant and user in another run are elsewhere.
    let other = RunContext::new("acme", "u_7", "run-2").unwrap();
    assert!(other.sync_scope(|| (&mut waiting).now_or_never().is_none()));
    assert!(spy.calls()[0].went_on_under.is_some());
}

#[test]
fn a_scoped_run_is_bound_as_in_production() {
    struct Leaving<'a>(&'a std::sync::Mutex<Vec<Result<RunContext, NoRunContext>>>);
    impl Drop for Leaving<'_> {
        fn drop(&mut self) {
            self.0.lock().unwrap().push(RunContext::current());
        }
    }
    let left = std::sync::Mutex::new(Vec::new());
    // The type is that of `RunContext::scope`, and what is dropped is dropped under its own name.
    let mut bound: frankly_contract::Scoped<_> = scoped_run(run("acme"), async {
        let _leaving = Leaving(&left);
        pending::<()>().await;
    });
    pollster::block_on(poll_fn(|cx| Poll::Ready(bound.poll_unpin(cx).is_pending())));
    drop(bound);
    assert_eq!(*left.lock().unwrap(), [Ok(run("acme"))]);
    assert_eq!(RunContext::current(), Err(NoRunContext));
}

#[test]
fn the_key_is_the_runs_or_the_arguments_that_was_named() {
    let run = run("acme").with_idempotency_key("step-1").unwrap();
    let spy = Spy::new(registry()).keyed_by("charge", "key");
    for call in [
        call("ping"),
        with("charge", json!({"cents": 1, "key": "seat-12"})),
        with("charge", json!({"cents": 1})),
        with("charge", json!({"cents": 1, "key": 7})),
        with("charge", json!({"cents": 1, "key": " "})),
    ] {
        let _ = pollster::block_on(scoped_run(run.clone(), spy.call(call)));
    }
    let keys: Vec<_> = spy.calls().iter().map(|call| call.key.clone()).collect();
    let keys: Vec<_> = keys.iter().map(Option::as_deref).collect();
    assert_eq!(keys, [Some("step-1"), Some("seat-12"), None, Some("7"), None]);
    // What was called is what is shown, the key included; what is printed leaves it out.
    spy.calls().assert_called_with("charge", json!({"key": "seat-12"}));
    let printed = format!("{:?} {spy:?}", spy.calls());
    assert!(!printed.contains("step-1") && !printed.contains("seat-12"), "{printed}");
}

#[test]
fn outside_of_a_guard_is_what_was_tried_and_inside_is_what_got_there() {
    let inside = Spy::new(registry());
    let reached = inside.log();
    let outside = Spy::new(Guarded::new(inside));
    pollster::block_on(scoped_run(run("acme"), outside.call(call("ping")))).unwrap_err();
    outside.calls().assert_sequence(["ping"]);
    assert!(outside.calls()[0].refused());
    reached.calls().assert_nothing_called();
}

#[test]
fn calls_at_once_are_told_by_their_places_on_any_executor() {
    let spy = Spy::new(registry());
    let executor = async_executor::Executor::new();
    pollster::block_on(executor.run(async {
        let mut slow = spy.call(call("wait"));
        assert!((&mut slow).now_or_never().is_none());
        spy.call(call("ping")).await.unwrap();
        drop(slow);
    }));
    let places: Vec<_> = spy.calls().iter().map(|call| (call.began, call.ended)).collect();
    assert_eq!(places, [(0, Some(3)), (1, Some(2))]);
}

#[test]
fn a_result_that_is_flagged_but_answered_has_its_error() {
    struct Lenient;
    impl Tools for Lenient {
        fn list(&self) -> frankly_contract::BoxFuture<'_, Result<Vec<ToolDef>, CallError>> {
            Box::pin(async { Ok(Vec::new()) })
        }
        fn call(&self, _: ToolCall) -> frankly_contract::BoxFuture<'_, Result<ToolResult, CallError>> {
            Box::pin(async { Ok(ToolResult::from(ToolError::new(Code::Forbidden, "not yours", ""))) })
        }
    }
    let spy = Spy::new(Lenient);
    pollster::block_on(spy.call(call("ping"))).unwrap();
    assert!(spy.calls()[0].refused());
}
