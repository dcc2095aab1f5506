//! Totals that a filter leaves as they were.
//!
//! The rows were chosen, and the number beside them counts all that there are: only calls with and without the filter
//! show it.

use serde_json::Value;

use super::{finding, shown};
use crate::Finding;
use crate::check::admission::{Arguments, Claim};
use crate::check::effects::reads;
use crate::check::reading::{Exchange, Reading};
use crate::names::words;
use crate::paging::stated_limit;
use crate::payload::Statement;

/// Words in the names of arguments that choose no rows.
const NO_FILTERS: &[&str] = &[
    "after", "asc", "cursor", "desc", "direction", "fields", "format", "lang", "language", "limit", "locale",
    "offset", "order", "page", "size", "skip", "sort", "start", "token",
];
/// Words in the name of a number that is that of the whole collection, and says so.
const OF_ALL: &[&str] =
    &["all", "collection", "database", "grand", "overall", "store", "table", "unfiltered"];
/// Words in the name of a number that is that of the rows that were chosen.
const OF_MATCHES: &[&str] = &["found", "hits", "matched", "matches", "matching"];

/// A page with what it says of how many there are.
struct Counted<'r, 'a> {
    exchange: &'r Exchange<'a>,
    items: usize,
    at: String,
    total: u64,
    is_of_matches: bool,
    /// It says itself that there is no more.
    is_last: bool,
    says_more: bool,
}

/// Filtered answers that give the total of everything for that of what they chose.
pub(in crate::check) fn look_at(reading: &Reading<'_>) -> Vec<Finding> {
    let counted: Vec<_> = reading.exchanges.iter().filter_map(Counted::of).collect();
    let look = |page: &Counted<'_, '_>| {
        let (all, names) = counted.iter().find_map(|all| Some((all, page.narrows(all, reading)?)))?;
        let (payload, _) = page.exchange.success()?;
        let name = names.first()?;
        let value = page.exchange.call.arguments.and_then(|arguments| arguments.get(*name));
        let is_proven = page.is_of_matches && page.is_last;
        let found = finding(page.exchange, payload, reading.server(), is_proven).saying(
            format!(
                "with {} {} came back, and the total is {}, as it is without `{name}`",
                shown(name, value),
                crate::report::counted(page.items, "item"),
                page.total
            ),
            format!("so many have this `{name}`, and these are a few of them"),
            format!("count what `{name}` leaves, and call the number of everything by another name"),
        );
        let found = Finding { pointer: payload.shown(&page.at), ..found };
        Some(Finding { mutation: (*name).to_owned(), ..page.exchange.finding(found, &[all.exchange]) })
    };
    counted.iter().filter_map(look).collect()
}

impl<'r, 'a> Counted<'r, 'a> {
    /// An answer that states a total, and neither that it is a page among others nor that there is more.
    fn of(exchange: &'r Exchange<'a>) -> Option<Self> {
        let (payload, _) = exchange.success()?;
        let list = payload.list()?;
        let arguments = Arguments::of(exchange.call.arguments);
        let around = payload.around(&list.pointer);
        let claims: Vec<(&Statement<'_>, Claim)> =
            around.iter().map(|said| (said, said.claim(list.len as u64, &arguments))).collect();
        let has = |words: &[String], known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
        let (said, total) = claims.iter().find_map(|(said, claim)| match claim {
            Claim::Total(total) if !has(&said.words, OF_ALL) => Some((*said, *total)),
            _ => None,
        })?;
        Some(Self {
            exchange,
            items: list.len,
            at: said.pointer.clone(),
            total,
            is_of_matches: has(&said.words, OF_MATCHES),
            is_last: claims.iter().any(|(_, claim)| *claim == Claim::NoMore),
            says_more: claims.iter().any(|(_, claim)| matches!(claim, Claim::More | Claim::Coordinate)),
        })
    }

    /// The filters that this was asked for with and another was not, where it holds fewer items and has the same total.
    fn narrows(&self, all: &Self, reading: &Reading<'_>) -> Option<Vec<&'a str>> {
        let is_alike = self.total == all.total && self.exchange.call.name == all.exchange.call.name;
        let (mine, theirs) =
            (self.exchange.call.arguments.filter(|_| is_alike)?, all.exchange.call.arguments);
        // All else is as it was, the size of the page too.
        let is_kept = |(name, value): (&String, &Value)| mine.get(name) == Some(value);
        let is_more = |name: &&String| theirs.is_none_or(|theirs| !theirs.contains_key(*name));
        let filters: Vec<&str> = mine.keys().filter(is_more).map(String::as_str).collect();
        // Where the page was full, others may lie behind it.
        let limit = stated_limit(self.exchange.tool, mine).map(|(_, limit)| limit);
        let is_full = limit.is_some_and(|limit| self.items as u64 >= limit);
        let is_narrowed =
            !self.says_more && self.items < all.items && !is_full && self.total > self.items as u64;
        let is_it = self.at == all.at
            && is_narrowed
            && theirs.into_iter().flatten().all(is_kept)
            && !filters.is_empty()
            && !filters.iter().any(|name| is_no_filter(name))
            && is_still(self.exchange, all.exchange, reading);
        is_it.then_some(filters)
    }
}

fn is_no_filter(name: &str) -> bool {
    words(name).iter().any(|word| NO_FILTERS.contains(&word.as_str()))
}

/// Whether nothing between two calls may have changed what there is.
fn is_still(one: &Exchange<'_>, other: &Exchange<'_>, reading: &Reading<'_>) -> bool {
    let (from, to) = (one.call.index.min(other.call.index), one.call.index.max(other.call.index));
    let between = reading.exchanges.get(from + 1..to).unwrap_or_default();
    between.iter().all(|call| call.call.name == one.call.name || reads(call.call.name, call.tool))
}
