//! The ledger's tools under a guard, behind a gate, and repeated: what is stored is counted in the ledger itself.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::future::pending;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use frankly_contract::{
    Allowlist, Approval, ApprovalGate, ApprovalRequest, CallError, Code, Gated, Guarded, Once, Patience,
    RunContext, ToolCall, ToolError, ToolResult, Tools, gate_fn,
};
use frankly_ledger::{Fault, Faults, Ledger};
use serde_json::{Value, json};

const READERS: [&str; 6] =
    ["query_transactions", "list_categories", "run_sql", "list_accounts", "read_statement", "inspect_csv"];
const PATIENCE: Duration = Duration::from_secs(30);

fn ledger(faults: &[Fault]) -> Arc<Ledger> {
    Arc::new(Ledger::new(faults.iter().copied().collect::<Faults>()).unwrap())
}

fn run<'t>(tools: impl IntoIterator<Item = &'t str>) -> RunContext {
    RunContext::new("acme", "u_7", "run-1").unwrap().with_allowlist(Allowlist::covering(tools))
}

async fn call(tools: &impl Tools, name: &str, arguments: Value) -> Result<ToolResult, CallError> {
    tools.call(ToolCall::new(name, arguments.as_object().unwrap().clone())).await
}

fn tea() -> Value {
    json!({"amount": 3, "category": "Tea"})
}

/// How many teas the ledger has.
async fn teas(ledger: &Ledger) -> u64 {
    let page = call(ledger, "query_transactions", json!({"category": "Tea"})).await;
    // A category without a row does not exist.
    page.map_or(0, |page| page.structured().unwrap()["matched"].as_u64().unwrap())
}

fn refusal(outcome: Result<ToolResult, CallError>) -> ToolError {
    match outcome {
        Err(CallError::Tool(result)) => ToolError::from_result(&result).unwrap(),
        other => panic!("{other:?} is no refusal"),
    }
}

#[tokio::test]
async fn who_may_only_read_stores_nothing() {
    let ledger = ledger(&[]);
    let tools = Guarded::new(Arc::clone(&ledger));
    let reader = run(READERS);
    let refused = refusal(reader.clone().scope(call(&tools, "log_expense", tea())).await);
    assert_eq!((refused.code(), teas(&ledger).await), (Code::Forbidden, 0));

    let listed = reader.clone().scope(tools.list()).await.unwrap();
    assert!(listed.iter().map(|tool| tool.name()).eq(READERS));
    let rent = reader.scope(call(&tools, "query_transactions", json!({"category": "Rent"}))).await.unwrap();
    assert_eq!(rent.structured().unwrap()["matched"], 12);

    // What the agent does not declare is refused although its caller may do it.
    let writer = run(READERS.into_iter().chain(["log_expense"]));
    let declared = writer.allowlist().clone().declaring(READERS);
    let agent = writer.clone().with_allowlist(declared);
    assert_eq!(refusal(agent.scope(call(&tools, "log_expense", tea())).await).code(), Code::Forbidden);
    assert!(writer.scope(call(&tools, "log_expense", tea())).await.is_ok());
    assert_eq!(teas(&ledger).await, 1);
}

/// What came of logging a tea, and how many there are then.
async fn behind(gate: impl ApprovalGate) -> (Result<ToolResult, CallError>, u64) {
    let ledger = ledger(&[]);
    let patience = Patience::new(PATIENCE, tokio::time::sleep);
    let tools = Gated::new(Arc::clone(&ledger), gate, patience).without_asking(READERS);
    let outcome = run([]).scope(async {
        call(&tools, "list_categories", json!({})).await.unwrap();
        call(&tools, "log_expense", tea()).await
    });
    (outcome.await, teas(&ledger).await)
}

#[tokio::test(start_paused = true)]
async fn an_expense_is_stored_only_when_somebody_said_so() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&asked);
    let (outcome, stored) = behind(gate_fn(move |request: ApprovalRequest| {
        notes.lock().unwrap().push((request.call.name, Value::from(request.call.arguments)));
        async { Approval::Granted }
    }))
    .await;
    assert!(outcome.is_ok() && stored == 1);
    assert_eq!(*asked.lock().unwrap(), [("log_expense".to_owned(), tea())]);

    let deny = gate_fn(|_: ApprovalRequest| async { Approval::Denied { reason: "no more tea".to_owned() } });
    let (outcome, stored) = behind(deny).await;
    assert_eq!((refusal(outcome).why(), stored), (Some("no more tea"), 0));

    let begin = tokio::time::Instant::now();
    let (outcome, stored) = behind(gate_fn(|_: ApprovalRequest| pending())).await;
    assert_eq!((refusal(outcome).why(), stored), (Some("nobody answered the request"), 0));
    assert_eq!(begin.elapsed(), PATIENCE);
}

#[tokio::test]
async fn a_repeated_expense_is_stored_once() {
    let ledger = ledger(&[]);
    let tools = Once::new(Arc::clone(&ledger));
    let log = |key: &str, expense| {
        run([]).with_idempotency_key(key).unwrap().scope(call(&tools, "log_expense", expense))
    };
    let first = log("run-1/tea", tea()).await.unwrap();
    assert_eq!((log("run-1/tea", tea()).await.unwrap(), teas(&ledger).await), (first, 1));
    log("run-1/second-tea", tea()).await.unwrap();
    assert_eq!(teas(&ledger).await, 2);
    let other = refusal(log("run-1/tea", json!({"amount": 4, "category": "Tea"})).await);
    assert_eq!(other.code(), Code::InvalidArgs);
    assert_eq!(teas(&ledger).await, 2);
}

#[tokio::test]
async fn it_is_stored_once_also_where_the_tool_forgets_its_keys() {
    let expense = || json!({"amount": 3, "category": "Tea", "idempotency_key": "tea-1"});
    let forgetful = ledger(&[Fault::DoubleWrite]);
    for _ in 0..2 {
        call(&forgetful, "log_expense", expense()).await.unwrap();
    }
    assert_eq!(teas(&forgetful).await, 2);

    let forgetful = ledger(&[Fault::DoubleWrite]);
    let tools = Once::new(Arc::clone(&forgetful));
    for _ in 0..2 {
        run([]).scope(call(&tools, "log_expense", expense())).await.unwrap();
    }
    assert_eq!(teas(&forgetful).await, 1);
}

#[tokio::test(start_paused = true)]
async fn of_all_three_the_guard_comes_first_and_the_gate_last() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let gate = gate_fn(move |_: ApprovalRequest| {
        count.fetch_add(1, Ordering::Relaxed);
        async { Approval::Granted }
    });
    let ledger = ledger(&[]);
    let patience = Patience::new(PATIENCE, tokio::time::sleep);
    let tools =
        Guarded::new(Once::new(Gated::new(Arc::clone(&ledger), gate, patience).without_asking(READERS)));
    let step = |tools: &[&'static str]| run(tools.iter().copied()).with_idempotency_key("run-1/tea").unwrap();

    assert!(step(&[]).scope(call(&tools, "log_expense", tea())).await.is_err());
    assert_eq!((asked.load(Ordering::Relaxed), teas(&ledger).await), (0, 0));
    for _ in 0..3 {
        step(&["log_expense"]).scope(call(&tools, "log_expense", tea())).await.unwrap();
    }
    assert_eq!((asked.load(Ordering::Relaxed), teas(&ledger).await), (1, 1));
}
