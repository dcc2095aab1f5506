//! `list_categories`: the names that a filter can have.

use frankly_contract::{Page, ToolDef, ToolError, ToolResult};
use serde_json::{Map, Value, json};

use super::{Tool, answer, definition};
use crate::args::Arguments;
use crate::ledger::Ledger;

pub(crate) struct ListCategories;

impl Tool for ListCategories {
    fn definition(&self) -> ToolDef {
        definition::reading(
            "list_categories",
            "Lists every category with its exact name and its number of transactions. Call it before \
             filtering by category; for amounts per category use run_sql. Takes no arguments: {}.",
            json!({}),
            &[],
        )
    }

    fn call(&self, ledger: &Ledger, arguments: &Map<String, Value>) -> Result<ToolResult, ToolError> {
        Arguments::check(&self.definition(), arguments)?;
        let categories = ledger.store.categories().map_err(answer::unreadable)?;
        answer::page(Page::all(categories))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_categories_are_there_and_the_answer_says_so() {
        let ledger = Ledger::new(crate::Faults::default()).unwrap();
        let answer = ListCategories.call(&ledger, &Map::new()).unwrap();
        let answer = answer.structured().unwrap();
        assert_eq!(answer["items"][0], json!({"name": "Dining", "transactions": 262}));
        assert_eq!((&answer["returned"], &answer["matched"]), (&json!(9), &json!(9)));
        assert_eq!((&answer["truncated"], answer.get("hint")), (&json!(false), None));
    }

    #[test]
    fn an_argument_is_refused() {
        let ledger = Ledger::new(crate::Faults::default()).unwrap();
        let arguments = Map::from_iter([("prefix".to_owned(), json!("D"))]);
        let error = ListCategories.call(&ledger, &arguments).unwrap_err().to_string();
        assert!(error.contains("no argument \"prefix\"") && error.contains("call it with {}"), "{error}");
    }
}
