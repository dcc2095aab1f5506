//! An agent that books a flight, and what its tests say of the calls that it makes. Run them with
//! `cargo test -p frankly-spy --example tool_assertions`.
//!
//! The agent is a loop: whatever came back so far decides the next call. Who decides is a plain function here, so that the tests need no
//! model: what an agent calls is the same question whoever decides it.

use frankly_contract::{
    CallError, Code, InvalidTool, Json, Registry, RunContext, Tool, ToolCall, ToolDef, ToolError, ToolResult,
    Tools,
};
use frankly_spy::{Spy, scoped_run};
use serde_json::{Value, json};

/// How often a step is tried before the agent gives up.
const TRIES: usize = 3;

fn airline() -> Result<Registry, InvalidTool> {
    let tool = |name: &str, does: &str, properties: Value, answer: Value| {
        let required: Vec<String> =
            properties.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
        let schema = json!({"type": "object", "properties": properties, "required": required});
        let answers = move |_| std::future::ready(Ok(Json(answer.clone())));
        Tool::with_definition(ToolDef::new(name, does, schema), answers)
    };
    let (text, number) = (json!({"type": "string"}), json!({"type": "integer"}));
    let found = json!({"flights": [{"flight": "LX 14", "seat": "12A", "cents": 12_900}]});
    let mut registry = Registry::new();
    registry
        .add(tool("search_flights", "Finds flights.", json!({"to": text, "limit": number}), found))?
        .add(tool("hold_seat", "Holds a seat.", json!({"seat": text}), json!({"held": true})))?
        .add(tool("charge", "Takes money.", json!({"cents": number}), json!({"taken": true})))?
        .add(tool("refund", "Pays money back.", json!({"cents": number}), json!({"paid": true})))?;
    Ok(registry)
}

/// A call and what came of it.
type Step = (ToolCall, Result<ToolResult, CallError>);

/// The next call, after these; none where the booking is made, or nothing more can be done for it.
fn decide(history: &[Step]) -> Option<ToolCall> {
    let Some((last, answer)) = history.last() else {
        return Some(call("search_flights", json!({"to": "LHR", "limit": 5})));
    };
    match answer {
        // What was looked for may work later, or nobody knows whether it did: the same again, which has the same key.
        Err(error) if may_be_repeated(error) => {
            let tries = history.iter().rev().take_while(|(call, _)| call == last).count();
            (tries < TRIES).then(|| last.clone())
        }
        Err(_) => None,
        Ok(result) => match last.name.as_str() {
            // An answer that was cut is none: fewer flights make a shorter one.
            "search_flights" => match first_flight(result) {
                Some(flight) => Some(call("hold_seat", json!({"seat": flight["seat"]}))),
                None if last.arguments["limit"] == 1 => None,
                None => Some(call("search_flights", json!({"to": "LHR", "limit": 1}))),
            },
            "hold_seat" => {
                let found = history.iter().rev().find_map(|(_, answer)| first_flight(answer.as_ref().ok()?));
                Some(call("charge", json!({"cents": found?["cents"]})))
            }
            _ => None,
        },
    }
}

/// `TRANSIENT` is a word that nothing was done; after a time-out the key keeps it from being done twice.
fn may_be_repeated(error: &CallError) -> bool {
    match error {
        CallError::Tool(result) => {
            ToolError::from_result(result).is_some_and(|error| error.code() == Code::Transient)
        }
        error => *error == CallError::TimedOut,
    }
}

/// The first flight, if the answer can be read to its end and has one.
fn first_flight(result: &ToolResult) -> Option<Value> {
    let (_, text) = result.texts().next()?;
    serde_json::from_str::<Value>(text).ok()?["flights"].get(0).cloned()
}

fn call(name: &str, arguments: Value) -> ToolCall {
    ToolCall::new(name, arguments.as_object().cloned().unwrap_or_default())
}

/// Calls what is decided until nothing is; an error says what kept the flight from being booked. The key of a call says which step it
/// is, and not which try.
async fn book(tools: &dyn Tools) -> Result<(), String> {
    let mut history: Vec<Step> = Vec::new();
    while let Some(next) = decide(&history) {
        let run = RunContext::current().map_err(|error| error.to_string())?;
        let step = history.iter().filter(|(call, _)| *call != next).count();
        let key = format!("{}/{step}", run.run_id());
        let step = run.with_idempotency_key(key).map_err(|error| error.to_string())?;
        let answer = step.scope(tools.call(next.clone())).await;
        history.push((next, answer));
    }
    match history.pop() {
        Some((_, Err(error))) => Err(error.to_string()),
        Some((last, Ok(_))) if last.name == "charge" => Ok(()),
        _ => Err("no flight could be read from what came back".to_owned()),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let spy = Spy::new(airline()?);
    pollster::block_on(scoped_run(RunContext::new("acme", "u_7", "run-1")?, book(&spy)))?;
    for call in &spy.calls() {
        let whose = call.context.as_ref().map_or("nobody", RunContext::tenant);
        println!("{} {} for {whose}", call.name, json!(call.arguments));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use frankly_contract::{Allowlist, Guarded, Once};
    use frankly_spy::expect::Arguments;
    use frankly_spy::fault::{Cut, Failing, Flaky, Slow};

    fn run() -> RunContext {
        RunContext::new("acme", "u_7", "run-1").unwrap()
    }

    fn booked(tools: &dyn Tools) -> Result<(), String> {
        pollster::block_on(scoped_run(run(), book(tools)))
    }

    #[test]
    fn a_booking_is_made_in_order_once_and_for_whoever_asked() {
        let spy = Spy::new(airline().unwrap());
        booked(&spy).unwrap();

        let calls = spy.calls();
        calls.assert_sequence(["search_flights", "hold_seat", "charge"]);
        calls.assert_before("hold_seat", "charge");
        calls.assert_called_with("search_flights", json!({"to": "LHR"}));
        let few = |sent: &serde_json::Map<String, Value>| {
            sent.get("limit").and_then(Value::as_u64).is_some_and(|limit| limit < 10)
        };
        calls.assert_called_with("search_flights", Arguments::that("a limit under 10", few));
        calls.assert_called_once_with("hold_seat", Arguments::exactly(json!({"seat": "12A"})));
        calls.assert_not_called("refund");
        calls.assert_at_most(3);
        calls.assert_context("acme", "u_7");
        calls.assert_all_answered();
    }

    #[test]
    fn a_charge_whose_answer_is_lost_is_repeated_with_the_same_key_and_taken_once() {
        let reached = Spy::new(airline().unwrap());
        let taken = reached.log();
        // The money is taken, and the answer is lost on its way back.
        let lossy = Flaky::new(Once::new(reached), 1, CallError::TimedOut).only(["charge"]).after_running();
        let spy = Spy::new(lossy);
        booked(&spy).unwrap();

        assert_eq!(spy.tools().struck(), 1);
        spy.calls().assert_sequence(["search_flights", "hold_seat", "charge", "charge"]);
        spy.calls().assert_stable_key("charge");
        taken.calls().assert_called_once("charge");
    }

    #[test]
    fn what_stays_down_is_tried_three_times_and_no_more() {
        let down = ToolError::new(Code::Transient, "the bank is down", "");
        let spy = Spy::new(Failing::new(airline().unwrap(), down).only(["charge"]));
        booked(&spy).unwrap_err();

        spy.calls().only(|call| call.name == "charge").assert_sequence(["charge"; TRIES]);
        spy.calls().answered().assert_sequence(["search_flights", "hold_seat"]);
    }

    #[test]
    fn nothing_is_charged_for_a_seat_that_is_not_held() {
        let full = ToolError::new(Code::NotFound, "the seat 12A is taken", "");
        let spy = Spy::new(Failing::new(airline().unwrap(), full).only(["hold_seat"]));
        booked(&spy).unwrap_err();

        spy.calls().assert_sequence(["search_flights", "hold_seat"]);
    }

    #[test]
    fn what_is_forbidden_is_not_tried_again_and_never_reaches_the_tool() {
        // Outside of the guard is what the agent tries, and inside what gets there.
        let inside = Spy::new(airline().unwrap());
        let reached = inside.log();
        let outside = Spy::new(Guarded::new(inside));
        let reader = run().with_allowlist(Allowlist::covering(["search_flights"]));
        pollster::block_on(scoped_run(reader, book(&outside))).unwrap_err();

        outside.calls().assert_sequence(["search_flights", "hold_seat"]);
        assert!(outside.calls()[1].refused());
        reached.calls().assert_sequence(["search_flights"]);
    }

    #[test]
    fn an_answer_that_was_cut_is_asked_for_again_and_not_guessed_at() {
        let spy = Spy::new(Cut::new(airline().unwrap(), 30).only(["search_flights"]));
        assert_eq!(booked(&spy).unwrap_err(), "no flight could be read from what came back");

        spy.calls().assert_sequence(["search_flights", "search_flights"]);
        spy.calls().assert_called_with("search_flights", json!({"limit": 1}));
        assert_eq!(spy.tools().struck(), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_user_who_does_not_wait_leaves_a_call_that_was_dropped() {
        let seconds = std::time::Duration::from_secs;
        let slow = Slow::new(airline().unwrap(), move || tokio::time::sleep(seconds(60))).only(["charge"]);
        let spy = Spy::new(slow);
        assert!(tokio::time::timeout(seconds(30), scoped_run(run(), book(&spy))).await.is_err());

        spy.calls().assert_called_once("charge");
        spy.calls().answered().assert_sequence(["search_flights", "hold_seat"]);
    }
}
