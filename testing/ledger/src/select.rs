//! Runs a SELECT that a caller wrote: reading only, one statement, within bounds. What may not enter: advice
//! to the caller, which the tool `run_sql` gives.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, ErrorCode, Row, Rows};
use serde_json::{Map, Value, json};

use crate::store::Store;

/// The most rows that come back.
pub(crate) const MAX_ROWS: usize = 100;
/// The most bytes of JSON that come back, commas included, and the longest single value.
pub(crate) const MAX_BYTES: usize = 24_000;
/// The longest a query may run.
pub(crate) const MAX_TIME: Duration = Duration::from_secs(1);

const MAX_COLUMNS: i32 = 50;
/// The longest message of SQLite that is repeated, in characters.
const MAX_MESSAGE: usize = 200;
/// How many steps of SQLite's machine pass between two looks at the clock.
const STEPS: i32 = 1_000;

/// The first rows of a result, as objects by column name, and how many rows there are in all.
pub(crate) struct Selection {
    pub rows: Vec<Value>,
    pub total: u64,
}

/// Why there is no result.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SelectError {
    #[error("{0}")]
    Forbidden(String),
    #[error("{0}")]
    Invalid(String),
    #[error("{0}")]
    NoClock(String),
    #[error("two columns are both named `{0}`")]
    SameName(String),
    #[error("a parameter such as `?` stands for a value that cannot be passed")]
    Parameter,
    #[error("a single row is longer than {MAX_BYTES} bytes")]
    TooLong,
    #[error("the query was stopped after {} second", MAX_TIME.as_secs())]
    TooSlow,
}

impl From<Error> for SelectError {
    fn from(error: Error) -> Self {
        match (error.sqlite_error_code(), error) {
            (Some(ErrorCode::OperationInterrupted), _) => Self::TooSlow,
            (Some(ErrorCode::AuthorizationForStatementDenied), error) => Self::Forbidden(message(error)),
            (_, error) if is_denied_function(&error) => Self::NoClock(message(error)),
            (_, Error::MultipleStatement) => Self::Forbidden("there is more than one statement".to_owned()),
            (_, Error::Empty) => Self::Invalid("there is no statement".to_owned()),
            (_, error) => Self::Invalid(message(error)),
        }
    }
}

/// Bounds what one value, and one row, may take.
pub(crate) fn bound(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_BYTES as i32)?;
    connection.set_limit(Limit::SQLITE_LIMIT_COLUMN, MAX_COLUMNS)?;
    Ok(())
}

/// A connection on which, as long as this lives, only the one documented table can be read, and not for long.
struct Restricted<'a>(&'a mut Connection);

impl<'a> Restricted<'a> {
    fn new(connection: &'a mut Connection) -> rusqlite::Result<Self> {
        let started = Instant::now();
        let restricted = Self(connection);
        restricted.0.authorizer(Some(authorize))?;
        restricted.0.progress_handler(STEPS, Some(move || started.elapsed() > MAX_TIME))?;
        Ok(restricted)
    }
}

impl Drop for Restricted<'_> {
    fn drop(&mut self) {
        // Neither can fail on a connection that this program opened.
        let _ = self.0.authorizer(None::<fn(AuthContext<'_>) -> Authorization>);
        let _ = self.0.progress_handler(0, None::<fn() -> bool>);
    }
}

/// Functions that tell the time, or can: the ledger is the same at any time.
const CLOCKS: [&str; 10] = [
    "date", "time", "datetime", "julianday", "unixepoch", "strftime", "timediff", "current_date",
    "current_time", "current_timestamp",
];
/// How the names of tables begin that are SQLite's own, or are made up by its modules.
const NOT_DATA: [&str; 8] =
    ["sqlite_", "pragma_", "json_each", "json_tree", "jsonb_each", "jsonb_tree", "dbstat", "fts3tokenize"];

fn authorize(context: AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Select | AuthAction::Recursive => Authorization::Allow,
        AuthAction::Function { function_name } if !is_clock(function_name) => Authorization::Allow,
        // Without a column nothing is read: so SQLite asks about `COUNT(*)`, and then also about the names
        // of common table expressions.
        AuthAction::Read { table_name, column_name }
            if table_name == "transactions" || (column_name.is_empty() && !is_not_data(table_name)) =>
        {
            Authorization::Allow
        }
        _ => Authorization::Deny,
    }
}

fn is_clock(function: &str) -> bool {
    CLOCKS.iter().any(|clock| clock.eq_ignore_ascii_case(function))
}

fn is_not_data(table: &str) -> bool {
    let table = table.to_ascii_lowercase();
    NOT_DATA.iter().any(|start| table.starts_with(start))
}

/// Whether a function was refused, of which only those that tell the time are: SQLite has no code for it.
fn is_denied_function(error: &Error) -> bool {
    let Error::SqlInputError { msg, .. } = error else { return false };
    msg.starts_with("not authorized to use function")
}

impl Store {
    /// Runs one SELECT to its end: the total is true, however few rows come back.
    pub fn select(&self, sql: &str) -> Result<Selection, SelectError> {
        let mut books = self.books();
        run(Restricted::new(&mut books.connection)?.0, sql)
    }
}

fn run(connection: &Connection, sql: &str) -> Result<Selection, SelectError> {
    // SQLite would stop reading there, and drop the rest without a word.
    if sql.contains('\0') {
        return Err(SelectError::Invalid("there is a NUL character".to_owned()));
    }
    let mut statement = connection.prepare(sql)?;
    // A statement without columns may read only and yet be no SELECT, such as REINDEX without an index.
    if !statement.readonly() || statement.is_explain() != 0 || statement.column_count() == 0 {
        return Err(SelectError::Forbidden("it is not a SELECT".to_owned()));
    }
    if statement.parameter_count() > 0 {
        return Err(SelectError::Parameter);
    }
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut seen = BTreeSet::new();
    if let Some(twice) = names.iter().find(|name| !seen.insert(*name)) {
        return Err(SelectError::SameName(cut(twice)));
    }
    collect(&names, statement.query([])?)
}

/// Keeps what fits, and counts the rest: a second query for the count would be another run of `random()`,
/// and would have to wrap SQL text that may end in a semicolon or a comment.
fn collect(names: &[String], mut found: Rows<'_>) -> Result<Selection, SelectError> {
    let mut selection = Selection { rows: Vec::new(), total: 0 };
    let (mut bytes, mut full) = (0, false);
    while let Some(row) = found.next()? {
        selection.total += 1;
        if full {
            continue;
        }
        let object = object(names, row)?;
        bytes += object.to_string().len() + 1;
        full = bytes > MAX_BYTES;
        if !full {
            selection.rows.push(object);
            full = selection.rows.len() == MAX_ROWS;
        }
    }
    if selection.rows.is_empty() && selection.total > 0 {
        return Err(SelectError::TooLong);
    }
    Ok(selection)
}

fn object(names: &[String], row: &Row<'_>) -> rusqlite::Result<Value> {
    let members =
        names.iter().enumerate().map(|(column, name)| Ok((name.clone(), json_of(row.get_ref(column)?))));
    members.collect::<rusqlite::Result<Map<_, _>>>().map(Value::Object)
}

fn json_of(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(integer) => json!(integer),
        // JSON has no infinity, and null would read as no value.
        ValueRef::Real(real) if real.is_infinite() => {
            json!(if real > 0.0 { "Infinity" } else { "-Infinity" })
        }
        ValueRef::Real(real) => json!(real),
        ValueRef::Text(bytes) => std::str::from_utf8(bytes).map_or_else(|_| blob(bytes), |text| json!(text)),
        ValueRef::Blob(bytes) => blob(bytes),
    }
}

fn blob(bytes: &[u8]) -> Value {
    json!({ "blob_hex": bytes.iter().map(|byte| format!("{byte:02X}")).collect::<String>() })
}

/// In the words of SQLite, which repeat names from the statement as they are.
fn message(error: Error) -> String {
    match error {
        Error::SqlInputError { msg, .. } | Error::SqliteFailure(_, Some(msg)) => cut(&msg),
        other => cut(&other.to_string()),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_MESSAGE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(sql: &str) -> Result<Vec<Value>, SelectError> {
        Store::open().unwrap().select(sql).map(|selection| selection.rows)
    }

    fn refused(sql: &str) -> SelectError {
        rows(sql).expect_err(sql)
    }

    #[test]
    fn every_kind_of_value_keeps_its_meaning() {
        let sql = "SELECT NULL AS n, 9007199254740993 AS i, 2752.25 AS r, 9e999 AS inf, 'é\"' AS t,
                   x'00ff' AS b, CAST(x'ff' AS TEXT) AS broken; -- the end";
        let row = json!({
            "n": null, "i": 9007199254740993_i64, "r": 2752.25, "inf": "Infinity", "t": "é\"",
            "b": {"blob_hex": "00FF"}, "broken": {"blob_hex": "FF"},
        });
        assert_eq!(rows(sql), Ok(vec![row]));
    }

    #[test]
    fn all_of_select_is_allowed() {
        for sql in [
            "SELECT COUNT(*) AS n FROM transactions",
            "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 9) SELECT COUNT(*) AS n FROM c",
            "SELECT category, SUM(amount) AS total FROM transactions GROUP BY category HAVING total > 9 ORDER BY 2",
            "SELECT a.id, b.id AS other FROM transactions a JOIN transactions b ON a.id = b.id + 1 LIMIT 3",
            "SELECT id, RANK() OVER (ORDER BY amount) AS place FROM transactions LIMIT 3",
            "SELECT 1 AS n UNION SELECT 2",
            "VALUES (1), (2)",
            "WITH a AS (SELECT id FROM transactions), b AS (SELECT id FROM a) SELECT COUNT(*) AS n FROM b, Transactions",
            "SELECT substr(date, 1, 7) AS month, SUM(amount) AS total FROM transactions GROUP BY month",
        ] {
            assert!(rows(sql).is_ok_and(|rows| !rows.is_empty()), "{sql}");
        }
    }

    #[test]
    fn everything_else_is_forbidden_and_changes_nothing() {
        let store = Store::open().unwrap();
        for sql in [
            "INSERT INTO transactions VALUES (9999, '2025-01-01', 'Dining', 'x', 1.0)",
            "UPDATE transactions SET amount = 0",
            "DELETE FROM transactions",
            "DROP TABLE transactions",
            "CREATE TABLE t (x)",
            "CREATE TEMP VIEW v AS SELECT 1",
            "ATTACH ':memory:' AS other",
            "PRAGMA query_only = 0",
            "SELECT name FROM pragma_table_info('transactions')",
            "SELECT COUNT(*) AS n FROM pragma_table_info('transactions')",
            "SELECT sql FROM sqlite_schema",
            "SELECT COUNT(*) AS n FROM sqlite_schema",
            "SELECT 1 AS n FROM SQLITE_MASTER",
            "SELECT COUNT(*) AS n FROM sqlite_temp_schema",
            "SELECT value FROM json_each('[1]')",
            "SELECT COUNT(*) AS n FROM json_each('[1]')",
            "SELECT COUNT(*) AS n FROM json_tree('[1]')",
            "SELECT COUNT(*) AS n FROM transactions, json_each('[1]')",
            "EXPLAIN SELECT 1",
            "EXPLAIN QUERY PLAN SELECT 1",
            "BEGIN",
            "VACUUM",
            "REINDEX",
            "ANALYZE",
            "SELECT 1; SELECT 2",
            "SELECT 1; DELETE FROM transactions",
        ] {
            let refused = store.select(sql).map(|_| ()).expect_err(sql);
            assert!(matches!(refused, SelectError::Forbidden(_)), "{sql}: {refused:?}");
        }
        let whole = store.select("SELECT COUNT(*) AS n, SUM(amount) AS total FROM transactions").unwrap();
        let fresh = rows("SELECT COUNT(*) AS n, SUM(amount) AS total FROM transactions").unwrap();
        assert_eq!(whole.rows, fresh);
    }

    #[test]
    fn a_mistake_is_told_in_the_words_of_sqlite() {
        for (sql, said) in [
            ("SELECT amout FROM transactions", "no such column: amout"),
            ("SELECT * FROM expenses", "no such table: expenses"),
            ("SELEC 1", "near \"SELEC\": syntax error"),
            ("", "there is no statement"),
            (" -- nothing", "there is no statement"),
            ("SELECT 1\0; SELECT 2", "there is a NUL character"),
            ("SELECT zeroblob(100000)", "string or blob too big"),
            ("SELECT load_extension('x')", "not authorized"),
        ] {
            assert_eq!(refused(sql), SelectError::Invalid(said.to_owned()), "{sql}");
        }
        assert_eq!(refused("SELECT ?1"), SelectError::Parameter);
        assert_eq!(refused("SELECT id, id FROM transactions"), SelectError::SameName("id".to_owned()));
    }

    #[test]
    fn no_module_of_sqlite_is_a_table() {
        let store = Store::open().unwrap();
        let modules: Vec<String> = {
            let books = store.books();
            let mut statement = books.connection.prepare("SELECT name FROM pragma_module_list").unwrap();
            statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
        };
        // These come into being when they are named.
        let lazy =
            ["json_each", "json_tree", "jsonb_each", "jsonb_tree", "pragma_table_list"].map(str::to_owned);
        for module in modules.into_iter().chain(lazy) {
            for from in [module.clone(), format!("{module}('[1]')")] {
                let read = store.select(&format!("SELECT COUNT(*) AS n FROM {from}"));
                assert!(read.is_err(), "{from}");
            }
        }
    }

    #[test]
    fn nothing_tells_the_time() {
        for sql in [
            "SELECT datetime('now')",
            "SELECT DATE() AS today",
            "SELECT strftime('%s', 'no' || 'w') AS n",
            "SELECT unixepoch()",
            "SELECT julianday('subsec')",
            "SELECT timediff('now', '2025-01-01')",
            "SELECT CURRENT_TIMESTAMP",
            "SELECT current_date",
            "SELECT CURRENT_TIME AS t FROM transactions",
            "SELECT id FROM transactions WHERE date < date('now')",
        ] {
            assert!(matches!(refused(sql), SelectError::NoClock(_)), "{sql}: {:?}", refused(sql));
        }
    }

    #[test]
    fn a_cut_result_knows_its_total() {
        let store = Store::open().unwrap();
        let cut = store.select("SELECT * FROM transactions;").unwrap();
        assert_eq!((cut.rows.len(), cut.total), (MAX_ROWS, 703));
        let long = store.select("SELECT id, hex(zeroblob(5000)) AS zeros FROM transactions").unwrap();
        assert_eq!((long.rows.len(), long.total), (2, 703));
        let wide = "SELECT hex(zeroblob(10000)) AS a, hex(zeroblob(10000)) AS b";
        assert_eq!(refused(wide), SelectError::TooLong);
    }

    #[test]
    fn a_query_without_end_ends_and_the_next_one_runs() {
        let store = Store::open().unwrap();
        let endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c";
        assert_eq!(store.select(endless).map(|_| ()), Err(SelectError::TooSlow));
        assert_eq!(store.categories().unwrap().len(), 9);
    }

    #[test]
    fn many_statements_do_not_exhaust_the_stack() {
        let sql = "SELECT 1;".repeat(1_000);
        assert!(matches!(refused(&sql), SelectError::Forbidden(_)));
    }
}
