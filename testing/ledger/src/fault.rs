//! The lies that the ledger can be told to tell, by name. What may not enter: how they are told, which is
//! the business of the tool that tells them, or of the wire.

mod table;

use std::collections::BTreeSet;
use std::str::FromStr;

use table::{Entry, TABLE};

/// One way in which a tool, or the server around it, misleads its reader.
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
    /// `query_transactions` drops arguments that it does not have.
    ArgumentDropped,
    /// `query_transactions` returns fewer rows by default than its schema says.
    DriftingDefault,
    /// `log_expense` lowers an amount above its maximum.
    SilentClamp,
    /// `query_transactions` reads a limit out of a text.
    QuietCoercion,
    /// `list_accounts` lists every kind for one that does not exist.
    EnumFallback,
    /// `list_accounts` takes a blank name for one that no account has.
    BlankFilter,
    /// `read_statement` makes up the month that it was not given.
    AssumedArgument,
    /// `list_accounts` refuses long names, and its schema states no bound.
    UndeclaredBound,
    /// `read_statement` answers every wrong argument with the same sentence.
    OpaqueError,
    /// `log_expense` calls an amount missing that does not fit.
    WrongCause,
    /// `import_csv` flags what it imported as an error.
    FalseError,
    /// `list_accounts` flags a search without a match as an error.
    EmptyAsError,
    /// `run_sql` shows the insides of its program when a statement does not run.
    LeakyError,
    /// `inspect_csv` answers a key that does not exist with null.
    NullForUnknown,
    /// A tool that does not exist is answered as if it had run.
    UnknownToolRuns,
    /// `run_sql` cuts its JSON in the middle.
    BrokenCut,
    /// `list_accounts` says one thing as text and another as structured content.
    TextAtOdds,
    /// `query_transactions` leaves out a field that its description promises.
    MissingPromise,
    /// `query_transactions` gives the ids of merchants instead of their names.
    IdsWithoutNames,
    /// `list_categories` answers in another order each time.
    UnstableOrder,
    /// `list_accounts` begins each page with the last account of the one before.
    RepeatingCursor,
    /// `inspect_csv` gives a cursor also on its last page.
    EndlessCursor,
    /// `inspect_csv` shows the credential with which it fetched the file.
    LeakedSecret,
    /// `inspect_csv` follows a key out of the folder of uploads.
    PathEscape,
    /// `log_expense` damages every letter of a merchant that is not ASCII.
    LostText,
    /// `log_expense` stores half a merchant's name, and answers with the whole.
    EchoNotStored,
    /// `log_expense` stores a second row under a key that was used.
    DoubleWrite,
    /// `read_statement` stores a fee each time it is called.
    WritingReader,
    /// `query_transactions` answers one tenant with what another was answered.
    OtherTenant,
    /// The tools are listed in another order each time.
    ShuffledList,
    /// The second page of the list of tools begins with the last tool of the first.
    RepeatingList,
    /// The server greets on standard output before it speaks the protocol.
    Banner,
    /// `read_statement` writes a line of its log to standard output.
    LogLine,
    /// `inspect_csv` answers with a line that is not UTF-8.
    InvalidUtf8,
    /// `list_categories` answers every call twice.
    DoubleAnswer,
    /// `query_transactions` swaps the answers of calls that are made at once.
    CrossedAnswers,
    /// `list_accounts` answers one of several calls that are made at once.
    LostAnswer,
    /// `inspect_csv` takes one call at a time.
    SerialCalls,
    /// The server answers nothing after a call was cancelled.
    DeadAfterCancel,
    /// The server ends at a request whose arguments are no object.
    DeadAfterGarbage,
    /// The server ends at a long request.
    DeadAfterLarge,
}

impl Fault {
    /// Every fault, in the order in which they are listed.
    pub const ALL: &'static [Self] = &table::FAULTS;

    fn entry(self) -> &'static Entry {
        &TABLE[self as usize]
    }

    /// The name by which the fault is switched on, such as `silent-truncation`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Which tool lies, and how: one line without a final full stop.
    #[must_use]
    pub fn description(self) -> &'static str {
        self.entry().description
    }

    /// Whether the fault is no part of [`Faults::all`], since others could not be seen beside it: it ends the server,
    /// leaves a call waiting for ever, or lies about the same answer as one of them.
    ///
    /// ```
    /// use frankly_ledger::{Fault, Faults};
    ///
    /// assert!(Fault::DeadAfterCancel.is_alone() && !Faults::all().contains(Fault::DeadAfterCancel));
    /// ```
    #[must_use]
    pub fn is_alone(self) -> bool {
        self.entry().is_alone
    }

    /// Whether the fault lies in the lines of standard input and output, and so is not told over HTTP.
    ///
    /// ```
    /// use frankly_ledger::Fault;
    ///
    /// assert!(Fault::Banner.is_of_lines() && !Fault::SilentTruncation.is_of_lines());
    /// ```
    #[must_use]
    pub fn is_of_lines(self) -> bool {
        self.entry().is_of_lines
    }

    /// Where the fault is told, as a remark behind its description: nothing where it is told beside all others and
    /// over any transport.
    ///
    /// ```
    /// use frankly_ledger::Fault;
    ///
    /// assert_eq!(Fault::SilentTruncation.remark(), "");
    /// assert_eq!(Fault::DeadAfterCancel.remark(), "not in `all`; not over HTTP");
    /// ```
    #[must_use]
    pub fn remark(self) -> &'static str {
        match (self.is_alone(), self.is_of_lines()) {
            (false, false) => "",
            (true, false) => "not in `all`",
            (false, true) => "not over HTTP",
            (true, true) => "not in `all`; not over HTTP",
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
    /// Every fault that can be seen beside the others.
    #[must_use]
    pub fn all() -> Self {
        Fault::ALL.iter().copied().filter(|fault| !fault.is_alone()).collect()
    }

    /// Whether this fault is switched on.
    #[must_use]
    pub fn contains(&self, fault: Fault) -> bool {
        self.0.contains(&fault)
    }

    /// Whether any of those faults is on that lie in the lines of standard input and output.
    pub(crate) fn touch_lines(&self) -> bool {
        self.0.iter().any(|fault| fault.is_of_lines())
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
            assert_eq!(Faults::all().contains(*fault), !fault.is_alone());
            assert!(!Faults::default().contains(*fault));
            assert!(!fault.description().contains('\n'));
        }
        assert!(Fault::ALL.is_sorted());
    }

    #[test]
    fn the_readme_lists_the_faults() {
        let (_, table) = include_str!("../README.md").rsplit_once("| --- | --- | --- |\n").unwrap();
        let row = |fault: &Fault| {
            format!("| `{}` | {} | {} |\n", fault.name(), fault.description(), fault.remark())
                .replace("|  |", "| |")
        };
        assert_eq!(table, Fault::ALL.iter().map(row).collect::<String>());
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
