//! `list_accounts`: which accounts there are.

use std::sync::Arc;

use frankly_contract::{Answer, Cursor, Page, Tool, ToolDef, ToolError};
use serde::Deserialize;
use serde_json::json;

use super::answer;
use super::definition;
use crate::Fault;
use crate::accounts::{self, Account, Kind};
use crate::ledger::Given;

const DEFAULT_LIMIT: u64 = 10;
const MAX_LIMIT: u64 = 50;

#[derive(Debug, Default, Deserialize)]
struct Arguments {
    kind: Option<Kind>,
    limit: Option<u64>,
    cursor: Option<Cursor>,
}

pub(crate) fn tool(given: &Arc<Given>) -> Tool {
    definition::reads(definition::by_hand(definition(), given, answer))
}

fn definition() -> ToolDef {
    let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    definition::write(
        "list_accounts",
        "Lists the accounts, by id, as pages of rows with id, name, kind and balance in dollars at the end of 2025; \
         what is owed has a negative balance. Use it to see which accounts there are and what is in them; for \
         single payments use query_transactions, and for the bank's own account of a month read_statement. A page \
         that says truncated: true is only a part. Example: {\"kind\": \"savings\"}.",
        json!({
            "kind": {
                "type": "string", "enum": kinds,
                "description": "Only accounts of this kind, e.g. savings; all kinds if left out.",
                "examples": ["savings"]
            },
            "limit": definition::limit("Accounts", DEFAULT_LIMIT, MAX_LIMIT),
            "cursor": definition::cursor(DEFAULT_LIMIT)
        }),
        &[],
    )
}

fn answer(given: &Given, arguments: Arguments) -> Result<Answer, ToolError> {
    let limit = match arguments.limit {
        // The fault: whatever was asked for, all of it comes back.
        _ if given.faults.contains(Fault::LimitIgnored) => u64::MAX,
        limit => limit.unwrap_or(DEFAULT_LIMIT),
    };
    let kind = |account: &&Account| arguments.kind.is_none_or(|kind| account.kind == kind);
    let found: Vec<&Account> = accounts::ALL.iter().filter(kind).collect();
    let start = arguments.cursor.unwrap_or_default();
    let rows: Vec<&Account> = found
        .iter()
        .copied()
        .skip(usize::try_from(start.offset()).unwrap_or(usize::MAX))
        .take(usize::try_from(limit).unwrap_or(usize::MAX))
        .collect();
    let next = match rows.len() {
        0 => "leave `cursor` out for the first page".to_owned(),
        _ if limit < MAX_LIMIT => format!("raise `limit` (maximum {MAX_LIMIT})"),
        _ => String::new(),
    };
    answer::page(Page::new(rows, start, limit, || found.len() as u64, &next))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Patient;
    use serde_json::Value;

    const TOOL: &str = "list_accounts";

    fn ids(page: &Value) -> Vec<&str> {
        page["items"].as_array().unwrap().iter().map(|account| account["id"].as_str().unwrap()).collect()
    }

    #[test]
    fn the_first_page_is_a_part_and_the_next_one_is_the_rest() {
        let patient = Patient::honest();
        let first = patient.answer(TOOL, json!({}));
        assert_eq!((&first["returned"], &first["matched"]), (&json!(10), &json!(12)));
        assert!(
            first["hint"].as_str().unwrap().contains("raise `limit` (maximum 50), or follow next_cursor")
        );
        let rest = patient.answer(TOOL, json!({"cursor": first["next_cursor"]}));
        assert_eq!(ids(&rest), ["acc-11", "acc-12"]);
        let all = patient.answer(TOOL, json!({"limit": 12}));
        assert_eq!((ids(&all).len(), &all["truncated"]), (12, &json!(false)));
    }

    #[test]
    fn a_kind_is_one_of_those_that_are_listed() {
        let savings = Patient::honest().answer(TOOL, json!({"kind": "savings", "limit": 2}));
        assert_eq!((ids(&savings), &savings["matched"]), (vec!["acc-03", "acc-04"], &json!(3)));
        let error = Patient::honest().refusal(TOOL, json!({"kind": "saving"})).to_string();
        assert!(error.starts_with("INVALID_ARGS: ") && error.contains("savings"), "{error}");
    }

    #[test]
    fn a_cursor_past_the_end_leads_back() {
        let past = Patient::honest().answer(TOOL, json!({"cursor": "row-12"}));
        assert!(
            past["hint"].as_str().unwrap().ends_with("Next: leave `cursor` out for the first page."),
            "{past}"
        );
    }

    #[test]
    fn with_the_fault_a_limit_changes_nothing() {
        let patient = Patient::with(&[Fault::LimitIgnored]);
        for arguments in [json!({}), json!({"limit": 1}), json!({"limit": 50})] {
            let page = patient.answer(TOOL, arguments);
            assert_eq!((&page["returned"], &page["matched"]), (&json!(12), &json!(12)));
            assert_eq!((&page["truncated"], page.get("next_cursor")), (&json!(false), None));
        }
        assert_eq!(ids(&patient.answer(TOOL, json!({"kind": "loan", "limit": 1}))), ["acc-11", "acc-12"]);
    }
}
