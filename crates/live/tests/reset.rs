//! The state is reset before what may write, or nothing that may write is sent.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use frankly_live::config::{Consent, Reset, Server, ToolPolicy};
use frankly_live::probe::Grants;
use frankly_live::{Inspection, inspect};
use serde_json::json;

/// A server in shell with a tool that reads and one that writes; the latter refuses a call without an amount.
const SERVER: &str = r#"
id=0
answer() { echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":$1}"; }
while read -r line; do
    case "$line" in *'"id":'*) id=$((id+1)) ;; esac
    case "$line" in
        *'"initialize"'*) answer '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}' ;;
        *'tools/list'*) answer '{"tools":[
            {"name":"list_expenses","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object"}},
            {"name":"log_expense","inputSchema":{"type":"object","required":["amount"],
             "properties":{"amount":{"type":"integer"}}}}]}' | tr -d '\n'; echo ;;
        *'"amount"'*|*list_expenses*) answer '{"content":[{"type":"text","text":"done"}]}' ;;
        *'tools/call'*) answer '{"isError":true,"content":[{"type":"text","text":"`amount` is missing"}]}' ;;
    esac
done
"#;

async fn look(reset: &str) -> Inspection {
    let command = |script: &str| ["sh", "-c", script].map(str::to_owned).to_vec();
    let examples = vec![json!({"amount": 3}).as_object().unwrap().clone()];
    let policy = ToolPolicy { probe: Some(Consent::Mutate), examples };
    let server = Server {
        command: command(SERVER),
        shown: command("…"),
        sandbox: true,
        reset: Some(Reset { command: command(reset), shown: vec!["./seed.sh".to_owned()] }),
        tools: [("log_expense".to_owned(), policy)].into(),
        ..Server::default()
    };
    inspect(Some("ledger"), &server, Some(&Grants::default())).await.unwrap()
}

fn resets(file: &Path) -> usize {
    std::fs::read_to_string(file).unwrap_or_default().lines().count()
}

#[tokio::test]
async fn the_state_is_reset_before_each_probe_that_may_write() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("resets");
    let inspection = look(&format!("echo once >> {}", file.display())).await;
    assert!(inspection.not_reset.is_none());
    let coverage = inspection.coverage;
    assert!(coverage.not_exercised.is_empty(), "{coverage:?}");
    assert_eq!(coverage.skipped.iter().map(|gap| gap.probe).collect::<Vec<_>>(), ["write-then-read"]);
    assert_eq!(coverage.calls_made, coverage.calls_answered);
    let on_log_expense = ["good-call", "omit-required", "wrong-type", "unknown-argument"];
    assert_eq!(resets(&file), on_log_expense.len(), "and nothing on list_expenses");
}

#[tokio::test]
async fn nothing_that_may_write_is_sent_into_a_state_that_nobody_knows() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("resets");
    let inspection = look(&format!("echo once >> {}; echo 'no seed' >&2; exit 3", file.display())).await;
    let error = inspection.not_reset.unwrap();
    assert_eq!(
        (error.to_string().as_str(), error.stderr()),
        ("`./seed.sh` failed (exit status: 3)", &["no seed".to_owned()][..])
    );
    let coverage = inspection.coverage;
    assert_eq!(coverage.tools_called, [("ledger".to_owned(), "list_expenses".to_owned())].into());
    let not_sent: Vec<_> = coverage.skipped.iter().filter(|gap| gap.probe != "write-then-read").collect();
    assert_eq!(not_sent.len(), 4);
    assert!(not_sent.iter().all(|gap| gap.why == "the state could not be reset before it"));
    assert_eq!(resets(&file), 1, "one failure is enough");
}
