//! `list_accounts`: which accounts there are.

use std::sync::Arc;

use frankly_contract::{Answer, Code, Cursor, Page, Tool, ToolDef, ToolError, shown};
use serde::Deserialize;
use serde_json::{Value, json};

use super::answer;
use super::definition;
use super::log_expense::MAX_NAME;
use crate::Fault;
use crate::accounts::{self, Account, Kind};
use crate::ledger::Given;

pub(super) use lies::LIES;

mod lies;

const DEFAULT_LIMIT: u64 = 10;
const MAX_LIMIT: u64 = 50;
pub(super) const NAME: &str = "list_accounts";

#[derive(Debug, Default, Deserialize)]
struct Arguments {
    kind: Option<Kind>,
    name: Option<String>,
    limit: Option<u64>,
    cursor: Option<Cursor>,
}

pub(crate) fn tool(given: &Arc<Given>) -> Tool {
    let has = |fault| given.faults.contains(fault);
    let definition = definition(has(Fault::BlankFilter), has(Fault::UndeclaredBound));
    definition::reads(definition::by_hand(definition, given, answer))
}

/// The definition. With one fault it admits a name that is blank; with the other it says not how long one may be.
fn definition(admits_blank: bool, undeclared: bool) -> ToolDef {
    let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    definition::write(
        NAME,
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
            "name": name(u8::from(!admits_blank), undeclared),
            "limit": definition::limit("Accounts", DEFAULT_LIMIT, MAX_LIMIT),
            "cursor": definition::cursor(DEFAULT_LIMIT)
        }),
        &[],
    )
}

fn name(shortest: u8, undeclared: bool) -> Value {
    let bounds = if undeclared { String::new() } else { format!("; {shortest} to {MAX_NAME} characters") };
    let mut name = json!({
        "type": "string",
        "description": format!(
            "Only accounts with these words in their name, case ignored, e.g. roof{bounds}; all names if left out."
        ),
        "examples": ["roof"]
    });
    if !undeclared {
        name["minLength"] = json!(shortest);
        name["maxLength"] = json!(MAX_NAME);
    }
    name
}

/// What the schema says already, unless a fault is on.
fn bounded(given: &Given, name: &str) -> Result<(), ToolError> {
    let admits_blank = given.faults.contains(Fault::BlankFilter);
    if name.chars().count() <= MAX_NAME && (admits_blank || !name.is_empty()) {
        return Ok(());
    }
    let what = format!("`name` must have at least 1 and at most {MAX_NAME} characters");
    Err(ToolError::new(Code::InvalidArgs, what, "send some words of the name, or leave `name` out"))
}

fn answer(given: &Given, arguments: Arguments) -> Result<Answer, ToolError> {
    arguments.name.as_deref().map_or(Ok(()), |name| bounded(given, name))?;
    let limit = match arguments.limit {
        // The fault: whatever was asked for, all of it comes back.
        _ if given.faults.contains(Fault::LimitIgnored) => u64::MAX,
        limit => limit.unwrap_or(DEFAULT_LIMIT),
    };
    let found: Vec<&Account> = accounts::ALL.iter().filter(|account| arguments.mean(account)).collect();
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
    let page = Page::new(rows, start, limit, || found.len() as u64, &next);
    answer::page(match arguments.why_empty(&found) {
        Some(note) => page.with_note(note),
        None => page,
    })
}

impl Arguments {
    /// Whether this account is meant.
    fn mean(&self, account: &Account) -> bool {
        let kind = self.kind.is_none_or(|kind| account.kind == kind);
        kind && self.name.as_deref().is_none_or(|name| {
            // Only with the fault a blank name comes here.
            !name.is_empty() && account.name.to_lowercase().contains(&name.to_lowercase())
        })
    }

    /// Why there is no such account, if there is none.
    fn why_empty(&self, found: &[&Account]) -> Option<String> {
        let name = self.name.as_deref().filter(|name| found.is_empty() && !name.is_empty())?;
        let kind = self.kind.map(|kind| format!(" of the kind {}", kind.name())).unwrap_or_default();
        let all = if kind.is_empty() { "" } else { ", or `kind`" };
        let name = shown(name);
        Some(format!(
            "no name of an account{kind} has {name} in it, in any case; leave `name` out to see all{all}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Patient;

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
    fn a_name_is_found_by_its_words_in_any_case() {
        let patient = Patient::honest();
        let savings = patient.answer(TOOL, json!({"name": "SAVINGS"}));
        assert_eq!(ids(&savings), ["acc-03", "acc-04", "acc-05"]);
        let none = patient.answer(TOOL, json!({"name": "roof", "kind": "loan"}));
        let note = "no name of an account of the kind loan has \"roof\" in it, in any case; leave `name` out to \
                    see all, or `kind`";
        assert_eq!((&none["matched"], &none["note"]), (&json!(0), &json!(note)));
        assert_eq!(patient.refusal(TOOL, json!({"name": ""})).code().as_str(), "INVALID_ARGS");
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
