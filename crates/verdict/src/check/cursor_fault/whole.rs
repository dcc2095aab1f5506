//! Walks to the end of a list, held against what else is known of it.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{DOC, Stillness, proven, shown, tool};
use crate::Finding;
use crate::check::beside::Asked;
use crate::check::walks::{Step, Walks, identity};
use crate::payload::adds_up_to;
use crate::report::counted;

/// So many readings of the same list are compared with one.
const MOST: usize = 64;

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
    if ended.is_empty() {
        return found;
    }
    let longer = Longer::of(walks);
    let mut alike: HashMap<(&str, Asked), Vec<&Vec<&Step<'_>>>> = HashMap::new();
    for path in ended {
        let Some(first) = path.first() else { continue };
        let before = alike.entry((first.name, first.asked())).or_default();
        let fault = short_of_total(path, server)
            .or_else(|| skips(path, &longer, still, server))
            .or_else(|| before.iter().find_map(|other| differs(other, path, still, server)));
        found.extend(fault);
        before.push(path);
        if before.len() > MOST {
            before.remove(0);
        }
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

/// The pages that were asked for with a limit, by their name and the other arguments, in order.
struct Longer<'w, 'a>(HashMap<(&'a str, Asked), Vec<(&'w Step<'a>, u64)>>);

impl<'w, 'a> Longer<'w, 'a> {
    fn of(walks: &'w Walks<'a>) -> Self {
        let mut pages: HashMap<_, Vec<_>> = HashMap::new();
        for step in &walks.steps {
            if let Some((asked, limit)) = step.without_limit() {
                pages.entry((step.name, asked)).or_default().push((step, limit));
            }
        }
        Self(pages)
    }

    /// The longer pages of the same list that more was asked of: the nearest ones, in order.
    fn than(&self, first: &Step<'a>, (asked, limit): (Asked, u64)) -> impl Iterator<Item = &'w Step<'a>> {
        let pages = self.0.get(&(first.name, asked)).map(Vec::as_slice).unwrap_or_default();
        let at = pages.partition_point(|(step, _)| step.request < first.request);
        let near = &pages[at.saturating_sub(MOST)..(at + MOST).min(pages.len())];
        let items = first.items.len();
        near.iter()
            .filter(move |(step, other)| step.items.len() > items && *other > limit)
            .map(|(step, _)| *step)
    }
}

/// An item in the middle of a longer page that no page of the walk has.
fn skips(path: &[&Step<'_>], longer: &Longer<'_, '_>, still: &Stillness, server: &str) -> Option<Finding> {
    let (first, last) = (path.first()?, path.last()?);
    let (asked, limit) = first.without_limit().unwrap_or_else(|| (first.asked(), 0));
    let seen: HashSet<String> = path.iter().flat_map(|step| &step.items).map(|item| key(item)).collect();
    longer.than(first, (asked, limit)).find_map(|longer| {
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
    let keys = |path: &[&Step<'_>]| {
        path.iter().flat_map(|step| &step.items).map(|item| key(item)).collect::<Vec<_>>()
    };
    let (mine, theirs) = (keys(one), keys(other));
    // The first one as they were listed: which that is is the same each time.
    let lacks = |of: &[String], others: &[String]| {
        let others: HashSet<&String> = others.iter().collect();
        of.iter().find(|key| !others.contains(key)).cloned()
    };
    let missing = lacks(&mine, &theirs).or_else(|| lacks(&theirs, &mine))?;
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
