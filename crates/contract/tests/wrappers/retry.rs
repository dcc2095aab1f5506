//! One key, one effect.

use std::panic::AssertUnwindSafe;

use std::sync::{OnceLock, Weak};
use std::time::Duration;

use super::*;
use frankly_contract::{Allowlist, Approval, ApprovalRequest, Gated, Guarded, Once, Patience, gate_fn};
use futures_util::FutureExt;
use pollster::block_on;
use serde_json::Map;

/// What came of a call in a run with this key.
async fn under(key: &str, tools: &impl Tools, call: ToolCall) -> Result<ToolResult, CallError> {
    run("acme").with_idempotency_key(key).unwrap().scope(tools.call(call)).await
}

#[test]
fn a_repeat_returns_the_first_result_and_has_no_effect() {
    let acts = Acts::new();
    let tools = Once::new(Arc::clone(&acts));
    let first = block_on(under("k-1", &tools, call("charge", json!({"amount": 5, "to": "x"})))).unwrap();
    let repeat = block_on(under("k-1", &tools, call("charge", json!({"to": "x", "amount": 5})))).unwrap();
    assert_eq!((repeat, acts.effects().len()), (first, 1));
}

#[test]
fn another_tenant_tool_or_key_is_another_call_and_so_is_one_without_a_key() {
    let acts = Acts::new();
    let tools = Once::new(Arc::clone(&acts));
    let charge = || call("charge", json!({}));
    block_on(under("k-1", &tools, charge())).unwrap();
    block_on(under("k-2", &tools, charge())).unwrap();
    block_on(under("k-1", &tools, call("refund", json!({})))).unwrap();
    let other = run("globex").with_idempotency_key("k-1").unwrap();
    block_on(other.scope(tools.call(charge()))).unwrap();
    for _ in 0..2 {
        block_on(run("acme").scope(tools.call(charge()))).unwrap();
    }
    let last = "charge for acme";
    assert_eq!(acts.effects(), [last, last, "refund for acme", "charge for globex", last, last]);
}

#[test]
fn other_arguments_under_the_same_key_are_refused() {
    let acts = Acts::new();
    let tools = Once::new(Arc::clone(&acts));
    block_on(under("k-1", &tools, call("charge", json!({"amount": 5})))).unwrap();
    let refused = refusal(block_on(under("k-1", &tools, call("charge", json!({"amount": 6})))));
    assert_eq!(
        refused.to_string(),
        "INVALID_ARGS: the idempotency key \"k-1\" belongs to a call of `charge` with other arguments. \
         Next: repeat that call with its own arguments, or use a new key for another effect."
    );
    assert_eq!(acts.began(), 1);
}

#[tokio::test]
async fn repeats_at_once_wait_for_the_first() {
    let acts = Acts::new();
    let tools = Once::new(Arc::clone(&acts));
    let slow = || under("k-1", &tools, call("slow", json!({})));
    let (first, second, third, ()) = tokio::join!(slow(), slow(), slow(), async { acts.go_on.notify_one() });
    assert!(first.is_ok() && first == second && second == third);
    assert_eq!((acts.began(), acts.effects().len()), (1, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn from_many_threads_it_is_one_effect_as_well() {
    let acts = Acts::new();
    let tools = Arc::new(Once::new(Arc::clone(&acts)));
    let repeats = (0..200).map(|number| {
        let tools = Arc::clone(&tools);
        tokio::spawn(
            async move { under(&format!("k-{}", number % 4), &tools, call("charge", json!({}))).await },
        )
    });
    for repeat in repeats.collect::<Vec<_>>() {
        repeat.await.unwrap().unwrap();
    }
    assert_eq!(acts.effects().len(), 4);
}

#[tokio::test]
async fn a_call_that_all_its_callers_gave_up_is_dropped_and_not_made_again() {
    let acts = Acts::new();
    let tools = Once::new(Arc::clone(&acts));
    let slow = || under("k-1", &tools, call("slow", json!({})));
    let (mut first, mut second) = (Box::pin(slow()), Box::pin(slow()));
    assert!(first.as_mut().now_or_never().is_none() && second.as_mut().now_or_never().is_none());
    drop(first);
    assert!(second.as_mut().now_or_never().is_none(), "one still waits for it");
    drop(second);
    // What it held is free again.
    assert_eq!(Arc::strong_count(&acts), 2);
    let told = refusal(slow().await);
    assert_eq!(
        told.to_string(),
        "FORBIDDEN: `slow` was called before under the idempotency key \"k-1\", and whether that took effect is not known, \
         so it is not called again (whoever made it gave it up before it ended). \
         Next: look whether it took effect, and only if it did not call again with a new key."
    );
    assert_eq!((acts.began(), acts.effects().len()), (1, 0));
}

#[tokio::test]
async fn one_that_is_spawned_goes_on_under_the_first_name() {
    let acts = Acts::new();
    let tools = Once::new(Arc::clone(&acts)).spawning(|call| drop(tokio::spawn(call)));
    let slow = || under("k-1", &tools, call("slow", json!({})));
    assert!(slow().now_or_never().is_none());
    acts.go_on.notify_one();
    assert!(slow().await.is_ok());
    assert_eq!((acts.began(), acts.effects()), (1, vec!["slow for acme".to_owned()]));
}

#[test]
fn nobody_else_gets_the_answer() {
    let tools = Guarded::new(Once::new(Acts::new()));
    let inner = Once::new(Guarded::new(Acts::new()));
    let may = |user: &str, tools: &[&str]| {
        let run = RunContext::new("acme", user, "run-1").unwrap().with_idempotency_key("k-1").unwrap();
        run.with_allowlist(Allowlist::covering(tools.iter().copied()))
    };
    let charge = || call("charge", json!({}));
    block_on(may("alice", &["charge"]).scope(tools.call(charge()))).unwrap();
    let told = refusal(block_on(may("bob", &["charge"]).scope(tools.call(charge()))));
    assert_eq!(told.what(), "the idempotency key \"k-1\" belongs to a call of `charge` by another user");
    block_on(may("alice", &["charge"]).scope(inner.call(charge()))).unwrap();
    let told = refusal(block_on(may("alice", &[]).scope(inner.call(charge()))));
    assert_eq!(told.code(), Code::Forbidden);
}

/// A tool that calls another one, or itself, through what is around it.
struct Nests(OnceLock<Weak<Once<Nests>>>, Arc<Acts>);

impl Tools for Nests {
    fn list(&self) -> BoxFuture<'_, Result<Vec<ToolDef>, CallError>> {
        self.1.list()
    }

    fn call(&self, call: ToolCall) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async move {
            let around = || self.0.get().and_then(Weak::upgrade).unwrap();
            match &*call.name {
                "plan" => {
                    for item in [1, 1, 2] {
                        around()
                            .call(ToolCall::new(
                                "reserve",
                                Map::from_iter([("item".to_owned(), json!(item))]),
                            ))
                            .await?;
                    }
                    Ok(ToolResult::text("planned"))
                }
                "itself" => around().call(call).await,
                _ => self.1.call(call).await,
            }
        })
    }
}

#[test]
fn the_key_of_a_call_is_not_that_of_the_calls_it_makes_and_none_waits_for_itself() {
    let acts = Acts::new();
    let tools = Arc::new(Once::new(Nests(OnceLock::new(), Arc::clone(&acts))));
    tools.tools().0.set(Arc::downgrade(&tools)).unwrap();
    for _ in 0..2 {
        block_on(under("k-1", &*tools, call("plan", json!({})))).unwrap();
    }
    assert_eq!(acts.effects(), ["reserve for acme"; 3]);
    let told = refusal(block_on(under("k-1", &*tools, call("itself", json!({"idempotency_key": "k-2"})))));
    assert!(told.what().contains("would wait for itself"), "{told}");
}

#[test]
fn what_only_reads_may_be_let_through_and_what_was_made_forgotten() {
    let acts = Acts::new();
    let tools = Once::new(Arc::clone(&acts)).repeating_freely(["status"]);
    for tool in ["status", "status", "charge", "charge"] {
        block_on(under("k-1", &tools, call(tool, json!({})))).unwrap();
    }
    assert_eq!(acts.effects().len(), 3);
    assert!(tools.forget("acme", "charge", "k-1") && !tools.forget("acme", "charge", "k-1"));
    block_on(under("k-1", &tools, call("charge", json!({})))).unwrap();
    assert_eq!(acts.effects().len(), 4);
}

#[test]
fn what_did_nothing_may_be_tried_again() {
    let acts = Acts::new();
    let tools = Once::new(Arc::clone(&acts));
    let flaky = || block_on(under("k-1", &tools, call("flaky", json!({}))));
    assert_eq!(refusal(flaky()).code(), Code::Transient);
    let second = flaky().unwrap();
    assert_eq!((flaky().unwrap(), acts.effects().len()), (second, 1));
}

#[test]
fn what_may_have_had_an_effect_is_not_tried_again() {
    let acts = Acts::new();
    let tools = Once::new(Arc::clone(&acts));
    let again = |tool| block_on(under("k-1", &tools, call(tool, json!({}))));
    assert_eq!(again("unclear"), again("unclear"));
    assert_eq!(again("lost"), Err(CallError::TimedOut));
    let told = refusal(again("lost"));
    assert_eq!((told.code(), told.why()), (Code::Forbidden, Some("no answer in time")));
    assert_eq!(acts.began(), 2);
}

#[test]
fn a_refusal_is_an_answer_and_nobody_is_asked_again_for_it() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let gate = gate_fn(move |_: ApprovalRequest| {
        count.fetch_add(1, Ordering::Relaxed);
        async { Approval::Denied { reason: "no".to_owned() } }
    });
    let patience = Patience::new(Duration::ZERO, |_| std::future::ready(()));
    let tools = Once::new(Gated::new(Acts::new(), gate, patience));
    let again = || block_on(under("k-1", &tools, call("charge", json!({}))));
    assert_eq!((again(), asked.load(Ordering::Relaxed)), (again(), 1));
}

#[test]
fn a_panic_is_the_first_callers_and_its_repeats_hear_of_it() {
    let acts = Acts::new();
    let tools = Once::new(Arc::clone(&acts));
    let panics = || block_on(under("k-1", &tools, call("panics", json!({}))));
    let payload = std::panic::catch_unwind(AssertUnwindSafe(panics)).unwrap_err();
    assert_eq!(payload.downcast_ref(), Some(&"broken"));
    let told = panics().unwrap_err().to_string();
    assert!(told.contains("is not called again (it panicked)"), "{told}");
    assert_eq!(acts.began(), 1);
}

#[test]
fn a_key_may_be_an_argument() {
    let acts = Acts::new();
    let tools = Once::new(Arc::clone(&acts));
    let charge =
        |key: Value| block_on(run("acme").scope(tools.call(call("charge", json!({"idempotency_key": key})))));
    assert_eq!(charge(json!("k-1")), charge(json!("k-1")));
    assert_eq!(charge(json!(7)), charge(json!(7)));
    assert_eq!(acts.effects().len(), 2);
    assert_ne!(charge(json!(null)), charge(json!(null)));
    assert_ne!(charge(json!(" ")), charge(json!(" ")), "a blank one is none");
    assert_eq!(acts.effects().len(), 6);
    let tools = Once::new(Arc::clone(&acts)).keyed_by("charge", "reference");
    let charge = |reference: &str, amount: f64| {
        block_on(under("k-1", &tools, call("charge", json!({"reference": reference, "amount": amount}))))
    };
    assert_eq!(charge("r-1", 5.0), charge("r-1", 5.0));
    assert_ne!(charge("r-2", 5.0), charge("r-3", 5.0));
    assert_eq!(acts.effects().len(), 9);
}

#[test]
fn outside_of_any_run_nothing_is_called() {
    let acts = Acts::new();
    let refused = refusal(block_on(Once::new(Arc::clone(&acts)).call(call("charge", json!({})))));
    assert_eq!((refused.code(), acts.began()), (Code::Forbidden, 0));
}
