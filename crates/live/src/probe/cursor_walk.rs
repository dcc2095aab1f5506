//! All pages of a list, from its first to its last, and again.

mod way_on;

use frankly_contract::{BoxFuture, ToolDef};
use frankly_verdict::paging::{Limit, limit_of};
use frankly_verdict::payload::item_count;
use frankly_verdict::{Doc, Example, Expected, Severity};
#[cfg(test)]
use serde_json::json;
use serde_json::{Map, Value};

use super::bench::Bench;
use super::largest_result::SENSIBLE_MAXIMUM;
use super::parameter::{Parameter, parameters};
use super::relation::{Baseline, with};
use super::{Outcome, Probe};
use crate::config::Consent;
use way_on::is_cursor;
pub(super) use way_on::next_cursor;

/// How many pages of a list are read at most, each time.
const MOST_PAGES: usize = 8;
/// How many pages a list is cut into where a page can be made as long as wanted.
const PAGES: usize = 4;
/// How often the same cursor may come before the walk is given up.
const MOST_REPEATS: usize = 3;

/// See [`DOC`].
pub(super) struct CursorWalk;

static DOC: Doc = Doc {
    name: "cursor-walk",
    what: "reads a list page by page, following the cursor that each page gives, at most 8 pages, and then once more from \
           the first; where the length of a page can be chosen, it is chosen so that there are about 4",
    why: "No item may be left out or come twice, the list must end, and both walks must bring the same. An agent that \
          follows the cursor to the end takes what it saw for everything.",
    severity: "needs the consent `mutate`; not sent to a tool that may write",
    examples: &[
        Example {
            about: "each cursor leads past one row",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/orders"),
            input: r#"{"skips": 1}"#,
        },
        Example {
            about: "all pages together are the list",
            expected: Expected::Silence,
            input: r#"{"skips": 0}"#,
        },
    ],
};

impl Probe for CursorWalk {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn needs(&self, _has_examples: bool) -> Consent {
        Consent::Mutate
    }

    fn fits(&self, bench: &Bench<'_>) -> bool {
        bench.reads() && cursor_of(bench.tool()).is_some()
    }

    fn run<'a>(&'a self, bench: &'a Bench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { walk_twice(bench).await.into() })
    }

    #[cfg(test)]
    fn example_tool(&self, _example: &Value) -> ToolDef {
        let (limit, cursor) = (
            json!({"type": "integer", "description": "Rows of a page, default 4.", "minimum": 1, "maximum": 50}),
            json!({"type": "string", "description": "The next_cursor of the page before, unchanged."}),
        );
        super::examples::reading("list_orders", json!({ "limit": limit, "cursor": cursor }), &[])
    }

    /// Twelve rows; each cursor is the number of the row it begins with, and `skips` that many too many.
    #[cfg(test)]
    fn example_answer(&self, example: &Value, arguments: &Value) -> Value {
        let limit = arguments["limit"].as_u64().unwrap_or(4);
        let start: u64 = arguments["cursor"].as_str().map_or(0, |cursor| cursor.parse().unwrap());
        let end = (start + limit).min(12);
        let rows: Vec<Value> = (start..end).map(|id| json!({"id": format!("o-{id}")})).collect();
        let mut page =
            json!({"returned": rows.len(), "matched": 12, "truncated": rows.len() < 12, "orders": rows});
        if end < 12 {
            page["next_cursor"] = json!((end + example["skips"].as_u64().unwrap()).to_string());
        }
        json!({"content": [], "structuredContent": page})
    }
}

/// The parameter that takes a cursor.
pub(super) fn cursor_of(tool: &ToolDef) -> Option<Parameter<'_>> {
    parameters(tool).find(|parameter| !parameter.required && is_cursor(parameter.name))
}

async fn walk_twice(bench: &Bench<'_>) -> Result<(), String> {
    let cursor = cursor_of(bench.tool()).ok_or("it takes no cursor")?.name;
    let arguments = first_page(bench, cursor).await?;
    let pages = walk(bench, cursor, &arguments).await?;
    if pages < 2 {
        return Err("the list ended with its first page; give arguments for which it is longer than a page"
            .to_owned());
    }
    walk(bench, cursor, &arguments).await.map(|_| ())
}

/// The arguments of the first page, short enough for some more to come.
async fn first_page(bench: &Bench<'_>, cursor: &str) -> Result<Map<String, Value>, String> {
    let mut arguments = bench.good_arguments();
    arguments.remove(cursor);
    let page = Baseline::answered(bench, arguments).await?.that_holds_something()?;
    let Some(limit) = limit_of(bench.tool()) else { return Ok(page.arguments) };
    let known = match next_cursor(&page.answer) {
        None => item_count(&page.answer),
        Some(_) => longest(bench, &limit, &page).await?,
    };
    let mut arguments = page.arguments;
    if let Some(items) = known {
        let fit = (items.div_ceil(PAGES) as u64).max(limit.minimum.unwrap_or(1)).max(1);
        limit.set(&mut arguments, limit.maximum.map_or(fit, |maximum| fit.min(maximum)));
    }
    Ok(arguments)
}

/// How many items are to be cut into pages: as many as there are, where they fit on the longest page.
async fn longest(bench: &Bench<'_>, limit: &Limit, page: &Baseline<'_, '_>) -> Result<Option<usize>, String> {
    let Some(most) = limit.maximum.filter(|most| *most <= SENSIBLE_MAXIMUM) else { return Ok(None) };
    let mut arguments = page.arguments.clone();
    limit.set(&mut arguments, most);
    let longest = bench.call(&arguments).await?;
    // A list that goes on is walked with pages that are as long as can be, so that more of it is seen.
    let goes_on = next_cursor(&longest).is_some();
    Ok(if goes_on { usize::try_from(most).ok().map(|most| most * PAGES) } else { item_count(&longest) })
}

/// Follows the cursors. How many pages there were.
async fn walk(bench: &Bench<'_>, cursor: &str, first: &Map<String, Value>) -> Result<usize, String> {
    let mut arguments = first.clone();
    let mut seen: Vec<Value> = Vec::new();
    for page in 1..=MOST_PAGES {
        let answer = bench.call(&arguments).await?;
        let Some(next) = next_cursor(&answer) else { return Ok(page) };
        let repeats = seen.iter().filter(|seen| **seen == next).count();
        if repeats + 1 >= MOST_REPEATS {
            return Ok(page);
        }
        arguments = with(first, cursor, next.clone());
        seen.push(next);
    }
    Ok(MOST_PAGES)
}

#[cfg(test)]
mod tests {
    use super::super::consent::Nature;
    use super::super::examples::{reading, sent};
    use super::*;

    fn tool(maximum: u64) -> ToolDef {
        let properties = json!({"limit": {"type": "integer", "minimum": 1, "maximum": maximum},
            "cursor": {"type": "string"}});
        reading("list", properties, &[])
    }

    fn page(arguments: &Value, total: u64) -> Value {
        let limit = arguments["limit"].as_u64().unwrap_or(5);
        let start: u64 = arguments["cursor"].as_str().map_or(0, |cursor| cursor.parse().unwrap());
        let rows: Vec<u64> = (start..(start + limit).min(total)).collect();
        let next = (start + limit < total).then(|| (start + limit).to_string());
        json!({"content": [], "structuredContent": {"rows": rows, "next_cursor": next}})
    }

    async fn walked(maximum: u64, total: u64) -> (Option<Outcome>, Vec<Value>) {
        sent(&CursorWalk, tool(maximum), json!({}), Nature::Reads, move |arguments| page(arguments, total))
            .await
    }

    #[tokio::test]
    async fn a_list_is_cut_into_about_four_pages_and_walked_twice() {
        let (outcome, sent) = walked(50, 12).await;
        assert_eq!(outcome, Some(Outcome::Exercised));
        let walk = ["", "3", "6", "9"].map(|cursor| match cursor {
            "" => json!({"limit": 3}),
            cursor => json!({"limit": 3, "cursor": cursor}),
        });
        assert_eq!(sent[..2], [json!({}), json!({"limit": 50})]);
        assert_eq!(sent[2..], [walk.clone(), walk].concat());
    }

    #[tokio::test]
    async fn a_list_that_fits_on_a_page_is_walked_with_shorter_ones_and_a_long_one_is_left_in_the_middle() {
        assert_eq!(walked(50, 4).await.1.len(), 1 + 2 * 4);
        let (outcome, sent) = walked(10, 1000).await;
        assert_eq!((outcome, sent.len()), (Some(Outcome::Exercised), 2 + 2 * MOST_PAGES));
        let alone = walked(50, 1).await.0;
        assert!(matches!(alone, Some(Outcome::NotExercised(why)) if why.contains("its first page")));
    }

    #[tokio::test]
    async fn a_walk_that_goes_in_a_circle_is_given_up() {
        let circle =
            |_: &Value| json!({"content": [], "structuredContent": {"rows": [1, 2], "next_cursor": "a"}});
        let tool = reading("list", json!({"cursor": {"type": "string"}}), &[]);
        let (outcome, sent) = sent(&CursorWalk, tool, json!({}), Nature::Reads, circle).await;
        assert_eq!((outcome, sent.len()), (Some(Outcome::Exercised), 1 + 2 * MOST_REPEATS));
    }
}
