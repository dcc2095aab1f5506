//! Tenants that must not see each other's data. What may not enter: what a tenant's data means.
//!
//! A tenant that sees another one's note has no way to know: the note reads as its own. So each tenant stores data that looks
//! the same as the other's but for a word, its marker, and hands over what it sees on every surface where data comes up. A foreign
//! marker is a leak, and so is told with the surface, the marker and its owner. What was not looked at is not clean but unknown, and
//! fails as well.

mod marker;
mod problem;
mod seen;
mod surface;
mod tenant;
mod turns;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use frankly_contract::RunContext;

use seen::Seen;

pub use problem::{NotIsolated, Problem};
pub use surface::Surface;
pub use tenant::Tenant;

/// Holds tenants apart: their data is planted, what they see is written down, and what one saw of another is told.
///
/// ```
/// use std::collections::BTreeMap;
/// use std::sync::Mutex;
///
/// use frankly_contract::RunContext;
/// use frankly_spy::give_way;
/// use frankly_spy::isolation::{Isolation, Surface};
///
/// let [acme, globex] = [RunContext::new("acme", "u_7", "run-1")?, RunContext::new("globex", "u_7", "run-2")?];
/// let suite = Isolation::of([acme, globex])?
///     .absent(Surface::Search, "there is no search")
///     .absent(Surface::Cache, "nothing is cached")
///     .absent(Surface::Spans, "nothing is traced")
///     .absent(Surface::Events, "nothing is published");
///
/// // What is under test: it keeps a note for each tenant.
/// let notes = Mutex::new(BTreeMap::new());
/// let read = || {
///     let context = RunContext::current().unwrap();
///     notes.lock().unwrap().get(context.tenant()).cloned().unwrap_or_default()
/// };
/// pollster::block_on(suite.interleaved(async |tenant| {
///     let note: String = tenant.confusable("Dinner with {}");
///     notes.lock().unwrap().insert(tenant.name().to_owned(), note);
///     give_way().await;
///     tenant.saw(Surface::Memory, read());
///     tenant.saw(Surface::Output, format!("You have noted: {}", read()));
/// }));
/// suite.assert_isolated();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Isolation {
    tenants: Vec<Tenant>,
    own: BTreeSet<Surface>,
    absent: BTreeMap<Surface, String>,
    seen: Arc<Mutex<Seen>>,
}

/// Contexts that are no two tenants.
///
/// ```
/// use frankly_contract::RunContext;
/// use frankly_spy::isolation::{InvalidSuite, Isolation};
///
/// let acme = RunContext::new("acme", "u_7", "run-1")?;
/// let error: InvalidSuite = Isolation::of([acme.clone()]).unwrap_err();
/// assert_eq!(error.to_string(), "isolation is between tenants, and 1 was given: give two or more");
/// let error = Isolation::of([acme.clone(), acme]).unwrap_err();
/// assert_eq!(error.to_string(), "the tenant `acme` was given twice: what it sees of itself is no leak");
/// # Ok::<(), frankly_contract::InvalidContext>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidSuite {
    /// There are fewer than two.
    #[error("isolation is between tenants, and {given} was given: give two or more")]
    TooFew {
        /// How many there are.
        given: usize,
    },
    /// A tenant stands there twice.
    #[error("the tenant `{tenant}` was given twice: what it sees of itself is no leak")]
    Twice {
        /// Which.
        tenant: String,
    },
}

impl Isolation {
    /// A suite for the tenants of these contexts, each of which is used as it is, allow list and all.
    ///
    /// # Errors
    ///
    /// An [`InvalidSuite`] for fewer than two tenants, or for one that comes twice.
    pub fn of(contexts: impl IntoIterator<Item = RunContext>) -> Result<Self, InvalidSuite> {
        let seen = Arc::new(Mutex::new(Seen::default()));
        let mut tenants: Vec<Tenant> = Vec::new();
        for (place, context) in contexts.into_iter().enumerate() {
            if tenants.iter().any(|known| known.name() == context.tenant()) {
                return Err(InvalidSuite::Twice { tenant: context.tenant().to_owned() });
            }
            tenants.push(Tenant { place, context, seen: Arc::clone(&seen) });
        }
        if tenants.len() < 2 {
            return Err(InvalidSuite::TooFew { given: tenants.len() });
        }
        Ok(Self { tenants, own: BTreeSet::new(), absent: BTreeMap::new(), seen })
    }

    /// The same suite, with a surface of one's own that has to be looked at too. One that was looked at for any tenant has to be
    /// for all, whether it was named here or not.
    ///
    /// ```
    /// # use frankly_contract::RunContext;
    /// # use frankly_spy::isolation::{Isolation, Surface};
    /// # let contexts = ["acme", "globex"].map(|tenant| RunContext::new(tenant, "u_7", "run-1").unwrap());
    /// let suite = Isolation::of(contexts)?.with_surface("mails");
    /// suite.tenants()[0].saw(Surface::Own("mails".to_owned()), "");
    /// assert!(suite.check().unwrap_err().to_string().contains("`mails` was not read for globex:"));
    /// # Ok::<(), frankly_spy::isolation::InvalidSuite>(())
    /// ```
    #[must_use]
    pub fn with_surface(mut self, name: impl Into<String>) -> Self {
        self.own.insert(Surface::Own(name.into()));
        self
    }

    /// The same suite, in which a surface need not be looked at, since there is none, for this reason. That it was read all the same
    /// fails, and so does a blank reason.
    #[must_use]
    pub fn absent(mut self, surface: Surface, reason: impl Into<String>) -> Self {
        self.absent.insert(surface, reason.into());
        self
    }

    /// The tenants, in the order in which they were given.
    #[must_use]
    pub fn tenants(&self) -> &[Tenant] {
        &self.tenants
    }

    /// Runs something for every tenant, each under its own context, all from one task and strictly in turn: one poll of the first,
    /// one of the second, and so on, until all have ended. So whenever one gives way the next one runs, and data that is kept between
    /// two awaits is mixed up. It is so in every run of the test, unless the runs wait for something outside, whose answers come in an
    /// order of their own. Gives what the runs gave, in the order of the tenants.
    ///
    /// A run that never gives way is over before the next begins: put its tools into a [`Stepped`](crate::Stepped), or let it
    /// [`give_way`](crate::give_way).
    ///
    /// ```
    /// # use std::sync::Mutex;
    /// # use frankly_contract::RunContext;
    /// # use frankly_spy::{give_way, isolation::Isolation};
    /// # let contexts = ["acme", "globex"].map(|tenant| RunContext::new(tenant, "u_7", "run-1").unwrap());
    /// # let suite = Isolation::of(contexts)?;
    /// let current = Mutex::new(String::new());
    /// let seen = pollster::block_on(suite.interleaved(async |tenant| {
    ///     *current.lock().unwrap() = tenant.name().to_owned();
    ///     give_way().await;
    ///     current.lock().unwrap().clone()
    /// }));
    /// assert_eq!(seen, ["globex", "globex"]);
    /// # Ok::<(), frankly_spy::isolation::InvalidSuite>(())
    /// ```
    pub async fn interleaved<F: AsyncFn(Tenant) -> T, T>(&self, run: F) -> Vec<T> {
        let run = &run;
        // What a closure does before it gives a future belongs to the run, and so does who it is for.
        let runs = self
            .tenants
            .iter()
            .map(|tenant| tenant.context.clone().scope(async { run(tenant.clone()).await }));
        turns::in_turn(runs.collect()).await
    }

    /// Whether nothing of a tenant was seen by another one, and everything was looked at that could have shown it.
    ///
    /// # Errors
    ///
    /// Everything that is wrong: each leak with its surface, marker, owner and viewer; each surface that was not read for somebody, or
    /// was read though it is declared absent; each tenant that saw nothing of its own.
    pub fn check(&self) -> Result<(), NotIsolated> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        NotIsolated::judge(self, &seen).map_or(Ok(()), Err)
    }

    /// Asserts what [`Isolation::check`] finds out, and panics with every reason, one a line.
    #[track_caller]
    pub fn assert_isolated(&self) {
        if let Err(failed) = self.check() {
            panic!("{failed}");
        }
    }

    /// Every surface that matters: the named ones, one's own, and those that were read or are declared absent.
    fn surfaces(&self, seen: &Seen) -> BTreeSet<Surface> {
        let read = seen.sightings.iter().map(|sighting| &sighting.surface);
        let told = self.own.iter().chain(self.absent.keys()).chain(read).cloned();
        Surface::NAMED.into_iter().chain(told).collect()
    }

    fn name(&self, tenant: usize) -> String {
        self.tenants[tenant].name().to_owned()
    }
}
