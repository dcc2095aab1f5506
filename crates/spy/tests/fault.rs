//! Faults touch what they are meant for, and nothing else.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use frankly_contract::{
    CallError, Code, Json, NoArguments, Once, Registry, RunContext, Tool, ToolCall, ToolError, Tools,
};
use frankly_spy::fault::{Cut, Failing, Flaky, Slow};
use frankly_spy::{Spy, Stepped, give_way};
use futures_util::future::join_all;
use serde_json::{Map, json};

fn tools() -> Registry {
    let mut registry = Registry::new();
    for name in ["search", "refund"] {
        let answer = |_: NoArguments| async { Ok(Json(json!({"flights": ["LX 14", "LX 16"]}))) };
        registry.add(Tool::typed(name, "Does it.", answer)).unwrap();
    }
    registry
}

fn call(name: &str) -> ToolCall {
    ToolCall::new(name, Map::new())
}

/// A fault for refunds leaves searches and the list alone, and an unknown tool is as unknown as before.
fn leaves_others_alone(faulty: &dyn Tools) {
    let bare = tools();
    assert_eq!(pollster::block_on(faulty.list()), pollster::block_on(bare.list()));
    for name in ["search", "refunds"] {
        assert_eq!(pollster::block_on(faulty.call(call(name))), pollster::block_on(bare.call(call(name))));
    }
}

#[test]
fn what_is_not_named_goes_through_as_it_is() {
    let only = ["refund"];
    let failing = Failing::new(tools(), CallError::TimedOut).only(only);
    let flaky = Flaky::new(tools(), 9, CallError::TimedOut).only(only);
    let (slow, cut) = (Slow::new(tools(), give_way).only(only), Cut::new(tools(), 1).only(only));
    for faulty in [&failing as &dyn Tools, &flaky, &slow, &cut, &Stepped::new(tools())] {
        leaves_others_alone(faulty);
    }
    assert_eq!([failing.struck(), flaky.struck(), slow.struck(), cut.struck()], [0; 4]);
}

#[test]
fn the_error_is_the_callers_own() {
    let own =
        ToolError::new(Code::Transient, "the bank is closed", "call again on Monday").with_kind("closed");
    let failed = pollster::block_on(Failing::new(tools(), own.clone()).call(call("refund"))).unwrap_err();
    assert_eq!(failed, CallError::Tool(own.into()));
    let gone = CallError::PeerGone("closed its output".to_owned());
    assert_eq!(pollster::block_on(Flaky::new(tools(), 1, gone.clone()).call(call("refund"))), Err(gone));
}

#[test]
fn a_fault_before_the_tool_keeps_it_from_running_and_one_after_it_does_not() {
    for (after, reached) in [(false, 1), (true, 3)] {
        let spy = Spy::new(tools());
        let log = spy.log();
        let flaky = Flaky::new(spy, 2, CallError::TimedOut);
        let flaky = if after { flaky.after_running() } else { flaky };
        let answers = [(); 3].map(|()| pollster::block_on(flaky.call(call("refund"))).is_ok());
        assert_eq!((answers, flaky.struck(), log.calls().len()), ([false, false, true], 2, reached));
    }
}

#[test]
fn of_calls_at_once_as_many_fail_as_were_meant_to() {
    let flaky = Flaky::new(Stepped::new(tools()), 3, CallError::TimedOut).after_running();
    let answers = pollster::block_on(join_all((0..10).map(|_| flaky.call(call("search")))));
    assert_eq!((answers.iter().filter(|answer| answer.is_err()).count(), flaky.struck()), (3, 3));
}

#[test]
fn faults_add_up() {
    let tools = Cut::new(Flaky::new(tools(), 1, CallError::TimedOut), 5);
    assert_eq!(pollster::block_on(tools.call(call("search"))), Err(CallError::TimedOut));
    let cut = pollster::block_on(tools.call(call("search"))).unwrap();
    assert_eq!((cut.texts().next(), cut.structured()), (Some((0, r#"{"fli"#)), None));
}

/// How often a refund reaches the tools that is made twice under one key, where its first answer is lost with this error: around an
/// `Once`, or beneath it. With it what the second call comes to.
fn effects(lost: impl Into<CallError>, is_beneath: bool) -> (usize, Result<(), String>) {
    let reached = Spy::new(tools());
    let (log, lost) = (reached.log(), lost.into());
    let tools: Box<dyn Tools> = match is_beneath {
        false => Box::new(Flaky::new(Once::new(reached), 1, lost).after_running()),
        true => Box::new(Once::new(Flaky::new(reached, 1, lost).after_running())),
    };
    let step = RunContext::new("acme", "u_7", "run-1").unwrap().with_idempotency_key("run-1/refund").unwrap();
    let refund = || pollster::block_on(step.clone().scope(tools.call(call("refund"))));
    refund().unwrap_err();
    let again = refund().map(drop).map_err(|error| error.to_string());
    (log.calls().len(), again)
}

#[test]
fn an_answer_that_is_lost_with_a_time_out_has_one_effect_under_one_key() {
    // The answer is lost on the way to the agent: the repeat has the first one's.
    assert_eq!(effects(CallError::TimedOut, false), (1, Ok(())));
    // It is lost before `Once` hears of it: nobody knows what came of it, and nothing is done again.
    let (reached, again) = effects(CallError::TimedOut, true);
    assert!(reached == 1 && again.as_ref().is_err_and(|words| words.contains("FORBIDDEN")), "{again:?}");
    // A code is a word that nothing was done, and is taken for one.
    assert_eq!(effects(ToolError::new(Code::Transient, "busy", ""), true), (2, Ok(())));
}
