//! The ledger as a set of tools. What may not enter: a protocol.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use frankly_contract::{BoxFuture, CallError, ToolCall, ToolDef, ToolResult, Tools};

use crate::store::Store;
use crate::tools;
use crate::{Faults, ServeError};

/// The data and the faults that every tool is given.
pub(crate) struct Given {
    pub store: Store,
    pub faults: Faults,
    /// How often a list was answered whose order a fault changes.
    pub turns: AtomicUsize,
}

/// The tools of a ledger of its own, in process. What is written into it is gone with it.
///
/// A call may take a second, and keeps the thread that polls it until it is done.
///
/// ```
/// use frankly_contract::{ToolCall, Tools};
/// use frankly_ledger::{Faults, Ledger};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let ledger = Ledger::new(Faults::default())?;
/// let result = ledger.call(ToolCall::new("list_accounts", Default::default())).await?;
/// assert_eq!(result.structured().map(|page| &page["matched"]), Some(&12.into()));
/// # Ok(())
/// # }
/// ```
pub struct Ledger(Box<dyn Tools>);

impl Ledger {
    /// A new ledger with these faults.
    ///
    /// # Errors
    ///
    /// [`ServeError::Ledger`] when SQLite cannot hold it.
    pub fn new(faults: Faults) -> Result<Self, ServeError> {
        Self::build(faults).map(Self).map_err(ServeError::Ledger)
    }

    fn build(faults: Faults) -> Result<Box<dyn Tools>, Box<dyn Error + Send + Sync>> {
        let given = Given { store: Store::open()?, faults, turns: AtomicUsize::new(0) };
        Ok(Box::new(tools::over(&Arc::new(given))?))
    }
}

impl Tools for Ledger {
    fn list(&self) -> BoxFuture<'_, Result<Vec<ToolDef>, CallError>> {
        self.0.list()
    }

    fn call(&self, call: ToolCall) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        self.0.call(call)
    }
}

#[cfg(test)]
mod tests {
    use crate::Fault;
    use crate::testing::Patient;

    #[test]
    fn the_readme_names_the_tools_in_their_order() {
        let readme = include_str!("../README.md");
        let definitions = Patient::honest().definitions();
        let places = definitions.iter().map(|tool| readme.find(&format!("- `{}` (", tool.name())).unwrap());
        assert!(places.is_sorted());
    }

    #[test]
    fn every_definition_is_closed_and_has_all_its_hints() {
        for tool in Patient::honest().definitions() {
            let schema = tool.input_schema().unwrap();
            assert_eq!(schema["additionalProperties"], false, "{}", tool.name());
            for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
                assert!(tool.annotation(hint).is_some(), "{} lacks {hint}", tool.name());
            }
            let writes = ["import_csv", "log_expense"].contains(&tool.name());
            assert_eq!(tool.annotation("readOnlyHint"), Some(!writes), "{}", tool.name());
            assert_eq!(tool.annotation("idempotentHint"), Some(tool.name() != "log_expense"));
            assert!(
                tool.description().contains("xample: {") || tool.parameters().count() == 0,
                "{}",
                tool.name()
            );
            for (name, parameter) in tool.parameters() {
                let about = parameter["description"].as_str().unwrap_or_default();
                assert!(about.contains("e.g.") || about.contains("E.g."), "{} {name}: {about}", tool.name());
                assert!(parameter["type"].is_string(), "{} {name} can be null", tool.name());
                for example in parameter["examples"].as_array().unwrap() {
                    let example = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
                    assert!(
                        about.contains(&example),
                        "{} {name}: {example} is not in {about:?}",
                        tool.name()
                    );
                }
            }
        }
    }

    #[test]
    fn prose_and_schema_agree_on_every_bound() {
        for tool in Patient::honest().definitions() {
            for (name, parameter) in tool.parameters() {
                let about = parameter["description"].as_str().unwrap();
                for bound in ["minimum", "maximum", "maxLength", "default"] {
                    let Some(value) = parameter.get(bound) else { continue };
                    let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    let value = value.trim_end_matches(".0");
                    assert!(
                        about.contains(value),
                        "{} {name}: {bound} {value} is not in {about:?}",
                        tool.name()
                    );
                }
            }
        }
    }

    #[test]
    fn a_fault_changes_the_definition_of_no_other_tool() {
        let honest = Patient::honest().definitions();
        for fault in Fault::ALL {
            let lying = Patient::with(&[*fault]).definitions();
            let changed: Vec<&str> =
                honest.iter().zip(&lying).filter(|(a, b)| a != b).map(|(tool, _)| tool.name()).collect();
            let expected: &[&str] = match fault {
                Fault::OptionalEverything => &["log_expense"],
                Fault::CappedSqlWithoutWayOn => &["run_sql"],
                Fault::BlankFilter | Fault::UndeclaredBound => &["list_accounts"],
                Fault::IdsWithoutNames => &["query_transactions"],
                _ => &[],
            };
            assert_eq!(changed, expected, "{}", fault.name());
        }
    }
}
