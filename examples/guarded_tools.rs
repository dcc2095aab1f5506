//! A shop's assistant whose tools are guarded, approved and repeatable, and what its tests say of that. Run it with
//! `cargo test -p frankly-spy --example guarded_tools`.

use std::sync::Arc;
use std::time::Duration;

use frankly_contract::{
    Allowlist, ApprovalGate, CallError, Gated, Guarded, Json, NoArguments, Once, Patience, Registry,
    RunContext, Tool, ToolCall, ToolError, ToolResult, Tools,
};
use futures_util::StreamExt;
use futures_util::stream;
use serde_json::json;

/// How many prices are asked for at once.
const AT_ONCE: usize = 4;

/// The shop itself. Its tools read for whom they act from the run that calls them.
fn shop() -> Result<Registry, Box<dyn std::error::Error>> {
    let mut registry = Registry::new();
    registry
        .add(Tool::typed("price", "Tells a price.", |_: NoArguments| async {
            Ok(Json(json!({"cents": 1250})))
        }))?
        .add(Tool::typed("refund", "Pays the last order back.", |_: NoArguments| async {
            let run = RunContext::current()?;
            Ok::<_, ToolError>(Json(json!({"paid_back_to": run.user(), "shop": run.tenant()})))
        }))?;
    Ok(registry)
}

/// Around it: who is not allowed is refused first, a repeat has no second effect, and a refund wants somebody's word.
fn behind(
    tools: impl Tools + 'static,
    gate: impl ApprovalGate + 'static,
    patience: Patience,
) -> impl Tools + 'static {
    Guarded::new(Once::new(Gated::new(tools, gate, patience).without_asking(["price"])))
}

/// The assistant: it looks at some prices, no more than four at once, and pays back.
async fn assist(tools: &dyn Tools, prices: usize) -> Result<ToolResult, CallError> {
    let call = |tool: &str| tools.call(ToolCall::new(tool, Default::default()));
    stream::iter(0..prices).map(|_| call("price")).buffer_unordered(AT_ONCE).for_each(|_| async {}).await;
    call("refund").await
}

/// A run of the customer `u_7` of the shop `acme`, who may have these tools called.
fn run(tools: &[&str]) -> Result<RunContext, frankly_contract::InvalidContext> {
    let allowed = Allowlist::covering(tools.iter().copied());
    Ok(RunContext::new("acme", "u_7", "run-1")?.with_allowlist(allowed))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let patience = Patience::new(Duration::ZERO, |_| std::future::ready(()));
    let tools: Arc<dyn Tools> = Arc::new(behind(shop()?, frankly_spy::unanswered(), patience));
    match pollster::block_on(run(&["price", "refund"])?.scope(assist(&*tools, 2))) {
        Ok(result) => println!("{}", json!(result)),
        Err(error) => println!("{error}"),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use frankly_spy::{Overlap, Spy, approving, denying, scoped_run, unanswered};

    fn patience() -> Patience {
        Patience::new(Duration::from_secs(30), tokio::time::sleep)
    }

    #[tokio::test(start_paused = true)]
    async fn a_refund_is_paid_once_somebody_approved_of_this_very_call() {
        let (reached, gate) = (Spy::new(shop().unwrap()), approving());
        let log = reached.log();
        let tools = behind(reached, gate.clone(), patience());
        let paid = scoped_run(run(&["price", "refund"]).unwrap(), assist(&tools, 2)).await.unwrap();

        assert_eq!(paid.structured(), Some(&json!({"paid_back_to": "u_7", "shop": "acme"})));
        let asked: Vec<_> = gate.asked().into_iter().map(|request| request.call.name).collect();
        assert_eq!(asked, ["refund"]);
        log.calls().assert_called_once("refund");
        log.calls().assert_context("acme", "u_7");
    }

    #[tokio::test(start_paused = true)]
    async fn a_denial_and_silence_reach_nobody_and_say_so() {
        for (gate, why) in
            [(denying("over the limit"), "over the limit"), (unanswered(), "nobody answered the request")]
        {
            let reached = Spy::new(shop().unwrap());
            let log = reached.log();
            let tools = behind(reached, gate, patience());
            let refused = scoped_run(run(&["refund"]).unwrap(), assist(&tools, 0)).await.unwrap_err();

            let told = format!(
                "FORBIDDEN: the call of `refund` was not approved ({why}). Next: stop, and tell the user"
            );
            assert!(refused.to_string().contains(&told), "{refused}");
            log.calls().assert_nothing_called();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn who_may_not_refund_is_not_even_asked_for() {
        let gate = approving();
        let tools = behind(shop().unwrap(), gate.clone(), patience());
        let refused = scoped_run(run(&["price"]).unwrap(), assist(&tools, 1)).await.unwrap_err();

        assert!(
            refused.to_string().contains("FORBIDDEN: `refund` may not be called in this run"),
            "{refused}"
        );
        assert!(gate.asked().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_run_that_is_repeated_pays_once() {
        let (reached, gate) = (Spy::new(shop().unwrap()), approving());
        let log = reached.log();
        let tools = behind(reached, gate.clone(), patience());
        let step = run(&["refund"]).unwrap().with_idempotency_key("run-1/refund").unwrap();
        let first = scoped_run(step.clone(), assist(&tools, 0)).await.unwrap();
        let again = scoped_run(step, assist(&tools, 0)).await.unwrap();

        assert_eq!((first, gate.asked().len()), (again, 1));
        log.calls().assert_called_once("refund");
    }

    #[test]
    fn no_more_than_four_prices_are_asked_for_at_once() {
        let tools = Overlap::new(shop().unwrap(), AT_ONCE);
        pollster::block_on(scoped_run(run(&[]).unwrap(), assist(&tools, 12))).unwrap();
        tools.assert_cap();
    }
}
