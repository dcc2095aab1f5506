//! What a tool hands on: text and values of others, which say nothing of the tool itself.
//!
//! Only names and arguments are looked at here; how an error is worded stands beside.

use serde_json::Value;

use crate::names::words;

/// Verbs of tools that hand on what stands in a file or behind an address.
const VERBS: &[&str] =
    &["cat", "curl", "download", "fetch", "head", "load", "open", "read", "tail", "view", "wget"];
/// What such a tool hands on, by its name; a bare verb needs none.
const THINGS: &[&str] = &[
    "blob", "body", "content", "contents", "file", "files", "html", "json", "page", "raw", "text", "url",
    "webpage", "website",
];
/// What a bare `get` hands on as it is; a page or a text may be a record.
const FILES: &[&str] = &["blob", "contents", "file", "files", "raw"];
/// Endings of files that may hold JSON.
const JSON: &[&str] = &["har", "json", "jsonl", "log", "out", "txt"];
/// Names under which a caller asks for texts in which anything may stand.
const TEXTS: &[&str] = &[
    "body", "content", "description", "detail", "error", "errors", "exception", "log", "logs", "message",
    "messages", "msg", "note", "notes", "reason", "stderr", "stdout", "subject", "text", "title", "value",
];

/// Whether by its name a tool hands on what is in a file or behind an address, word for word.
pub(super) fn is_reader(tool: &str) -> bool {
    let words = words(tool);
    let is = |known: &[&str], word: &String| known.contains(&word.as_str());
    let verb = words.iter().take(2).any(|word| is(VERBS, word));
    let gets = words.iter().take(2).any(|word| matches!(word.as_str(), "get" | "show"));
    let is_last = |known: &[&str]| words.last().is_some_and(|word| is(known, word));
    (verb && (is_last(THINGS) || words.len() == 1)) || (gets && is_last(FILES))
}

/// Whether what these arguments name may hold JSON: a picture, a page of prose or a program does not.
pub(super) fn may_hold_json(arguments: &[&Value]) -> bool {
    const LONGEST_ENDING: usize = 4;
    let is_other = |text: &str| {
        let name = text.rsplit(['/', '\\']).next().unwrap_or_default();
        let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_lowercase()).unwrap_or_default();
        let is_ending =
            (1..=LONGEST_ENDING).contains(&ending.len()) && ending.chars().all(char::is_alphanumeric);
        is_ending && !text.contains("://") && !JSON.contains(&ending.as_str())
    };
    !arguments.iter().filter_map(|value| value.as_str()).any(is_other)
}

/// Whether an argument is a statement that selects a column of this name.
pub(super) fn asks_for(argument: &Value, column: &str) -> bool {
    selected(argument).any(|word| word == column.to_lowercase())
}

/// Whether an argument is a statement that selects texts: what stands in them is the answer.
pub(super) fn asks_for_texts(argument: &Value) -> bool {
    selected(argument).any(|word| TEXTS.contains(&word.as_str()))
}

/// The words between `select` and `from`.
fn selected(argument: &Value) -> impl Iterator<Item = String> {
    let text = argument.as_str().unwrap_or_default().trim_start().to_lowercase();
    let list = text.strip_prefix("select ").and_then(|rest| rest.split_once(" from ")).map(|(list, _)| list);
    let parts = list.unwrap_or_default().split(|c: char| !c.is_alphanumeric() && c != '_');
    parts.map(str::to_owned).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn readers_are_told_from_tools_that_fetch_records() {
        for tool in
            ["read_file", "fetch", "cat", "get_file", "fetch_url", "fs_read_text", "get_file_contents"]
        {
            assert!(is_reader(tool), "{tool}");
        }
        for tool in
            ["get_page", "fetch_orders", "get_paper", "write_file", "read_statement", "search", "delete_file"]
        {
            assert!(!is_reader(tool), "{tool}");
        }
    }

    #[test]
    fn a_page_of_prose_holds_no_json() {
        let may = |argument: Value| may_hold_json(&[&argument]);
        assert!(
            may(json!("a/resp.json"))
                && may(json!("https://a.test/x.md"))
                && may(json!("LICENSE"))
                && may(json!(3))
        );
        assert!(!may(json!("notes/a.md")) && !may(json!("C:\\photo.PNG")));
    }

    #[test]
    fn a_statement_asks_for_its_columns() {
        let sql = json!("SELECT error, l.Code FROM logs WHERE ok = 0");
        assert!(asks_for(&sql, "error") && asks_for(&sql, "code") && !asks_for(&sql, "ok"));
        assert!(asks_for_texts(&sql) && !asks_for_texts(&json!("SELECT * FROM errors")));
        assert!(!asks_for(&json!("the error from yesterday"), "error"));
    }
}
