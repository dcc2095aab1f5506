//! Lists that were read page by page, each page asked for with the cursor of the one before.

use std::collections::HashMap;

use serde_json::Value;

use super::admission::Claim;
use super::beside::{self, Asked};
use super::reading::{Exchange, Reading};
use crate::Finding;
use crate::names::has_word;
use crate::paging;
use crate::transcript::requests::Request;

/// Words in the names of arguments that say where to go on.
const WAYS_ON: &[&str] = &[
    "after", "bookmark", "continuation", "continue", "cursor", "key", "marker", "next", "offset", "page",
    "scroll", "skip", "start", "token",
];

/// Words in the names of tools that tell what has changed.
const FEEDS: &[&str] =
    &["changes", "delta", "deltas", "feed", "poll", "subscribe", "sync", "updates", "watch"];
/// How a description says that a tool tells what has changed.
const FEED_WORDS: &[&str] = &[
    "changed since", "changes since", "events since", "new since", "since a cursor", "since the cursor",
    "since the last", "updates since",
];

/// One page of a list.
pub(super) struct Step<'a> {
    /// The tool, or the method for a list of the protocol's own.
    pub name: &'a str,
    /// The call, where it is one of a tool.
    pub exchange: Option<&'a Exchange<'a>>,
    pub request: usize,
    pub response: usize,
    /// All arguments.
    arguments: Asked,
    /// The cursor that it was asked for with, and the arguments without it.
    pub cursor: Option<&'a Value>,
    /// Where the way on stands in the frame, and what it is.
    pub next: Option<(String, &'a Value)>,
    /// Where the list stands in the frame.
    pub list: String,
    pub items: Vec<&'a Value>,
    /// How many there are in all, where the page says so.
    pub total: Option<u64>,
    /// Whether the page says, other than by a cursor, that there is more.
    says_more: bool,
    /// The page before.
    pub before: Option<usize>,
}

/// The pages of a session, in the order in which they were asked for.
pub(super) struct Walks<'a> {
    pub steps: Vec<Step<'a>>,
    /// The pages by their name and the way on that they name, in order.
    ways: HashMap<(&'a str, String), Vec<usize>>,
}

impl<'a> Walks<'a> {
    /// Reads the pages, and which of them was asked for with the cursor of which.
    pub fn of(reading: &'a Reading<'a>) -> Self {
        let calls = reading.exchanges.iter().filter_map(Step::of_call);
        let lists = reading.requests.all.iter().filter_map(Step::of_list);
        let mut steps: Vec<Step<'a>> = calls.chain(lists).collect();
        steps.sort_by_key(|step| step.request);
        let mut ways: HashMap<(&str, String), Vec<usize>> = HashMap::new();
        for at in 0..steps.len() {
            let link = steps[at].cursors().into_iter().find_map(|(cursor, others)| {
                let before = ways.get(&(steps[at].name, cursor.to_string()))?;
                let is_before = |other: &&usize| {
                    let other = &steps[**other];
                    // What was not yet there when this was asked for led nowhere.
                    other.response < steps[at].request
                        && (other.arguments == others
                            || other.cursors().iter().any(|(_, theirs)| *theirs == others))
                };
                Some((cursor, before.iter().rev().find(is_before).copied()?))
            });
            if let Some((cursor, before)) = link {
                steps[at].cursor = Some(cursor);
                steps[at].before = Some(before);
            }
            if let Some((_, next)) = &steps[at].next {
                ways.entry((steps[at].name, next.to_string())).or_default().push(at);
            }
        }
        Self { steps, ways }
    }

    /// Of each page, whether another one was asked for with its way on.
    pub fn followed(&self) -> Vec<bool> {
        let mut followed = vec![false; self.steps.len()];
        self.steps.iter().filter_map(|step| step.before).for_each(|before| followed[before] = true);
        followed
    }

    /// The page whose cursor a call was made with, the argument and the cursor.
    pub fn led_to(&self, exchange: &'a Exchange<'a>) -> Option<(&Step<'a>, &'a str, &'a Value)> {
        let arguments = exchange.call.arguments;
        let mut named = arguments.into_iter().flatten().filter(|(name, value)| is_cursor(name, value));
        named.find_map(|(name, value)| {
            let others = beside::asked(arguments, Some(name));
            let led = |step: &&Step<'a>| {
                step.response < exchange.call.request
                    && (step.arguments == others
                        || step.cursors().iter().any(|(_, theirs)| *theirs == others))
            };
            let ways = self.ways.get(&(exchange.call.name, value.to_string()))?;
            Some((ways.iter().rev().map(|at| &self.steps[*at]).find(led)?, name.as_str(), value))
        })
    }

    /// Every walk of more than one page that nothing goes on from, by its pages.
    pub fn paths(&self) -> Vec<Vec<&Step<'a>>> {
        let is_left = self.followed();
        let leaves = (0..self.steps.len()).filter(|at| !is_left[*at] && self.steps[*at].before.is_some());
        let path = |leaf: usize| {
            let mut path: Vec<&Step<'a>> = std::iter::successors(Some(leaf), |at| self.steps[*at].before)
                .map(|at| &self.steps[at])
                .collect();
            path.reverse();
            path
        };
        leaves.map(path).collect()
    }
}

impl<'a> Step<'a> {
    fn of_call(exchange: &'a Exchange<'a>) -> Option<Self> {
        let (payload, response) = exchange.success()?;
        let around = exchange.around()?;
        let list = around.list;
        let items = payload.at(&list.pointer)?.as_array()?.iter().collect();
        let claims = || around.claims();
        let way_on = around.statements.iter().filter(|said| said.is_way_on()).find_map(|said| {
            let value = payload.at(&said.pointer)?;
            let is_cursor = match value {
                Value::String(text) => !text.is_empty() && !text.contains(char::is_whitespace),
                Value::Number(_) => true,
                _ => false,
            };
            is_cursor.then(|| (payload.shown(&said.pointer), value))
        });
        let total = claims().find_map(|(_, claim)| match claim {
            Claim::Total(total) => Some(total),
            _ => None,
        });
        let flagged = |wanted: Claim| {
            claims().any(|(said, claim)| claim == wanted && (said.is_flag() || !said.is_way_on()))
        };
        // Behind the end a cursor is no way to the rest: it is where the next poll begins.
        let is_end = claims().any(|(said, claim)| claim == Claim::NoMore && said.is_flag());
        Some(Self {
            name: exchange.call.name,
            exchange: Some(exchange),
            request: exchange.call.request,
            response,
            arguments: exchange.asked,
            cursor: None,
            next: way_on.filter(|_| !is_end),
            list: payload.shown(&list.pointer),
            items,
            total,
            says_more: flagged(Claim::More),
            before: None,
        })
    }

    fn of_list(request: &Request<'a>) -> Option<Self> {
        request.method.strip_suffix("/list")?;
        let (response, result) = request.result()?;
        let (name, items) =
            result.as_object()?.iter().find_map(|(name, value)| Some((name, value.as_array()?)))?;
        let next = result.get("nextCursor").filter(|next| !next.is_null());
        let mut step = Self {
            name: request.method,
            exchange: None,
            request: request.frame,
            response,
            arguments: beside::asked(None, None),
            cursor: None,
            next: next.map(|next| ("/result/nextCursor".to_owned(), next)),
            list: format!("/result/{name}"),
            items: items.iter().collect(),
            total: None,
            says_more: false,
            before: None,
        };
        step.cursor = request.param("cursor");
        Some(step)
    }

    /// The arguments that may be cursors, each with the others.
    fn cursors(&self) -> Vec<(&'a Value, Asked)> {
        let Some(exchange) = self.exchange else {
            return self.cursor.into_iter().map(|cursor| (cursor, self.arguments)).collect();
        };
        let arguments = exchange.call.arguments;
        let named = arguments.into_iter().flatten().filter(|(name, value)| is_cursor(name, value));
        named.map(|(name, value)| (value, beside::asked(arguments, Some(name)))).collect()
    }

    /// Whether this is a poll that found nothing new: an empty answer whose cursor is the one it was asked for with, and
    /// that does not say that there is more. The protocol's own lists are never polled so.
    pub fn stays(&self) -> bool {
        let same = self.next.as_ref().is_some_and(|(_, next)| self.cursor == Some(next));
        same && self.items.is_empty() && !self.says_more && self.exchange.is_some()
    }

    /// Whether the tool tells of changes by its name or its description: what changed before may change again.
    pub fn is_of_a_feed(&self) -> bool {
        let is_told = |exchange: &Exchange<'_>| {
            let said = exchange.tool.map(|tool| tool.description().to_lowercase()).unwrap_or_default();
            has_word(self.name, FEEDS) || FEED_WORDS.iter().any(|words| said.contains(words))
        };
        self.exchange.is_some_and(is_told)
    }

    /// Whether it begins at the beginning.
    pub fn is_first(&self) -> bool {
        match self.exchange {
            None => self.cursor.is_none(),
            Some(_) => self.cursors().iter().all(|(cursor, _)| matches!(cursor.as_u64(), Some(0 | 1))),
        }
    }

    /// Whether another page was asked for with the very same arguments.
    pub fn is_asked_like(&self, other: &Self) -> bool {
        self.name == other.name && self.arguments == other.arguments
    }

    /// The arguments without the limit, where there is one, and the limit.
    pub fn without_limit(&self) -> Option<(Asked, u64)> {
        let exchange = self.exchange?;
        let arguments = exchange.call.arguments?;
        let (at, limit) = paging::stated_limit(exchange.limit.as_deref(), arguments)?;
        Some((beside::asked(Some(&paging::without(arguments, &at)), None), limit))
    }

    /// All arguments.
    pub fn asked(&self) -> Asked {
        self.arguments
    }

    /// A finding about this page, compared with others.
    pub fn finding(&self, finding: Finding, others: &[&Step<'_>]) -> Finding {
        let of_calls: Vec<_> = others.iter().filter_map(|other| other.exchange).collect();
        match self.exchange {
            Some(exchange) => exchange.finding(finding, &of_calls),
            None => {
                let frames = std::iter::once(self).chain(others.iter().copied()).map(|step| step.response);
                Finding { frames: frames.collect(), ..finding }
            }
        }
    }
}

fn is_cursor(name: &str, value: &Value) -> bool {
    let is_scalar = value.as_str().is_some_and(|text| !text.is_empty()) || value.is_u64();
    is_scalar && has_word(name, WAYS_ON)
}

/// What an item is known by: the member that no two items share, with its value.
pub(super) fn identity(item: &Value) -> Option<String> {
    const NAMES: &[&str] = &["id", "_id", "uuid", "uri"];
    let member = |name: &&&str| item.get(**name).filter(|value| value.is_string() || value.is_number());
    NAMES
        .iter()
        .find(|name| member(name).is_some())
        .and_then(|name| Some(format!("{name} {}", item.get(*name)?)))
}
