//! What is said about each fault: its name, what it does, and where it is told. What may not enter: code that lies.

use super::Fault;

/// What is said about a fault.
pub(super) struct Entry {
    fault: Fault,
    pub name: &'static str,
    /// Which tool lies, and how: one line without a final full stop.
    pub description: &'static str,
    pub is_alone: bool,
    pub is_of_lines: bool,
}

const fn entry(fault: Fault, name: &'static str, description: &'static str) -> Entry {
    Entry { fault, name, description, is_alone: false, is_of_lines: false }
}

impl Entry {
    /// A fault beside which others could not be seen.
    const fn alone(self) -> Self {
        Self { is_alone: true, ..self }
    }

    /// A fault in the lines of standard input and output.
    const fn of_lines(self) -> Self {
        Self { is_of_lines: true, ..self }
    }
}

/// The faults of [`TABLE`], in its order, which is that of their variants.
pub(super) const FAULTS: [Fault; TABLE.len()] = {
    let mut faults = [Fault::SilentTruncation; TABLE.len()];
    let mut place = 0;
    while place < TABLE.len() {
        assert!(TABLE[place].fault as usize == place, "the table is in the order of the variants");
        faults[place] = TABLE[place].fault;
        place += 1;
    }
    faults
};

/// Every fault, in the order in which they are listed.
pub(super) static TABLE: [Entry; 50] = [
    entry(
        Fault::SilentTruncation,
        "silent-truncation",
        "query_transactions cuts its page without a word: `count` is the number of rows returned, \
         and neither the total nor a way to the rest is given",
    ),
    entry(
        Fault::AmbiguousEmpty,
        "ambiguous-empty",
        "query_transactions answers a category that does not exist, such as `dining` for `Dining`, \
         with the same empty list as one without rows, and no note",
    ),
    entry(
        Fault::ThrownError,
        "thrown-error",
        "inspect_csv throws when it cannot read a file: a JSON-RPC error -32603 with an exception's \
         text instead of a result",
    ),
    entry(
        Fault::BuriedError,
        "buried-error",
        "import_csv reports a file it cannot import as a success: `\"status\": \"error\"` in a result \
         without `isError`",
    ),
    entry(
        Fault::OptionalEverything,
        "optional-everything",
        "log_expense lists no input as required, and refuses calls without `amount` and `category`",
    ),
    entry(
        Fault::LimitIgnored,
        "limit-ignored",
        "list_accounts returns every account from `cursor` on, whatever `limit` says",
    ),
    entry(
        Fault::CappedSqlWithoutWayOn,
        "capped-sql-without-way-on",
        "run_sql says `truncated: true` when it cuts a result, and neither how many rows there are nor \
         what to do, not even in its description",
    ),
    entry(
        Fault::EscapedText,
        "escaped-text",
        "read_statement puts its text into a string of a JSON object, every line end escaped",
    ),
    entry(
        Fault::UnboundedDump,
        "unbounded-dump",
        "list_categories returns every transaction of every category, indented, over 100 KB at once",
    ),
    entry(
        Fault::ArgumentDropped,
        "argument-dropped",
        "query_transactions drops arguments that it does not have, such as `catgory`, which its schema promises to \
         refuse, and answers as if they had not been sent",
    ),
    entry(
        Fault::DriftingDefault,
        "drifting-default",
        "query_transactions returns 25 rows where `limit` is left out, and its schema and description say that the \
         default is 50",
    ),
    entry(
        Fault::SilentClamp,
        "silent-clamp",
        "log_expense takes an `amount` above its maximum for the maximum, and stores that without a word",
    ),
    entry(
        Fault::QuietCoercion,
        "quiet-coercion",
        "query_transactions takes a `limit` that is a text, such as \"5\", for the number in it, without a word",
    ),
    entry(
        Fault::EnumFallback,
        "enum-fallback",
        "list_accounts lists the accounts of every kind where `kind` is none of those that its schema names, without \
         a word",
    ),
    entry(
        Fault::BlankFilter,
        "blank-filter",
        "list_accounts takes an empty `name` for a name that no account has: an empty list, and no note",
    ),
    entry(
        Fault::AssumedArgument,
        "assumed-argument",
        "read_statement, which requires `month`, reads the latest statement where it is left out, without a word",
    ),
    entry(
        Fault::UndeclaredBound,
        "undeclared-bound",
        "list_accounts refuses a `name` of more than 60 characters, and neither its schema nor its description states \
         a bound",
    ),
    entry(
        Fault::OpaqueError,
        "opaque-error",
        "read_statement answers every argument that does not fit with `request failed`",
    ),
    entry(
        Fault::WrongCause,
        "wrong-cause",
        "log_expense says that `amount` is missing where it was sent and does not fit",
    ),
    entry(
        Fault::FalseError,
        "false-error",
        "import_csv flags the report of a file that it imported with `isError: true`",
    )
    .alone(),
    entry(
        Fault::EmptyAsError,
        "empty-as-error",
        "list_accounts flags a `name` that no account has as an error, without a code",
    ),
    entry(
        Fault::LeakyError,
        "leaky-error",
        "run_sql adds a stack trace, with paths and a host of its own, to the error of a statement that does not run",
    ),
    entry(
        Fault::NullForUnknown,
        "null-for-unknown",
        "inspect_csv answers a key that no upload has with `null`, as a success",
    )
    .alone(),
    entry(
        Fault::UnknownToolRuns,
        "unknown-tool-runs",
        "tools that do not exist are answered with `Done.`, as a success",
    ),
    entry(
        Fault::BrokenCut,
        "broken-cut",
        "run_sql cuts the JSON of its result after 2,000 bytes, in the middle of a row",
    )
    .alone(),
    entry(
        Fault::TextAtOdds,
        "text-at-odds",
        "list_accounts gives every balance rounded down to whole dollars in its text, and exactly in `structuredContent`",
    ),
    entry(
        Fault::MissingPromise,
        "missing-promise",
        "query_transactions leaves `date` out of its rows, which its description promises",
    ),
    entry(
        Fault::IdsWithoutNames,
        "ids-without-names",
        "query_transactions gives a `merchant_id` such as `m-07` instead of the merchant's name, and says so in its \
         description",
    )
    .alone(),
    entry(
        Fault::UnstableOrder,
        "unstable-order",
        "list_categories begins with another category each time, and nothing has changed",
    ),
    entry(
        Fault::RepeatingCursor,
        "repeating-cursor",
        "list_accounts begins every page but the first with the last account of the page before",
    )
    .alone(),
    entry(
        Fault::EndlessCursor,
        "endless-cursor",
        "inspect_csv says `truncated: true` and gives a `next_cursor` also on the last page, and on empty ones after it",
    ),
    entry(
        Fault::LeakedSecret,
        "leaked-secret",
        "inspect_csv shows the request with which it fetched the file, and the bearer token in it",
    ),
    entry(
        Fault::PathEscape,
        "path-escape",
        "inspect_csv takes a key for a path and follows it out of the folder of uploads: `/etc/passwd` and \
         `../../../etc/passwd` are shown",
    ),
    entry(
        Fault::LostText,
        "lost-text",
        "log_expense stores and returns a merchant's letters outside ASCII damaged: `Café` becomes `CafÃ©`",
    ),
    entry(
        Fault::EchoNotStored,
        "echo-not-stored",
        "log_expense stores the first 5 characters of `merchant`, and returns it as it was sent",
    ),
    entry(
        Fault::DoubleWrite,
        "double-write",
        "log_expense stores another row for an `idempotency_key` that was used before, and returns it as new",
    ),
    entry(
        Fault::WritingReader,
        "writing-reader",
        "read_statement, which says that it only reads, stores a fee of 0.25 under Utilities for each slice",
    ),
    entry(
        Fault::OtherTenant,
        "other-tenant",
        "query_transactions answers a tenant with what another was answered to the same arguments",
    ),
    entry(
        Fault::ShuffledList,
        "shuffled-list",
        "tools/list begins with another tool each time, and nothing has changed",
    ),
    entry(
        Fault::RepeatingList,
        "repeating-list",
        "tools/list comes on two pages, and the second begins with the last tool of the first",
    )
    .alone(),
    entry(
        Fault::Banner,
        "banner",
        "the server writes a greeting to standard output before its first message",
    )
    .of_lines(),
    entry(
        Fault::LogLine,
        "log-line",
        "read_statement writes a line of its log to standard output before its answer",
    )
    .of_lines(),
    entry(
        Fault::InvalidUtf8,
        "invalid-utf8",
        "inspect_csv answers in Latin-1 where there is a letter outside ASCII, which is no valid UTF-8",
    )
    .of_lines(),
    entry(
        Fault::DoubleAnswer,
        "double-answer",
        "list_categories sends the answer to every call twice",
    )
    .of_lines(),
    entry(
        Fault::CrossedAnswers,
        "crossed-answers",
        "query_transactions swaps the answers of two calls that are made at once",
    )
    .of_lines(),
    entry(
        Fault::LostAnswer,
        "lost-answer",
        "list_accounts never answers a call that comes while another waits for its answer",
    )
    .alone()
    .of_lines(),
    entry(
        Fault::SerialCalls,
        "serial-calls",
        "inspect_csv takes one call at a time, and a fifth of a second for each, where several are made at once",
    )
    .of_lines(),
    entry(
        Fault::DeadAfterCancel,
        "dead-after-cancel",
        "the server answers nothing any more after a call was cancelled",
    )
    .alone()
    .of_lines(),
    entry(
        Fault::DeadAfterGarbage,
        "dead-after-garbage",
        "the server ends at a tools/call whose params or arguments are no object",
    )
    .alone()
    .of_lines(),
    entry(
        Fault::DeadAfterLarge,
        "dead-after-large",
        "the server ends at a request of more than 64 KiB",
    )
    .alone()
    .of_lines(),
];
