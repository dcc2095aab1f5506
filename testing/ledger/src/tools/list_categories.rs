//! `list_categories`: the names that a filter can have.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use frankly_contract::{Answer, NoArguments, Page, Tool, ToolDef, ToolError};
use serde::Serialize;
use serde_json::json;

use super::answer;
use super::definition;
use crate::Fault;
use crate::ledger::Given;
use crate::store::{Category, Filter, Store, Transaction};

pub(crate) fn tool(given: &Arc<Given>) -> Tool {
    definition::reads(definition::by_hand(definition(), given, answer))
}

fn definition() -> ToolDef {
    definition::write(
        "list_categories",
        "Lists every category with its exact name and its number of transactions. Call it before filtering by \
         category; for amounts per category use run_sql. Takes no arguments: {}.",
        json!({}),
        &[],
    )
}

fn answer(given: &Given, _: NoArguments) -> Result<Answer, ToolError> {
    let mut categories = given.store.categories().map_err(answer::unreadable)?;
    if given.faults.contains(Fault::UnstableOrder) && !categories.is_empty() {
        // The fault: the order of something that has none, such as a set.
        let turn = given.turns.fetch_add(1, Ordering::Relaxed) % categories.len();
        categories.rotate_left(turn);
    }
    if given.faults.contains(Fault::UnboundedDump) {
        return dump(&given.store, categories);
    }
    // Those that the budget leaves out are still found: SQL lists names too.
    let next = "list the others with run_sql: SELECT DISTINCT category FROM transactions ORDER BY category";
    let count = categories.len() as u64;
    answer::page(Page::new(categories, Default::default(), count, || count, next).without_cursor())
}

/// A category as the fault shows it.
#[derive(Serialize)]
struct Dumped {
    #[serde(flatten)]
    category: Category,
    rows: Vec<Transaction>,
}

/// The fault: everything there is, written to be looked at by people, however long.
fn dump(store: &Store, categories: Vec<Category>) -> Result<Answer, ToolError> {
    let dumped = categories.into_iter().map(|category| {
        let filter = Filter { category: Some(category.name.clone()), ..Filter::default() };
        store.transactions(&filter, Default::default(), u64::MAX).map(|rows| Dumped { category, rows })
    });
    let dumped = dumped.collect::<Result<Vec<_>, _>>().map_err(answer::unreadable)?;
    serde_json::to_string_pretty(&Page::all(dumped)).map(Answer::text).map_err(answer::unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Patient;
    use serde_json::Value;

    #[test]
    fn all_categories_are_there_and_the_answer_says_so() {
        let answer = Patient::honest().answer("list_categories", json!({}));
        assert_eq!(answer["items"][0], json!({"name": "Dining", "transactions": 262}));
        assert_eq!((&answer["returned"], &answer["matched"]), (&json!(9), &json!(9)));
        assert_eq!((&answer["truncated"], answer.get("hint")), (&json!(false), None));
    }

    #[test]
    fn an_argument_is_refused() {
        let error = Patient::honest().refusal("list_categories", json!({"prefix": "D"})).to_string();
        assert!(error.starts_with("INVALID_ARGS: ") && error.contains("prefix"), "{error}");
    }

    #[test]
    fn more_categories_than_fit_are_said_to_be_there() {
        let patient = Patient::honest();
        for number in 0..280 {
            patient.answer("log_expense", json!({"amount": 1, "category": format!("{number:x>60}")}));
        }
        let result = patient.call("list_categories", json!({})).unwrap();
        let page = result.structured().unwrap();
        assert_eq!((&page["matched"], &page["truncated"]), (&json!(289), &json!(true)));
        assert!(page["hint"].as_str().unwrap().contains("SELECT DISTINCT category"), "{page}");
        assert!(result.texts().all(|(_, text)| text.len() <= answer::BUDGET));
    }

    #[test]
    fn with_the_fault_everything_comes_at_once() {
        let result = Patient::with(&[Fault::UnboundedDump]).call("list_categories", json!({})).unwrap();
        assert_eq!(result.structured(), None);
        let (_, text) = result.texts().next().unwrap();
        assert!(text.len() > 100_000 && text.starts_with("{\n  "), "{}", text.len());
        let dumped: Value = serde_json::from_str(text).unwrap();
        let rows =
            dumped["items"].as_array().unwrap().iter().map(|item| item["rows"].as_array().unwrap().len());
        assert_eq!(rows.sum::<usize>(), 703);
    }
}
