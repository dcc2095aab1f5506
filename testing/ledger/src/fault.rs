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
    /// `query_transactions` does not say why it found nothing.
    AmbiguousEmpty,
    /// `inspect_csv` throws when it cannot read a file.
    ThrownError,
    /// `import_csv` reports a file it cannot import as a success.
    BuriedError,
    /// `log_expense` lists no input as required.
    OptionalEverything,
    /// `list_accounts` returns every account from its cursor on, whatever its limit.
    LimitIgnored,
    /// `run_sql` says that its result is cut, and no more.
    CappedSqlWithoutWayOn,
    /// `read_statement` puts its text into a JSON string.
    EscapedText,
    /// `list_categories` returns every transaction of every category.
    UnboundedDump,
}

impl Fault {
    /// Every fault, in the order in which they are listed.
    pub const ALL: &'static [Self] = &[
        Self::SilentTruncation,
        Self::AmbiguousEmpty,
        Self::ThrownError,
        Self::BuriedError,
        Self::OptionalEverything,
        Self::LimitIgnored,
        Self::CappedSqlWithoutWayOn,
        Self::EscapedText,
        Self::UnboundedDump,
    ];

    /// The name by which the fault is switched on, such as `silent-truncation`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SilentTruncation => "silent-truncation",
            Self::AmbiguousEmpty => "ambiguous-empty",
            Self::ThrownError => "thrown-error",
            Self::BuriedError => "buried-error",
            Self::OptionalEverything => "optional-everything",
            Self::LimitIgnored => "limit-ignored",
            Self::CappedSqlWithoutWayOn => "capped-sql-without-way-on",
            Self::EscapedText => "escaped-text",
            Self::UnboundedDump => "unbounded-dump",
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
            Self::AmbiguousEmpty => {
                "query_transactions answers a category that does not exist, such as `dining` for `Dining`, \
                 with the same empty list as one without rows, and no note"
            }
            Self::ThrownError => {
                "inspect_csv throws when it cannot read a file: a JSON-RPC error -32603 with an exception's \
                 text instead of a result"
            }
            Self::BuriedError => {
                "import_csv reports a file it cannot import as a success: `\"status\": \"error\"` in a result \
                 without `isError`"
            }
            Self::OptionalEverything => {
                "log_expense lists no input as required, and refuses calls without `amount` and `category`"
            }
            Self::LimitIgnored => {
                "list_accounts returns every account from `cursor` on, whatever `limit` says"
            }
            Self::CappedSqlWithoutWayOn => {
                "run_sql says `truncated: true` when it cuts a result, and neither how many rows there are nor \
                 what to do, not even in its description"
            }
            Self::EscapedText => {
                "read_statement puts its text into a string of a JSON object, every line end escaped"
            }
            Self::UnboundedDump => {
                "list_categories returns every transaction of every category, indented, over 100 KB at once"
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
        let (_, table) = include_str!("../README.md").rsplit_once("| --- | --- |\n").unwrap();
        let faults = Fault::ALL.iter();
        let rows = faults.map(|fault| format!("| `{}` | {} |\n", fault.name(), fault.description()));
        assert_eq!(table, rows.collect::<String>());
    }

    #[test]
    fn an_unknown_fault_names_the_known_ones() {
        let error = "silent".parse::<Fault>().unwrap_err().to_string();
        assert!(
            error.starts_with("no fault is named `silent`; the faults are: silent-truncation, "),
            "{error}"
        );
        assert!(Fault::ALL.iter().all(|fault| error.contains(fault.name())), "{error}");
    }
}
