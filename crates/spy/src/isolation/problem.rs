//! What is wrong with the isolation of tenants, or with the proof of it. What may not enter: how it was seen.

use std::collections::BTreeMap;
use std::fmt;

use frankly_verdict::report::{plain, shorten};

use super::seen::{Planted, Seen, Sighting};
use super::{Declared, Isolation, Surface};

/// How much is shown of what was planted.
const PLANTED_CHARS: usize = 60;

/// Why tenants are not known to be isolated: every reason, one a line.
///
/// ```
/// use frankly_contract::RunContext;
/// use frankly_spy::isolation::{Isolation, NotIsolated, Problem};
///
/// let [acme, globex] = [RunContext::new("acme", "u_7", "run-1")?, RunContext::new("globex", "u_7", "run-2")?];
/// let failed: NotIsolated = Isolation::of([acme, globex])?.check().unwrap_err();
/// let first: &Problem = &failed.problems()[0];
/// assert!(failed.to_string().starts_with(&format!("{first}\n")));
/// assert_eq!(
///     first.to_string(),
///     "`output` was not read for acme and globex: hand over what each of them saw there, or declare it absent"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotIsolated {
    problems: Vec<Problem>,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// A tenant saw what is another one's.
    Leak {
        /// Where.
        surface: Surface,
        /// The word by which it is known; what was seen of it may be its beginning or its end only.
        marker: String,
        /// What it was asked for as: the text of a [`Tenant::confusable`](super::Tenant::confusable), or a purpose.
        planted: String,
        /// Whose it is.
        owner: String,
        /// Who saw it.
        viewer: String,
        /// What stood around it.
        excerpt: String,
    },
    /// The runs were to take turns, and none ever gave way while another had not ended: nothing was mixed up that could have been.
    NotInterleaved,
    /// Nobody looked: an empty hand shows no leak either.
    Unread {
        /// Where.
        surface: Surface,
        /// For whom nobody looked there.
        tenants: Vec<String>,
    },
    /// Somebody looked, and not even what is the tenant's own was there to be seen: so another one's would not have been either.
    Unshown {
        /// Where.
        surface: Surface,
        /// For whom nothing was there.
        tenants: Vec<String>,
    },
    /// What is declared absent was read.
    Contradiction {
        /// Where.
        surface: Surface,
        /// Why it should not be there.
        reason: String,
        /// For whom it was read.
        tenants: Vec<String>,
    },
    /// What is declared to show nothing showed tenants what is theirs.
    ShownAfterAll {
        /// Where.
        surface: Surface,
        /// Why it should show nothing.
        reason: String,
        /// To whom it showed something.
        tenants: Vec<String>,
    },
    /// A surface is declared absent, or to show nothing, and not why.
    Unreasoned {
        /// Where.
        surface: Surface,
    },
    /// A tenant never saw anything of its own, so that nothing shows that there was something to leak.
    Unseen {
        /// Who.
        tenant: String,
        /// How many markers it has.
        markers: usize,
    },
}

impl NotIsolated {
    /// Everything that is wrong: leaks first.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Everything that is wrong with what a suite has seen; `None` if nothing is.
    pub(super) fn judge(suite: &Isolation, seen: &Seen) -> Option<Self> {
        let look = Look { suite, seen, sightings: seen.sightings() };
        let mut problems = look.leaks();
        problems.extend((seen.never_in_turn > 0).then_some(Problem::NotInterleaved));
        let surfaces = suite.surfaces(look.sightings.iter().map(|sighting| sighting.surface));
        problems.extend(surfaces.into_iter().filter_map(|surface| look.gap(surface)));
        let is_told = |tenant: &usize| {
            let name = suite.name(*tenant);
            problems
                .iter()
                .any(|problem| matches!(problem, Problem::Unshown { tenants, .. } if tenants.contains(&name)))
        };
        let others: Vec<usize> = (0..suite.tenants.len()).filter(|tenant| !is_told(tenant)).collect();
        problems.extend(others.into_iter().filter_map(|tenant| look.unseen(tenant)));
        (!problems.is_empty()).then_some(Self { problems })
    }
}

/// What is judged.
struct Look<'s> {
    suite: &'s Isolation,
    seen: &'s Seen,
    sightings: Vec<Sighting<'s>>,
}

impl Look<'_> {
    fn leaks(&self) -> Vec<Problem> {
        let mut leaks = BTreeMap::new();
        for sighting in &self.sightings {
            for planted in self.seen.planted.iter().filter(|planted| planted.owner != sighting.viewer) {
                let Some((at, length)) = planted.word.find(sighting.texts.lower()) else { continue };
                let marker = planted.word.to_string();
                leaks
                    .entry((sighting.surface, sighting.viewer, planted.owner, marker.clone()))
                    .or_insert_with(|| Problem::Leak {
                        surface: sighting.surface.clone(),
                        marker,
                        planted: planted.purpose.clone(),
                        owner: self.suite.name(planted.owner),
                        viewer: self.suite.name(sighting.viewer),
                        excerpt: sighting.texts.around(at, length),
                    });
            }
        }
        leaks.into_values().collect()
    }

    /// What is wrong with how a surface was looked at.
    fn gap(&self, surface: Surface) -> Option<Problem> {
        let of = |tenant: usize| {
            self.sightings.iter().find(|sighting| sighting.viewer == tenant && *sighting.surface == surface)
        };
        let tenants = || 0..self.suite.tenants.len();
        let names = |tenants: Vec<usize>| tenants.into_iter().map(|tenant| self.suite.name(tenant)).collect();
        let (read, unread): (Vec<usize>, Vec<usize>) = tenants().partition(|tenant| of(*tenant).is_some());
        let showed = |tenant: &usize| of(*tenant).is_some_and(|sighting| self.shows_own(*tenant, sighting));
        let (shown, blank): (Vec<usize>, Vec<usize>) = read.iter().copied().partition(showed);
        let declared = self.suite.declared.get(&surface);
        match declared {
            Some(declared) if declared.why().trim().is_empty() => Some(Problem::Unreasoned { surface }),
            Some(Declared::Absent(reason)) => (!read.is_empty()).then(|| Problem::Contradiction {
                surface,
                reason: reason.clone(),
                tenants: names(read),
            }),
            _ if !unread.is_empty() => Some(Problem::Unread { surface, tenants: names(unread) }),
            Some(Declared::ShowsNothing(reason)) => (!shown.is_empty()).then(|| Problem::ShownAfterAll {
                surface,
                reason: reason.clone(),
                tenants: names(shown),
            }),
            None => {
                // Who has no marker is told of that, once.
                let blank: Vec<usize> =
                    blank.into_iter().filter(|tenant| self.own(*tenant).count() > 0).collect();
                (!blank.is_empty()).then(|| Problem::Unshown { surface, tenants: names(blank) })
            }
        }
    }

    fn unseen(&self, tenant: usize) -> Option<Problem> {
        let is_seen = self
            .sightings
            .iter()
            .any(|sighting| sighting.viewer == tenant && self.shows_own(tenant, sighting));
        let (tenant, markers) = (self.suite.name(tenant), self.own(tenant).count());
        (!is_seen).then_some(Problem::Unseen { tenant, markers })
    }

    fn own(&self, tenant: usize) -> impl Iterator<Item = &Planted> {
        self.seen.planted.iter().filter(move |planted| planted.owner == tenant)
    }

    fn shows_own(&self, tenant: usize, sighting: &Sighting<'_>) -> bool {
        self.own(tenant).any(|planted| planted.word.find(sighting.texts.lower()).is_some())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Leak { surface, marker, planted, owner, viewer, excerpt } => write!(
                f,
                "{} of {viewer} showed `{marker}` of {owner}, planted as `{}`: {}",
                named(surface),
                plain(&shorten(planted, PLANTED_CHARS)),
                plain(excerpt)
            ),
            Self::NotInterleaved => f.write_str(
                "no run gave way while another was unfinished, so they ran one after the other and mixed up nothing: \
                 wrap their tools in Stepped, or give_way() where they wait",
            ),
            Self::Unread { surface, tenants } => write!(
                f,
                "{} was not read for {}: hand over what each of them saw there, or declare it absent",
                named(surface),
                listed(tenants)
            ),
            Self::Unshown { surface, tenants } => write!(
                f,
                "{} showed {} no marker of their own, so it would not have shown another one's either: \
                 let it show data with a marker, or say with shows_nothing why it never does",
                named(surface),
                listed(tenants)
            ),
            Self::Contradiction { surface, reason, tenants } => write!(
                f,
                "{} is declared absent ({}), and was read for {}",
                named(surface),
                plain(reason),
                listed(tenants)
            ),
            Self::ShownAfterAll { surface, reason, tenants } => write!(
                f,
                "{} is declared to show nothing ({}), and showed {} a marker of their own: take the declaration out",
                named(surface),
                plain(reason),
                listed(tenants)
            ),
            Self::Unreasoned { surface } => write!(
                f,
                "{} is declared absent, or to show nothing, and nothing says why: give the reason",
                named(surface)
            ),
            Self::Unseen { tenant, markers: 0 } => write!(
                f,
                "{tenant} has no marker, so nothing of it could be seen to leak: store data with its marker first"
            ),
            Self::Unseen { tenant, .. } => write!(
                f,
                "{tenant} saw none of its own markers on any surface, so nothing shows that there was something to leak"
            ),
        }
    }
}

fn named(surface: &Surface) -> String {
    format!("`{}`", plain(&surface.to_string()))
}

fn listed(names: &[String]) -> String {
    match names {
        [] => "nobody".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

impl fmt::Display for NotIsolated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.problems.iter().map(Problem::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for NotIsolated {}
