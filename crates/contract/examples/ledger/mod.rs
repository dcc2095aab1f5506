//! The ledger that both examples read: 262 rows of Dining and 12 of Rent.

use serde::Serialize;

/// One row.
#[derive(Debug, Clone, Serialize)]
pub struct Transaction {
    /// From 1 on.
    pub id: u32,
    /// Exact, case included.
    pub category: &'static str,
    /// In cents.
    pub cents: u32,
}

/// Every row of one category, by id.
pub fn transactions(category: &str) -> Vec<Transaction> {
    let all = (1..=274).map(|id| {
        let rent = id % 23 == 0 || id == 274;
        let (category, cents) = if rent { ("Rent", 145_000) } else { ("Dining", 500 + id * 7 % 1_000) };
        Transaction { id, category, cents }
    });
    all.filter(|row| row.category == category).collect()
}

/// The folder with exported files.
pub const EXPORTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/exports");
