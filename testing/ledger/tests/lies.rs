//! What each fault that is told in process looks like, beside the honest answer to the same calls.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use frankly_contract::{CallError, ToolCall, ToolError, ToolResult, Tools};
use frankly_ledger::{Fault, Faults, Ledger};
use serde_json::{Value, json};

type Answer = Result<ToolResult, CallError>;

/// A fault, the calls that show it, and how it is seen in their answers.
struct Shown {
    fault: Fault,
    calls: fn() -> Vec<(&'static str, Value)>,
    is_told: fn(&[Answer]) -> bool,
}

/// The structured content of a success; null where there is none.
fn data(answer: &Answer) -> Value {
    answer.as_ref().ok().and_then(|result| result.structured().cloned()).unwrap_or_default()
}

/// The first text of a result, also of one that failed; empty where there is none.
fn text(answer: &Answer) -> String {
    let (Ok(result) | Err(CallError::Tool(result))) = answer else { return String::new() };
    result.texts().next().map(|(_, text)| text.to_owned()).unwrap_or_default()
}

/// The code of an error, or `failed` where it has none.
fn code(answer: &Answer) -> Option<&'static str> {
    let Err(CallError::Tool(result)) = answer else { return None };
    Some(ToolError::from_result(result).map_or("failed", |error| error.code().as_str()))
}

/// How many rows a page has, whether or not it is cut silently.
fn rows(answer: &Answer) -> Option<usize> {
    let page = data(answer);
    page.get("items").or_else(|| page.get("transactions")).and_then(Value::as_array).map(Vec::len)
}

const CARD: &str = "card-2026-01.csv";

static SHOWN: &[Shown] = &[
    Shown {
        fault: Fault::ArgumentDropped,
        calls: || {
            vec![
                ("query_transactions", json!({"category": "Rent"})),
                ("query_transactions", json!({"category": "Rent", "form": "2025-06-01"})),
            ]
        },
        is_told: |answers| rows(&answers[0]) == Some(12) && data(&answers[0]) == data(&answers[1]),
    },
    Shown {
        fault: Fault::DriftingDefault,
        calls: || vec![("query_transactions", json!({})), ("query_transactions", json!({"limit": 50}))],
        is_told: |answers| (rows(&answers[0]), rows(&answers[1])) == (Some(25), Some(50)),
    },
    Shown {
        fault: Fault::SilentClamp,
        calls: || vec![("log_expense", json!({"amount": 250_000, "category": "Travel"}))],
        is_told: |answers| {
            let report = data(&answers[0]);
            report["stored"]["amount"] == 100_000.0 && report.get("note").is_none()
        },
    },
    Shown {
        fault: Fault::QuietCoercion,
        calls: || vec![("query_transactions", json!({"limit": "5"}))],
        is_told: |answers| rows(&answers[0]) == Some(5),
    },
    Shown {
        fault: Fault::EnumFallback,
        calls: || vec![("list_accounts", json!({})), ("list_accounts", json!({"kind": "pension"}))],
        is_told: |answers| rows(&answers[0]) > Some(1) && data(&answers[0]) == data(&answers[1]),
    },
    Shown {
        fault: Fault::BlankFilter,
        calls: || vec![("list_accounts", json!({"name": ""}))],
        is_told: |answers| rows(&answers[0]) == Some(0) && data(&answers[0]).get("note").is_none(),
    },
    Shown {
        fault: Fault::AssumedArgument,
        calls: || vec![("read_statement", json!({}))],
        is_told: |answers| text(&answers[0]).contains("Statement  2025-12"),
    },
    Shown {
        fault: Fault::UndeclaredBound,
        calls: || vec![("list_accounts", json!({"name": "x".repeat(61)}))],
        // The honest refusal says that the schema has said so.
        is_told: |answers| {
            let Err(CallError::Tool(refused)) = &answers[0] else { return false };
            let error = ToolError::from_result(refused).unwrap();
            error.what().contains("60 characters") && !error.details().contains_key("violations")
        },
    },
    Shown {
        fault: Fault::OpaqueError,
        calls: || {
            vec![
                ("read_statement", json!({"month": "March"})),
                ("read_statement", json!({"month": "2025-03", "cursor": 5})),
            ]
        },
        is_told: |answers| {
            answers.iter().all(|answer| text(answer) == "request failed" && code(answer) == Some("failed"))
        },
    },
    Shown {
        fault: Fault::WrongCause,
        calls: || vec![("log_expense", json!({"amount": "three", "category": "Dining"}))],
        is_told: |answers| text(&answers[0]).starts_with("INVALID_ARGS: `amount` is missing"),
    },
    Shown {
        fault: Fault::FalseError,
        calls: || vec![("import_csv", json!({"file_key": CARD}))],
        is_told: |answers| {
            code(&answers[0]) == Some("failed") && text(&answers[0]).contains("\"imported\":7")
        },
    },
    Shown {
        fault: Fault::EmptyAsError,
        calls: || vec![("list_accounts", json!({"name": "pension"}))],
        is_told: |answers| code(&answers[0]) == Some("failed"),
    },
    Shown {
        fault: Fault::LeakyError,
        calls: || vec![("run_sql", json!({"sql": "SELECT amout FROM transactions"}))],
        is_told: |answers| {
            let text = text(&answers[0]);
            text.contains("no such column: amout") && text.contains("File \"/srv/") && text.contains("Next: ")
        },
    },
    Shown {
        fault: Fault::NullForUnknown,
        calls: || vec![("inspect_csv", json!({"file_key": "abc"}))],
        is_told: |answers| answers[0].is_ok() && text(&answers[0]) == "null",
    },
    Shown {
        fault: Fault::UnknownToolRuns,
        calls: || vec![("delete_transactions", json!({"id": 1}))],
        is_told: |answers| answers[0].is_ok(),
    },
    Shown {
        fault: Fault::BrokenCut,
        calls: || vec![("run_sql", json!({"sql": "SELECT * FROM transactions"}))],
        is_told: |answers| {
            let text = text(&answers[0]);
            text.len() == 2_000 && serde_json::from_str::<Value>(&text).is_err()
        },
    },
    Shown {
        fault: Fault::TextAtOdds,
        calls: || vec![("list_accounts", json!({"limit": 1}))],
        is_told: |answers| {
            let copy: Value = serde_json::from_str(&text(&answers[0])).unwrap_or_default();
            let balance = |page: &Value| page["items"][0]["balance"].clone();
            (balance(&data(&answers[0])), balance(&copy)) == (json!(2310.5), json!(2310.0))
        },
    },
    Shown {
        fault: Fault::MissingPromise,
        calls: || vec![("query_transactions", json!({"limit": 1}))],
        is_told: |answers| {
            let page = data(&answers[0]).to_string();
            page.contains("\"merchant\":") && !page.contains("\"date\":")
        },
    },
    Shown {
        fault: Fault::IdsWithoutNames,
        calls: || vec![("query_transactions", json!({"category": "Rent", "limit": 2}))],
        is_told: |answers| {
            let rows = data(&answers[0])["items"].take();
            let ids = [0, 1].map(|place: usize| rows[place]["merchant_id"].clone());
            ids[0].is_string() && ids[0] == ids[1] && !rows.to_string().contains("Property Office")
        },
    },
    Shown {
        fault: Fault::UnstableOrder,
        calls: || vec![("list_categories", json!({})), ("list_categories", json!({}))],
        is_told: |answers| {
            // Also of the dump that another fault makes of it, which is a text alone.
            let first = |answer| {
                let list: Value = serde_json::from_str(&text(answer)).unwrap();
                list["items"][0]["name"].clone()
            };
            (first(&answers[0]), first(&answers[1])) == (json!("Dining"), json!("Entertainment"))
        },
    },
    Shown {
        fault: Fault::RepeatingCursor,
        calls: || vec![("list_accounts", json!({})), ("list_accounts", json!({"cursor": "row-10"}))],
        is_told: |answers| {
            let [first, second] = [data(&answers[0]), data(&answers[1])];
            first["next_cursor"] == "row-10" && first["items"][9] == second["items"][0]
        },
    },
    Shown {
        fault: Fault::EndlessCursor,
        calls: || {
            vec![
                ("inspect_csv", json!({"file_key": CARD, "cursor": "row-10"})),
                ("inspect_csv", json!({"file_key": CARD, "cursor": "row-12"})),
            ]
        },
        is_told: |answers| answers.iter().all(|answer| data(answer).get("next_cursor").is_some()),
    },
    Shown {
        fault: Fault::LeakedSecret,
        calls: || vec![("inspect_csv", json!({"file_key": CARD}))],
        is_told: |answers| text(&answers[0]).contains("Bearer eyJ"),
    },
    Shown {
        fault: Fault::PathEscape,
        calls: || {
            let key = |key: &str| ("inspect_csv", json!({"file_key": key}));
            vec![key("/etc/passwd"), key("../../../etc/passwd"), key("..%2f..%2f../etc/passwd")]
        },
        is_told: |answers| answers.iter().all(|answer| text(answer).contains("root:x:0:0")),
    },
    Shown {
        fault: Fault::LostText,
        calls: || vec![("log_expense", json!({"amount": 3, "category": "Dining", "merchant": "Café"}))],
        is_told: |answers| data(&answers[0])["stored"]["merchant"] == "CafÃ©",
    },
    Shown {
        fault: Fault::EchoNotStored,
        calls: || {
            vec![
                ("log_expense", json!({"amount": 3, "category": "Tea", "merchant": "Tea Room"})),
                ("run_sql", json!({"sql": "SELECT merchant FROM transactions WHERE category = 'Tea'"})),
            ]
        },
        is_told: |answers| {
            data(&answers[0])["stored"]["merchant"] == "Tea Room"
                && data(&answers[1])["items"] == json!([{"merchant": "Tea R"}])
        },
    },
    Shown {
        fault: Fault::DoubleWrite,
        calls: || {
            let lunch = json!({"amount": 3, "category": "Dining", "idempotency_key": "lunch"});
            vec![("log_expense", lunch.clone()), ("log_expense", lunch)]
        },
        is_told: |answers| {
            let [first, second] = [data(&answers[0]), data(&answers[1])];
            first["stored"]["id"] != second["stored"]["id"] && second["repeated"] == false
        },
    },
    Shown {
        fault: Fault::WritingReader,
        calls: || {
            let count = ("run_sql", json!({"sql": "SELECT COUNT(*) AS n FROM transactions"}));
            let read = ("read_statement", json!({"month": "2025-03"}));
            vec![count.clone(), count.clone(), read.clone(), count.clone(), read, count]
        },
        is_told: |answers| {
            let counts = [0, 1, 3, 5].map(|place: usize| data(&answers[place])["items"][0]["n"].clone());
            counts == [703, 703, 704, 705].map(Value::from)
        },
    },
];

async fn answers(faults: Faults, calls: Vec<(&'static str, Value)>) -> Vec<Answer> {
    let ledger = Ledger::new(faults).unwrap();
    let mut answers = vec![];
    for (tool, arguments) in calls {
        answers.push(ledger.call(ToolCall::new(tool, arguments.as_object().unwrap().clone())).await);
    }
    answers
}

#[tokio::test]
async fn each_lie_is_told_where_its_fault_is_on_and_nowhere_else() {
    for Shown { fault, calls, is_told } in SHOWN {
        let name = fault.name();
        let honest = answers(Faults::default(), calls()).await;
        assert!(!is_told(&honest), "{name} is told by the honest ledger: {honest:?}");
        let lying = answers(Faults::from_iter([*fault]), calls()).await;
        assert!(is_told(&lying), "{name} is not told: {lying:?}");
        let all = answers(Faults::all(), calls()).await;
        assert!(fault.is_alone() || is_told(&all), "{name} is not told beside the others: {all:?}");
        let others = Faults::from_iter(Fault::ALL.iter().copied().filter(|other| other != fault));
        assert!(!is_told(&answers(others, calls()).await), "{name} is told without its fault");
    }
}

#[test]
fn every_fault_is_shown_in_one_of_these_tests() {
    /// By `faults.rs`, and beside the tools.
    const FIRST: usize = 9;
    /// By `wire_faults.rs`, and beside the code.
    const OF_THE_SERVER: [Fault; 3] = [Fault::OtherTenant, Fault::ShuffledList, Fault::RepeatingList];
    for fault in &Fault::ALL[FIRST..] {
        let is_shown = SHOWN.iter().any(|shown| shown.fault == *fault);
        let is_elsewhere = fault.is_of_lines() || OF_THE_SERVER.contains(fault);
        assert!(is_shown != is_elsewhere, "{}", fault.name());
    }
}
