//! The ledger as a set of tools. What may not enter: a protocol.

use frankly_contract::{ToolDef, ToolResult};
use serde_json::{Map, Value};

use crate::Faults;
use crate::store::Store;
use crate::tools::{self, Tool};

/// The data and the faults that every tool is given.
pub(crate) struct Ledger {
    pub store: Store,
    pub faults: Faults,
}

impl Ledger {
    pub fn new(faults: Faults) -> rusqlite::Result<Self> {
        Ok(Self { store: Store::open()?, faults })
    }

    /// The answer of a tool, which may be an error for the agent to read.
    pub fn call(&self, tool: &dyn Tool, arguments: &Map<String, Value>) -> ToolResult {
        tool.call(self, arguments).unwrap_or_else(ToolResult::from)
    }
}

/// The definitions in the order in which they are listed.
pub(crate) fn definitions() -> impl Iterator<Item = ToolDef> {
    tools::ALL.iter().map(|tool| tool.definition())
}

/// The tool of this name.
pub(crate) fn tool(name: &str) -> Option<&'static dyn Tool> {
    tools::ALL.iter().copied().find(|tool| tool.definition().name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_names_the_tools_in_their_order() {
        let readme = include_str!("../README.md");
        let places = definitions().map(|tool| readme.find(&format!("`{}` (", tool.name())).unwrap());
        assert!(places.is_sorted());
    }
}
