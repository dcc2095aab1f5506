//! What the calls of a test must show. What may not enter: how it is judged, which `frankly_verdict::expect` knows.

use frankly_contract::{CallError, RunContext};
use frankly_verdict::expect::{Arguments, Expectation, Made, Miss, Whose};
use frankly_verdict::report::{plain, shorten};

use crate::{Call, Calls, Outcome};

/// How much of an error is shown.
const ERROR_CHARS: usize = 300;

/// Assertions. Each panics with the first divergence and nothing else, at the line that asserts.
///
/// They are about what was asked for, and count every attempt: also one that was refused, that failed, or that nobody waited for. How
/// calls ended is what [`Calls::assert_all_answered`] looks at; to leave some out beforehand there are [`Calls::answered`],
/// [`Calls::not_refused`], [`Calls::of_tenant`] and, for anything else, [`Calls::only`].
///
/// Arguments that are expected are a JSON value, of which the call's have every member and may have more, or a closure over
/// them; [`Arguments::that`] gives the closure's wish a name.
impl Calls {
    /// Holds the calls against anything that can be expected of calls, without a panic.
    ///
    /// # Errors
    ///
    /// The first place where they are not as expected.
    ///
    /// ```
    /// use frankly_spy::Spy;
    /// use frankly_spy::expect::{Expectation, Miss};
    ///
    /// let spy = Spy::new(frankly_contract::Registry::new());
    /// let expected = Expectation::AnyOrder(vec!["search".to_owned(), "hold_seat".to_owned()]);
    /// let miss: Miss = spy.calls().check(&expected).unwrap_err();
    /// assert_eq!(miss.call(), None);
    /// ```
    pub fn check(&self, expectation: &Expectation) -> Result<(), Miss> {
        let made: Vec<_> = self.iter().map(|call| made(call, expectation)).collect();
        expectation.miss(&made).map_or(Ok(()), Err)
    }

    /// Asserts whatever can be expected of calls.
    ///
    /// ```should_panic
    /// use frankly_spy::Spy;
    /// use frankly_spy::expect::Expectation;
    ///
    /// let spy = Spy::new(frankly_contract::Registry::new());
    /// spy.calls().assert(&Expectation::Includes(vec!["search".to_owned()]));
    /// ```
    #[track_caller]
    pub fn assert(&self, expectation: &Expectation) {
        if let Err(miss) = self.check(expectation) {
            fail(&miss);
        }
    }

    /// Asserts that just these tools were called, in this order.
    ///
    /// ```should_panic
    /// # let spy = frankly_spy::Spy::new(frankly_contract::Registry::new());
    /// // call 1: expected `search`, and nothing was called
    /// spy.calls().assert_sequence(["search", "hold_seat"]);
    /// ```
    #[track_caller]
    pub fn assert_sequence<N: Into<String>>(&self, tools: impl IntoIterator<Item = N>) {
        self.assert(&Expectation::Sequence(tools.into_iter().map(Into::into).collect()));
    }

    /// Asserts that these tools were called in this order; other calls may stand between them.
    ///
    /// ```should_panic
    /// # let spy = frankly_spy::Spy::new(frankly_contract::Registry::new());
    /// // `search` was not called
    /// spy.calls().assert_in_order(["search", "hold_seat"]);
    /// ```
    #[track_caller]
    pub fn assert_in_order<N: Into<String>>(&self, tools: impl IntoIterator<Item = N>) {
        self.assert(&Expectation::InOrder(tools.into_iter().map(Into::into).collect()));
    }

    /// Asserts that the tool was called at least once with arguments that fit.
    ///
    /// ```should_panic
    /// # let spy = frankly_spy::Spy::new(frankly_contract::Registry::new());
    /// // `search` was not called
    /// spy.calls().assert_called_with("search", serde_json::json!({"limit": 5}));
    /// ```
    #[track_caller]
    pub fn assert_called_with(&self, tool: impl Into<String>, arguments: impl Into<Arguments>) {
        self.assert(&Expectation::Called { tool: tool.into(), with: Some(arguments.into()) });
    }

    /// Asserts that the tool was called exactly once, with whatever arguments.
    ///
    /// ```should_panic
    /// # let spy = frankly_spy::Spy::new(frankly_contract::Registry::new());
    /// // `hold_seat` was not called
    /// spy.calls().assert_called_once("hold_seat");
    /// ```
    #[track_caller]
    pub fn assert_called_once(&self, tool: impl Into<String>) {
        self.assert(&Expectation::Once { tool: tool.into(), with: None });
    }

    /// Asserts that the tool was called exactly once, and with arguments that fit. A second call of it fails this, whatever its
    /// arguments.
    ///
    /// ```should_panic
    /// # let spy = frankly_spy::Spy::new(frankly_contract::Registry::new());
    /// // `hold_seat` was not called
    /// spy.calls().assert_called_once_with("hold_seat", serde_json::json!({"seat": "12A"}));
    /// ```
    #[track_caller]
    pub fn assert_called_once_with(&self, tool: impl Into<String>, arguments: impl Into<Arguments>) {
        self.assert(&Expectation::Once { tool: tool.into(), with: Some(arguments.into()) });
    }

    /// Asserts that the tool was not called.
    ///
    /// ```
    /// # let spy = frankly_spy::Spy::new(frankly_contract::Registry::new());
    /// spy.calls().assert_not_called("refund");
    /// ```
    #[track_caller]
    pub fn assert_not_called(&self, tool: impl Into<String>) {
        self.assert(&Expectation::NotCalled { tool: tool.into() });
    }

    /// Asserts that no tool was called.
    ///
    /// ```
    /// # let spy = frankly_spy::Spy::new(frankly_contract::Registry::new());
    /// spy.calls().assert_nothing_called();
    /// ```
    #[track_caller]
    pub fn assert_nothing_called(&self) {
        self.assert(&Expectation::NothingCalled);
    }

    /// Asserts that no more than so many calls were made, of whatever tools.
    ///
    /// ```
    /// # let spy = frankly_spy::Spy::new(frankly_contract::Registry::new());
    /// spy.calls().assert_at_most(3);
    /// ```
    #[track_caller]
    pub fn assert_at_most(&self, calls: usize) {
        self.assert(&Expectation::AtMostCalls(calls));
    }

    /// Asserts that no more than so many calls ran at once. Calls that end at once never overlap, whatever the agent allows: to find
    /// out whether a cap holds, let an [`Overlap`](crate::Overlap) keep them in.
    ///
    /// ```should_panic
    /// # let spy = frankly_spy::Spy::new(frankly_contract::Registry::new());
    /// // no call was made, so nothing could show more than 4 at once
    /// spy.calls().assert_at_most_at_once(4);
    /// ```
    #[track_caller]
    pub fn assert_at_most_at_once(&self, calls: usize) {
        self.assert(&Expectation::AtMostConcurrent(calls));
    }

    /// Asserts that the one tool was called, and had ended, before the other one was called.
    ///
    /// ```should_panic
    /// # let spy = frankly_spy::Spy::new(frankly_contract::Registry::new());
    /// // neither `hold_seat` nor `charge` was called, so nothing shows which comes first
    /// spy.calls().assert_before("hold_seat", "charge");
    /// ```
    #[track_caller]
    pub fn assert_before(&self, first: impl Into<String>, then: impl Into<String>) {
        self.assert(&Expectation::Before { first: first.into(), then: then.into() });
    }

    /// Asserts that every call ran under the name of this tenant and user from its beginning to its end, and that there was one. A
    /// call that went on under another run than it began under fails, whosever that is.
    ///
    /// ```should_panic
    /// # let spy = frankly_spy::Spy::new(frankly_contract::Registry::new());
    /// // no call was recorded, so nothing shows that calls run under tenant `acme` and user `u_7`
    /// spy.calls().assert_context("acme", "u_7");
    /// ```
    #[track_caller]
    pub fn assert_context(&self, tenant: impl Into<String>, user: impl Into<String>) {
        let (tenant, user) = (Some(tenant.into()), Some(user.into()));
        self.assert(&Expectation::Context { tenant, user, run_id: None });
    }

    /// Asserts that every call came back with a result, and that there was one: none failed, panicked, was dropped before it
    /// ended, or still runs.
    ///
    /// ```should_panic
    /// # let spy = frankly_spy::Spy::new(frankly_contract::Registry::new());
    /// // no call was made, so nothing shows that calls are answered
    /// spy.calls().assert_all_answered();
    /// ```
    #[track_caller]
    pub fn assert_all_answered(&self) {
        assert!(!self.is_empty(), "no call was made, so nothing shows that calls are answered");
        let ends = self.iter().enumerate().filter_map(|(at, call)| Some((at, call, unanswered(call)?)));
        if let Some((at, call, how)) = ends.into_iter().next() {
            panic!("call {}: `{}` {how}", at + 1, plain(&call.name));
        }
    }

    /// Asserts that every call of the tool had an idempotency key, and repeats with the same arguments the same one.
    ///
    /// The key is that of the run context, or the argument that [`Spy::keyed_by`](crate::Spy::keyed_by) names. A call without a key
    /// fails even where it was made once: its retry would take effect again.
    ///
    /// ```should_panic
    /// # let spy = frankly_spy::Spy::new(frankly_contract::Registry::new());
    /// // `charge` was not called, so nothing shows that its key is stable
    /// spy.calls().assert_stable_key("charge");
    /// ```
    #[track_caller]
    pub fn assert_stable_key(&self, tool: impl Into<String>) {
        self.assert(&Expectation::StableKey { tool: tool.into() });
    }
}

/// The sentence by itself: what a test prints beside it says where.
#[track_caller]
fn fail(miss: &Miss) -> ! {
    panic!("{miss}")
}

/// How a call ended that had no answer; `None` for one that had.
fn unanswered(call: &Call) -> Option<String> {
    let said = |text: &str| shorten(&plain(text), ERROR_CHARS);
    let failed = |error: &CallError| {
        let of_code = call.error().map(|error| error.to_string());
        Some(format!("failed: {}", said(&of_code.unwrap_or_else(|| error.to_string()))))
    };
    match &call.outcome {
        Outcome::Answered(result) if result.is_error() => failed(&CallError::Tool(result.clone())),
        Outcome::Answered(_) => None,
        Outcome::Failed(error) => failed(error),
        Outcome::Panicked(words) => Some(format!("panicked: {}", said(words))),
        Outcome::Dropped => Some("was dropped before it ended".to_owned()),
        Outcome::Running => Some("has not ended".to_owned()),
    }
}

fn whose(run: &RunContext) -> Whose<'_> {
    Whose { tenant: Some(run.tenant()), user: Some(run.user()), run_id: Some(run.run_id()) }
}

/// A call, as expectations look at it. A key that is an argument differs between repeats that are otherwise the same, and would
/// make each of them a call of its own.
fn made<'a>(call: &'a Call, expectation: &Expectation) -> Made<'a> {
    let arguments = match (expectation, &call.keyless) {
        (Expectation::StableKey { .. }, keyless) => keyless,
        _ => &call.arguments,
    };
    Made {
        whose: call.context.as_ref().map(whose),
        key: call.key.as_deref(),
        went_on_under: call.went_on_under.as_ref().map(|run| run.as_ref().ok().map(whose)),
        began: call.began,
        ended: call.ended,
        ..Made::new(&call.name, arguments)
    }
}
