//! Tenants that must not see each other's data. What may not enter: what a tenant's data means.
//!
//! A tenant that sees another one's note has no way to know: the note reads as its own. So each tenant stores data that looks
//! the same as the other's but for a word, its marker, and hands over what it sees on every surface where data comes up. A foreign
//! marker is a leak, and is told with the surface, the marker, its owner and what stood around it. What was not looked at is not clean
//! but unknown, and fails as well; so does a surface that showed a tenant nothing of its own, since a foreign marker would not
//! have come up there either.

mod marker;
mod problem;
mod seen;
mod surface;
mod tenant;
mod texts;
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
    declared: BTreeMap<Surface, Declared>,
    seen: Arc<Mutex<Seen>>,
}

/// What is said of a surface beforehand, and why.
#[derive(Debug)]
enum Declared {
    Absent(String),
    ShowsNothing(String),
}

impl Declared {
    fn why(&self) -> &str {
        let (Self::Absent(why) | Self::ShowsNothing(why)) = self;
        why
    }
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
/// let none: [RunContext; 0] = [];
/// assert!(Isolation::of(none).unwrap_err().to_string().contains("and none was given"));
/// let error = Isolation::of([acme.clone(), acme]).unwrap_err();
/// assert_eq!(error.to_string(), "the tenant `acme` was given twice: what it sees of itself is no leak");
/// # Ok::<(), frankly_contract::InvalidContext>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidSuite {
    /// There are fewer than two.
    #[error("isolation is between tenants, and {} given: give two or more", if *given == 1 { "1 was" } else { "none was" })]
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
        Ok(Self { tenants, own: BTreeSet::new(), declared: BTreeMap::new(), seen })
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
        self.own.insert(Surface::Own(name.into()).named());
        self
    }

    /// The same suite, in which a surface need not be looked at, since there is none, for this reason. That it was read all the same
    /// fails, and so does a blank reason.
    #[must_use]
    pub fn absent(mut self, surface: Surface, reason: impl Into<String>) -> Self {
        self.declared.insert(surface.named(), Declared::Absent(reason.into()));
        self
    }

    /// The same suite, in which a surface is looked at for leaks, and shows nobody's data where all is well, for this reason: such as
    /// a trace that has the names of tools alone. A tenant's own marker fails there, and so does a blank reason.
    ///
    /// ```
    /// # use frankly_contract::RunContext;
    /// # use frankly_spy::isolation::{Isolation, Surface};
    /// # let contexts = ["acme", "globex"].map(|tenant| RunContext::new(tenant, "u_7", "run-1").unwrap());
    /// let suite = Isolation::of(contexts)?.shows_nothing(Surface::Spans, "spans have the names of tools alone");
    /// let [acme, globex] = suite.tenants() else { unreachable!("there are two") };
    /// acme.saw(Surface::Spans, "search");
    /// globex.saw(Surface::Spans, format!("search {}", acme.marker("note")));
    /// assert!(suite.check().unwrap_err().to_string().starts_with("`spans` of globex showed `acmez"));
    /// # Ok::<(), frankly_spy::isolation::InvalidSuite>(())
    /// ```
    #[must_use]
    pub fn shows_nothing(mut self, surface: Surface, reason: impl Into<String>) -> Self {
        self.declared.insert(surface.named(), Declared::ShowsNothing(reason.into()));
        self
    }

    /// The tenants, in the order in which they were given.
    #[must_use]
    pub fn tenants(&self) -> &[Tenant] {
        &self.tenants
    }

    /// Runs something for every tenant, each under its own context, all from one task and in lock-step: one poll of the first, one of
    /// the second, and so on, until all have ended. So whenever one gives way the next one runs, and data that is kept between two
    /// awaits is mixed up. It is one schedule of many, and the same in every run of the test unless the runs wait for something
    /// outside, whose answers come in an order of their own. Gives what the runs gave, in the order of the tenants.
    ///
    /// Where no run ever gave way while another was unfinished they were not interleaved, and the suite says so: put their tools into
    /// a [`Stepped`](crate::Stepped), or let them [`give_way`](crate::give_way). In lock-step all of them do the same at the same time: what bleeds
    /// through something that stays, such as a cache that is filled by one and read by the next, wants
    /// [`Isolation::one_after_another`] as well.
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
        let (gave, took_turns) = turns::in_turn(runs.collect()).await;
        if !took_turns {
            self.seen.lock().unwrap_or_else(PoisonError::into_inner).never_in_turn += 1;
        }
        gave
    }

    /// Runs something for every tenant, each under its own context and to its end before the next one begins: for what bleeds through
    /// something that stays. In lock-step two runs both look into a cache before either has filled it, and a key without the tenant
    /// in it does no harm. Gives what the runs gave, in the order of the tenants.
    ///
    /// ```
    /// # use std::sync::Mutex;
    /// # use frankly_contract::RunContext;
    /// # use frankly_spy::{give_way, isolation::Isolation};
    /// # let contexts = ["acme", "globex"].map(|tenant| RunContext::new(tenant, "u_7", "run-1").unwrap());
    /// # let suite = Isolation::of(contexts)?;
    /// let cache = Mutex::new(None::<String>);
    /// let looked_up = async |tenant: frankly_spy::isolation::Tenant| {
    ///     let cached = cache.lock().unwrap().clone();
    ///     give_way().await;
    ///     let found = cached.unwrap_or_else(|| tenant.name().to_owned());
    ///     *cache.lock().unwrap() = Some(found.clone());
    ///     found
    /// };
    /// assert_eq!(pollster::block_on(suite.interleaved(&looked_up)), ["acme", "globex"]);
    /// *cache.lock().unwrap() = None;
    /// assert_eq!(pollster::block_on(suite.one_after_another(&looked_up)), ["acme", "acme"]);
    /// # Ok::<(), frankly_spy::isolation::InvalidSuite>(())
    /// ```
    pub async fn one_after_another<F: AsyncFn(Tenant) -> T, T>(&self, run: F) -> Vec<T> {
        let mut gave = Vec::new();
        for tenant in &self.tenants {
            gave.push(tenant.context.clone().scope(async { run(tenant.clone()).await }).await);
        }
        gave
    }

    /// Whether nothing of a tenant was seen by another one, and everything was looked at that could have shown it.
    ///
    /// # Errors
    ///
    /// Everything that is wrong: each leak with its surface, marker, owner, viewer and what stood around it; runs that were to be
    /// interleaved and were not; each surface that was not read for somebody, that showed somebody nothing of their own, or that is not
    /// as it was declared to be; each tenant that saw nothing of its own at all.
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

    /// Every surface that matters: the named ones, one's own, and those that were read or declared.
    fn surfaces<'s>(&self, read: impl Iterator<Item = &'s Surface>) -> BTreeSet<Surface> {
        let told = self.own.iter().chain(self.declared.keys()).cloned();
        Surface::NAMED.into_iter().chain(told).chain(read.cloned()).collect()
    }

    fn name(&self, tenant: usize) -> String {
        self.tenants[tenant].name().to_owned()
    }
}
