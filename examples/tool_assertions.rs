//! An agent that books a flight, and what its tests say of the calls that it makes. Run them with
//! `cargo test -p frankly-spy --example tool_assertions`.
//!
//! The agent is a plain function, so that the tests need no model: what an agent calls is the same question whoever decides it.

use frankly_contract::{
    CallError, InvalidTool, Registry, RunContext, Tool, ToolCall, ToolDef, ToolResult, Tools,
};
use frankly_spy::{Spy, scoped_run};
use serde_json::{Value, json};

/// What the agent can call.
fn airline() -> Result<Registry, InvalidTool> {
    let tool = |name: &str, does: &str, properties: Value| {
        let required: Vec<String> =
            properties.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
        let schema = json!({"type": "object", "properties": properties, "required": required});
        Tool::with_definition(ToolDef::new(name, does, schema), |_| async { Ok("done") })
    };
    let (text, number) = (json!({"type": "string"}), json!({"type": "integer"}));
    let mut registry = Registry::new();
    registry
        .add(tool("search_flights", "Finds flights.", json!({"to": text, "limit": number})))?
        .add(tool("hold_seat", "Holds a seat for ten minutes.", json!({"seat": text})))?
        .add(tool("charge", "Takes money.", json!({"cents": number})))?
        .add(tool("refund", "Pays money back.", json!({"cents": number})))?;
    Ok(registry)
}

/// Searches, holds a seat, and charges for it: twice where the first answer is lost, with one key for both.
async fn book(tools: &dyn Tools) -> Result<(), CallError> {
    call(tools, "search_flights", json!({"to": "LHR", "limit": 5})).await?;
    call(tools, "hold_seat", json!({"seat": "12A"})).await?;
    if charge(tools, "seat-12A").await.is_err() {
        charge(tools, "seat-12A").await?;
    }
    Ok(())
}

async fn charge(tools: &dyn Tools, key: &str) -> Result<ToolResult, CallError> {
    let step = RunContext::current()?
        .with_idempotency_key(key)
        .map_err(|error| CallError::Malformed(error.to_string()))?;
    step.scope(call(tools, "charge", json!({"cents": 12_900}))).await
}

async fn call(tools: &dyn Tools, name: &str, arguments: Value) -> Result<ToolResult, CallError> {
    tools.call(ToolCall::new(name, arguments.as_object().cloned().unwrap_or_default())).await
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
    use frankly_contract::{Allowlist, Code, Guarded, ToolError};
    use frankly_spy::expect::{Arguments, Expectation};
    use frankly_spy::fault::{Failing, Flaky};

    fn run() -> RunContext {
        RunContext::new("acme", "u_7", "run-1").unwrap()
    }

    #[test]
    fn a_booking_is_made_in_order_once_and_for_whoever_asked() {
        let spy = Spy::new(airline().unwrap());
        pollster::block_on(scoped_run(run(), book(&spy))).unwrap();

        let calls = spy.calls();
        calls.assert_sequence(["search_flights", "hold_seat", "charge"]);
        calls.assert_before("hold_seat", "charge");
        calls.assert_called_with("search_flights", json!({"to": "LHR"}));
        calls.assert_called_with(
            "search_flights",
            Arguments::that("a limit under 10", |sent| sent["limit"].as_u64() < Some(10)),
        );
        calls.assert_called_once_with("hold_seat", json!({"seat": "12A"}));
        calls.assert_not_called("refund");
        calls.assert_at_most(3);
        calls.assert_context("acme", "u_7");
    }

    #[test]
    fn a_charge_whose_answer_is_lost_is_repeated_with_the_same_key() {
        // The money is taken each time; only the first answer never comes.
        let reached = Spy::new(airline().unwrap());
        let log = reached.log();
        let tools = Flaky::new(reached, 1, CallError::TimedOut).only(["charge"]).after_running();
        pollster::block_on(scoped_run(run(), book(&tools))).unwrap();

        assert_eq!(tools.struck(), 1);
        log.calls().assert_sequence(["search_flights", "hold_seat", "charge", "charge"]);
        log.calls().assert_stable_key("charge");
    }

    #[test]
    fn a_new_key_for_each_try_charges_twice() {
        let spy = Spy::new(airline().unwrap());
        pollster::block_on(scoped_run(run(), async {
            charge(&spy, "try-1").await.unwrap();
            charge(&spy, "try-2").await.unwrap();
        }));

        let miss = spy.calls().check(&Expectation::StableKey { tool: "charge".into() }).unwrap_err();
        assert_eq!(
            miss.to_string(),
            "call 2: `charge` has the arguments of call 1 and the key `try-2` instead of `try-1`: \
             as a retry it takes effect a second time"
        );
    }

    #[test]
    fn nothing_is_charged_for_a_seat_that_is_not_held() {
        let full = ToolError::new(Code::NotFound, "the seat 12A is taken", "ask which other seat is meant");
        let spy = Spy::new(Failing::new(airline().unwrap(), full).only(["hold_seat"]));
        pollster::block_on(scoped_run(run(), book(&spy))).unwrap_err();

        spy.calls().assert_sequence(["search_flights", "hold_seat"]);
        spy.calls().assert_not_called("charge");
    }

    #[test]
    fn a_call_that_is_not_allowed_never_reaches_the_tool() {
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
    fn arguments_that_do_not_fit_never_reach_the_tool_either() {
        let spy = Spy::new(airline().unwrap());
        pollster::block_on(call(&spy, "hold_seat", json!({"seats": "12A"}))).unwrap_err();

        // What the agent tried is told from what ran: the registry refused it before the tool heard of it.
        spy.calls().assert_called_once("hold_seat");
        spy.calls().only(|call| !call.refused()).assert_nothing_called();
    }
}
