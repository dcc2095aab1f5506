//! What the ledger offers to an agent: one file per tool, with its definition and its code. What may not
//! enter: SQL against the ledger's own tables (see `store`), and the protocol.

mod answer;
mod definition;
mod files;
mod import_csv;
mod inspect_csv;
mod list_accounts;
mod list_categories;
mod log_expense;
mod query_transactions;
mod read_statement;
mod run_sql;

use std::sync::Arc;

use frankly_contract::{InvalidTool, Registry, Tool};

use crate::ledger::Given;

pub(crate) use inspect_csv::Throwing;

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

/// The tools over what they are given.
pub(crate) fn registry(given: &Arc<Given>) -> Result<Registry, InvalidTool> {
    let mut registry = Registry::new();
    for make in ALL {
        registry.add(make(given))?;
    }
    Ok(registry)
}
