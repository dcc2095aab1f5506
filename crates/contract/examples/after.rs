//! The tool of `before`, which admits what it left out and says what to do next.

use std::error::Error;
use std::sync::Arc;

use frankly_contract::{
    Budget, ByteCursor, CallError, Code, Cursor, Page, Registry, Root, Tool, ToolCall, ToolError, Tools,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

mod ledger;

const CATEGORIES: [&str; 2] = ["Dining", "Rent"];

#[derive(Deserialize, JsonSchema)]
struct Query {
    /// Exact category name, case included, e.g. Dining.
    category: String,
    /// Rows per page, e.g. 100; default 50.
    #[serde(default = "fifty")]
    #[schemars(range(min = 1, max = 200))]
    limit: u64,
    #[serde(default)]
    cursor: Cursor,
}

fn fifty() -> u64 {
    50
}

fn query_transactions(query: &Query, budget: &Budget) -> Result<Page<ledger::Transaction>, ToolError> {
    let Query { category, limit, cursor } = query;
    if !CATEGORIES.contains(&category.as_str()) {
        let what = format!("no category is named `{category}`");
        return Err(ToolError::new(Code::NotFound, what, "send one of Dining and Rent")
            .with_why("names match exactly, case included")
            .with_did_you_mean(category, CATEGORIES));
    }
    let matching = ledger::transactions(category);
    let total = matching.len() as u64;
    let start = usize::try_from(cursor.offset()).unwrap_or(usize::MAX);
    let rows = matching.into_iter().skip(start).take(*limit as usize).collect();
    budget.page(Page::new(rows, *cursor, *limit, || total, ""))
}

#[derive(Deserialize, JsonSchema)]
struct ReadExport {
    /// Path of a file, relative to the exports, e.g. march.csv.
    file: String,
    #[serde(default)]
    cursor: ByteCursor,
}

fn tools() -> Result<Registry, Box<dyn Error>> {
    let budget = Budget::bytes(1_000);
    let exports = Arc::new(Root::open(ledger::EXPORTS)?);
    let mut registry = Registry::new();
    registry
        .add(
            Tool::typed(
                "query_transactions",
                "Lists single transactions of a category, oldest first. Use it to look at rows, not to add them up.",
                move |query: Query| {
                    let budget = budget.clone();
                    async move { query_transactions(&query, &budget) }
                },
            )
            .read_only(),
        )?
        .add(
            Tool::typed("read_export", "Reads an exported file as it is.", move |read: ReadExport| {
                let exports = Arc::clone(&exports);
                async move { exports.slice(&read.file, read.cursor, 4_000) }
            })
            .read_only(),
        )?;
    Ok(registry)
}

/// What an agent sees: the texts of the result, an error's like any other.
fn call(registry: &Registry, tool: &str, arguments: &Value) -> String {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    match pollster::block_on(registry.call(ToolCall::new(tool, arguments))) {
        Ok(result) | Err(CallError::Tool(result)) => {
            result.texts().map(|(_, text)| text).collect::<Vec<_>>().join("\n  ")
        }
        Err(error) => error.to_string(),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let registry = tools()?;
    for (tool, arguments) in [
        ("query_transactions", json!({"category": "Dining"})),
        ("query_transactions", json!({"category": "dining"})),
        ("read_export", json!({"file": "march"})),
    ] {
        println!("{tool} {arguments}\n  {}\n", call(&registry, tool, &arguments));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(tool: &str, arguments: Value) -> String {
        call(&tools().unwrap(), tool, &arguments)
    }

    #[test]
    fn a_part_says_that_it_is_a_part() {
        let page = seen("query_transactions", json!({"category": "Dining"}));
        assert!(page.len() <= 1_000);
        assert!(page.contains(r#""matched":262,"truncated":true,"hint":"Rows 1 to "#), "{page}");
        assert!(page.contains("more were left out to keep the answer short"), "{page}");
        let last = seen("query_transactions", json!({"category": "Dining", "cursor": "row-260"}));
        assert!(last.contains("Rows 261 to 262 of 262"), "{last}");
    }

    #[test]
    fn what_does_not_exist_is_told_from_what_is_empty() {
        assert_eq!(
            seen("query_transactions", json!({"category": "dining"})),
            "NOT_FOUND: no category is named `dining` (names match exactly, case included). Did you mean `Dining`? \
             Next: send one of Dining and Rent."
        );
        assert_eq!(
            seen("read_export", json!({"file": "march"})),
            "NOT_FOUND: there is no file \"march\". Did you mean `march.csv`? \
             Next: send the path of a file that exists, or ask the user which file is meant."
        );
        let file = seen("read_export", json!({"file": "march.csv"}));
        assert!(file.starts_with("date,") && file.ends_with(" bytes; this is the whole text]"), "{file}");
    }

    #[test]
    fn the_readme_shows_what_is_seen() {
        let readme = include_str!("../README.md");
        for (tool, arguments) in [
            ("query_transactions", json!({"category": "Dining"})),
            ("query_transactions", json!({"category": "dining"})),
            ("read_export", json!({"file": "march"})),
        ] {
            let seen = seen(tool, arguments);
            let start: String = seen.chars().take(40).collect();
            assert!(readme.contains(&start), "{start}");
        }
    }
}
