//! The ledger, over HTTP.

use frankly_contract::{CallError, ToolCall, Tools};
use frankly_ledger::{Faults, HttpServer};
use frankly_live::config::{Consent, Server};
use frankly_live::probe::Grants;
use frankly_live::{Launch, Session, inspect};
use serde_json::json;
use tokio::task::JoinHandle;

use super::place::launch;

async fn ledger(faults: Faults) -> (String, JoinHandle<()>) {
    let server = HttpServer::bind(faults, ([127, 0, 0, 1], 0).into()).await.unwrap();
    (server.url(), tokio::spawn(server.serve(std::future::pending())))
}

fn patient(url: &str) -> Launch {
    Launch { timeout: std::time::Duration::from_secs(20), name: None, ..launch(url) }
}

#[tokio::test]
async fn a_session_lists_calls_and_is_refused_in_either_life_cycle() {
    let (url, server) = ledger(Faults::default()).await;
    for stateless in [false, true] {
        let session = Session::start(&Launch { stateless, ..patient(&url) }).await.unwrap();
        assert_eq!(session.server(), "ledger");
        let tools = session.tool_set().await.unwrap().tools;
        assert_eq!(tools.len(), 8);
        let dining = json!({"category": "Dining"}).as_object().unwrap().clone();
        let page = session.call(ToolCall::new("query_transactions", dining)).await.unwrap();
        assert_eq!(page.structured().unwrap()["matched"], 262);
        let delete = json!({"sql": "DELETE FROM transactions"}).as_object().unwrap().clone();
        let refused = session.call(ToolCall::new("run_sql", delete)).await.unwrap_err();
        assert!(matches!(&refused, CallError::Tool(result) if result.is_error()), "{refused:?}");
        let unknown = session.call(ToolCall::new("no_such_tool", serde_json::Map::new())).await.unwrap_err();
        assert!(matches!(unknown, CallError::Protocol { code: -32602, .. }), "{unknown:?}");
        assert_eq!(session.gone(), None);
        let closed = session.close(Some(tools)).await;
        let calls = closed.transcript.calls();
        assert_eq!(calls.len(), 3);
        assert!(calls.iter().all(|call| call.response.is_some()), "{calls:?}");
        assert_eq!(closed.transcript.noise().count(), 0);
    }
    server.abort();
}

#[tokio::test]
async fn probes_and_checks_find_the_same_as_over_standard_input() {
    let (url, server) = ledger(Faults::all()).await;
    let over_http = Server { url: Some(url.clone()), shown: vec![url], sandbox: true, ..Server::default() };
    let grants = Grants { all: Some(Consent::Mutate), ..Grants::default() };
    let found = inspect(None, &over_http, Some(&grants)).await.unwrap();
    assert_eq!((found.server.as_str(), found.tools.tools.len()), ("ledger", 8));
    assert!(found.coverage.calls_answered == found.coverage.calls_made && found.coverage.noise == 0);
    assert!(found.findings.iter().any(|finding| finding.rule == "silent-truncation"), "{:?}", found.findings);
    assert!(!found.findings.iter().any(frankly_verdict::outage::is_one), "{:?}", found.findings);
    server.abort();
}
