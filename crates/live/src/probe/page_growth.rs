//! Pages of different length of the same list.

use frankly_contract::{BoxFuture, ToolDef, ToolResult};
use frankly_verdict::paging::{Limit, limit_of};
use frankly_verdict::payload::{item_count, same_items};
use frankly_verdict::{Doc, Example, Expected, Severity};
use serde_json::{Map, Value};

use super::bench::Bench;
use super::consent::writing_verb;
use super::{Outcome, Probe};
use crate::config::Consent;

/// See [`DOC`].
pub(super) struct PageGrowth;

static DOC: Doc = Doc {
    name: "page-growth",
    what: "asks for a page as the tool gives it and for one that is one item longer, then for one item and for two, \
           each time the shorter one again afterwards",
    why: "More items exist when the longer page has more; then the shorter page must say so, or it reads as everything. \
          The repeated call shows that the data did not move in between. Feeds the check silent-truncation.",
    severity: "needs the consent `mutate`; sends nothing to a tool whose name says that it writes",
    examples: &[
        Example {
            about: "a page of two that says `count: 2`, of a list of three",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/count"),
            input: r#"{"default": 2, "rows": 3, "says": ["count"]}"#,
        },
        Example {
            about: "a single row of three, without a word, where one was asked for",
            expected: Expected::Finding(Severity::Warning, "/result/structuredContent/rows"),
            input: r#"{"default": 50, "rows": 3, "says": []}"#,
        },
        Example {
            about: "the same page, saying that it is cut",
            expected: Expected::Silence,
            input: r#"{"default": 2, "rows": 3, "says": ["count", "truncated"]}"#,
        },
        Example {
            about: "a list as long as its page",
            expected: Expected::Silence,
            input: r#"{"default": 2, "rows": 2, "says": ["count", "truncated"]}"#,
        },
    ],
};

impl Probe for PageGrowth {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn needs(&self) -> Consent {
        Consent::Mutate
    }

    fn fits(&self, tool: &ToolDef) -> bool {
        // `count` in `insert_rows` is no page.
        limit_of(tool).is_some() && writing_verb(tool.name()).is_none()
    }

    fn run<'a>(&'a self, bench: &'a Bench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            match grow(bench).await {
                Ok(()) => Outcome::Exercised,
                Err(why) => Outcome::NotExercised(why),
            }
        })
    }
}

async fn grow(bench: &Bench<'_>) -> Result<(), String> {
    let limit = limit_of(bench.tool()).ok_or("it has no limit")?;
    let mut arguments = bench.good_arguments();
    if !limit.required {
        arguments.remove(&limit.name);
    }
    let page = bench.call(&arguments).await?;
    let items = item_count(&page).ok_or("the answer is no list")?;
    if items == 0 {
        return Err("the list is empty with these arguments".to_owned());
    }
    if !limit.required && compare(bench, &limit, &arguments, &page, items as u64 + 1).await? {
        return Ok(());
    }
    if items == 1 {
        return Err("the list has one item with these arguments".to_owned());
    }
    let shortest = limit.minimum.unwrap_or(1).max(1);
    arguments.insert(limit.name.clone(), shortest.into());
    let page = bench.call(&arguments).await?;
    if compare(bench, &limit, &arguments, &page, shortest + 1).await? {
        return Ok(());
    }
    Err(format!("a larger `{}` gave no longer page", limit.name))
}

/// Asks for a longer page and for the first one again. Whether the longer page was longer; an error when the
/// two first pages differ.
async fn compare(
    bench: &Bench<'_>,
    limit: &Limit,
    arguments: &Map<String, Value>,
    page: &ToolResult,
    longer: u64,
) -> Result<bool, String> {
    if limit.maximum.is_some_and(|maximum| longer > maximum) {
        return Ok(false);
    }
    let mut longer_arguments = arguments.clone();
    longer_arguments.insert(limit.name.clone(), longer.into());
    // A limit that is refused although the schema allows it is not this probe's business.
    let Ok(longer_page) = bench.call(&longer_arguments).await else { return Ok(false) };
    if item_count(&longer_page) <= item_count(page) {
        return Ok(false);
    }
    let again = bench.call(arguments).await?;
    if !same_items(page, &again) {
        return Err("the data moved: the same call gave other items a moment later".to_owned());
    }
    Ok(true)
}
