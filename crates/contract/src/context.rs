//! Under whose name a call runs. What may not enter: an executor, and any default for who that is.

use std::cell::RefCell;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::retry::Repeat;
use crate::shown::is_blank;
use crate::{Allowlist, CallError, Code, ToolError};

thread_local! {
    /// Set only while a bound future is polled or dropped, or a bound closure runs.
    static CURRENT: RefCell<Option<RunContext>> = const { RefCell::new(None) };
}

/// Who an agent works for, in which run, and what it may call there.
///
/// It is bound around the future of the run with [`RunContext::scope`] and read by whatever runs inside with
/// [`RunContext::current`]: tools, stores, spans. It works on any executor: it is there while the future is polled and
/// while it is dropped, and gone in between.
///
/// Nothing is inherited. A spawned task, a thread and a callback have no context unless it was carried there by hand, and
/// to read one where there is none is an error: a default would be somebody's name. What the run itself polls is not spawned: a
/// set of futures, or tokio's `LocalSet`, runs under the name of whoever drives it, so each future that is put into one that
/// several runs share wants a scope of its own.
///
/// ```
/// use frankly_contract::{NoRunContext, RunContext};
///
/// async fn lookup() -> Result<String, NoRunContext> {
///     Ok(format!("SELECT * FROM notes WHERE tenant = '{}'", RunContext::current()?.tenant()))
/// }
///
/// let context = RunContext::new("acme", "u_7", "run-1")?;
/// let query = pollster::block_on(context.scope(lookup()))?;
/// assert_eq!(query, "SELECT * FROM notes WHERE tenant = 'acme'");
/// assert_eq!(pollster::block_on(lookup()), Err(NoRunContext));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Work that is spawned takes it along:
///
/// ```
/// use frankly_contract::RunContext;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let seen = RunContext::new("acme", "u_7", "run-1")?.scope(async {
///     let alone = tokio::spawn(async { RunContext::current().is_ok() });
///     let carried = RunContext::current()?;
///     let carried = tokio::spawn(carried.scope(async { RunContext::current().is_ok() }));
///     Ok::<_, Box<dyn std::error::Error>>((alone.await?, carried.await?))
/// });
/// assert_eq!(seen.await?, (false, true));
/// # Ok(())
/// # }
/// ```
///
/// Clones share what they hold.
#[derive(Clone)]
pub struct RunContext(Arc<Parts>);

#[derive(Debug, Clone)]
struct Parts {
    tenant: String,
    user: String,
    run_id: String,
    idempotency_key: Option<String>,
    allowlist: Allowlist,
    /// The calls with keys within which this runs, the outermost first.
    within: Vec<Repeat>,
}

/// Whether both say the same of whom a run acts for and what it may call.
impl PartialEq for RunContext {
    fn eq(&self, other: &Self) -> bool {
        let names =
            |context: &Self| [&context.0.tenant, &context.0.user, &context.0.run_id].map(String::clone);
        names(self) == names(other)
            && self.0.idempotency_key == other.0.idempotency_key
            && self.0.allowlist == other.0.allowlist
    }
}

impl Eq for RunContext {}

impl RunContext {
    /// A context of this tenant, user and run, in which nothing may be called; see [`RunContext::with_allowlist`].
    ///
    /// # Errors
    ///
    /// An [`InvalidContext`] for a name that is blank: it is one that was lost on the way, and everybody who lost theirs would
    /// share it.
    ///
    /// ```
    /// use frankly_contract::{InvalidContext, RunContext};
    ///
    /// let error: InvalidContext = RunContext::new("", "u_7", "run-1").unwrap_err();
    /// assert_eq!(error.to_string(), "the tenant of a run context is blank; it has to say under whose name the run acts");
    /// ```
    pub fn new(
        tenant: impl Into<String>,
        user: impl Into<String>,
        run_id: impl Into<String>,
    ) -> Result<Self, InvalidContext> {
        Ok(Self(Arc::new(Parts {
            tenant: named("tenant", tenant.into())?,
            user: named("user", user.into())?,
            run_id: named("run id", run_id.into())?,
            idempotency_key: None,
            allowlist: Allowlist::default(),
            within: Vec::new(),
        })))
    }

    /// The same context, in which these tools may be called.
    ///
    /// ```
    /// use frankly_contract::{Allowlist, RunContext};
    ///
    /// let context = RunContext::new("acme", "u_7", "run-1")?;
    /// assert!(!context.allowlist().permits("search"));
    /// assert!(context.with_allowlist(Allowlist::covering(["search"])).allowlist().permits("search"));
    /// # Ok::<(), frankly_contract::InvalidContext>(())
    /// ```
    #[must_use]
    pub fn with_allowlist(mut self, allowlist: Allowlist) -> Self {
        Arc::make_mut(&mut self.0).allowlist = allowlist;
        self
    }

    /// The same context, in which calls of one tool are repeats of one call: bind it around that call and not around the run. One with
    /// other arguments is then refused; see [`Once`](crate::Once). The calls that a call makes itself do not have its key.
    ///
    /// # Errors
    ///
    /// An [`InvalidContext`] for a key that is blank.
    ///
    /// ```
    /// use frankly_contract::RunContext;
    ///
    /// let run = RunContext::new("acme", "u_7", "run-1")?;
    /// let step = run.clone().with_idempotency_key("run-1/charge")?;
    /// assert_eq!((run.idempotency_key(), step.idempotency_key()), (None, Some("run-1/charge")));
    /// # Ok::<(), frankly_contract::InvalidContext>(())
    /// ```
    pub fn with_idempotency_key(mut self, key: impl Into<String>) -> Result<Self, InvalidContext> {
        Arc::make_mut(&mut self.0).idempotency_key = Some(named("idempotency key", key.into())?);
        Ok(self)
    }

    /// The same context without a key.
    ///
    /// ```
    /// use frankly_contract::RunContext;
    ///
    /// let step = RunContext::new("acme", "u_7", "run-1")?.with_idempotency_key("run-1/charge")?;
    /// assert_eq!(step.without_idempotency_key().idempotency_key(), None);
    /// # Ok::<(), frankly_contract::InvalidContext>(())
    /// ```
    #[must_use]
    pub fn without_idempotency_key(mut self) -> Self {
        Arc::make_mut(&mut self.0).idempotency_key = None;
        self
    }

    /// The same context within a call.
    pub(crate) fn inside(mut self, call: Repeat) -> Self {
        Arc::make_mut(&mut self.0).within.push(call);
        self
    }

    /// Whether this is within that very call.
    pub(crate) fn is_inside(&self, call: &Repeat) -> bool {
        self.0.within.contains(call)
    }

    /// Whether this is within a call with this key.
    pub(crate) fn is_within(&self, key: Option<&str>) -> bool {
        self.0.within.iter().any(|call| Some(call.key()) == key)
    }

    /// Whose data the run works on.
    #[must_use]
    pub fn tenant(&self) -> &str {
        &self.0.tenant
    }

    /// For whom the run acts.
    #[must_use]
    pub fn user(&self) -> &str {
        &self.0.user
    }

    /// Which run it is.
    ///
    /// ```
    /// use frankly_contract::RunContext;
    ///
    /// let context = RunContext::new("acme", "u_7", "run-1")?;
    /// assert_eq!((context.tenant(), context.user(), context.run_id()), ("acme", "u_7", "run-1"));
    /// # Ok::<(), frankly_contract::InvalidContext>(())
    /// ```
    #[must_use]
    pub fn run_id(&self) -> &str {
        &self.0.run_id
    }

    /// The key under which repeated calls have one effect, if the run has one.
    #[must_use]
    pub fn idempotency_key(&self) -> Option<&str> {
        self.0.idempotency_key.as_deref()
    }

    /// What may be called.
    #[must_use]
    pub fn allowlist(&self) -> &Allowlist {
        &self.0.allowlist
    }

    /// The context of the run that is going on here.
    ///
    /// # Errors
    ///
    /// [`NoRunContext`] outside of any; it turns into a [`ToolError`] with `?`.
    pub fn current() -> Result<Self, NoRunContext> {
        // While a thread ends there is none either.
        CURRENT.try_with(|current| current.borrow().clone()).ok().flatten().ok_or(NoRunContext)
    }

    /// Binds this context around a future. Inside of another one it stands in its place, and the other one is back
    /// afterwards.
    pub fn scope<F: Future>(self, future: F) -> Scoped<F> {
        Scoped { context: self, future: Some(Box::pin(future)) }
    }

    /// Binds this context around a closure: for threads, and for work that blocks.
    ///
    /// ```
    /// use frankly_contract::RunContext;
    ///
    /// let context = RunContext::new("acme", "u_7", "run-1")?;
    /// let carried = context.clone();
    /// let worker = std::thread::spawn(move || carried.sync_scope(RunContext::current));
    /// assert_eq!(worker.join().unwrap(), Ok(context));
    /// # Ok::<(), frankly_contract::InvalidContext>(())
    /// ```
    pub fn sync_scope<T>(self, work: impl FnOnce() -> T) -> T {
        let _entered = Entered::into(self);
        work()
    }
}

/// Whose it is and which tools it permits, without the key: it may be as good as a password to whoever can repeat calls.
impl fmt::Debug for RunContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunContext")
            .field("tenant", &self.0.tenant)
            .field("user", &self.0.user)
            .field("run_id", &self.0.run_id)
            .field("allowlist", &self.0.allowlist)
            .finish_non_exhaustive()
    }
}

fn named(part: &'static str, name: String) -> Result<String, InvalidContext> {
    if is_blank(&name) { Err(InvalidContext { part }) } else { Ok(name) }
}

/// A future with its [`RunContext`], made by [`RunContext::scope`].
///
/// ```
/// use frankly_contract::{RunContext, Scoped};
///
/// let scoped: Scoped<_> = RunContext::new("acme", "u_7", "run-1")?.scope(async { 7 });
/// assert_eq!(pollster::block_on(scoped), 7);
/// # Ok::<(), frankly_contract::InvalidContext>(())
/// ```
#[must_use = "a future does nothing unless it is awaited"]
pub struct Scoped<F> {
    context: RunContext,
    future: Option<Pin<Box<F>>>,
}

impl<F: Future> Future for Scoped<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let _entered = Entered::into(self.context.clone());
        let Some(future) = &mut self.future else { unreachable!("only what drops it takes the future out") };
        future.as_mut().poll(cx)
    }
}

/// What the future holds is let go of under its own name: guards that write or log as they are dropped read the context too.
impl<F> Drop for Scoped<F> {
    fn drop(&mut self) {
        let _entered = Entered::into(self.context.clone());
        self.future = None;
    }
}

impl<F> fmt::Debug for Scoped<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scoped").field("context", &self.context).finish_non_exhaustive()
    }
}

/// While it lives a context is bound in this thread; the one before is back afterwards, however that comes about.
#[must_use = "the context is bound only while this lives"]
struct Entered {
    before: Option<RunContext>,
}

impl Entered {
    fn into(context: RunContext) -> Self {
        let before = CURRENT.try_with(|current| current.replace(Some(context)));
        Self { before: before.ok().flatten() }
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        let before = self.before.take();
        // What stood there is let go of after the slot is free again, since that may run code of others.
        drop(CURRENT.try_with(|current| current.replace(before)));
    }
}

/// A name in a [`RunContext`] that is blank.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the {part} of a run context is blank; it has to say {}", purpose(part))]
#[non_exhaustive]
pub struct InvalidContext {
    part: &'static str,
}

fn purpose(part: &str) -> &'static str {
    match part {
        "tenant" => "under whose name the run acts",
        "user" => "for whom the run acts",
        "run id" => "which run it is",
        _ => "what a repeated call repeats",
    }
}

/// There is no [`RunContext`] here: the work was spawned, or called from outside of any run.
///
/// To an agent it is `FORBIDDEN`, since nobody can say whose data the call may touch:
///
/// ```
/// use frankly_contract::{NoRunContext, ToolError};
///
/// assert_eq!(
///     ToolError::from(NoRunContext).to_string(),
///     "FORBIDDEN: the call runs outside of any run, so nothing says under whose name. \
///      Next: stop, and report that the host of this tool binds no run context around its calls."
/// );
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "no run context is bound here; bind it around the run with RunContext::scope, and carry it into what the run spawns"
)]
pub struct NoRunContext;

impl From<NoRunContext> for ToolError {
    fn from(_: NoRunContext) -> Self {
        Self::new(
            Code::Forbidden,
            "the call runs outside of any run, so nothing says under whose name",
            "stop, and report that the host of this tool binds no run context around its calls",
        )
    }
}

impl From<NoRunContext> for CallError {
    fn from(missing: NoRunContext) -> Self {
        Self::from(ToolError::from(missing))
    }
}
