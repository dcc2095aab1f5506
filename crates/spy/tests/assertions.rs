//! Each assertion, and the words with which it fails.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::sync::Mutex;

use frankly_contract::{Registry, RunContext, Tool, ToolCall, ToolDef, Tools};
use frankly_spy::expect::{Arguments, Expectation};
use frankly_spy::{Calls, Spy, Stepped, scoped_run};
use futures_util::future::join_all;
use serde_json::{Map, Value, json};

const TOOLS: [&str; 4] = ["search", "hold_seat", "charge", "refund"];

fn spy() -> Spy<Registry> {
    let mut registry = Registry::new();
    for name in TOOLS {
        let definition =
            ToolDef::new(name, "Does it.", json!({"type": "object", "additionalProperties": true}));
        registry.add(Tool::with_definition(definition, |_| async { Ok("done") })).unwrap();
    }
    Spy::new(registry)
}

fn call(name: &str, arguments: &Value) -> ToolCall {
    ToolCall::new(name, arguments.as_object().cloned().unwrap())
}

/// What a spy sees of these calls, one after the other.
fn calls<const N: usize>(made: [(&str, Value); N]) -> Calls {
    let spy = spy();
    for (name, arguments) in made {
        pollster::block_on(spy.call(call(name, &arguments))).unwrap();
    }
    spy.calls()
}

/// The words with which an assertion fails, and the line that the failure points at.
fn failure(assertion: impl FnOnce()) -> (String, u32) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let line = std::sync::Arc::new(Mutex::new(0));
    let (seen, before) = (line.clone(), std::panic::take_hook());
    std::panic::set_hook(Box::new(move |info| {
        *seen.lock().unwrap() = info.location().map_or(0, Location::line)
    }));
    let failed = catch_unwind(AssertUnwindSafe(assertion));
    std::panic::set_hook(before);
    let words = *failed.unwrap_err().downcast::<String>().unwrap();
    (words, *line.lock().unwrap())
}

fn fails(assertion: impl FnOnce(), words: &str) {
    assert_eq!(failure(assertion).0, words);
}

#[test]
fn a_failure_points_at_the_line_that_asserts() {
    let nothing = calls([]);
    let here = line!() + 1;
    assert_eq!(failure(|| nothing.assert_called_once("search")).1, here);
    assert_eq!(failure(|| nothing.assert_called_once_with("search", json!({}))).1, here + 1);
    assert_eq!(failure(|| nothing.assert_sequence(["search"])).1, here + 2);
    assert_eq!(failure(|| nothing.assert(&Expectation::Includes(vec!["search".to_owned()]))).1, here + 3);
}

#[test]
fn sequence() {
    let made = calls([("search", json!({})), ("refund", json!({}))]);
    made.assert_sequence(["search", "refund"]);
    fails(
        || made.assert_sequence(["search", "hold_seat"]),
        "call 2: expected `hold_seat`, `refund` was called",
    );
    fails(
        || made.assert_sequence(["search", "refund", "charge"]),
        "call 3: expected `charge`, and nothing more was called",
    );
    fails(|| made.assert_sequence(["search"]), "call 2: `refund` was called, expected nothing more");
    fails(
        || made.assert_sequence([] as [&str; 0]),
        "`search` was called with {}, expected no call at all; 1 more call followed",
    );
}

#[test]
fn in_order() {
    let made = calls([("search", json!({})), ("hold_seat", json!({})), ("refund", json!({}))]);
    made.assert_in_order(["search", "refund"]);
    fails(
        || made.assert_in_order(["refund", "search"]),
        "`search` was not called after `refund` (call 3), only before it (call 1)",
    );
}

#[test]
fn called_with() {
    let made = calls([("search", json!({"limit": 10, "to": "LHR"}))]);
    made.assert_called_with("search", json!({"limit": 10}));
    made.assert_called_with("search", |sent: &Map<String, Value>| {
        sent.get("limit").and_then(Value::as_u64).is_some_and(|limit| limit > 5)
    });
    fails(
        || made.assert_called_with("search", json!({"limit": 5})),
        "`search` was called with limit=10, expected 5",
    );
    fails(
        || {
            made.assert_called_with(
                "search",
                Arguments::that("a limit under 10", |sent| {
                    sent.get("limit").and_then(Value::as_u64).is_some_and(|limit| limit < 10)
                }),
            )
        },
        r#"`search` was called with {"limit":10,"to":"LHR"}, which is not a limit under 10"#,
    );
    fails(
        || made.assert_called_with("search", |_: &Map<String, Value>| false),
        r#"`search` was called with {"limit":10,"to":"LHR"}, which the given closure does not accept"#,
    );
    fails(|| made.assert_called_with("refund", json!({})), "`refund` was not called");
    made.assert_called_with("search", json!({}));
    fails(
        || made.assert_called_with("search", Arguments::exactly(json!({"limit": 10}))),
        r#"`search` was called with to="LHR", expected nothing"#,
    );
}

#[test]
fn called_once() {
    let made = calls([
        ("hold_seat", json!({"seat": "12A"})),
        ("search", json!({})),
        ("hold_seat", json!({"seat": "12B"})),
    ]);
    made.assert_called_once("search");
    made.assert_called_once_with("search", json!({}));
    fails(
        || made.assert_called_once("hold_seat"),
        "`hold_seat` was called 2 times, expected once (calls 1 and 3)",
    );
    fails(
        || made.assert_called_once_with("hold_seat", json!({"seat": "12A"})),
        "`hold_seat` was called 2 times, expected once (calls 1 and 3)",
    );
    fails(|| made.assert_called_once("charge"), "`charge` was not called");
    let made = calls([("hold_seat", json!({"seat": "12A"}))]);
    fails(
        || made.assert_called_once_with("hold_seat", json!({"seat": "12B"})),
        r#"`hold_seat` was called with seat="12A", expected "12B""#,
    );
}

#[test]
fn not_called() {
    let made = calls([("refund", json!({"id": "1"}))]);
    made.assert_not_called("charge");
    calls([]).assert_not_called("charge");
    fails(
        || made.assert_not_called("refund"),
        r#"`refund` was called with {"id":"1"} and should not have been"#,
    );
}

#[test]
fn nothing_called() {
    calls([]).assert_nothing_called();
    fails(
        || calls([("search", json!({"to": "LHR"}))]).assert_nothing_called(),
        r#"`search` was called with {"to":"LHR"}, expected no call at all"#,
    );
}

#[test]
fn at_most() {
    let made = calls(["search", "search", "hold_seat", "refund"].map(|name| (name, json!({}))));
    made.assert_at_most(4);
    fails(
        || made.assert_at_most(3),
        "4 calls were made, expected at most 3: search, search, hold_seat, refund",
    );
}

/// Calls that run side by side: all of them begin before the first one ends.
fn side_by_side<const N: usize>(names: [&str; N]) -> Calls {
    let spy = Spy::new(Stepped::new(spy()));
    pollster::block_on(join_all(names.map(|name| spy.call(call(name, &json!({}))))));
    spy.calls()
}

#[test]
fn at_most_at_once() {
    calls(["search", "search", "search"].map(|name| (name, json!({})))).assert_at_most_at_once(1);
    fails(
        || side_by_side(["search", "hold_seat", "charge"]).assert_at_most_at_once(2),
        "3 calls ran at once (calls 1 to 3), expected at most 2",
    );
    fails(
        || side_by_side(["search", "hold_seat"]).assert_at_most_at_once(2),
        "only 2 calls were made, so nothing could show more than 2 at once",
    );
}

#[test]
fn before() {
    let made = calls([("search", json!({})), ("hold_seat", json!({})), ("search", json!({}))]);
    made.assert_before("search", "hold_seat");
    fails(
        || made.assert_before("hold_seat", "search"),
        "call 1: `search` was called before `hold_seat` (call 2), expected after it",
    );
    fails(
        || made.assert_before("charge", "hold_seat"),
        "`charge` was never called, so nothing shows that it comes before `hold_seat`",
    );
    fails(
        || side_by_side(["search", "hold_seat"]).assert_before("search", "hold_seat"),
        "call 2: `hold_seat` was called while `search` (call 1) had not ended: two tools that race have no order",
    );
}

fn run(tenant: &str, user: &str) -> RunContext {
    RunContext::new(tenant, user, "run-1").unwrap()
}

#[test]
fn context() {
    let spy = spy();
    fails(
        || spy.calls().assert_context("acme", "u_7"),
        "no call was recorded, so nothing shows that calls run under tenant `acme` and user `u_7`",
    );
    let search = || spy.call(call("search", &json!({})));
    pollster::block_on(scoped_run(run("acme", "u_7"), search())).unwrap();
    spy.calls().assert_context("acme", "u_7");
    fails(
        || spy.calls().assert_context("acme", "u_8"),
        "call 1: `search` ran under user `u_7`, expected `u_8`",
    );
    pollster::block_on(scoped_run(run("globex", "u_7"), search())).unwrap();
    fails(
        || spy.calls().assert_context("acme", "u_7"),
        "call 2: `search` ran under tenant `globex`, expected `acme`",
    );
}

#[tokio::test]
async fn context_that_was_lost_in_spawned_work() {
    let spy = std::sync::Arc::new(spy());
    let spawned = std::sync::Arc::clone(&spy);
    scoped_run(run("acme", "u_7"), async {
        tokio::spawn(async move { spawned.call(call("search", &json!({}))).await }).await.unwrap().unwrap();
    })
    .await;
    fails(
        || spy.calls().assert_context("acme", "u_7"),
        "call 1: `search` ran without a run context, expected tenant `acme` and user `u_7` \
         (work that is spawned has none unless it is carried)",
    );
}

/// What a spy sees of charges of so many cents, each with a key in its context.
fn keyed<const N: usize>(charges: [(i64, Option<&str>); N]) -> Calls {
    let spy = spy();
    for (cents, key) in charges {
        let run = run("acme", "u_7");
        let run = key.map_or(run.clone(), |key| run.with_idempotency_key(key).unwrap());
        pollster::block_on(scoped_run(run, spy.call(call("charge", &json!({"cents": cents}))))).unwrap();
    }
    spy.calls()
}

#[test]
fn two_retries_with_one_key_pass_and_with_two_keys_fail() {
    keyed([(900, Some("seat-12")), (900, Some("seat-12"))]).assert_stable_key("charge");
    keyed([(900, Some("seat-12")), (700, Some("seat-13"))]).assert_stable_key("charge");
    fails(
        || keyed([(900, Some("seat-12")), (900, Some("seat-13"))]).assert_stable_key("charge"),
        "call 2: `charge` has the arguments of call 1 and the key `seat-13` instead of `seat-12`: \
         as a retry it takes effect a second time",
    );
}

#[test]
fn absence_of_a_key_is_not_stability() {
    let words = "`charge` was called without an idempotency key: a retry would take effect a second time";
    fails(|| keyed([(900, None), (900, None)]).assert_stable_key("charge"), &format!("call 1: {words}"));
    fails(
        || keyed([(900, Some("seat-12")), (900, None)]).assert_stable_key("charge"),
        &format!("call 2: {words}"),
    );
    fails(
        || keyed([]).assert_stable_key("charge"),
        "`charge` was not called, so nothing shows that its key is stable",
    );
    fails(
        || keyed([(900, Some("seat-12")), (700, Some("seat-12"))]).assert_stable_key("charge"),
        "call 2: `charge` has other arguments than call 1 and the same key `seat-12`: \
         it is taken for a retry and takes no effect",
    );
}

#[test]
fn a_key_among_the_arguments_is_no_difference_between_them() {
    let made = |keys: [Value; 2]| {
        let spy = spy().keyed_by("charge", "key");
        for key in keys {
            pollster::block_on(spy.call(call("charge", &json!({"cents": 900, "key": key})))).unwrap();
        }
        spy.calls()
    };
    made([json!("seat-12"), json!("seat-12")]).assert_stable_key("charge");
    made([json!(1), json!(1)]).assert_stable_key("charge");
    fails(
        || made([json!(1), json!(2)]).assert_stable_key("charge"),
        "call 2: `charge` has the arguments of call 1 and the key `2` instead of `1`: \
         as a retry it takes effect a second time",
    );
    fails(
        || made([json!("a"), json!("b")]).assert_stable_key("charge"),
        "call 2: `charge` has the arguments of call 1 and the key `b` instead of `a`: \
         as a retry it takes effect a second time",
    );
    fails(
        || made([json!("a"), json!(null)]).assert_stable_key("charge"),
        "call 2: `charge` was called without an idempotency key: a retry would take effect a second time",
    );
}

#[test]
fn whatever_else_can_be_expected() {
    let made = calls([("search", json!({})), ("refund", json!({}))]);
    made.assert(&Expectation::AnyOrder(vec!["refund".to_owned(), "search".to_owned()]));
    let once = Expectation::Once { tool: "charge".to_owned(), with: None };
    assert_eq!(made.check(&once).unwrap_err().to_string(), "`charge` was not called");
}
