//! Totals: how many there are, of which a reader has to see himself that it is more than the items.

use std::borrow::Cow;

use serde_json::Value;

use super::{DOC, last_token, shown};
use crate::check::admission::Claim;
use crate::check::pages::Page;
use crate::names::has_word;
use crate::payload::{Payload, Said, Statement, adds_up_to};
use crate::report::counted;
use crate::{Finding, Severity};

/// Words in the names of arguments by which a later page is asked for.
const WAYS_ON: &[&str] =
    &["after", "continuation", "cursor", "marker", "offset", "page", "scroll", "skip", "token"];

/// Words in the names of amounts, which make a total beside them one too.
const AMOUNTS: &[&str] = &[
    "amount", "balance", "capacity", "discount", "fee", "free", "gross", "net", "paid", "price", "shipping",
    "subtotal", "tax", "taxes", "used", "vat",
];

/// A total that is larger than the list, beside nothing else that would say so.
pub(super) fn lone_total(server: &str, page: &Page<'_>) -> Option<Finding> {
    if goes_on(page) {
        return None;
    }
    let around = page.exchange.around()?;
    let (list, claims) = (around.list, around.claims().collect::<Vec<_>>());
    let (said, total) = total_of(&claims, list.len)?;
    if says_it_is_a_page(&claims) || is_sum(page.payload, &list.pointer, total) {
        return None;
    }
    let denied = claims.iter().find(|(said, claim)| said.is_flag() && *claim == Claim::NoMore);
    match denied.filter(|_| asks_for_all(page) && !goes_back(&around.statements)) {
        Some((denied, _)) => Some(against_a_total(server, page, [denied, said], list.len, &list.pointer)),
        None => Some(only_a_total(server, page, said, list.len, total, &list.pointer)),
    }
}

/// Whether nothing in the arguments narrows the list: a total may be that of everything, whatever a filter left.
fn asks_for_all(page: &Page<'_>) -> bool {
    let limits = page.stated.iter().map(|(at, _)| at.as_str());
    let limits: Vec<&str> = limits.filter_map(|at| at.split('/').nth(1)).collect();
    page.call
        .arguments
        .into_iter()
        .flatten()
        .all(|(name, _)| limits.contains(&name.as_str()) && name != "last")
}

/// Whether a list says that there are items before it: then it may be its last page.
fn goes_back(statements: &[Statement<'_>]) -> bool {
    let is_back = |word: &Cow<'_, str>| matches!(&**word, "before" | "prev" | "previous");
    statements.iter().any(|said| {
        let says = !matches!(said.said, Said::Value(Value::Null | Value::Bool(false)));
        says && said.words.iter().any(is_back)
    })
}

/// A flag that says that there is no more, beside a total that says that there is.
fn against_a_total(
    server: &str,
    page: &Page<'_>,
    [denied, total]: [&Statement<'_>; 2],
    items: usize,
    list: &str,
) -> Finding {
    let at = page.payload.shown(&denied.pointer);
    let finding = Finding::proven(&DOC, Severity::Error, server, page.call.name, at).saying(
        format!(
            "the answer holds {} and says `{}`, and beside it `{}`",
            counted(items, "item"),
            shown(denied, page.payload),
            shown(total, page.payload)
        ),
        "there are no more, whatever the total says",
        "let the flag say that there are more, and say how to get the rest; or count only what there is",
    );
    page.finding(finding, &[], list)
}

/// Whether this page was asked for as one that goes on from another: who asks so does not take it for the whole.
fn goes_on(page: &Page<'_>) -> bool {
    page.call.arguments.into_iter().flatten().any(|(name, value)| {
        let moves_on = has_word(name, WAYS_ON);
        let begins = match value {
            Value::Null => true,
            Value::Number(number) => number.as_u64().is_some_and(|number| number <= 1),
            Value::String(text) => matches!(text.trim(), "" | "0" | "1"),
            _ => true,
        };
        moves_on && !begins
    })
}

pub(super) fn only_a_total(
    server: &str,
    page: &Page<'_>,
    said: &Statement<'_>,
    items: usize,
    total: u64,
    list: &str,
) -> Finding {
    let at = page.payload.shown(&said.pointer);
    let finding = Finding::suspected(&DOC, server, page.call.name, at).saying(
        format!("{items} of {total} items came back, and only who compares the two numbers notices"),
        if items == 1 {
            "this 1 is what was asked for".to_owned()
        } else {
            format!("these {items} are what was asked for")
        },
        format!(
            "beside `{}` also say that this is a part (`truncated: true`), and how to get the rest",
            last_token(&said.pointer)
        ),
    );
    page.finding(finding, &[], list)
}

/// A total that is more than the items, unless another number says that the items are all.
pub(super) fn total_of<'s>(
    claims: &[(&'s Statement<'s>, Claim)],
    items: usize,
) -> Option<(&'s Statement<'s>, u64)> {
    let items = items as u64;
    if claims.iter().any(|(_, claim)| *claim == Claim::Total(items)) {
        return None;
    }
    claims.iter().find_map(|(said, claim)| match claim {
        Claim::Total(total) if *total > items => Some((*said, *total)),
        _ => None,
    })
}

/// Whether something beside a total says that this is not all of it.
pub(super) fn says_it_is_a_page(claims: &[(&Statement<'_>, Claim)]) -> bool {
    claims.iter().any(|(said, claim)| {
        matches!(claim, Claim::More | Claim::Coordinate)
            || said.is_coordinate()
            || (matches!(claim, Claim::Count(_)) && said.counts_what_is_here())
    })
}

/// Whether a number is the sum of something in or beside the list, and so not the number of its items.
fn is_sum(payload: &Payload, list: &str, total: u64) -> bool {
    let items = payload.at(list).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let beside = list.rsplit_once('/').and_then(|(parent, _)| payload.at(parent)).and_then(Value::as_object);
    let siblings = || beside.into_iter().flatten().map(|(_, value)| value);
    let lengths: usize = siblings().filter_map(Value::as_array).map(Vec::len).sum();
    let numbers: f64 = siblings().filter_map(Value::as_f64).sum::<f64>() - total as f64;
    let near = |sum: f64| (sum - total as f64).abs() < 0.01;
    // Beside a price or what is left of a store, a total is one of those.
    let is_amount = |(name, value): (&String, &Value)| value.is_number() && has_word(name, AMOUNTS);
    let is_of_amounts = beside.into_iter().flatten().any(is_amount);
    is_of_amounts || adds_up_to(items, total) || near(lengths as f64) || near(numbers)
}
