//! Who is asked, and what comes of silence.

use std::future::pending;
use std::time::Duration;

use super::*;
use frankly_contract::{Approval, ApprovalGate, ApprovalRequest, Gated, Patience, gate_fn};

const LIMIT: Duration = Duration::from_secs(30);

fn patience() -> Patience {
    Patience::new(LIMIT, tokio::time::sleep)
}

/// What an agent is told when the gate answers thus.
async fn told(gate: impl ApprovalGate) -> String {
    let acts = Acts::new();
    let tools = Gated::new(Arc::clone(&acts), gate, patience());
    let outcome = run("acme").scope(tools.call(call("refund", json!({"id": "1"})))).await;
    let refusal = refusal(outcome);
    assert_eq!((refusal.code(), acts.began()), (Code::Forbidden, 0));
    refusal.to_string()
}

#[tokio::test(start_paused = true)]
async fn what_was_granted_is_called_once_as_it_was_asked_for() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&asked);
    let gate = gate_fn(move |request: ApprovalRequest| {
        notes.lock().unwrap().push(request);
        async { Approval::Granted }
    });
    let acts = Acts::new();
    let tools = Gated::new(Arc::clone(&acts), gate, patience()).without_asking(["charge"]);
    run("acme").scope(tools.call(call("refund", json!({"id": "1"})))).await.unwrap();
    run("acme").scope(tools.call(call("charge", json!({})))).await.unwrap();
    assert_eq!(acts.effects(), ["refund for acme", "charge for acme"]);
    let request = ApprovalRequest::new(call("refund", json!({"id": "1"})), run("acme"));
    assert_eq!(*asked.lock().unwrap(), [request]);
}

#[tokio::test(start_paused = true)]
async fn nobody_is_asked_outside_of_any_run() {
    let gate = gate_fn(|_: ApprovalRequest| async { panic!("nobody could say for whom") });
    let outcome = Gated::new(Acts::new(), gate, patience()).call(call("refund", json!({}))).await;
    assert!(refusal(outcome).what().contains("outside of any run"));
}

#[tokio::test(start_paused = true)]
async fn silence_denies_after_its_patience_with_the_words_of_a_gate_that_says_so() {
    let begin = tokio::time::Instant::now();
    let hangs = told(gate_fn(|_: ApprovalRequest| pending())).await;
    assert_eq!(begin.elapsed(), LIMIT);
    let late = told(gate_fn(|_: ApprovalRequest| async {
        tokio::time::sleep(LIMIT + Duration::from_secs(1)).await;
        Approval::Granted
    }));
    assert_eq!(late.await, hangs);
    assert_eq!(told(gate_fn(|_: ApprovalRequest| async { Approval::Unanswered })).await, hangs);
    assert_eq!(
        hangs,
        "FORBIDDEN: the call of `refund` was not approved (nobody answered the request). \
         Next: stop, and tell the user; do not look for another way to the same effect."
    );
}

#[tokio::test(start_paused = true)]
async fn a_denial_gives_its_reason_and_none_where_there_is_none() {
    let deny = |reason: &'static str| {
        told(gate_fn(move |_: ApprovalRequest| async move { Approval::Denied { reason: reason.to_owned() } }))
    };
    assert!(deny("over the limit.").await.contains("not approved (over the limit). Next:"));
    assert!(deny(" ").await.contains("not approved. Next:"));
}

#[tokio::test(start_paused = true)]
async fn an_answer_in_the_last_moment_counts() {
    let gate = gate_fn(|_: ApprovalRequest| async {
        tokio::time::sleep(LIMIT).await;
        Approval::Granted
    });
    let acts = Acts::new();
    let tools = Gated::new(Arc::clone(&acts), gate, patience());
    run("acme").scope(tools.call(call("refund", json!({})))).await.unwrap();
    assert_eq!(acts.effects(), ["refund for acme"]);
}
