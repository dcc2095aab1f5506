//! One ledger for each tenant, none of which sees what another wrote. What may not enter: how a tenant is named on
//! the wire.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use frankly_contract::{CallError, ToolCall, ToolDef, ToolResult, Tools};

use crate::{Fault, Faults, Ledger, ServeError};

/// The tenant of calls that name none.
const NOBODY: &str = "";
/// The most tenants: each has a database in memory.
const MOST: usize = 100;
/// JSON-RPC's code for parameters that are not taken.
const INVALID_PARAMS: i64 = -32602;
/// Whose answers the fault mixes up, and which tools may change what they would be.
const READER: &str = "query_transactions";
const WRITERS: [&str; 3] = ["import_csv", "log_expense", "read_statement"];

type Outcome = Result<ToolResult, CallError>;

/// The ledgers of all tenants.
pub(crate) struct Tenants {
    faults: Faults,
    ledgers: Mutex<BTreeMap<String, Arc<Ledger>>>,
    /// The fault: what was answered, by the arguments alone, until a tenant writes.
    remembered: Mutex<BTreeMap<String, (String, Outcome)>>,
}

impl Tenants {
    /// The ledger of those who name no tenant.
    pub fn new(faults: Faults) -> Result<Self, ServeError> {
        let first = Arc::new(Ledger::new(faults.clone())?);
        let ledgers = Mutex::new(BTreeMap::from([(NOBODY.to_owned(), first)]));
        Ok(Self { faults, ledgers, remembered: Mutex::default() })
    }

    /// The tools, which are the same for all.
    pub async fn list(&self) -> Result<Vec<ToolDef>, CallError> {
        self.ledger(NOBODY)?.list().await
    }

    /// A call as this tenant.
    pub async fn call(&self, tenant: Option<&str>, call: ToolCall) -> Outcome {
        let tenant = tenant.unwrap_or(NOBODY);
        let ledger = self.ledger(tenant)?;
        if !self.faults.contains(Fault::OtherTenant) {
            return ledger.call(call).await;
        }
        if WRITERS.contains(&&*call.name) {
            // What this tenant was answered may be no longer so.
            lock(&self.remembered).retain(|_, (of, _)| of != tenant);
        }
        let key = (call.name == READER).then(|| serde_json::json!(call.arguments).to_string());
        let known = key.as_ref().and_then(|key| lock(&self.remembered).get(key).cloned());
        if let Some((_, outcome)) = known {
            return outcome;
        }
        let outcome = ledger.call(call).await;
        if let Some(key) = key {
            lock(&self.remembered).insert(key, (tenant.to_owned(), outcome.clone()));
        }
        outcome
    }

    fn ledger(&self, tenant: &str) -> Result<Arc<Ledger>, CallError> {
        let mut ledgers = lock(&self.ledgers);
        if let Some(ledger) = ledgers.get(tenant) {
            return Ok(Arc::clone(ledger));
        }
        let refused = |message| CallError::Protocol { code: INVALID_PARAMS, message, data: None };
        if ledgers.len() > MOST {
            return Err(refused(format!("there are {MOST} tenants already; call as one of them")));
        }
        let ledger = Ledger::new(self.faults.clone()).map_err(|error| refused(error.to_string()))?;
        let ledger = Arc::new(ledger);
        ledgers.insert(tenant.to_owned(), Arc::clone(&ledger));
        Ok(ledger)
    }
}

/// What is under a lock is whole at any time.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn call(tenants: &Tenants, tenant: &str, tool: &str, arguments: Value) -> Value {
        let call = ToolCall::new(tool, arguments.as_object().unwrap().clone());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(tenants.call(Some(tenant), call)).unwrap().structured().unwrap().clone()
    }

    /// How many teas each of two tenants sees, of which the first has logged one.
    fn teas(tenants: &Tenants) -> [Value; 2] {
        call(tenants, "a", "log_expense", json!({"amount": 3, "category": "Tea"}));
        ["a", "b"].map(|tenant| call(tenants, tenant, READER, json!({"category": "Tea"}))["matched"].clone())
    }

    #[test]
    fn a_tenant_sees_nothing_of_another() {
        assert_eq!(teas(&Tenants::new(Faults::default()).unwrap()), [1, 0]);
    }

    #[test]
    fn with_the_fault_it_sees_what_another_was_answered() {
        let tenants = Tenants::new(Faults::from_iter([Fault::OtherTenant])).unwrap();
        assert_eq!(teas(&tenants), [1, 1]);
        // To one tenant alone nothing is wrong.
        assert_eq!(teas(&tenants), [2, 2]);
    }

    #[test]
    fn there_are_no_more_tenants_than_memory() {
        let tenants = Tenants::new(Faults::default()).unwrap();
        for number in 0..MOST {
            assert!(tenants.ledger(&number.to_string()).is_ok());
        }
        let Err(CallError::Protocol { message, .. }) = tenants.ledger("one more") else { panic!() };
        assert!(message.contains("100 tenants"), "{message}");
        assert!(tenants.ledger("7").is_ok());
    }
}
