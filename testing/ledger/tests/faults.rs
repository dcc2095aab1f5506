//! Each fault by itself and all of them together, over the same calls.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

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
        ("import_csv", json!({"file_key": "abc"})),
        ("import_csv", json!({"file_key": "blank.csv"})),
        ("import_csv", json!({"file_key": "card-2026-02.csv"})),
        ("import_csv", json!({"file_key": "contacts.csv"})),
        ("import_csv", json!({"file_key": "abc", "key": 1})),
        ("log_expense", json!({"category": "Dining"})),
        ("import_csv", json!({"file_key": "card-2026-01.csv"})),
        ("log_expense", json!({"amount": 3, "category": "Grocery"})),
    ]
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
    let mut harmed = vec![];
    for fault in Fault::ALL {
        let lying = answers(Faults::from_iter([*fault])).await;
        let places = changed(&honest, &lying);
        let tools: Vec<&str> = places.iter().map(|place| calls()[*place].0).collect();
        assert!(!places.is_empty(), "{} harms none of these calls", fault.name());
        assert!(tools.windows(2).all(|pair| pair[0] == pair[1]), "{} harms {tools:?}", fault.name());
        for place in &places {
            // Arguments that do not fit never come to what a fault does, but for the one that lists fewer as required.
            let honest =
                matches!(&honest[*place], Err(CallError::Tool(refused)) if is_about_arguments(refused));
            assert!(!honest || *fault == Fault::OptionalEverything, "{} {:?}", fault.name(), calls()[*place]);
        }
        assert!(fault.description().starts_with(tools[0]), "{} harms {tools:?}", fault.name());
        // Both faults of query_transactions meet in an empty answer.
        let empty = |place: &usize| [2, 3].contains(place);
        for place in places.iter().filter(|place| !empty(place)) {
            assert_eq!(all[*place], lying[*place], "{} {:?}", fault.name(), calls()[*place]);
        }
        harmed.extend(places);
    }
    harmed.sort_unstable();
    harmed.dedup();
    assert_eq!(changed(&honest, &all), harmed);
}

#[tokio::test]
async fn an_honest_answer_is_within_its_budget_and_an_error_has_its_next_step() {
    for ((tool, arguments), answer) in calls().into_iter().zip(answers(Faults::default()).await) {
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
