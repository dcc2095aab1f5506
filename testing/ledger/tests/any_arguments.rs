//! What must hold whatever an agent sends.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::LazyLock;

use frankly_contract::{CallError, ToolCall, ToolError, ToolResult, Tools};
use frankly_ledger::{Faults, Ledger};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

static LEDGER: LazyLock<Ledger> = LazyLock::new(|| Ledger::new(Faults::default()).unwrap());

const TOOLS: [&str; 8] = [
    "query_transactions", "list_categories", "run_sql", "list_accounts", "read_statement", "inspect_csv",
    "import_csv", "log_expense",
];

/// Values that fit somewhere, and their neighbours that do not.
const WORDS: [&str; 15] = [
    "Dining",
    "dining",
    "",
    " ",
    "2025-03-01",
    "2025-03",
    "row-5",
    "byte-2000",
    "byte-18446744073709551615",
    "card-2026-01.csv",
    "receipt.csv",
    "savings",
    "roof",
    "SELECT * FROM transactions",
    "SELECT hex(zeroblob(11000)) AS a, merchant FROM transactions",
];

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        6 => prop::sample::select(&WORDS[..]).prop_map(|word| json!(word)),
        1 => any::<String>().prop_map(|text| json!(text)),
        2 => (-2_i64..300).prop_map(|number| json!(number)),
        1 => any::<f64>().prop_map(|number| json!(number)),
        1 => prop::sample::select(vec![json!(null), json!(true), json!([]), json!({}), json!(50.0)]),
    ]
}

/// A tool, and arguments under names that it has, and now and then under one that it has not.
fn call() -> impl Strategy<Value = ToolCall> {
    prop::sample::select(&TOOLS[..]).prop_flat_map(|tool| {
        let mut names = parameters(tool);
        names.push("catgory".to_owned());
        let arguments = prop::collection::btree_map(prop::sample::select(names), value(), 0..5);
        arguments.prop_map(move |arguments| ToolCall::new(tool, Map::from_iter(arguments)))
    })
}

fn parameters(tool: &str) -> Vec<String> {
    let tools = block_on(LEDGER.list()).unwrap();
    let tool = tools.into_iter().find(|listed| listed.name() == tool).unwrap();
    tool.parameters().map(|(name, _)| name.to_owned()).collect()
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

fn text(result: &ToolResult) -> String {
    result.texts().map(|(_, text)| text).collect()
}

proptest! {
    #[test]
    fn the_answer_is_data_within_the_budget_or_an_error_with_a_next_step(call in call()) {
        match block_on(LEDGER.call(call)) {
            Ok(result) => {
                prop_assert!(!result.is_error());
                prop_assert!(text(&result).len() <= 25_000, "{}", text(&result).len());
                if let Some(page) = result.structured().filter(|answer| answer.get("items").is_some()) {
                    let here = page["items"].as_array().map_or(0, Vec::len) as u64;
                    prop_assert_eq!(page["returned"].as_u64(), Some(here));
                    let part = Some(here) < page["matched"].as_u64();
                    prop_assert_eq!(page["truncated"].as_bool(), Some(part));
                    prop_assert_eq!(page.get("hint").is_some(), part);
                }
            }
            Err(CallError::Tool(result)) => {
                prop_assert!(result.is_error() && result.structured().is_none());
                prop_assert!(ToolError::from_result(&result).is_some_and(|error| !error.next().is_empty()));
                prop_assert!(text(&result).contains("Next: "));
            }
            Err(other) => prop_assert!(false, "{}", other),
        }
    }

    #[test]
    fn what_is_echoed_is_what_is_stored(
        amount in 1_u32..10_000_000,
        category in "\\S([^\\r\\n]{0,20}\\S)?",
        merchant in "\\S([^\\r\\n]{0,20}\\S)?",
    ) {
        let sent = json!({"amount": f64::from(amount) / 100.0, "category": category, "merchant": merchant});
        let arguments = sent.as_object().unwrap().clone();
        let logged = match block_on(LEDGER.call(ToolCall::new("log_expense", arguments))) {
            Ok(logged) => logged.structured().unwrap().clone(),
            // What is no name is refused, and then nothing is stored.
            Err(error) => {
                prop_assert!(matches!(error, CallError::Tool(_)), "{}", error);
                return Ok(());
            }
        };
        for name in ["amount", "category", "merchant"] {
            prop_assert_eq!(&logged["stored"][name], &sent[name]);
        }
        let sql = format!("SELECT * FROM transactions WHERE id = {}", logged["stored"]["id"]);
        let read = ToolCall::new("run_sql", Map::from_iter([("sql".to_owned(), json!(sql))]));
        let read = block_on(LEDGER.call(read)).unwrap();
        prop_assert_eq!(&read.structured().unwrap()["items"][0], &logged["stored"]);
    }
}
