//! Each fault by itself and all of them together, over the same calls.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;

use frankly_contract::{CallError, ToolCall, ToolError, ToolResult, Tools};
use frankly_ledger::{Fault, Faults, Ledger};
use serde_json::{Value, json};

/// Calls that meet every behaviour of every tool. Those that write come last, and what they store is not read.
fn calls() -> Vec<(&'static str, Value)> {
    vec![
        ("query_transactions", json!({"category": "Dining"})),
        ("query_transactions", json!({"category": "Rent"})),
        ("query_transactions", json!({"category": "rent"})),
        ("query_transactions", json!({"category": "Rent", "to": "2024-12-31"})),
        ("query_transactions", json!({"limit": 0})),
        ("list_categories", json!({})),
        ("list_categories", json!({"prefix": "D"})),
        ("run_sql", json!({"sql": "SELECT * FROM transactions"})),
        ("run_sql", json!({"sql": "SELECT COUNT(*) AS n FROM transactions"})),
        ("run_sql", json!({"sql": "SELECT id FROM transactions WHERE id < 0"})),
        ("run_sql", json!({"sql": "DELETE FROM transactions"})),
        ("list_accounts", json!({"limit": 3})),
        ("list_accounts", json!({"limit": 12})),
        ("list_accounts", json!({"limit": 99})),
        ("list_accounts", json!({"kinds": "savings"})),
        ("query_transactions", json!({"category": "rent", "limit": 200, "max": 1})),
        ("read_statement", json!({"month": "2025-03", "cursor": "row-5"})),
        ("run_sql", json!({"sql": "SELECT * FROM transactions", "limit": 5})),
        ("read_statement", json!({"month": "2025-03"})),
        ("read_statement", json!({"month": "2026-03"})),
        ("inspect_csv", json!({"file_key": "card-2026-01.csv"})),
        ("inspect_csv", json!({"file_key": "abc"})),
        ("inspect_csv", json!({"file_key": "receipt.csv"})),
        ("inspect_csv", json!({"file_key": "blank.csv"})),
        ("inspect_csv", json!({"file_key": "card-2026-02.csv"})),
        ("inspect_csv", json!({"file_key": "abc", "key": 1})),
        ("inspect_csv", json!({"file_key": "abc", "cursor": "5"})),
        ("inspect_csv", json!({"file_key": "receipt.csv", "cursor": 5})),
        ("inspect_csv", json!({"file_key": ""})),
        ("inspect_csv", json!({})),
        ("inspect_csv", json!({"file_key": "card-2026-01.csv", "cursor": "row-5"})),
        ("inspect_csv", json!({"file_key": "../../../etc/passwd"})),
        ("query_transactions", json!({"limit": "5"})),
        ("query_transactions", json!({"catgory": "Dining"})),
        ("list_categories", json!({})),
        ("list_accounts", json!({"kind": "pension"})),
        ("list_accounts", json!({"name": "pension"})),
        ("list_accounts", json!({"name": ""})),
        ("read_statement", json!({})),
        ("read_statement", json!({"month": 3})),
        ("run_sql", json!({"sql": "SELECT amout FROM transactions"})),
        ("list_accounts", json!({"name": "x".repeat(61)})),
        ("list_accounts", json!({"cursor": "row-10"})),
        ("delete_transactions", json!({})),
        ("import_csv", json!({"file_key": "abc"})),
        ("import_csv", json!({"file_key": "blank.csv"})),
        ("import_csv", json!({"file_key": "card-2026-02.csv"})),
        ("import_csv", json!({"file_key": "contacts.csv"})),
        ("import_csv", json!({"file_key": "abc", "key": 1})),
        ("log_expense", json!({"category": "Dining"})),
        ("log_expense", json!({"amount": "three", "category": "Dining"})),
        ("log_expense", json!({"amount": 250_000, "category": "Dining"})),
        ("import_csv", json!({"file_key": "card-2026-01.csv"})),
        ("log_expense", json!({"amount": 3, "category": "Grocery"})),
        ("log_expense", json!({"amount": 3, "category": "Dining", "merchant": "Café"})),
        ("log_expense", json!({"amount": 3, "category": "Dining", "idempotency_key": "lunch"})),
        ("log_expense", json!({"amount": 3, "category": "Dining", "idempotency_key": "lunch"})),
    ]
}

/// Faults that lie about arguments, and so are seen where they do not fit.
const ABOUT_ARGUMENTS: [Fault; 11] = [
    Fault::OptionalEverything,
    Fault::ArgumentDropped,
    Fault::SilentClamp,
    Fault::QuietCoercion,
    Fault::EnumFallback,
    Fault::BlankFilter,
    Fault::AssumedArgument,
    Fault::UndeclaredBound,
    Fault::OpaqueError,
    Fault::WrongCause,
    Fault::PathEscape,
];

/// Whether a fault is seen in the very answer in which it lies, and not in what comes later or around it.
fn is_seen_at_once(fault: Fault) -> bool {
    let later = [
        Fault::EchoNotStored,
        Fault::WritingReader,
        Fault::OtherTenant,
        Fault::ShuffledList,
        Fault::RepeatingList,
    ];
    !fault.is_of_lines() && !later.contains(&fault)
}

type Answer = Result<ToolResult, CallError>;

async fn answers(faults: Faults) -> Vec<Answer> {
    let ledger = Ledger::new(faults).unwrap();
    let mut answers = vec![];
    for (tool, arguments) in calls() {
        answers.push(ledger.call(ToolCall::new(tool, arguments.as_object().unwrap().clone())).await);
    }
    answers
}

fn is_about_arguments(refused: &ToolResult) -> bool {
    ToolError::from_result(refused).is_some_and(|error| error.details().contains_key("violations"))
}

/// Which calls are answered otherwise, by their places.
fn changed(honest: &[Answer], lying: &[Answer]) -> Vec<usize> {
    honest.iter().zip(lying).enumerate().filter(|(_, (a, b))| a != b).map(|(place, _)| place).collect()
}

#[tokio::test]
async fn each_fault_harms_one_tool_and_together_they_do_what_each_does() {
    let honest = answers(Faults::default()).await;
    let all = answers(Faults::all()).await;
    let mut harmed: BTreeMap<usize, Vec<Fault>> = BTreeMap::new();
    for fault in Fault::ALL.iter().copied().filter(|fault| is_seen_at_once(*fault)) {
        let lying = answers(Faults::from_iter([fault])).await;
        let places = changed(&honest, &lying);
        let tools: Vec<&str> = places.iter().map(|place| calls()[*place].0).collect();
        assert!(!places.is_empty(), "{} harms none of these calls", fault.name());
        assert!(tools.windows(2).all(|pair| pair[0] == pair[1]), "{} harms {tools:?}", fault.name());
        for place in &places {
            // Arguments that do not fit never come to what a fault does, but for those that are about them.
            let honest =
                matches!(&honest[*place], Err(CallError::Tool(refused)) if is_about_arguments(refused));
            assert!(!honest || ABOUT_ARGUMENTS.contains(&fault), "{} {:?}", fault.name(), calls()[*place]);
        }
        let is_named = fault.description().starts_with(tools[0]) || fault == Fault::UnknownToolRuns;
        assert!(is_named, "{} harms {tools:?}", fault.name());
        for place in places.into_iter().filter(|_| !fault.is_alone()) {
            assert_ne!(all[place], honest[place], "{} {:?}", fault.name(), calls()[place]);
            harmed.entry(place).or_default().push(fault);
        }
    }
    for place in changed(&honest, &all) {
        // The ids of what is stored tell also of what was stored before, without a word.
        let is_numbered = calls()[place].0 == "log_expense" && all[place].is_ok();
        match harmed.get(&place).map(Vec::as_slice) {
            // What runs though it should not comes to the tool's other faults.
            Some([fault]) if !is_numbered && !ABOUT_ARGUMENTS.contains(fault) => {
                let lying = answers(Faults::from_iter([*fault])).await;
                assert_eq!(all[place], lying[place], "{} {:?}", fault.name(), calls()[place]);
            }
            Some(_) => {}
            None => assert!(is_numbered, "{:?}", calls()[place]),
        }
    }
}

#[tokio::test]
async fn an_honest_answer_is_within_its_budget_and_an_error_has_its_next_step() {
    let known = calls().into_iter().zip(answers(Faults::default()).await);
    for ((tool, arguments), answer) in known.filter(|((tool, _), _)| *tool != "delete_transactions") {
        match answer {
            Ok(result) => {
                let bytes: usize = result.texts().map(|(_, text)| text.len()).sum();
                assert!(bytes <= 25_000, "{tool} {arguments}: {bytes}");
            }
            Err(CallError::Tool(result)) => {
                let error = &result.raw()["_meta"]["frankly/error"];
                assert!(error["next"].as_str().is_some_and(|next| next.len() > 10), "{tool} {arguments}");
            }
            Err(other) => panic!("{tool} {arguments}: {other}"),
        }
    }
}
