//! `import_csv`: takes an uploaded file into the ledger, row by row, once.

use std::sync::Arc;

use frankly_contract::{Answer, Code, Page, Tool, ToolError, nearest, shown};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::files::{self, FileKey};
use super::{answer, definition};
use crate::ledger::Given;
use crate::store::{Expense, Import, Imported, Skipped};
use crate::uploads::{self, Table};
use crate::{Fault, date};

pub(super) use lies::LIES;

mod lies;

pub(super) const NAME: &str = "import_csv";
/// What to do about more skipped rows than fit into an answer.
const ASK: &str = "inspect_csv shows the file; ask the user for a file with fewer bad rows";

const COLUMNS: [&str; 4] = ["date", "category", "merchant", "amount"];

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    file_key: FileKey,
}

pub(crate) fn tool(given: &Arc<Given>) -> Tool {
    let tool = definition::derived(
        NAME,
        &format!(
            "Adds the rows of an uploaded CSV file to the ledger, and says how many were imported and of each one that \
             was skipped why; rows are counted from 1 below the header. The file needs the columns {}, and categories \
             that exist. A file is imported once: a second call adds nothing, says so, and names the rows that the first one skipped. Look at the file with \
             inspect_csv first; for a single expense use log_expense. Example: {{\"file_key\": \"{}\"}}.",
            COLUMNS.join(", "),
            files::EXAMPLE
        ),
        given,
        answer,
    );
    tool.additive().idempotent(true).open_world(false)
}

/// What came of it; the rows of the page are those that were skipped.
#[derive(Serialize)]
struct Report<'a> {
    file_key: &'a str,
    already_imported: bool,
    imported: usize,
    skipped: usize,
    #[serde(flatten)]
    skipped_rows: Page<Skipped>,
}

fn answer(given: &Given, arguments: Arguments) -> Result<Answer, ToolError> {
    let FileKey(key) = &arguments.file_key;
    match import(given, key) {
        Err(error) if given.faults.contains(Fault::BuriedError) => buried(key, &error),
        answer => answer,
    }
}

fn import(given: &Given, key: &str) -> Result<Answer, ToolError> {
    let table = files::read(key)?;
    let columns = columns(key, &table)?;
    let categories = given.store.categories().map_err(answer::unreadable)?;
    let known: Vec<&str> = categories.iter().map(|category| category.name.as_str()).collect();
    let (mut expenses, mut skipped) = (vec![], vec![]);
    for (row, cells) in table.rows.iter().enumerate() {
        match expense(cells, table.headers.len(), columns, &known) {
            Ok(expense) => expenses.push(expense),
            Err(reason) => skipped.push(Skipped { row: row + 1, reason }),
        }
    }
    match given.store.import(key, &expenses, &skipped).map_err(answer::unreadable)? {
        Import::Stored => imported(key, expenses.len(), skipped),
        Import::Repeated(before) => imported_before(key, before, table.rows.len()),
    }
}

fn imported(key: &str, imported: usize, skipped: Vec<Skipped>) -> Result<Answer, ToolError> {
    let count = skipped.len();
    let mut skipped_rows = Page::all(skipped);
    if count > 0 {
        skipped_rows = skipped_rows.with_note(
            "items are the rows that were skipped and are not in the ledger; ask the user what they should say, and \
             store them with log_expense, since a second import of this file adds nothing",
        );
    }
    answer::object(
        &Report { file_key: key, already_imported: false, imported, skipped: count, skipped_rows },
        ASK,
    )
}

fn imported_before(key: &str, before: Imported, rows: usize) -> Result<Answer, ToolError> {
    let mut note = format!(
        "this file had been imported before with {} of its {rows} rows; nothing was added now",
        before.rows
    );
    let skipped = before.skipped.len();
    if skipped > 0 {
        note += "; items are the rows that were skipped then, which this file cannot add any more: ask the user what \
                 they should say, and store those that are not in the ledger yet with log_expense";
    }
    let skipped_rows = Page::all(before.skipped).with_note(note);
    answer::object(&Report { file_key: key, already_imported: true, imported: 0, skipped, skipped_rows }, ASK)
}

/// Where the columns are that a row needs, in the order of [`COLUMNS`].
fn columns(key: &str, table: &Table) -> Result<[usize; 4], ToolError> {
    let place = |column: &&str| table.headers.iter().position(|header| header.trim() == *column);
    let missing: Vec<&str> = COLUMNS.into_iter().filter(|column| place(column).is_none()).collect();
    if missing.is_empty() {
        return Ok(COLUMNS.map(|column| place(&column).unwrap_or_default()));
    }
    let what = format!("the file {} lacks the columns {}", shown(key), missing.join(", "));
    let next = "ask the user for a file with these columns in its header row; the same call fails again";
    Err(ToolError::new(Code::InvalidArgs, what, next)
        .with_kind("missing_columns")
        .with_detail("headers", table.headers.clone()))
}

/// A row as an expense, or why it is none.
fn expense(cells: &[String], width: usize, columns: [usize; 4], known: &[&str]) -> Result<Expense, String> {
    if cells.len() != width {
        return Err(format!("the row has {} cells, and the header has {width}", cells.len()));
    }
    let [date, category, merchant, amount] = columns.map(|column| cells[column].trim());
    if !date::exists(date) {
        return Err(format!("the date {} is no existing day in the form YYYY-MM-DD", shown(date)));
    }
    if !known.contains(&category) {
        let meant = nearest(category, known.iter().copied());
        let meant = meant.map(|meant| format!("; did you mean {}?", shown(meant))).unwrap_or_default();
        return Err(format!("no category is named {}{meant}", shown(category)));
    }
    let amount = cents(amount).ok_or_else(|| {
        format!("the amount {} is no number of dollars above 0 with at most two decimals", shown(amount))
    })?;
    let [date, category, merchant] = [date, category, merchant].map(str::to_owned);
    Ok(Expense { date, category, merchant, amount })
}

/// An amount above 0 in whole cents.
fn cents(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let amount = text.parse::<f64>().ok().filter(|amount| plain && decimals <= 2 && *amount > 0.0)?;
    amount.is_finite().then_some(amount)
}

/// The fault: what went wrong stands in what reads as a result.
fn buried(key: &str, error: &ToolError) -> Result<Answer, ToolError> {
    let why = uploads::read(key).err().map_or_else(|| error.what().to_owned(), |why| why.to_string());
    answer::object(&json!({ "status": "error", "error": why }), "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Patient;

    const TOOL: &str = "import_csv";

    fn rows(patient: &Patient) -> u64 {
        patient.answer("query_transactions", json!({"limit": 1}))["matched"].as_u64().unwrap()
    }

    #[test]
    fn what_can_be_imported_is_and_what_cannot_is_named() {
        let patient = Patient::honest();
        let answer = patient.answer(TOOL, json!({"file_key": files::EXAMPLE}));
        assert_eq!((&answer["imported"], &answer["skipped"]), (&json!(7), &json!(4)));
        assert_eq!(
            answer["items"],
            json!([
                {"row": 3, "reason": "no category is named \"Dinning\"; did you mean \"Dining\"?"},
                {"row": 6, "reason": "the amount \"n/a\" is no number of dollars above 0 with at most two decimals"},
                {"row": 9, "reason": "the date \"2026-01-32\" is no existing day in the form YYYY-MM-DD"},
                {"row": 10, "reason": "the row has 3 cells, and the header has 4"},
            ])
        );
        assert_eq!(rows(&patient), 710);
        let january = patient.answer("query_transactions", json!({"from": "2026-01-01"}));
        assert_eq!(january["items"][2]["merchant"], "City Transit");
    }

    #[test]
    fn a_second_import_adds_nothing_and_says_so() {
        let patient = Patient::honest();
        let first = patient.answer(TOOL, json!({"file_key": files::EXAMPLE}));
        let again = patient.answer(TOOL, json!({"file_key": files::EXAMPLE}));
        assert_eq!((&again["already_imported"], &again["imported"]), (&json!(true), &json!(0)));
        assert!(again["note"].as_str().unwrap().contains("with 7 of its 11 rows"), "{again}");
        assert_eq!((&again["skipped"], &again["matched"]), (&json!(4), &json!(4)));
        assert_eq!(again["items"], first["items"]);
        assert_eq!(rows(&patient), 710);
    }

    #[test]
    fn a_file_that_cannot_be_imported_is_refused_and_changes_nothing() {
        let patient = Patient::honest();
        for (key, kind) in [
            ("abc", "file_unreadable"),
            ("receipt.csv", "file_unreadable"),
            ("blank.csv", "no_columns"),
            ("card-2026-02.csv", "no_data_rows"),
            ("contacts.csv", "missing_columns"),
        ] {
            assert_eq!(patient.refusal(TOOL, json!({"file_key": key})).kind(), Some(kind), "{key}");
        }
        assert_eq!(rows(&patient), 703);
    }

    #[test]
    fn with_the_fault_a_failure_reads_as_a_result() {
        let patient = Patient::with(&[Fault::BuriedError]);
        for (key, why) in [
            ("abc", "file not found"),
            ("receipt.csv", "invalid UTF-8 at byte 0"),
            ("blank.csv", "no columns to parse from file"),
            ("card-2026-02.csv", "no rows in file"),
            ("contacts.csv", "the file \"contacts.csv\" lacks the columns date, category, merchant, amount"),
        ] {
            let result = patient.call(TOOL, json!({"file_key": key})).unwrap();
            assert_eq!(result.structured(), Some(&json!({"status": "error", "error": why})));
            assert_eq!(result.raw().get("isError"), None);
        }
        assert_eq!(patient.answer(TOOL, json!({"file_key": files::EXAMPLE}))["imported"], 7);
    }

    #[test]
    fn an_amount_is_taken_only_as_it_stands() {
        for (text, amount) in
            [("3", Some(3.0)), ("3.5", Some(3.5)), ("0.01", Some(0.01)), ("1450.00", Some(1450.0))]
        {
            assert_eq!(cents(text), amount);
        }
        for text in ["", "0", "0.00", "-3", "+3", "3.123", "1e3", "inf", "NaN", "1,000", "$3", "3.1.2", "."] {
            assert_eq!(cents(text), None, "{text}");
        }
    }
}
