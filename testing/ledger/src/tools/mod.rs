//! What the ledger offers to an agent: one file per tool, with its definition and its code. What may not
//! enter: SQL against the ledger's own tables (see `store`), and the protocol.

mod answer;
mod definition;
mod list_categories;
mod query_transactions;
mod run_sql;

use frankly_contract::{ToolDef, ToolError, ToolResult};
use serde_json::{Map, Value};

use crate::ledger::Ledger;

/// A tool: what it says about itself, and what it does.
pub(crate) trait Tool: Sync {
    /// What an agent reads before it calls.
    fn definition(&self) -> ToolDef;

    /// Answers one call; the arguments are as they were sent.
    fn call(&self, ledger: &Ledger, arguments: &Map<String, Value>) -> Result<ToolResult, ToolError>;
}

/// Every tool, in the order in which they are listed.
pub(crate) static ALL: &[&dyn Tool] =
    &[&query_transactions::QueryTransactions, &list_categories::ListCategories, &run_sql::RunSql];
