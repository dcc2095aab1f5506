//! One of the tenants that must not see each other. What may not enter: what the others have.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use frankly_contract::RunContext;
use serde_json::Value;

use super::Surface;
use super::seen::Seen;

/// A tenant of an [`Isolation`](super::Isolation): its run context, its data, and what it saw.
///
/// ```
/// use frankly_contract::RunContext;
/// use frankly_spy::isolation::{Isolation, Surface, Tenant};
///
/// let [acme, globex] = [RunContext::new("acme", "u_7", "run-1")?, RunContext::new("globex", "u_7", "run-2")?];
/// let suite = Isolation::of([acme, globex])?;
/// let tenant: &Tenant = &suite.tenants()[1];
/// assert_eq!((tenant.name(), tenant.context().user()), ("globex", "u_7"));
/// tenant.saw(Surface::Output, tenant.confusable("Dinner with {}"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Tenant {
    pub(super) place: usize,
    pub(super) context: RunContext,
    pub(super) seen: Arc<Mutex<Seen>>,
}

impl Tenant {
    /// Its name, as its run context has it.
    #[must_use]
    pub fn name(&self) -> &str {
        self.context.tenant()
    }

    /// The context under which its runs go.
    #[must_use]
    pub fn context(&self) -> &RunContext {
        &self.context
    }

    /// A word for its data that occurs nowhere else: lower-case letters, which tokenisers, stemmers and indexes leave as they
    /// are. For one purpose it is always the same, in every run.
    ///
    /// ```
    /// # use frankly_contract::RunContext;
    /// # use frankly_spy::isolation::Isolation;
    /// # let contexts = ["acme", "globex"].map(|tenant| RunContext::new(tenant, "u_7", "run-1").unwrap());
    /// # let suite = Isolation::of(contexts)?;
    /// let [acme, globex] = suite.tenants() else { unreachable!("there are two") };
    /// assert!(acme.marker("note").starts_with("acmez"));
    /// assert_eq!(acme.marker("note"), acme.marker("note"));
    /// assert_ne!(acme.marker("note"), globex.marker("note"));
    /// # Ok::<(), frankly_spy::isolation::InvalidSuite>(())
    /// ```
    #[must_use]
    pub fn marker(&self, purpose: &str) -> String {
        self.with_seen(|seen| seen.plant(self.place, self.context.tenant(), purpose))
    }

    /// A text that is the same for every tenant but for a [`Tenant::marker`], in the place of `{}` or else at its end. Store it
    /// for all of them under the same ids, keys and dates: what differs in those cannot be confused, and would hide a leak.
    ///
    /// ```
    /// # use frankly_contract::RunContext;
    /// # use frankly_spy::isolation::Isolation;
    /// # let contexts = ["acme", "globex"].map(|tenant| RunContext::new(tenant, "u_7", "run-1").unwrap());
    /// # let suite = Isolation::of(contexts)?;
    /// let acme = &suite.tenants()[0];
    /// let marker = acme.marker("Dinner with {}");
    /// assert_eq!(acme.confusable("Dinner with {}"), format!("Dinner with {marker}"));
    /// # Ok::<(), frankly_spy::isolation::InvalidSuite>(())
    /// ```
    #[must_use]
    pub fn confusable(&self, text: &str) -> String {
        let marker = self.marker(text);
        if text.contains("{}") { text.replace("{}", &marker) } else { format!("{text} {marker}") }
    }

    /// Writes down what this tenant saw on a surface: a text or JSON, the whole of it. Of an answer of tools that is
    /// `json!(result)` of a [`ToolResult`](frankly_contract::ToolResult), and of an error the result in
    /// [`CallError::Tool`](frankly_contract::CallError::Tool), since what is displayed of either is its first text only.
    ///
    /// One's own marker has to be seen on each surface, unless [`Isolation::shows_nothing`](super::Isolation::shows_nothing). A marker is
    /// found in either case, in keys, in JSON inside of texts, in pieces that stand in the same place of the items of a list or were handed
    /// over one after the other, and where it is cut: its beginning as far as four letters after the tenant's, which are 8 to 11
    /// letters, or its last 8. What is left of one that was cut more than that, or on both sides, is not found, nor are pieces with
    /// something between them, or text in another coding, such as Base64: decode it first.
    ///
    /// ```
    /// # use frankly_contract::RunContext;
    /// # use frankly_spy::isolation::{Isolation, Surface};
    /// # let contexts = ["acme", "globex"].map(|tenant| RunContext::new(tenant, "u_7", "run-1").unwrap());
    /// # let suite = Isolation::of(contexts)?;
    /// let [acme, globex] = suite.tenants() else { unreachable!("there are two") };
    /// globex.saw(Surface::Search, serde_json::json!({"found": [acme.confusable("Dinner with {}")]}));
    /// let failed = suite.check().unwrap_err();
    /// assert!(failed.to_string().starts_with("`search` of globex showed `acmez"));
    /// # Ok::<(), frankly_spy::isolation::InvalidSuite>(())
    /// ```
    pub fn saw(&self, surface: Surface, what: impl Into<Value>) {
        let what = what.into();
        self.with_seen(|seen| seen.note(self.place, surface, what));
    }

    fn with_seen<T>(&self, act: impl FnOnce(&mut Seen) -> T) -> T {
        act(&mut self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for Tenant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tenant").field(&self.context).finish()
    }
}
