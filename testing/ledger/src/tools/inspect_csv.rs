//! `inspect_csv`: what is in an uploaded file, before anything is done with it.

use std::sync::Arc;

use frankly_contract::{Answer, Cursor, Page, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::files::{self, FileKey};
use super::{answer, definition};
use crate::Fault;
use crate::ledger::Given;

pub(super) use lies::LIES;

mod lies;

/// How many rows are shown at once.
const PREVIEW: u64 = 5;
pub(super) const NAME: &str = "inspect_csv";

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    file_key: FileKey,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(
        with = "Cursor",
        extend("examples" = ["row-5"]),
        description = "The next_cursor of an earlier answer about the same file, unchanged, e.g. row-5; the first \
                       rows if left out."
    )]
    cursor: Option<Cursor>,
}

pub(crate) fn tool(given: &Arc<Given>) -> Tool {
    definition::reads(definition::derived(
        NAME,
        &format!(
            "Shows the headers, the number of rows and the first {PREVIEW} rows of an uploaded CSV file, each row as \
             cells in the order of the headers; next_cursor leads to the rows after them. Use it to see whether a file fits before import_csv takes it in; it \
             changes nothing. What is in the ledger already is in query_transactions. Example: {{\"file_key\": \
             \"{}\"}}.",
            files::EXAMPLE
        ),
        given,
        answer,
    ))
}

/// What is in a file.
#[derive(Serialize)]
struct Inspection {
    file_key: String,
    headers: Vec<String>,
    row_count: u64,
    #[serde(flatten)]
    rows: Page<Vec<String>>,
}

fn answer(given: &Given, arguments: Arguments) -> Result<Answer, ToolError> {
    let FileKey(file_key) = arguments.file_key;
    let outside = given.faults.contains(Fault::PathEscape).then(|| lies::outside(&file_key)).flatten();
    let table = outside.map_or_else(|| files::read(&file_key), Ok)?;
    let row_count = table.rows.len() as u64;
    let start = arguments.cursor.unwrap_or_default();
    let skipped = usize::try_from(start.offset()).unwrap_or(usize::MAX);
    let rows: Vec<Vec<String>> = table.rows.into_iter().skip(skipped).take(PREVIEW as usize).collect();
    let next = if rows.is_empty() { "leave `cursor` out for the first rows" } else { "" };
    let rows = Page::new(rows, start, PREVIEW, || row_count, next);
    answer::object(
        &Inspection { file_key, headers: table.headers, row_count, rows },
        "ask for a narrower file",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Patient;
    use frankly_contract::CallError;
    use serde_json::json;

    const TOOL: &str = "inspect_csv";

    #[test]
    fn a_good_file_is_shown_as_a_preview() {
        let file = Patient::honest().answer(TOOL, json!({"file_key": files::EXAMPLE}));
        assert_eq!(file["headers"], json!(["date", "category", "merchant", "amount"]));
        assert_eq!(
            (&file["row_count"], &file["returned"], &file["matched"]),
            (&json!(11), &json!(5), &json!(11))
        );
        assert_eq!((&file["truncated"], &file["next_cursor"]), (&json!(true), &json!("row-5")));
        assert_eq!(file["items"][0], json!(["2026-01-02", "Groceries", "Village Grocer", "31.25"]));
    }

    #[test]
    fn following_the_cursor_meets_every_row_once() {
        let patient = Patient::honest();
        let (mut met, mut arguments) = (0, json!({"file_key": files::EXAMPLE}));
        loop {
            let page = patient.answer(TOOL, arguments.clone());
            met += page["items"].as_array().unwrap().len();
            let Some(cursor) = page.get("next_cursor") else { break };
            arguments["cursor"] = cursor.clone();
        }
        assert_eq!(met, 11);
        arguments["cursor"] = json!("row-11");
        let past = patient.answer(TOOL, arguments);
        assert!(
            past["hint"].as_str().unwrap().ends_with("Next: leave `cursor` out for the first rows."),
            "{past}"
        );
    }

    #[test]
    fn every_failure_has_its_own_remedy() {
        for (key, code, kind, next) in [
            ("abc", "NOT_FOUND", "file_unreadable", "re-upload"),
            ("receipt.csv", "NOT_FOUND", "file_unreadable", "in UTF-8"),
            ("blank.csv", "INVALID_ARGS", "no_columns", "header row"),
            ("card-2026-02.csv", "INVALID_ARGS", "no_data_rows", "tell the user that the file is empty"),
        ] {
            let error = Patient::honest().refusal(TOOL, json!({"file_key": key}));
            assert_eq!((error.code().as_str(), error.kind()), (code, Some(kind)), "{error}");
            assert!(error.next().contains(next) && error.what().contains(key), "{error}");
        }
        let slip = Patient::honest().refusal(TOOL, json!({"file_key": "card-2026-1.csv"}));
        assert_eq!(slip.did_you_mean(), Some("card-2026-01.csv"));
        let empty = Patient::honest().refusal(TOOL, json!({"file_key": "card-2026-02.csv"}));
        assert_eq!(empty.details()["headers"], json!(["date", "category", "merchant", "amount"]));
    }

    #[test]
    fn with_the_fault_a_file_that_cannot_be_read_is_thrown() {
        let patient = Patient::with(&[Fault::ThrownError]);
        for (key, exception) in [
            ("abc", "FileNotFoundError: [Errno 2] No such file or directory: 'abc'"),
            (
                "receipt.csv",
                "UnicodeDecodeError: 'utf-8' codec can't decode byte in position 0: invalid start byte",
            ),
        ] {
            let Err(CallError::Protocol { code, message, .. }) = patient.call(TOOL, json!({"file_key": key}))
            else {
                panic!("{key} is not thrown");
            };
            assert_eq!((code, &*message), (-32603, exception));
        }
        assert_eq!(patient.refusal(TOOL, json!({"file_key": "blank.csv"})).kind(), Some("no_columns"));
        for bad in [
            json!({}),
            json!({"file_key": "abc", "key": 1}),
            json!({"file_key": "abc", "cursor": "5"}),
            json!({"file_key": 5}),
        ] {
            assert_eq!(patient.refusal(TOOL, bad).code().as_str(), "INVALID_ARGS");
        }
        assert_eq!(patient.answer(TOOL, json!({"file_key": files::EXAMPLE}))["row_count"], 11);
    }
}
