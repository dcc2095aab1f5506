//! What a run may call: what the agent declares *and* the caller's scopes cover. What may not enter: how scopes are written
//! in a token.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use crate::shown::named;
use crate::{BoxFuture, CallError, Code, RunContext, ToolCall, ToolDef, ToolError, ToolResult, Tools};

/// The tools that a run may call, by their exact names.
///
/// An agent that acts with broader access than its caller discloses what the caller may not see. So what is permitted is
/// what the agent declares *and* the caller's scopes cover; it is resolved here, once, before the run, and bound with
/// [`RunContext::with_allowlist`]. An empty list permits nothing.
///
/// ```
/// use frankly_contract::Allowlist;
///
/// let caller = Allowlist::covering(["search", "hold_seat"]);
/// let agent = caller.clone().declaring(["search", "refund"]);
/// assert!(agent.tools().eq(["search"]));
/// assert!(caller.tools().eq(["hold_seat", "search"]), "an agent that declares nothing may do what its caller may");
/// assert!(!Allowlist::default().permits("search"));
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Allowlist(Arc<Sets>);

/// Both sets are kept, so that a refusal can say which of them lacks a tool.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Sets {
    scopes: BTreeSet<String>,
    declared: Option<BTreeSet<String>>,
}

impl Allowlist {
    /// The tools that the caller's scopes cover, by their names: what a scope such as `flights:read` covers is for the host to say.
    #[must_use]
    pub fn covering<N: Into<String>>(tools: impl IntoIterator<Item = N>) -> Self {
        Self(Arc::new(Sets { scopes: names(tools), declared: None }))
    }

    /// Of these, what the agent declares. To declare more than the scopes cover permits nothing more, and to declare twice permits
    /// only what was declared both times, so that an agent can hand on no more than it has.
    ///
    /// ```
    /// use frankly_contract::Allowlist;
    ///
    /// let agent = Allowlist::covering(["a", "b", "c"]).declaring(["a", "b"]);
    /// assert!(agent.declaring(["b", "c"]).tools().eq(["b"]));
    /// ```
    #[must_use]
    pub fn declaring<N: Into<String>>(mut self, tools: impl IntoIterator<Item = N>) -> Self {
        let mut declared = names(tools);
        if let Some(before) = &self.0.declared {
            declared.retain(|tool| before.contains(tool));
        }
        Arc::make_mut(&mut self.0).declared = Some(declared);
        self
    }

    /// Whether the tool of this name may be called.
    #[must_use]
    pub fn permits(&self, tool: &str) -> bool {
        self.0.scopes.contains(tool) && self.0.is_declared(tool)
    }

    /// Every tool that may be called, by name.
    pub fn tools(&self) -> impl Iterator<Item = &str> {
        self.0.scopes.iter().map(String::as_str).filter(|tool| self.0.is_declared(tool))
    }

    /// Why a tool may not be called; `None` if it may.
    fn refuses(&self, tool: &str) -> Option<ToolError> {
        let why = match (self.0.scopes.contains(tool), self.0.is_declared(tool)) {
            (true, true) => return None,
            _ if self.tools().next().is_none() => "nothing may be called in it",
            (false, true) => "what the caller may do does not cover it",
            (true, false) => "the agent does not declare it",
            (false, false) => "what the caller may do does not cover it, and the agent does not declare it",
        };
        let what = format!("{} may not be called in this run", named(tool));
        Some(ToolError::new(Code::Forbidden, what, "").with_why(why))
    }
}

impl Sets {
    fn is_declared(&self, tool: &str) -> bool {
        self.declared.as_ref().is_none_or(|declared| declared.contains(tool))
    }
}

impl fmt::Debug for Allowlist {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.tools()).finish()
    }
}

fn names<N: Into<String>>(names: impl IntoIterator<Item = N>) -> BTreeSet<String> {
    names.into_iter().map(Into::into).collect()
}

/// Tools of which a run sees and calls only what its [`RunContext`] permits.
///
/// What is not permitted is refused with `FORBIDDEN` before the tools hear of it, whether there is such a tool or not, and is
/// not listed either. What is permitted runs to its end under the name for which it was. Outside of any run nothing is permitted: a call is `FORBIDDEN`, and listing a fault of the host. As the outermost of several wrappers it keeps the others
/// from asking for, or remembering, what was never allowed.
///
/// ```
/// # #[cfg(feature = "registry")]
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use frankly_contract::{Allowlist, Guarded, NoArguments, Registry, RunContext, Tool, ToolCall, Tools};
///
/// let mut registry = Registry::new();
/// registry.add(Tool::typed("search", "Finds flights.", |_: NoArguments| async { Ok("LX 14") }))?;
/// registry.add(Tool::typed("refund", "Pays back.", |_: NoArguments| async { Ok("paid back") }))?;
/// let tools = Guarded::new(registry);
///
/// let run = RunContext::new("acme", "u_7", "run-1")?.with_allowlist(Allowlist::covering(["search"]));
/// let refused = pollster::block_on(run.clone().scope(tools.call(ToolCall::new("refund", Default::default()))));
/// assert_eq!(
///     refused.unwrap_err().to_string(),
///     "the tool failed: FORBIDDEN: `refund` may not be called in this run (what the caller may do does not cover it). \
///      Next: stop, and tell the user that it is not allowed."
/// );
/// let listed = pollster::block_on(run.scope(tools.list()))?;
/// assert_eq!(listed.len(), 1);
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "registry"))]
/// # fn main() {}
/// ```
#[derive(Debug)]
pub struct Guarded<T> {
    tools: T,
}

impl<T: Tools> Guarded<T> {
    /// Guards these tools.
    pub fn new(tools: T) -> Self {
        Self { tools }
    }
}

impl<T: Tools> Tools for Guarded<T> {
    fn list(&self) -> BoxFuture<'_, Result<Vec<ToolDef>, CallError>> {
        Box::pin(async move {
            let context =
                RunContext::current().map_err(|missing| CallError::internal(missing.to_string()))?;
            let mut tools = self.tools.list().await?;
            tools.retain(|tool| context.allowlist().permits(tool.name()));
            Ok(tools)
        })
    }

    fn call(&self, call: ToolCall) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async move {
            let context = RunContext::current()?;
            match context.allowlist().refuses(&call.name) {
                Some(refusal) => Err(refusal.into()),
                // Under the very name that was looked at, whoever polls this from here on.
                None => context.scope(self.tools.call(call)).await,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_permitted_is_covered_and_declared(
            scopes in proptest::collection::btree_set("[a-d]{1,2}", 0..8),
            declared in proptest::collection::vec(proptest::collection::btree_set("[a-d]{1,2}", 0..8), 0..3),
            asked in "[a-d]{1,2}",
        ) {
            let start = Allowlist::covering(scopes.clone());
            let list = declared.iter().cloned().fold(start, Allowlist::declaring);
            let expected = scopes.contains(&asked) && declared.iter().all(|set| set.contains(&asked));
            prop_assert_eq!(list.permits(&asked), expected);
            prop_assert_eq!(list.refuses(&asked).is_none(), expected);
            prop_assert_eq!(list.tools().any(|tool| tool == asked), expected);
        }
    }

    #[test]
    fn a_refusal_says_what_is_missing() {
        let both = Allowlist::covering(["search", "refund"]).declaring(["search", "delete"]);
        for (tool, list, why) in [
            ("refund", &both, "the agent does not declare it"),
            ("delete", &both, "what the caller may do does not cover it"),
            ("Search", &both, "what the caller may do does not cover it, and the agent does not declare it"),
            ("search", &Allowlist::default(), "nothing may be called in it"),
            ("search", &Allowlist::covering(["a"]).declaring(["b"]), "nothing may be called in it"),
        ] {
            assert_eq!(list.refuses(tool).unwrap().why(), Some(why), "{tool}");
        }
    }
}
