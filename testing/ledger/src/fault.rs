//! The lies that the ledger can be told to tell, by name. What may not enter: how they are told, which is
//! the business of the tool that tells them.

use std::collections::BTreeSet;
use std::str::FromStr;

/// One way in which a tool misleads its reader.
///
/// ```
/// use frankly_ledger::{Fault, Faults};
///
/// let fault: Fault = "silent-truncation".parse()?;
/// assert_eq!(fault, Fault::SilentTruncation);
/// assert!(Faults::from_iter([fault]).contains(fault));
/// # Ok::<(), frankly_ledger::UnknownFault>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// `query_transactions` says how many rows it returned and calls that the count.
    SilentTruncation,
}

impl Fault {
    /// Every fault.
    pub const ALL: &'static [Self] = &[Self::SilentTruncation];

    /// The name by which the fault is switched on, such as `silent-truncation`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SilentTruncation => "silent-truncation",
        }
    }

    /// Which tool lies, and how: one line without a final full stop.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::SilentTruncation => {
                "query_transactions cuts its page without a word: `count` is the number of rows returned, \
                 and neither the total nor a way to the rest is given"
            }
        }
    }
}

impl FromStr for Fault {
    type Err = UnknownFault;

    fn from_str(name: &str) -> Result<Self, UnknownFault> {
        let found = Self::ALL.iter().find(|fault| fault.name() == name);
        found.copied().ok_or_else(|| UnknownFault { name: name.to_owned() })
    }
}

/// No fault has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no fault is named `{name}`; the faults are: {}", names())]
pub struct UnknownFault {
    name: String,
}

fn names() -> String {
    Fault::ALL.iter().map(|fault| fault.name()).collect::<Vec<_>>().join(", ")
}

/// The faults that are switched on. The default is none: an honest server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults(BTreeSet<Fault>);

impl Faults {
    /// Every fault at once.
    #[must_use]
    pub fn all() -> Self {
        Fault::ALL.iter().copied().collect()
    }

    /// Whether this fault is switched on.
    #[must_use]
    pub fn contains(&self, fault: Fault) -> bool {
        self.0.contains(&fault)
    }
}

impl FromIterator<Fault> for Faults {
    fn from_iter<I: IntoIterator<Item = Fault>>(faults: I) -> Self {
        Self(faults.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_found_by_its_name() {
        for fault in Fault::ALL {
            assert_eq!(fault.name().parse(), Ok(*fault));
            assert!(Faults::all().contains(*fault));
            assert!(!Faults::default().contains(*fault));
            assert!(!fault.description().contains('\n'));
        }
    }

    #[test]
    fn the_readme_lists_the_faults() {
        let (_, table) = include_str!("../README.md").split_once("| --- | --- |\n").unwrap();
        let faults = Fault::ALL.iter();
        let rows = faults.map(|fault| format!("| `{}` | {} |\n", fault.name(), fault.description()));
        assert_eq!(table, rows.collect::<String>());
    }

    #[test]
    fn an_unknown_fault_names_the_known_ones() {
        let error = "silent".parse::<Fault>().unwrap_err();
        assert_eq!(error.to_string(), "no fault is named `silent`; the faults are: silent-truncation");
    }
}
