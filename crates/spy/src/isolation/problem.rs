//! What is wrong with the isolation of tenants, or with the proof of it. What may not enter: how it was seen.

use std::collections::BTreeSet;
use std::fmt;

use super::seen::{Planted, Seen};
use super::{Isolation, Surface};

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
        /// The word by which it is known.
        marker: String,
        /// Whose it is.
        owner: String,
        /// Who saw it.
        viewer: String,
    },
    /// Nobody looked: an empty hand shows no leak either.
    Unread {
        /// Where.
        surface: Surface,
        /// For whom nobody looked there.
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
    /// A surface is declared absent, and not why.
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
        let mut problems = leaks(suite, seen);
        problems.extend(suite.surfaces(seen).into_iter().filter_map(|surface| gap(suite, seen, surface)));
        problems.extend((0..suite.tenants.len()).filter_map(|tenant| unseen(suite, seen, tenant)));
        (!problems.is_empty()).then_some(Self { problems })
    }
}

fn leaks(suite: &Isolation, seen: &Seen) -> Vec<Problem> {
    let mut leaks = BTreeSet::new();
    for sighting in &seen.sightings {
        let foreign =
            |planted: &&Planted| planted.owner != sighting.viewer && sighting.shows(&planted.marker);
        for planted in seen.planted.iter().filter(foreign) {
            leaks.insert((&sighting.surface, sighting.viewer, planted.owner, &planted.marker));
        }
    }
    let told = leaks.into_iter().map(|(surface, viewer, owner, marker)| Problem::Leak {
        surface: surface.clone(),
        marker: marker.clone(),
        owner: suite.name(owner),
        viewer: suite.name(viewer),
    });
    told.collect()
}

/// What is wrong with how a surface was looked at.
fn gap(suite: &Isolation, seen: &Seen, surface: Surface) -> Option<Problem> {
    let is_read = |tenant: &usize| {
        seen.sightings.iter().any(|sighting| sighting.viewer == *tenant && sighting.surface == surface)
    };
    let (read, unread): (Vec<usize>, Vec<usize>) = (0..suite.tenants.len()).partition(is_read);
    let names = |tenants: Vec<usize>| tenants.into_iter().map(|tenant| suite.name(tenant)).collect();
    match suite.absent.get(&surface) {
        Some(reason) if !read.is_empty() => {
            let reason = reason.clone();
            Some(Problem::Contradiction { surface, reason, tenants: names(read) })
        }
        Some(reason) if reason.trim().is_empty() => Some(Problem::Unreasoned { surface }),
        Some(_) => None,
        None => (!unread.is_empty()).then(|| Problem::Unread { surface, tenants: names(unread) }),
    }
}

fn unseen(suite: &Isolation, seen: &Seen, tenant: usize) -> Option<Problem> {
    let own: Vec<_> = seen.planted.iter().filter(|planted| planted.owner == tenant).collect();
    let is_seen = own.iter().any(|planted| {
        seen.sightings.iter().any(|sighting| sighting.viewer == tenant && sighting.shows(&planted.marker))
    });
    (!is_seen).then(|| Problem::Unseen { tenant: suite.name(tenant), markers: own.len() })
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Leak { surface, marker, owner, viewer } => {
                write!(f, "`{surface}` of {viewer} showed `{marker}` of {owner}")
            }
            Self::Unread { surface, tenants } => write!(
                f,
                "`{surface}` was not read for {}: hand over what each of them saw there, or declare it absent",
                listed(tenants)
            ),
            Self::Contradiction { surface, reason, tenants } => {
                write!(f, "`{surface}` is declared absent ({reason}), and was read for {}", listed(tenants))
            }
            Self::Unreasoned { surface } => {
                write!(f, "`{surface}` is declared absent, and nothing says why: give the reason")
            }
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
