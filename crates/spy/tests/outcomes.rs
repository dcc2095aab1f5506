//! How calls ended, and some of them by themselves.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use frankly_contract::{Code, Registry, RunContext, Tool, ToolCall, ToolDef, ToolError, Tools};
use frankly_spy::fault::{Failing, Slow};
use frankly_spy::{Spy, scoped_run};
use futures_util::FutureExt;
use serde_json::{Value, json};

fn spy() -> Spy<Registry> {
    let mut registry = Registry::new();
    for name in ["search", "hold_seat", "charge", "refund"] {
        let definition = ToolDef::new(name, "Does it.", json!({"type": "object"}));
        registry.add(Tool::with_definition(definition, |_| async { Ok("done") })).unwrap();
    }
    Spy::new(registry)
}

fn call(name: &str, arguments: &Value) -> ToolCall {
    ToolCall::new(name, arguments.as_object().cloned().unwrap())
}

/// That an assertion fails, and with these words.
fn fails(assertion: impl FnOnce(), words: &str) {
    let told = match catch_unwind(AssertUnwindSafe(assertion)).unwrap_err().downcast::<String>() {
        Ok(told) => *told,
        Err(panic) => (*panic.downcast::<&str>().unwrap()).to_owned(),
    };
    assert_eq!(told, words);
}

#[tokio::test]
async fn how_calls_ended() {
    let bare = spy();
    fails(
        || bare.calls().assert_all_answered(),
        "no call was made, so nothing shows that calls are answered",
    );
    bare.call(call("search", &json!({}))).await.unwrap();
    bare.calls().assert_all_answered();
    let _ = bare.call(call("serach", &json!({}))).await;
    fails(
        || bare.calls().assert_all_answered(),
        "call 2: `serach` failed: protocol error -32602: no tool is named \"serach\"; did you mean `search`? \
         The tools: `search`, `hold_seat`, `charge`, `refund`",
    );
    assert_eq!([bare.calls().answered().len(), bare.calls().not_refused().len()], [1, 1]);

    let full = ToolError::new(Code::NotFound, "it is taken", "ask");
    let full = Spy::new(Failing::new(spy(), full));
    full.call(call("hold_seat", &json!({}))).await.unwrap_err();
    fails(
        || full.calls().assert_all_answered(),
        "call 1: `hold_seat` failed: NOT_FOUND: it is taken. Next: ask.",
    );

    let slow = Spy::new(Slow::new(spy(), std::future::pending::<()>).only(["charge"]));
    slow.call(call("search", &json!({}))).await.unwrap();
    let mut going_on = slow.call(call("charge", &json!({})));
    assert!((&mut going_on).now_or_never().is_none());
    fails(|| slow.calls().assert_all_answered(), "call 2: `charge` has not ended");
    drop(going_on);
    fails(|| slow.calls().assert_all_answered(), "call 2: `charge` was dropped before it ended");
    slow.calls().answered().assert_sequence(["search"]);

    let mut registry = Registry::new();
    let definition = ToolDef::new("notify", "Panics.", json!({"type": "object"}));
    let bug = |_| async { if true { panic!("no\nroute") } else { Ok("done") } };
    registry.add(Tool::with_definition(definition, bug)).unwrap();
    let buggy = Spy::new(registry);
    let panicked =
        futures_util::FutureExt::catch_unwind(AssertUnwindSafe(buggy.call(call("notify", &json!({})))));
    assert!(panicked.await.is_err());
    fails(|| buggy.calls().assert_all_answered(), "call 1: `notify` panicked: no\\nroute");
}

#[test]
fn calls_of_one_tenant() {
    let spy = spy();
    for tenant in ["acme", "globex", "acme"] {
        let step = scoped_run(
            RunContext::new(tenant, "u_7", "run-1").unwrap(),
            spy.call(call("search", &json!({}))),
        );
        pollster::block_on(step).unwrap();
    }
    pollster::block_on(spy.call(call("refund", &json!({})))).unwrap();
    spy.calls().of_tenant("acme").assert_sequence(["search", "search"]);
    spy.calls().of_tenant("globex").assert_context("globex", "u_7");
    assert_eq!(spy.calls().of_tenant("initech").len(), 0);
}
