//! Pages of different length of the same list.

use frankly_contract::BoxFuture;
use frankly_verdict::paging::{Limit, limit_of};
use frankly_verdict::payload::{is_longer, item_count};
use frankly_verdict::{Doc, Example, Expected, Severity};
#[cfg(test)]
use serde_json::Value;

use super::bench::Bench;
use super::consent::{flag_writes, writing_verb};
use super::largest_result::SENSIBLE_MAXIMUM;
use super::relation::Baseline;
use super::{Outcome, Probe};
use crate::config::Consent;

/// See [`DOC`].
pub(super) struct PageGrowth;

static DOC: Doc = Doc {
    name: "page-growth",
    what: "asks for a page as the tool gives it and for one that is one item longer, then for one item and for two, \
           each time the shorter one again afterwards; at last for more items than the stated maximum, for fewer than \
           the stated minimum, and for none",
    why: "More items exist when the longer page has more; then the shorter page must say so, or it reads as everything. \
          The repeated call shows that the data did not move in between. Feeds the check silent-truncation. What is out \
          of bounds must be refused, or it must be said how many came instead; never more than asked for.",
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

    fn needs(&self, _has_examples: bool) -> Consent {
        Consent::Mutate
    }

    fn fits(&self, bench: &Bench<'_>) -> bool {
        let tool = bench.tool();
        // `count` in `insert_rows` is no page.
        limit_of(tool).is_some() && writing_verb(tool.name()).is_none() && bench.reads()
    }

    fn run<'a>(&'a self, bench: &'a Bench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { grow(bench).await.into() })
    }

    /// A list of `rows` items, `default` to a page, with the members that the example `says` beside them.
    #[cfg(test)]
    fn example_answer(&self, example: &Value, arguments: &Value) -> Value {
        use serde_json::json;

        let limit = arguments["limit"].as_u64();
        if limit == Some(0) {
            return json!({"content": [{"type": "text", "text": "INVALID_ARGS: `limit` must be at least 1"}], "isError": true});
        }
        let total = example["rows"].as_u64().unwrap();
        let returned = limit.unwrap_or(example["default"].as_u64().unwrap()).min(total);
        let rows: Vec<Value> = (0..returned).map(|id| json!({"id": id})).collect();
        let mut payload = json!({"rows": rows});
        for member in example["says"].as_array().unwrap() {
            let member = member.as_str().unwrap();
            payload[member] = if member == "count" { json!(returned) } else { json!(returned < total) };
        }
        json!({"content": [], "structuredContent": payload})
    }
}

async fn grow(bench: &Bench<'_>) -> Result<(), String> {
    let limit = limit_of(bench.tool()).ok_or("it has no limit")?;
    let by_default = match limit.required {
        true => Err("the limit must be given".to_owned()),
        false => grow_by_default(bench, &limit).await,
    };
    let as_asked = grow_as_asked(bench, &limit).await;
    ask_beyond(bench, &limit).await;
    // Either pair shows something; where neither does, what stood in the way of the first call says most.
    by_default.or(as_asked.clone()).map_err(|why| as_asked.err().unwrap_or(why))
}

/// The page as the tool gives it, and one that is one item longer.
async fn grow_by_default(bench: &Bench<'_>, limit: &Limit) -> Result<(), String> {
    let mut arguments = bench.good_arguments();
    limit.unset(&mut arguments);
    let page = Baseline::answered(bench, arguments).await?;
    let items = item_count(&page.answer).ok_or("the answer holds no list with these arguments")?;
    compare(bench, limit, &page, items as u64 + 1).await
}

/// As few items as may be asked for, and one more.
async fn grow_as_asked(bench: &Bench<'_>, limit: &Limit) -> Result<(), String> {
    let mut arguments = bench.good_arguments();
    let fewest = limit.minimum.unwrap_or(1).max(1);
    limit.set(&mut arguments, fewest);
    let page = Baseline::answered(bench, arguments).await?;
    compare(bench, limit, &page, fewest.saturating_add(1)).await
}

/// Asks for more than may be asked for, then for less, and at last for nothing. A refusal is right, and so nothing hangs
/// on the answers; where the good call failed they would say nothing.
async fn ask_beyond(bench: &Bench<'_>, limit: &Limit) {
    let parameter = bench.tool().parameters().find(|(name, _)| *name == limit.name);
    let changes = parameter.is_some_and(|(name, schema)| flag_writes(name, schema));
    if !bench.reads() || changes || bench.good().await.is_err() {
        return;
    }
    let over = limit.maximum.filter(|maximum| *maximum <= SENSIBLE_MAXIMUM).map(|maximum| maximum + 1);
    let under = limit.minimum.filter(|minimum| *minimum > 1).map(|minimum| minimum - 1);
    for beyond in over.into_iter().chain(under).chain([0]) {
        let mut arguments = bench.good_arguments();
        limit.set(&mut arguments, beyond);
        if bench.ask(&arguments).await.is_err() {
            return;
        }
    }
}

/// Asks for a longer page and for the first one again. An error where that shows nothing.
async fn compare(
    bench: &Bench<'_>,
    limit: &Limit,
    page: &Baseline<'_, '_>,
    longer: u64,
) -> Result<(), String> {
    if limit.maximum.is_some_and(|maximum| longer > maximum) {
        return Err(format!("`{}` allows no longer page than this one", limit.name));
    }
    let mut longer_arguments = page.arguments.clone();
    limit.set(&mut longer_arguments, longer);
    let longer_page = bench.call(&longer_arguments).await?;
    if !is_longer(&longer_page, &page.answer) {
        let name = &limit.name;
        return Err(format!(
            "`{name}: {longer}` gave no longer page than before; give arguments for which the list is longer than a page"
        ));
    }
    page.still_as_long().await
}

#[cfg(test)]
mod tests {
    use super::super::consent::Nature;
    use super::super::examples::{reading, sent};
    use super::*;
    use serde_json::json;

    fn rows(arguments: &Value) -> Value {
        let limit = arguments["limit"].as_u64().unwrap_or(3);
        if !(2..=9).contains(&limit) {
            return json!({"content": [{"type": "text", "text": "limit is from 2 to 9"}], "isError": true});
        }
        let rows: Vec<_> = (0..limit).map(|id| json!({"id": id})).collect();
        json!({"content": [], "structuredContent": {"truncated": true, "items": rows}})
    }

    #[tokio::test]
    async fn what_is_out_of_bounds_is_asked_for_last_and_may_be_refused() {
        let limit = json!({"type": "integer", "minimum": 2, "maximum": 9});
        let tool = reading("list", json!({ "limit": limit }), &[]);
        let (outcome, sent) = sent(&PageGrowth, tool, json!({}), Nature::Reads, rows).await;
        assert_eq!(outcome, Some(Outcome::Exercised));
        let limits: Vec<_> = sent.iter().map(|arguments| arguments["limit"].as_u64()).collect();
        let pages = [None, Some(4), None, Some(2), Some(3), Some(2)];
        assert_eq!(limits, [&pages[..], &[Some(10), Some(1), Some(0)]].concat());
    }

    #[tokio::test]
    async fn nothing_is_asked_for_twice_where_the_good_call_is_the_first_page() {
        let tool = reading("list", json!({"limit": {"type": "integer", "minimum": 2}}), &[]);
        let (_, sent) = sent(&PageGrowth, tool, json!({"limit": 2}), Nature::Unmarked, rows).await;
        let limits: Vec<_> = sent.iter().map(|arguments| arguments["limit"].as_u64()).collect();
        assert_eq!(limits, [None, Some(4), None, Some(2), Some(3), Some(2), Some(1), Some(0)]);
    }
}
