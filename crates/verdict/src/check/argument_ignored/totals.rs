//! Totals that a filter leaves as they were.
//!
//! The rows were chosen, and the number beside them counts all that there are: only calls with and without the filter
//! show it.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};

use super::{finding, shown};
use crate::Finding;
use crate::check::admission::Claim;
use crate::check::beside::{Asked, asked};
use crate::check::reading::{Exchange, Reading};
use crate::names::has_word;
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
    let alike = Alike::of(&counted);
    let look = |page: &Counted<'_, '_>| {
        let (all, names) =
            alike.to(page).into_iter().find_map(|all| Some((all, page.narrows(all, reading)?)))?;
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
        let around = exchange.around()?;
        let has =
            |said: &Statement<'_>, known: &[&str]| said.words.iter().any(|word| known.contains(&&**word));
        let (said, total) = around.claims().find_map(|(said, claim)| match claim {
            Claim::Total(total) if !has(said, OF_ALL) => Some((said, total)),
            _ => None,
        })?;
        Some(Self {
            exchange,
            items: around.list.len,
            at: said.pointer.clone(),
            total,
            is_of_matches: has(said, OF_MATCHES),
            is_last: around.claims().any(|(_, claim)| claim == Claim::NoMore),
            says_more: around.claims().any(|(_, claim)| matches!(claim, Claim::More | Claim::Coordinate)),
        })
    }

    fn kind(&self) -> Kind<'_> {
        (self.exchange.call.name, &self.at, self.total)
    }

    fn names(&self) -> Vec<&'a str> {
        let mut names: Vec<&str> =
            self.exchange.call.arguments.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names
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
        let limit = stated_limit(self.exchange.limit.as_deref(), mine).map(|(_, limit)| limit);
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

/// Answers by what another one has to be alike in that narrows them: tool, place and total; then by the names of the
/// arguments and their values.
struct Alike<'c, 'r, 'a>(HashMap<Kind<'c>, BTreeMap<Vec<&'a str>, Same<'c, 'r, 'a>>>);

/// Answers to the very same call, by its arguments.
type Same<'c, 'r, 'a> = HashMap<Asked, Vec<&'c Counted<'r, 'a>>>;

/// What narrowed and whole answers have in common.
type Kind<'c> = (&'c str, &'c str, u64);

impl<'c, 'r, 'a> Alike<'c, 'r, 'a> {
    /// So many answers to the very same call, before it and after it, are compared with one.
    const MOST: usize = 32;

    fn of(counted: &'c [Counted<'r, 'a>]) -> Self {
        let mut alike: HashMap<_, BTreeMap<_, Same<'_, '_, '_>>> = HashMap::new();
        for one in counted {
            let of_kind = alike.entry(one.kind()).or_default();
            of_kind.entry(one.names()).or_default().entry(one.exchange.asked).or_default().push(one);
        }
        Self(alike)
    }

    /// The answers to the same call with fewer arguments, in their order.
    fn to(&self, page: &Counted<'_, '_>) -> Vec<&'c Counted<'r, 'a>> {
        let of_kind = self.0.get(&(page.exchange.call.name, page.at.as_str(), page.total));
        let (mine, at) = (page.exchange.call.arguments, page.exchange.call.index);
        let fewer = of_kind.into_iter().flatten().filter_map(|(names, same)| {
            let mine = mine.filter(|mine| names.len() < mine.len())?;
            let kept: Map<String, Value> = names
                .iter()
                .map(|name| mine.get(*name).map(|value| ((*name).to_owned(), value.clone())))
                .collect::<Option<_>>()?;
            same.get(&asked(Some(&kept), None))
        });
        let nearest = fewer.flat_map(|same| {
            let at = same.partition_point(|one| one.exchange.call.index < at);
            &same[at.saturating_sub(Self::MOST)..(at + Self::MOST).min(same.len())]
        });
        let mut found: Vec<_> = nearest.copied().collect();
        found.sort_by_key(|one| one.exchange.call.index);
        found
    }
}

fn is_no_filter(name: &str) -> bool {
    has_word(name, NO_FILTERS)
}

/// Whether nothing between two calls may have changed what there is.
fn is_still(one: &Exchange<'_>, other: &Exchange<'_>, reading: &Reading<'_>) -> bool {
    let (from, to) = (one.call.index.min(other.call.index), one.call.index.max(other.call.index));
    !reading.writes.of_others_between(one.call.name, from, to)
}
