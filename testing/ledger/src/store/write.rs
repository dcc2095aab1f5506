//! What changes the ledger. What may not enter: whether an expense makes sense, which the tools judge, and what
//! they say about what came of it.

use rusqlite::{Connection, params};
use serde::Serialize;

use super::{Books, Store, Transaction, transaction};

/// An expense to be stored, as it will be stored.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Expense {
    pub date: String,
    pub category: String,
    pub merchant: String,
    /// In dollars, in whole cents.
    pub amount: f64,
}

/// An expense that was stored, read back.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Logged {
    pub stored: Transaction,
    /// The categories there were before, if none of them was the expense's own.
    pub created_beside: Option<Vec<String>>,
}

/// What came of logging an expense.
#[derive(Debug, PartialEq)]
pub(crate) enum Outcome {
    /// It was stored.
    Stored(Logged),
    /// The same expense had been stored under the same key before; this is what came of it then.
    Repeated(Logged),
    /// Another expense has been stored under this key, and this one has not.
    KeyTaken(Logged),
}

/// What came of importing a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Import {
    /// Its rows were stored.
    Stored,
    /// The file had been imported before, and this is what came of it then; nothing was stored.
    Repeated(Imported),
}

/// A file that was imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Imported {
    /// How many of its rows were stored.
    pub rows: usize,
    /// Those that were not.
    pub skipped: Vec<Skipped>,
}

/// A row of a file that was not stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Skipped {
    /// Counted from 1 below the header.
    pub row: usize,
    pub reason: String,
}

impl Store {
    /// Stores an expense, once per key.
    pub fn log(&self, expense: Expense, key: Option<&str>) -> rusqlite::Result<Outcome> {
        let mut books = self.books();
        if let Some((first, logged)) = key.and_then(|key| books.logged.get(key)) {
            let logged = logged.clone();
            let repeated = *first == expense;
            return Ok(if repeated { Outcome::Repeated(logged) } else { Outcome::KeyTaken(logged) });
        }
        let logged = books.store(&expense)?;
        if let Some(key) = key {
            books.logged.insert(key.to_owned(), (expense, logged.clone()));
        }
        Ok(Outcome::Stored(logged))
    }

    /// Stores the rows of a file, all or none, once per file.
    pub fn import(&self, file: &str, rows: &[Expense], skipped: &[Skipped]) -> rusqlite::Result<Import> {
        let mut books = self.books();
        if let Some(imported) = books.imported.get(file) {
            return Ok(Import::Repeated(imported.clone()));
        }
        let transaction = books.connection.transaction()?;
        for row in rows {
            insert(&transaction, row)?;
        }
        transaction.commit()?;
        let imported = Imported { rows: rows.len(), skipped: skipped.to_vec() };
        books.imported.insert(file.to_owned(), imported);
        Ok(Import::Stored)
    }
}

impl Books {
    fn store(&self, expense: &Expense) -> rusqlite::Result<Logged> {
        let before: Vec<String> = self.categories()?.into_iter().map(|category| category.name).collect();
        let created = !before.contains(&expense.category);
        let stored = insert(&self.connection, expense)?;
        Ok(Logged { stored, created_beside: created.then_some(before) })
    }
}

fn insert(connection: &Connection, expense: &Expense) -> rusqlite::Result<Transaction> {
    let Expense { date, category, merchant, amount } = expense;
    connection.query_row(
        "INSERT INTO transactions (date, category, merchant, amount) VALUES (?1, ?2, ?3, ?4)
         RETURNING id, date, category, merchant, amount",
        params![date, category, merchant, amount],
        transaction,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Filter;

    fn expense(category: &str, amount: f64) -> Expense {
        let (date, merchant) = ("2025-12-31".to_owned(), "Tea Room".to_owned());
        Expense { date, category: category.to_owned(), merchant, amount }
    }

    fn rows(store: &Store) -> u64 {
        store.count(&Filter::default()).unwrap()
    }

    #[test]
    fn a_key_has_one_effect_and_belongs_to_one_expense() {
        let store = Store::open().unwrap();
        let Outcome::Stored(first) = store.log(expense("Dining", 3.0), Some("k")).unwrap() else { panic!() };
        assert_eq!(first.created_beside, None);
        assert_eq!(store.log(expense("Dining", 3.0), Some("k")).unwrap(), Outcome::Repeated(first.clone()));
        assert_eq!(store.log(expense("Dining", 4.0), Some("k")).unwrap(), Outcome::KeyTaken(first.clone()));
        assert_eq!(rows(&store), 704);
        for key in [Some("other"), None, None] {
            assert!(matches!(store.log(expense("Dining", 3.0), key).unwrap(), Outcome::Stored(_)));
        }
        assert_eq!(rows(&store), 707);
    }

    #[test]
    fn a_category_is_created_once() {
        let store = Store::open().unwrap();
        for created in [true, false] {
            let Outcome::Stored(logged) = store.log(expense("Grocery", 3.0), None).unwrap() else { panic!() };
            assert_eq!(logged.created_beside.is_some(), created);
        }
        assert_eq!(store.categories().unwrap().len(), 10);
    }

    #[test]
    fn a_file_is_imported_once_and_whole() {
        let store = Store::open().unwrap();
        let rows_of_file = [expense("Dining", 1.0), expense("Rent", 2.0)];
        let skipped = vec![Skipped { row: 2, reason: "r".to_owned() }];
        assert_eq!(store.import("a.csv", &rows_of_file, &skipped).unwrap(), Import::Stored);
        let before = Import::Repeated(Imported { rows: 2, skipped });
        assert_eq!(store.import("a.csv", &rows_of_file, &[]).unwrap(), before);
        assert_eq!(store.import("b.csv", &[], &[]).unwrap(), Import::Stored);
        assert_eq!(rows(&store), 705);
    }

    #[test]
    fn a_caller_that_may_only_read_does_not_keep_others_from_writing() {
        let store = Store::open().unwrap();
        assert!(store.select("DELETE FROM transactions").is_err());
        assert!(matches!(store.log(expense("Dining", 3.0), None), Ok(Outcome::Stored(_))));
        assert!(store.select("DELETE FROM transactions").is_err());
        assert_eq!(rows(&store), 704);
    }
}
