//! What a run may call.

use super::*;
use frankly_contract::{Allowlist, Guarded};
use pollster::block_on;

#[test]
fn a_refused_call_never_reaches_the_tool() {
    let acts = Acts::new();
    let tools = Guarded::new(Arc::clone(&acts));
    let may_charge = run("acme").with_allowlist(Allowlist::covering(["charge"]));
    for (context, tool) in
        [(may_charge.clone(), "refund"), (may_charge.clone(), "no_such_tool"), (run("acme"), "charge")]
    {
        let refused = refusal(block_on(context.scope(tools.call(call(tool, json!({}))))));
        assert_eq!(refused.code(), Code::Forbidden, "{tool}");
    }
    assert_eq!(acts.began(), 0);
    assert!(block_on(may_charge.scope(tools.call(call("charge", json!({}))))).is_ok());
    assert_eq!(acts.effects(), ["charge for acme"]);
}

#[test]
fn outside_of_any_run_nothing_is_called_or_listed() {
    let acts = Acts::new();
    let tools = Guarded::new(Arc::clone(&acts));
    let refused = refusal(block_on(tools.call(call("charge", json!({})))));
    assert_eq!((refused.code(), acts.began()), (Code::Forbidden, 0));
    let error = block_on(tools.list()).unwrap_err().to_string();
    assert!(error.contains("no run context is bound here"), "{error}");
}

#[test]
fn what_may_not_be_called_is_not_listed() {
    let tools = Guarded::new(Acts::new());
    let listed = |allowlist| {
        let tools = block_on(run("acme").with_allowlist(allowlist).scope(tools.list())).unwrap();
        tools.iter().map(|tool| tool.name().to_owned()).collect::<Vec<_>>()
    };
    let scopes = Allowlist::covering(["charge", "refund", "delete"]);
    assert_eq!(listed(scopes.clone()), ["charge", "refund"]);
    assert_eq!(listed(scopes.declaring(["refund"])), ["refund"]);
    assert!(listed(Allowlist::default()).is_empty());
}

#[tokio::test]
async fn what_was_permitted_to_one_does_not_run_for_another_who_polls_it() {
    use futures_util::StreamExt;
    use futures_util::stream::FuturesUnordered;
    let acts = Acts::new();
    let tools = Guarded::new(Arc::clone(&acts));
    let mut pool = FuturesUnordered::new();
    let acme = run("acme").with_allowlist(Allowlist::covering(["slow"]));
    acme.scope(async {
        pool.push(tools.call(call("slow", json!({}))));
        assert!(futures_util::FutureExt::now_or_never(pool.next()).is_none());
    })
    .await;
    acts.go_on.notify_one();
    run("globex").scope(pool.next()).await.unwrap().unwrap();
    assert_eq!(acts.effects(), ["slow for acme"]);
}
