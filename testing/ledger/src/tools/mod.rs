//! What the ledger offers to an agent: one file per tool, with its definition and its code. What may not
//! enter: SQL against the ledger's own tables (see `store`), and the protocol.

mod answer;
mod definition;
mod files;
mod import_csv;
mod inspect_csv;
mod lie;
mod list_accounts;
mod list_categories;
mod log_expense;
mod query_transactions;
mod read_statement;
mod run_sql;

use std::sync::Arc;

use frankly_contract::{InvalidTool, Registry, Tool};
use lie::{Lie, Lying};

use crate::ledger::Given;

/// How a tool is made, with what it is given.
type Make = fn(&Arc<Given>) -> Tool;

/// Every tool, in the order in which they are listed.
static ALL: &[Make] = &[
    query_transactions::tool,
    list_categories::tool,
    run_sql::tool,
    list_accounts::tool,
    read_statement::tool,
    inspect_csv::tool,
    import_csv::tool,
    log_expense::tool,
];

/// The lies that are told around each tool.
static LIES: &[(&str, &[Lie])] = &[
    (query_transactions::NAME, query_transactions::LIES),
    (run_sql::NAME, run_sql::LIES),
    (list_accounts::NAME, list_accounts::LIES),
    (read_statement::NAME, read_statement::LIES),
    (inspect_csv::NAME, inspect_csv::LIES),
    (import_csv::NAME, import_csv::LIES),
    (log_expense::NAME, log_expense::LIES),
];

/// The tools over what they are given, with the lies that it switches on.
pub(crate) fn over(given: &Arc<Given>) -> Result<Lying<Registry>, InvalidTool> {
    let mut registry = Registry::new();
    for make in ALL {
        registry.add(make(given))?;
    }
    Ok(Lying::new(registry, LIES, &given.faults))
}
