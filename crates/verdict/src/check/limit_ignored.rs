//! More items than were asked for, or another number of them.

use std::collections::HashSet;

use frankly_contract::ToolDef;
use serde_json::{Map, Value};

use super::admission::Claim;
use super::announced::Announcement;
use super::around::Around;
use super::pages::{Page, pages};
use super::{Check, Reading};
use crate::names::words;
use crate::paging::Limit;
use crate::report::counted;
use crate::schema::Document;
use crate::{Doc, Finding, Severity};

mod doc;

use doc::DOC;

/// So many limits of one list are compared with each other.
const MOST_PAGES: usize = 8;
/// Verbs of tools for which a limit is a value to be kept.
const SETTERS: &[&str] = &["add", "change", "configure", "create", "edit", "put", "set", "update", "write"];
/// Words by which a description makes a limit of 0 or below one that means "all".
const ALL_WORDS: &[&str] = &["-1", "0", "all", "disable", "disables", "unlimited", "zero"];

/// See [`DOC`].
pub(super) struct LimitIgnored;

impl Check for LimitIgnored {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        let mut found = Vec::new();
        for group in pages(reading) {
            let without_effect = without_effect(reading.server(), &group);
            let replaced =
                || group.iter().filter_map(|page| replaced(reading.server(), page)).collect::<Vec<_>>();
            found.extend(without_effect.map_or_else(replaced, |finding| vec![finding]));
        }
        found.sort_by_key(|finding: &Finding| finding.frames.first().copied());
        findings.extend(found);
    }
}

/// Two limits, and the same items, more than the smaller one allows.
fn without_effect(server: &str, pages: &[Page<'_>]) -> Option<Finding> {
    let mut limits = HashSet::new();
    let pages: Vec<&Page<'_>> =
        pages.iter().filter(|page| limits.insert(page.limit())).take(MOST_PAGES).collect();
    pages.iter().find_map(|small| {
        let (at, limit) = small.stated.as_ref().filter(|(_, limit)| *limit > 0)?;
        let list = small.payload.list().filter(|list| list.len as u64 > *limit)?;
        let name = at.trim_start_matches('/');
        let items = small.payload.at(&list.pointer);
        // As many groups, each with more in it, are not the same items.
        let same = |other: &&&Page<'_>| {
            other.limit().is_some_and(|theirs| theirs != *limit) && other.payload.at(&list.pointer) == items
        };
        let other = pages.iter().find(same);
        let certain = small.limit_is_certain() && !sets_it(small.call.name);
        let at = small.payload.shown(&list.pointer);
        let (what, others) = match other {
            Some(other) if certain && is_only_list(small, *limit) => (
                format!(
                    "`{name}: {limit}` and `{name}: {}` got the same {}",
                    other.limit().unwrap_or_default(),
                    counted(list.len, "item")
                ),
                vec![*other],
            ),
            // One answer alone may hold another list that is as short as it should be, a head row, or a note.
            None if certain && list.len as u64 > limit + 1 && is_only_list(small, *limit) => {
                (format!("`{name}: {limit}` got {}", counted(list.len, "item")), Vec::new())
            }
            _ => return None,
        };
        // What nobody describes may be an amount: `find_overspent` with a limit.
        let is_described = small.tool.is_some();
        let finding = if others.is_empty() || !is_described {
            Finding::suspected(&DOC, server, small.call.name, at)
        } else {
            Finding::proven(&DOC, Severity::Error, server, small.call.name, at)
        };
        let finding = finding.saying(
            what,
            if *limit == 1 {
                "this is the one that was asked for".to_owned()
            } else {
                format!("these are the {limit} that were asked for")
            },
            format!("return at most `{name}` items and say how many match, or do not offer `{name}`"),
        );
        Some(Finding { mutation: name.to_owned(), ..small.finding(finding, &others, &list.pointer) })
    })
}

/// Whether the name of a tool says that it keeps the values that it is given.
pub(super) fn sets_it(tool: &str) -> bool {
    words(tool).first().is_some_and(|verb| SETTERS.contains(&verb.as_str()))
}

/// Whether every list in the answer is longer than the limit.
fn is_only_list(page: &Page<'_>, limit: u64) -> bool {
    fn shortest(value: &Value, depth: usize) -> Option<usize> {
        match value {
            Value::Array(items) => Some(items.len()),
            Value::Object(members) if depth > 0 => {
                members.values().filter_map(|member| shortest(member, depth - 1)).min()
            }
            _ => None,
        }
    }
    const DEPTH: usize = 3;
    let parts = ["/structuredContent", "/content/0/text"];
    parts.iter().filter_map(|part| shortest(page.payload.at(part)?, DEPTH)).all(|len| len as u64 > limit)
}

/// A limit that the schema refuses, quietly replaced by another.
fn replaced(server: &str, page: &Page<'_>) -> Option<Finding> {
    let limit = page.listed_limit().filter(|limit| limit.certain)?;
    let asked = page.call.arguments.and_then(|arguments| at(arguments, &limit.pointer)?.as_i64())?;
    let list = page.payload.list().filter(|list| list.len > 0)?;
    let too_low = asked < limit.minimum.map_or(1, |least| i64::try_from(least).unwrap_or(i64::MAX));
    let clamped_to = limit.maximum.filter(|most| i64::try_from(*most).is_ok_and(|most| asked > most));
    let clamped = clamped_to.is_some_and(|most| list.len as u64 == most);
    let name = &limit.name;
    if !(too_low && !means_all(page.tool, limit) || clamped) || is_announced(page, name, asked, list.len) {
        return None;
    }
    let bound = match (too_low, limit.minimum, limit.maximum) {
        (true, Some(least), _) => format!("below the minimum of {least}"),
        (false, _, Some(most)) => format!("over the maximum of {most}"),
        _ => "less than one item".to_owned(),
    };
    let at = page.payload.shown(&list.pointer);
    // As many as the maximum may also be all there are.
    let finding = if too_low && limit.minimum.is_some() {
        Finding::proven(&DOC, Severity::Error, server, page.call.name, at)
    } else {
        Finding::suspected(&DOC, server, page.call.name, at)
    };
    let finding = finding.saying(
        format!(
            "`{name}: {asked}` is {bound}, and got {} without a word about it",
            counted(list.len, "item")
        ),
        if list.len == 1 {
            "there is exactly 1".to_owned()
        } else {
            format!("there are exactly {}", list.len)
        },
        format!("refuse such a `{name}` and name its bounds, or say in the answer which limit was applied"),
    );
    Some(Finding { mutation: name.clone(), ..page.finding(finding, &[], &list.pointer) })
}

fn at<'v>(arguments: &'v Map<String, Value>, pointer: &str) -> Option<&'v Value> {
    let mut tokens = pointer.split('/').skip(1);
    let first = arguments.get(tokens.next()?)?;
    tokens.try_fold(first, |value, token| value.get(token))
}

/// Whether the answer says that there is more, or which limit it applied, in a member or a sentence.
fn is_announced(page: &Page<'_>, name: &str, asked: i64, items: usize) -> bool {
    let (said, sent) = (Announcement::of(page.payload), Value::from(asked));
    let is_told = said.tells() && (said.names(name) || said.repeats(&sent) || said.repeats(&items.into()));
    if is_told || said.states_another(name, Some(&sent)) {
        return true;
    }
    page.exchange.around().into_iter().flat_map(Around::claims).any(|(said, claim)| {
        claim == Claim::More
            || said.words.iter().any(|word| word == "limit" || word == "clamped" || word == "warning")
    })
}

/// Whether the schema's own words make a limit of 0 or below one that means "all".
pub(super) fn means_all(tool: Option<&ToolDef>, limit: &Limit) -> bool {
    if limit.minimum.is_some() {
        return false;
    }
    let Some(root) = tool.and_then(ToolDef::input_schema) else { return true };
    let document = Document::new(root);
    let parameter = limit.pointer.split('/').skip(1).try_fold(root, |schema, token| {
        document.branches(schema).into_iter().find_map(|branch| branch.get("properties")?.get(token))
    });
    let words =
        parameter.and_then(|schema| schema.get("description")?.as_str()).unwrap_or_default().to_lowercase()
            + " ";
    let mut words = words.split(|c: char| !c.is_alphanumeric() && c != '-');
    words.any(|word| ALL_WORDS.contains(&word)) || limit.default == Some(0)
}
