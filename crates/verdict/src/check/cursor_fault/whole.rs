//! Walks to the end of a list, held against what else is known of it.

use std::collections::HashSet;

use serde_json::Value;

use super::{DOC, Stillness, proven, shown, tool};
use crate::Finding;
use crate::check::walks::{Step, Walks, identity};
use crate::payload::adds_up_to;
use crate::report::counted;

/// What walks without a fault on the way lack as a whole.
pub(super) fn look_at(
    walks: &Walks<'_>,
    paths: &[&Vec<&Step<'_>>],
    still: &Stillness,
    server: &str,
) -> Vec<Finding> {
    let ended: Vec<_> = paths
        .iter()
        .filter(|path| path.first().is_some_and(|first| first.is_first()))
        .filter(|path| path.last().is_some_and(|last| last.next.is_none()))
        .filter(|path| path.windows(2).all(|pair| still.holds(pair[0], pair[1])))
        .collect();
    let mut found = Vec::new();
    for (at, path) in ended.iter().enumerate() {
        let fault = short_of_total(path, server)
            .or_else(|| skips(path, walks, still, server))
            .or_else(|| ended[..at].iter().find_map(|other| differs(other, path, still, server)));
        found.extend(fault);
    }
    found
}

/// Fewer items on all pages than every page says there are.
fn short_of_total(path: &[&Step<'_>], server: &str) -> Option<Finding> {
    let last = path.last()?;
    let total = last.total?;
    let count: usize = path.iter().map(|step| step.items.len()).sum();
    // Where pages name different totals, the data moved.
    let is_agreed = path.iter().all(|step| step.total == Some(total));
    let items = path.iter().flat_map(|step| step.items.iter().copied());
    if !is_agreed || count as u64 >= total || adds_up_to(items, total) {
        return None;
    }
    let finding = proven(server, last, &last.list).saying(
        format!(
            "the {} hold {}, and each says that there are {total}",
            counted(path.len(), "page"),
            counted(count, "item")
        ),
        "this was the last of them",
        "let the pages together hold every item, or state the total of what can be read",
    );
    Some(last.finding(finding, &path[..path.len() - 1]))
}

/// An item in the middle of a longer page that no page of the walk has.
fn skips(path: &[&Step<'_>], walks: &Walks<'_>, still: &Stillness, server: &str) -> Option<Finding> {
    let (first, last) = (path.first()?, path.last()?);
    let (asked, limit) = first.without_limit().unwrap_or_else(|| (first.asked().to_owned(), 0));
    let seen: HashSet<String> = path.iter().flat_map(|step| &step.items).map(|item| key(item)).collect();
    let is_longer = |step: &&Step<'_>| {
        step.name == first.name
            && step.items.len() > first.items.len()
            && step.without_limit().is_some_and(|(theirs, other)| theirs == asked && other > limit)
    };
    walks.steps.iter().filter(is_longer).find_map(|longer| {
        let (from, to) = if longer.request < first.request { (longer, *last) } else { (*first, longer) };
        let is_seen: Vec<bool> = longer.items.iter().map(|item| seen.contains(&key(item))).collect();
        let (head, tail) = (is_seen.iter().position(|seen| *seen)?, is_seen.iter().rposition(|seen| *seen)?);
        let missing = (head..tail).find(|at| !is_seen[*at]).filter(|_| still.holds(from, to))?;
        let item = longer.items[missing];
        let finding = proven(server, last, &last.list).saying(
            format!(
                "no page holds the item {}, which stands among the others where more were asked for at once",
                shown(item)
            ),
            "these pages are everything",
            "begin each page right behind the last item of the one before",
        );
        Some(last.finding(finding.with_evidence(shown(item)), &[longer]))
    })
}

/// Another walk over the same list, with other items.
fn differs(one: &[&Step<'_>], other: &[&Step<'_>], still: &Stillness, server: &str) -> Option<Finding> {
    let (first, last) = (one.first()?, other.last()?);
    if !first.is_asked_like(other.first()?) || !still.holds(first, last) {
        return None;
    }
    let keys = |path: &[&Step<'_>]| path.iter().flat_map(|step| &step.items).map(|item| key(item)).collect();
    let (mine, theirs): (HashSet<String>, HashSet<String>) = (keys(one), keys(other));
    let missing = mine.symmetric_difference(&theirs).next()?;
    // Rows come and go; a list of tools says when it changes.
    let finding = if last.exchange.is_some() {
        Finding::suspected(&DOC, server, tool(last), last.list.as_str())
    } else {
        proven(server, last, &last.list)
    };
    let finding = finding.saying(
        format!("the same list, read twice to its end, does not hold the same items: {missing} is on one side only"),
        "this is everything",
        "read all pages from one state of the list, in an order that does not change, and announce when it changes",
    );
    Some(last.finding(finding, &[one.last()?]))
}

/// What an item is compared by.
fn key(item: &Value) -> String {
    let name = item.get("name").and_then(Value::as_str).filter(|_| item.get("inputSchema").is_some());
    name.map(|name| format!("`{name}`")).or_else(|| identity(item)).unwrap_or_else(|| item.to_string())
}
