//! The stubs stand where people are asked, and remember what they were asked.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::future::ready;
use std::time::Duration;

use frankly_contract::{
    ApprovalRequest, CallError, Gated, NoArguments, Patience, Registry, RunContext, Tool, ToolCall,
    ToolResult, Tools,
};
use frankly_spy::{Calls, Spy, StubGate, approving, denying, scoped_run, unanswered};
use serde_json::Map;

fn run() -> RunContext {
    RunContext::new("acme", "u_7", "run-1").unwrap()
}

fn refund() -> ToolCall {
    ToolCall::new("refund", Map::new())
}

/// What comes of a refund and a search behind this gate, where only searches are free, and what reached the tools.
fn behind(gate: &StubGate) -> (Result<ToolResult, CallError>, Calls) {
    let mut registry = Registry::new();
    registry.add(Tool::typed("refund", "Pays back.", |_: NoArguments| async { Ok("paid back") })).unwrap();
    registry.add(Tool::typed("search", "Finds flights.", |_: NoArguments| async { Ok("LX 14") })).unwrap();
    let spy = Spy::new(registry);
    let reached = spy.log();
    let patience = Patience::new(Duration::from_secs(30), |_| ready(()));
    let tools = Gated::new(spy, gate.clone(), patience).without_asking(["search"]);
    pollster::block_on(scoped_run(run(), tools.call(ToolCall::new("search", Map::new())))).unwrap();
    (pollster::block_on(scoped_run(run(), tools.call(refund()))), reached.calls())
}

#[test]
fn each_stub_was_asked_for_the_very_call_and_for_nothing_else() {
    for gate in [approving(), denying("over the limit"), unanswered()] {
        assert!(gate.asked().is_empty());
        let _ = behind(&gate);
        assert_eq!(gate.asked(), [ApprovalRequest::new(refund(), run())], "{gate:?}");
    }
}

#[test]
fn only_what_is_approved_reaches_the_tools() {
    let (answer, reached) = behind(&approving());
    assert!(answer.is_ok());
    reached.assert_sequence(["search", "refund"]);
    for (gate, why) in
        [(denying("over the limit"), "over the limit"), (unanswered(), "nobody answered the request")]
    {
        let (answer, reached) = behind(&gate);
        let answer = answer.unwrap_err().to_string();
        assert!(answer.starts_with("the tool failed: FORBIDDEN: ") && answer.contains(why), "{answer}");
        reached.assert_sequence(["search"]);
    }
}

#[test]
fn a_question_that_was_never_put_is_not_remembered() {
    use frankly_contract::ApprovalGate;
    let gate = approving();
    drop(gate.ask(ApprovalRequest::new(refund(), run())));
    assert!(gate.asked().is_empty());
}
