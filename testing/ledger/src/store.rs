//! The ledger in an in-memory SQLite, and the fixed questions the tools ask it. What may not enter: SQL that
//! a caller wrote (see `select`), and what a tool says about an answer.

mod write;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use frankly_contract::Cursor;
use rusqlite::{Connection, Row, params};
use serde::Serialize;

pub(crate) use write::{Expense, Import, Imported, Logged, Outcome, Skipped};

use crate::{data, select};

/// One row of the ledger.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Transaction {
    pub id: i64,
    date: String,
    pub category: String,
    pub merchant: String,
    amount: f64,
}

/// A category and how many transactions it has.
#[derive(Debug, Serialize)]
pub(crate) struct Category {
    pub name: String,
    transactions: u32,
}

/// Which transactions are meant; dates are inclusive.
#[derive(Debug, Default)]
pub(crate) struct Filter {
    pub category: Option<String>,
    pub from: Option<String>,
    pub to: Option<String>,
}

pub(crate) struct Store(Mutex<Books>);

/// All that changes, under one lock.
pub(crate) struct Books {
    pub connection: Connection,
    /// What was logged under each idempotency key, and what came of it.
    logged: BTreeMap<String, (Expense, Logged)>,
    /// What came of each imported file.
    imported: BTreeMap<String, Imported>,
}

const MATCHES: &str =
    "(?1 IS NULL OR category = ?1) AND (?2 IS NULL OR date >= ?2) AND (?3 IS NULL OR date <= ?3)";

impl Store {
    /// A new ledger.
    pub fn open() -> rusqlite::Result<Self> {
        let mut connection = Connection::open_in_memory()?;
        data::build(&mut connection)?;
        select::bound(&mut connection)?;
        Ok(Self(Mutex::new(Books { connection, logged: BTreeMap::new(), imported: BTreeMap::new() })))
    }

    /// The books. A panic while they were held leaves nothing half-written, since SQLite takes back a
    /// transaction that was not committed.
    pub fn books(&self) -> MutexGuard<'_, Books> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// At most `limit` of the matching transactions from `start` on, the oldest first.
    pub fn transactions(
        &self,
        filter: &Filter,
        start: Cursor,
        limit: u64,
    ) -> rusqlite::Result<Vec<Transaction>> {
        let books = self.books();
        let mut statement = books.connection.prepare(&format!(
            "SELECT id, date, category, merchant, amount FROM transactions
             WHERE {MATCHES} ORDER BY date, id LIMIT ?4 OFFSET ?5"
        ))?;
        let Filter { category, from, to } = filter;
        let rows =
            statement.query_map(params![category, from, to, sql(limit), sql(start.offset())], transaction)?;
        rows.collect()
    }

    /// How many transactions match.
    pub fn count(&self, filter: &Filter) -> rusqlite::Result<u64> {
        let Filter { category, from, to } = filter;
        self.books()
            .connection
            .query_row(
                &format!("SELECT COUNT(*) FROM transactions WHERE {MATCHES}"),
                params![category, from, to],
                |row| row.get::<_, u32>(0),
            )
            .map(u64::from)
    }

    /// Every category by name.
    pub fn categories(&self) -> rusqlite::Result<Vec<Category>> {
        self.books().categories()
    }

    /// The first and the last date in the ledger.
    pub fn span(&self) -> rusqlite::Result<(String, String)> {
        let sql = "SELECT MIN(date), MAX(date) FROM transactions";
        self.books().connection.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
    }
}

impl Books {
    fn categories(&self) -> rusqlite::Result<Vec<Category>> {
        let sql = "SELECT category, COUNT(*) FROM transactions GROUP BY category ORDER BY category";
        let mut statement = self.connection.prepare(sql)?;
        let rows =
            statement.query_map([], |row| Ok(Category { name: row.get(0)?, transactions: row.get(1)? }))?;
        rows.collect()
    }
}

fn transaction(row: &Row<'_>) -> rusqlite::Result<Transaction> {
    Ok(Transaction {
        id: row.get(0)?,
        date: row.get(1)?,
        category: row.get(2)?,
        merchant: row.get(3)?,
        amount: row.get(4)?,
    })
}

/// SQLite counts rows in `i64`; a row beyond that is past any end.
fn sql(rows: u64) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}
