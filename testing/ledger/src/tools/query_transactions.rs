//! `query_transactions`: single rows, page by page. Totals are the business of `run_sql`.

use std::sync::Arc;

use frankly_contract::{Answer, Code, Cursor, Page, Tool, ToolDef, ToolError, shown};
use serde::Deserialize;
use serde_json::{Value, json};

use super::answer;
use super::definition;
use super::log_expense::MAX_NAME;
use crate::Fault;
use crate::ledger::Given;
use crate::store::{Filter, Store, Transaction};

pub(super) use lies::LIES;

mod lies;

const DEFAULT_LIMIT: u64 = 50;
const MAX_LIMIT: u64 = 200;
pub(super) const NAME: &str = "query_transactions";

#[derive(Debug, Default, Deserialize)]
struct Arguments {
    category: Option<String>,
    from: Option<String>,
    to: Option<String>,
    limit: Option<u64>,
    cursor: Option<Cursor>,
}

pub(crate) fn tool(given: &Arc<Given>) -> Tool {
    let definition = definition(given.faults.contains(Fault::IdsWithoutNames));
    definition::reads(definition::by_hand(definition, given, answer))
}

/// The definition; with the fault it promises the ids of merchants, and not their names.
fn definition(ids: bool) -> ToolDef {
    let merchant = if ids { "merchant_id" } else { "merchant" };
    definition::write(
        NAME,
        &format!(
            "Lists single transactions, oldest first, as pages of rows with id, date, category, {merchant} and amount \
             in dollars. Use it to look at rows; for totals, averages and counts use run_sql, and for the bank's own \
             text read_statement. A page that says truncated: true is only a part, so do not add it up. Get exact \
             category names from list_categories. Example: {{\"category\": \"Dining\", \"from\": \"2025-03-01\", \
             \"to\": \"2025-03-31\"}}."
        ),
        properties(),
        &[],
    )
}

fn properties() -> Value {
    json!({
        "category": {
            "type": "string", "minLength": 1, "maxLength": MAX_NAME,
            "description": format!(
                "Exact category name, case included, e.g. Dining; 1 to {MAX_NAME} characters; all categories if left out."
            ),
            "examples": ["Dining"]
        },
        "from": {
            "type": "string", "format": "date",
            "description": "First day, inclusive, as YYYY-MM-DD, e.g. 2025-03-01; no lower bound if left out.",
            "examples": ["2025-03-01"]
        },
        "to": {
            "type": "string", "format": "date",
            "description": "Last day, inclusive, as YYYY-MM-DD, e.g. 2025-03-31; no upper bound if left out.",
            "examples": ["2025-03-31"]
        },
        "limit": definition::limit("Rows", DEFAULT_LIMIT, MAX_LIMIT),
        "cursor": definition::cursor(DEFAULT_LIMIT)
    })
}

fn answer(given: &Given, arguments: Arguments) -> Result<Answer, ToolError> {
    let explains = !given.faults.contains(Fault::AmbiguousEmpty);
    let page = Query::read(arguments)?.page(&given.store, explains).map_err(answer::unreadable)?;
    if given.faults.contains(Fault::SilentTruncation) {
        return silently_truncated(&answer::short(page)?);
    }
    answer::page(page)
}

/// A call, read.
struct Query {
    filter: Filter,
    limit: u64,
    cursor: Cursor,
}

impl Query {
    fn read(arguments: Arguments) -> Result<Self, ToolError> {
        let Arguments { category, from, to, limit, cursor } = arguments;
        if let (Some(from), Some(to)) = (&from, &to)
            && from > to
        {
            let what = format!("`from` {from} is after `to` {to}");
            return Err(ToolError::new(Code::InvalidArgs, what, "send the earlier day as `from`"));
        }
        Ok(Self {
            filter: Filter { category, from, to },
            limit: limit.unwrap_or(DEFAULT_LIMIT),
            cursor: cursor.unwrap_or_default(),
        })
    }

    fn page(&self, store: &Store, explains: bool) -> rusqlite::Result<Page<Transaction>> {
        let rows = store.transactions(&self.filter, self.cursor, self.limit)?;
        let next = self.next_step(rows.len() as u64);
        let page = Page::try_new(rows, self.cursor, self.limit, || store.count(&self.filter), &next)?;
        if page.matched() > 0 || !explains {
            return Ok(page);
        }
        let note = self.why_empty(store)?;
        Ok(page.with_note(note))
    }

    /// What to do about a page that is not everything, when so many rows were found from its start on.
    fn next_step(&self, found: u64) -> String {
        if found == 0 {
            return "leave `cursor` out for the first page".to_owned();
        }
        let mut next = "for totals and counts use run_sql; for fewer rows narrow `from` and `to`".to_owned();
        if self.filter.category.is_none() {
            next += " or add a `category`";
        }
        if self.limit < MAX_LIMIT {
            next += &format!("; for more rows raise `limit` (maximum {MAX_LIMIT})");
        }
        next
    }

    fn why_empty(&self, store: &Store) -> rusqlite::Result<String> {
        if let Some(category) = &self.filter.category {
            let named = Filter { category: Some(category.clone()), ..Filter::default() };
            if store.count(&named)? == 0 {
                return Ok(format!(
                    "no category is named {}; names match exactly, case included; list_categories lists them",
                    shown(category)
                ));
            }
        }
        let (first, last) = store.span()?;
        let Filter { category, from, to } = &self.filter;
        let filters = [("category", category), ("from", from), ("to", to)];
        let asked: Vec<String> = filters
            .into_iter()
            .filter_map(|(name, value)| Some(format!("`{name}` {}", shown(value.as_ref()?))))
            .collect();
        let exists = if category.is_some() { "the category exists, and " } else { "" };
        Ok(format!(
            "no transaction matches {}; {exists}the ledger runs from {first} to {last}",
            asked.join(" and ")
        ))
    }
}

/// The fault: the same rows, but what was returned passes for all there is. The page is as short as it has to be, so
/// that nothing shortens the answer again, and says so.
fn silently_truncated(page: &Page<Transaction>) -> Result<Answer, ToolError> {
    let mut payload = json!({ "count": page.returned(), "transactions": page.items() });
    if let Some(note) = page.note() {
        payload["note"] = json!(note);
    }
    answer::object(&payload, "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Patient;

    const TOOL: &str = "query_transactions";

    fn honest(arguments: Value) -> Value {
        Patient::honest().answer(TOOL, arguments)
    }

    fn lying(faults: &[Fault], arguments: Value) -> Value {
        Patient::with(faults).answer(TOOL, arguments)
    }

    fn refused(arguments: Value) -> String {
        Patient::honest().refusal(TOOL, arguments).to_string()
    }

    fn sum(rows: &Value) -> f64 {
        rows.as_array().unwrap().iter().map(|row| row["amount"].as_f64().unwrap()).sum()
    }

    #[test]
    fn the_first_page_admits_that_it_is_one() {
        let page = honest(json!({"category": "Dining"}));
        assert_eq!((&page["returned"], &page["matched"]), (&json!(50), &json!(262)));
        assert_eq!((&page["truncated"], &page["next_cursor"]), (&json!(true), &json!("row-50")));
        let hint = page["hint"].as_str().unwrap();
        assert!(hint.contains("Rows 1 to 50 of 262; do not add up"), "{hint}");
        for way_on in ["run_sql", "narrow `from` and `to`", "raise `limit` (maximum 200)", "next_cursor"] {
            assert!(hint.contains(way_on), "{hint}");
        }
        assert!((sum(&page["items"]) - 2752.25).abs() > 1.0);
    }

    #[test]
    fn a_name_longer_than_any_category_is_no_fault_of_the_ledger() {
        let longest = honest(json!({"category": "x".repeat(MAX_NAME)}));
        assert!(longest["note"].as_str().unwrap().starts_with("no category is named"), "{longest}");
        let longer = refused(json!({"category": "x".repeat(25_000)}));
        assert!(longer.starts_with("INVALID_ARGS: `category` must be"), "{longer}");
    }

    #[test]
    fn following_the_cursor_meets_every_row_once() {
        for limit in [1, 50, 131, 200] {
            let (mut ids, mut total, mut arguments) =
                (vec![], 0.0, json!({"category": "Dining", "limit": limit}));
            loop {
                let page = honest(arguments.clone());
                ids.extend(page["items"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()));
                total += sum(&page["items"]);
                let Some(cursor) = page.get("next_cursor") else { break };
                assert!(page["hint"].as_str().unwrap().contains("follow next_cursor"));
                arguments["cursor"] = cursor.clone();
            }
            assert!(ids.is_sorted_by(|a, b| a < b));
            assert_eq!((ids.len(), total), (262, 2752.25));
        }
    }

    #[test]
    fn a_hint_offers_only_what_is_possible() {
        let most = honest(json!({"limit": 200}));
        let hint = most["hint"].as_str().unwrap();
        assert!(hint.contains("add a `category`") && !hint.contains("raise"), "{hint}");
        let last = honest(json!({"category": "Dining", "cursor": "row-212"}));
        let hint = last["hint"].as_str().unwrap();
        assert!(hint.contains("Rows 213 to 262 of 262") && !hint.contains("next_cursor"), "{hint}");
        let past = honest(json!({"category": "Dining", "cursor": "row-999999999999999999"}));
        assert_eq!((&past["returned"], &past["matched"]), (&json!(0), &json!(262)));
        assert!(past["hint"].as_str().unwrap().ends_with("Next: leave `cursor` out for the first page."));
    }

    #[test]
    fn a_whole_result_has_no_hint() {
        let rent = honest(json!({"category": "Rent", "limit": 12}));
        assert_eq!(
            (&rent["returned"], &rent["matched"], &rent["truncated"]),
            (&json!(12), &json!(12), &json!(false))
        );
        assert_eq!((rent.get("hint"), rent.get("next_cursor"), rent.get("note")), (None, None, None));
    }

    #[test]
    fn the_dates_are_inclusive() {
        let all = honest(json!({"category": "Rent"}));
        let (first, last) = (&all["items"][0]["date"], &all["items"][11]["date"]);
        assert_eq!(honest(json!({"category": "Rent", "from": first, "to": last}))["matched"], json!(12));
        assert_eq!(honest(json!({"category": "Rent", "to": first}))["matched"], json!(1));
        assert_eq!(honest(json!({"category": "Rent", "from": last}))["matched"], json!(1));
    }

    #[test]
    fn an_empty_page_says_why() {
        let unknown = honest(json!({"category": "dining"}));
        assert_eq!((&unknown["items"], &unknown["matched"]), (&json!([]), &json!(0)));
        assert_eq!(
            unknown["note"],
            "no category is named \"dining\"; names match exactly, case included; list_categories lists them"
        );
        let early = honest(json!({"category": "Dining", "to": "2024-12-31"}));
        assert_eq!(
            early["note"],
            "no transaction matches `category` \"Dining\" and `to` \"2024-12-31\"; the category exists, and \
             the ledger runs from 2025-01-01 to 2025-12-31"
        );
    }

    #[test]
    fn with_one_fault_the_same_rows_pass_for_all() {
        let answer = |arguments| lying(&[Fault::SilentTruncation], arguments);
        let page = answer(json!({"category": "Dining"}));
        assert_eq!(page.as_object().unwrap().keys().collect::<Vec<_>>(), ["count", "transactions"]);
        assert_eq!(page["count"], json!(50));
        assert_eq!(page["transactions"], honest(json!({"category": "Dining"}))["items"]);
        assert_eq!(answer(json!({"category": "Dining", "limit": 200}))["count"], json!(200));
        let empty = answer(json!({"category": "dining"}));
        assert_eq!((&empty["count"], &empty["transactions"]), (&json!(0), &json!([])));
        assert!(empty["note"].as_str().unwrap().contains("no category is named"), "the other fault is off");
    }

    #[test]
    fn the_fault_holds_however_long_the_rows_are() {
        let log = |patient: &Patient| {
            for _ in 0..200 {
                let merchant = "é".repeat(60);
                let expense = json!({"amount": 1, "category": "x".repeat(60), "merchant": merchant});
                patient.answer("log_expense", expense);
            }
        };
        let (honest, lying) = (Patient::honest(), Patient::with(&[Fault::SilentTruncation]));
        log(&honest);
        log(&lying);
        let arguments = json!({"category": "x".repeat(60), "limit": 200});
        let (whole, part) = (honest.answer(TOOL, arguments.clone()), lying.answer(TOOL, arguments));
        assert_eq!(part.as_object().unwrap().keys().collect::<Vec<_>>(), ["count", "transactions"]);
        let rows = part["transactions"].as_array().unwrap().len();
        assert_eq!((&part["count"], &whole["returned"]), (&json!(rows), &json!(rows)));
        assert!(rows < 200, "else the budget cut nothing");
    }

    #[test]
    fn with_the_other_a_wrong_name_looks_like_nothing_spent() {
        let answer = |arguments| lying(&[Fault::AmbiguousEmpty], arguments);
        let wrong = answer(json!({"category": "dining"}));
        assert_eq!(wrong, answer(json!({"category": "Dining", "to": "2024-12-31"})));
        assert_eq!(wrong, json!({"returned": 0, "matched": 0, "truncated": false, "items": []}));
        let full = json!({"category": "Dining"});
        assert_eq!(answer(full.clone()), honest(full), "nothing else changes");
    }

    #[test]
    fn both_faults_stand_together() {
        let both = [Fault::SilentTruncation, Fault::AmbiguousEmpty];
        let wrong = lying(&both, json!({"category": "dining"}));
        assert_eq!(wrong, json!({"count": 0, "transactions": []}));
    }

    #[test]
    fn the_longest_page_is_within_the_budget() {
        let result = Patient::honest().call(TOOL, json!({"limit": 200})).unwrap();
        let (_, text) = result.texts().next().unwrap();
        assert!(text.len() <= answer::BUDGET && text.contains("\"returned\":200"), "{}", text.len());
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (arguments, said) in [
            (json!({"catgory": "Dining"}), "Did you mean `category`?"),
            (json!({"limit": 201}), "`limit`"),
            (json!({"limit": 0}), "`limit`"),
            (json!({"limit": "10"}), "`limit`"),
            (json!({"from": "March"}), "`from`"),
            (json!({"to": "2025-02-30"}), "`to`"),
            (json!({"from": "2025-03-02", "to": "2025-03-01"}), "`from` 2025-03-02 is after `to` 2025-03-01"),
            (json!({"cursor": "50"}), "`cursor`"),
            (json!({"cursor": "row-05"}), "`cursor`"),
            (json!({"category": null}), "`category`"),
            (json!({"category": ""}), "`category`"),
        ] {
            let error = refused(arguments);
            assert!(error.starts_with("INVALID_ARGS: ") && error.contains(said), "{error}");
        }
    }

    #[test]
    fn prose_and_schema_agree_on_the_bounds() {
        let tool = definition(false);
        let limit = &tool.input_schema().unwrap()["properties"]["limit"];
        assert_eq!((&limit["default"], &limit["maximum"]), (&json!(50), &json!(200)));
        assert!(limit["description"].as_str().unwrap().contains("default 50, minimum 1, maximum 200"));
    }
}
