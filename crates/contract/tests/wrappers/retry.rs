//! One key, one effect.

use std::panic::AssertUnwindSafe;

use super::*;
use frankly_contract::Once;
use futures_util::FutureExt;
use pollster::block_on;

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
        "INVALID_ARGS: the idempotency key \"k-1\" belongs to another call of `charge` (`amount` differs). \
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
async fn a_call_that_its_caller_gave_up_goes_on_under_the_first_name() {
    let acts = Acts::new();
    let tools = Once::new(Arc::clone(&acts));
    let slow = || under("k-1", &tools, call("slow", json!({})));
    assert!(slow().now_or_never().is_none());
    assert_eq!(acts.began(), 1);
    acts.go_on.notify_one();
    assert!(slow().await.is_ok());
    assert_eq!((acts.began(), acts.effects()), (1, vec!["slow for acme".to_owned()]));
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
    for tool in ["lost", "unclear"] {
        let acts = Acts::new();
        let tools = Once::new(Arc::clone(&acts));
        let again = || block_on(under("k-1", &tools, call(tool, json!({}))));
        assert_eq!(again(), again());
        assert_eq!(acts.began(), 1, "{tool}");
    }
}

#[test]
fn a_panic_is_the_first_callers_and_its_repeats_hear_of_it() {
    let acts = Acts::new();
    let tools = Once::new(Arc::clone(&acts));
    let panics = || block_on(under("k-1", &tools, call("panics", json!({}))));
    let payload = std::panic::catch_unwind(AssertUnwindSafe(panics)).unwrap_err();
    assert_eq!(payload.downcast_ref(), Some(&"broken"));
    let told = panics().unwrap_err().to_string();
    assert!(told.ends_with("panicked; whether it had an effect is not known"), "{told}");
    assert_eq!(acts.began(), 1);
}

#[test]
fn a_key_may_be_an_argument() {
    let acts = Acts::new();
    let tools = Once::new(Arc::clone(&acts)).keyed_by("idempotency_key");
    let charge =
        |key: Value| block_on(run("acme").scope(tools.call(call("charge", json!({"idempotency_key": key})))));
    assert_eq!(charge(json!("k-1")), charge(json!("k-1")));
    assert_eq!(charge(json!(7)), charge(json!(7)));
    assert_eq!(acts.effects().len(), 2);
    assert_ne!(charge(json!(null)), charge(json!(null)));
    assert_eq!(refusal(charge(json!(" "))).code(), Code::InvalidArgs);
    assert_eq!(acts.effects().len(), 4);
}

#[test]
fn outside_of_any_run_nothing_is_called() {
    let acts = Acts::new();
    let refused = refusal(block_on(Once::new(Arc::clone(&acts)).call(call("charge", json!({})))));
    assert_eq!((refused.code(), acts.began()), (Code::Forbidden, 0));
}
