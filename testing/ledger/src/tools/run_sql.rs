//! `run_sql`: one SELECT over the ledger, for totals and all else that a list of rows cannot answer.

use std::sync::Arc;

use frankly_contract::{Answer, Code, Cursor, Page, Tool, ToolDef, ToolError};
use serde::Deserialize;
use serde_json::json;

use super::answer;
use super::definition;
use crate::Fault;
use crate::ledger::Given;
use crate::select::{MAX_BYTES, MAX_ROWS, MAX_TIME, SelectError, Selection};

pub(super) use lies::LIES;

mod lies;

pub(super) const NAME: &str = "run_sql";

const TABLE: &str = "transactions(id, date, category, merchant, amount)";
const EXAMPLE: &str =
    "SELECT COUNT(*) AS n, SUM(amount) AS total FROM transactions WHERE category = 'Dining'";
/// The longest statement, in characters.
const MAX_SQL: usize = 10_000;

#[derive(Debug, Deserialize)]
struct Arguments {
    sql: String,
}

pub(crate) fn tool(given: &Arc<Given>) -> Tool {
    let definition = definition(given.faults.contains(Fault::CappedSqlWithoutWayOn));
    definition::reads(definition::by_hand(definition, given, answer))
}

/// The definition; with the fault it does not say that a result may be cut, which would be half of a way on.
fn definition(without_way_on: bool) -> ToolDef {
    let most = format!("At most {MAX_ROWS} rows or {} kB come back, so aggregate in SQL. ", MAX_BYTES / 1000);
    let description = format!(
        "Answers one read-only SQLite SELECT over the table {TABLE}, where date is text as YYYY-MM-DD (so substr(date, \
         1, 7) is the month; there is no clock and no time function) and amount is in dollars. Use it for totals, averages, counts and comparisons; for listing rows use query_transactions. \
         {}A query may run for {} second. A blob is shown as {{\"blob_hex\": \"00FF\"}}. Example: {{\"sql\": \
         \"{EXAMPLE}\"}}.",
        if without_way_on { "" } else { &most },
        MAX_TIME.as_secs()
    );
    let sql = json!({
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_SQL,
        "description": format!("One SELECT, every column named, at most {MAX_SQL} characters, e.g. {EXAMPLE}"),
        "examples": [EXAMPLE]
    });
    definition::write(NAME, &description, json!({ "sql": sql }), &["sql"])
}

fn answer(given: &Given, arguments: Arguments) -> Result<Answer, ToolError> {
    let selection = given.store.select(&arguments.sql).map_err(explain)?;
    let cut = (selection.rows.len() as u64) < selection.total;
    if cut && given.faults.contains(Fault::CappedSqlWithoutWayOn) {
        return answer::object(&json!({ "items": selection.rows, "truncated": true }), "");
    }
    whole_or_part(selection)
}

fn whole_or_part(selection: Selection) -> Result<Answer, ToolError> {
    let Selection { rows, total } = selection;
    let shown = rows.len() as u64;
    let next = format!(
        "aggregate in SQL (COUNT, SUM, GROUP BY) for a whole answer, or read on with ORDER BY and \
         LIMIT {MAX_ROWS} OFFSET {shown}"
    );
    // The way on is SQL's own: a cursor would point to a parameter that does not exist.
    let mut page = Page::new(rows, Cursor::at(0), shown, || total, &next).without_cursor();
    if total == 0 {
        page = page.with_note(
            "the query ran and found no row; text compares exactly, case included; list_categories lists the \
             category names",
        );
    }
    answer::page(page)
}

fn explain(error: SelectError) -> ToolError {
    let why = error.to_string();
    let (what, next) = match error {
        SelectError::Forbidden(_) => {
            let what = format!("only one SELECT over {TABLE} may run");
            let next = "do not try to change the ledger or to read anything else; send one SELECT, or stop";
            return ToolError::new(Code::Forbidden, what, next).with_why(why);
        }
        SelectError::Invalid(_) => ("`sql` did not run", format!("mend it; the only table is {TABLE}")),
        SelectError::NoClock(_) => {
            let next = "leave time functions out: this ledger has no clock, and a part of a date is cut out with \
                        substr, such as substr(date, 1, 7) for the month";
            ("`sql` asks for the time", next.to_owned())
        }
        SelectError::SameName(_) => {
            ("`sql` would lose a column", "give every column its own name with AS".to_owned())
        }
        SelectError::Parameter => ("`sql` has a parameter", "write the value into `sql`".to_owned()),
        SelectError::TooLong => (
            "the result is too long",
            "select fewer columns, shorten them with substr, or aggregate".to_owned(),
        ),
        SelectError::TooSlow => (
            "`sql` takes too long",
            "end the recursion, join on a key, or filter with WHERE before joining".to_owned(),
        ),
    };
    ToolError::new(Code::InvalidArgs, what, next).with_why(why)
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::testing::Patient;
    use frankly_contract::CallError;
    use serde_json::Value;

    fn run(sql: &str) -> Value {
        Patient::honest().answer("run_sql", json!({ "sql": sql }))
    }

    fn refused_for(sql: &str) -> String {
        Patient::honest().refusal("run_sql", json!({ "sql": sql })).to_string()
    }

    #[test]
    fn the_example_gives_the_total_of_the_story() {
        let answer = run(EXAMPLE);
        assert_eq!(answer["items"], json!([{"n": 262, "total": 2752.25}]));
        assert_eq!((&answer["truncated"], answer.get("hint")), (&json!(false), None));
    }

    #[test]
    fn a_cut_result_says_that_it_is_partial_and_names_the_way_to_a_whole_answer() {
        let answer = run("SELECT * FROM transactions");
        assert_eq!((&answer["returned"], &answer["matched"]), (&json!(100), &json!(703)));
        assert_eq!((&answer["truncated"], answer.get("next_cursor")), (&json!(true), None));
        let hint = answer["hint"].as_str().unwrap();
        assert!(
            hint.contains("1 to 100 of 703") && hint.contains("SUM") && hint.contains("OFFSET 100"),
            "{hint}"
        );
        let just = run("SELECT * FROM transactions LIMIT 100");
        assert_eq!((&just["matched"], &just["truncated"]), (&json!(100), &json!(false)));
    }

    #[test]
    fn an_empty_result_says_that_text_compares_exactly() {
        let answer = run("SELECT * FROM transactions WHERE category = 'dining'");
        assert_eq!(answer["matched"], json!(0));
        assert!(answer["note"].as_str().unwrap().contains("list_categories"));
    }

    #[test]
    fn every_refusal_has_its_code_and_its_own_next_step() {
        for (sql, code, said) in [
            ("DELETE FROM transactions", "FORBIDDEN", "not authorized"),
            ("SELECT 1; SELECT 2", "FORBIDDEN", "more than one statement"),
            ("SELECT amout FROM transactions", "INVALID_ARGS", "no such column: amout"),
            ("SELECT amout FROM transactions", "INVALID_ARGS", "merchant, amount)"),
            ("SELECT id, id FROM transactions", "INVALID_ARGS", "with AS"),
            ("SELECT ?", "INVALID_ARGS", "write the value"),
            ("SELECT datetime('now')", "INVALID_ARGS", "substr(date, 1, 7) for the month"),
            ("SELECT COUNT(*) FROM sqlite_schema", "FORBIDDEN", "not authorized"),
            ("SELECT hex(zeroblob(9999)) AS a, hex(zeroblob(9999)) AS b", "INVALID_ARGS", "substr"),
            (
                "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n FROM c) SELECT n FROM c",
                "INVALID_ARGS",
                "stopped after 1 second",
            ),
            (&" ".repeat(MAX_SQL + 1), "INVALID_ARGS", "of 10001 characters"),
            ("", "INVALID_ARGS", "`sql` must be"),
        ] {
            let error = refused_for(sql);
            assert!(error.starts_with(code) && error.contains(said), "{}: {error}", sql.trim_end());
        }
    }

    #[test]
    fn a_long_mistake_is_not_repeated_whole() {
        let column = "x".repeat(9_900);
        let sql = json!({ "sql": format!("SELECT {column} FROM transactions") });
        let Err(CallError::Tool(refused)) = Patient::honest().call("run_sql", sql) else { panic!() };
        let told = serde_json::to_string(&refused).unwrap();
        assert!(told.contains("no such column: xxx") && told.len() < 2_000, "{told}");
        let twice = format!("SELECT 1 AS {column}, 2 AS {column}");
        assert!(refused_for(&twice).len() < 1_000);
    }

    #[test]
    fn the_table_is_as_documented() {
        let answer = run("SELECT * FROM transactions LIMIT 1");
        for column in TABLE.trim_start_matches("transactions(").trim_end_matches(')').split(", ") {
            assert!(answer["items"][0].get(column).is_some(), "{column}");
        }
        assert_eq!(answer["items"][0].as_object().unwrap().len(), 5);
    }

    #[test]
    fn with_the_fault_a_cut_result_says_so_and_no_more() {
        let patient = Patient::with(&[Fault::CappedSqlWithoutWayOn]);
        let sql = "SELECT * FROM transactions";
        let cut = patient.answer("run_sql", json!({ "sql": sql }));
        assert_eq!(cut, json!({"items": run(sql)["items"], "truncated": true}));
        for whole in [EXAMPLE, "SELECT * FROM transactions WHERE category = 'dining'"] {
            assert_eq!(patient.answer("run_sql", json!({ "sql": whole })), run(whole));
        }
    }

    #[test]
    fn the_longest_result_is_within_the_budget() {
        for width in [10, 100, 500, 5_000, 11_000] {
            let sql = format!("SELECT id, hex(zeroblob({width})) AS zeros FROM transactions");
            let result = Patient::honest().call("run_sql", json!({ "sql": sql })).unwrap();
            let page = result.structured().unwrap();
            let (_, text) = result.texts().next().unwrap();
            assert!(text.len() <= answer::BUDGET, "{width}: {}", text.len());
            // The way on was written before the answer was put together: nothing may have been cut since.
            let offset = format!("OFFSET {}", page["returned"]);
            assert!(page["hint"].as_str().unwrap().contains(&offset), "{page}");
        }
    }
}
