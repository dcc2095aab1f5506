//! A run under somebody's name, in a test. What may not enter: a second way to bind a context.

use std::future::Future;

use frankly_contract::{RunContext, Scoped};

/// Runs something under this name, exactly as production does: it is [`RunContext::scope`], and nothing besides. A test that
/// binds contexts in a way of its own shows that its own way works.
///
/// ```
/// use frankly_contract::RunContext;
/// use frankly_spy::scoped_run;
///
/// let run = RunContext::new("acme", "u_7", "run-1")?;
/// let seen = pollster::block_on(scoped_run(run, async { RunContext::current().map(|run| run.tenant().to_owned()) }))?;
/// assert_eq!(seen, "acme");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn scoped_run<F: Future>(context: RunContext, run: F) -> Scoped<F> {
    context.scope(run)
}
