//! A part that reads as the whole.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

mod doc;
mod lines;
mod made;
mod stated;
mod whole;

use super::admission::Claim;
use super::argument_ignored::totals;
use super::pages::{Comparison, Page, pages};
use super::{Check, Reading};
use crate::payload::{Payload, Shape, Statement};
use crate::report::{counted, shorten};
use crate::{Doc, Finding, Severity};
use doc::DOC;
use made::makes_the_set;
use stated::{lone_total, only_a_total, says_it_is_a_page, total_of};
use whole::Counted;

/// Lengths at which lists are commonly cut.
const ROUND_CAPS: &[usize] = &[50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000];
const REPAIR: &str = "say beside the items how many match (`matched`), that this is a part (`truncated: true`), and how \
                      to get the rest (`hint`, `next_cursor`)";
const REPAIR_OF_TEXT: &str = "begin the text with how much of how much it is, such as \"Showing 20 of 262\", and how to \
                              get the rest";
/// Where a list stands that has no object around it.
const BARE: &[&str] = &["content", "result", "text"];

/// See [`DOC`].
pub(super) struct SilentTruncation;

impl Check for SilentTruncation {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        let (mut found, mut guesses) = (Vec::new(), Vec::new());
        let counted = Counted::default();
        for group in pages(reading) {
            look_at_pages((reading, &counted), &group, &mut found, &mut guesses);
        }
        // Where pages were compared, what one of them looks like by itself adds nothing.
        let compared: HashSet<String> = found.iter().map(|finding: &Finding| finding.tool.clone()).collect();
        guesses.retain(|guess: &Finding| !compared.contains(&guess.tool));
        found.extend(guesses);
        // Beside a proof, what another limit shows of the same place is another sight of it.
        let mut proven: HashMap<(String, String), String> = HashMap::new();
        for proof in found.iter().filter(|finding| finding.severity == Severity::Error) {
            let place = (proof.tool.clone(), proof.pointer.clone());
            proven.entry(place).or_insert_with(|| proof.mutation.clone());
        }
        found.retain(|finding| {
            let first = proven.get(&(finding.tool.clone(), finding.pointer.clone()));
            first.is_none_or(|first| finding.severity == Severity::Error && finding.mutation == *first)
        });
        // A total of everything says nothing of what a filter left.
        if !found.is_empty() {
            let place = |finding: &Finding| (finding.frames.first().copied(), finding.pointer.clone());
            let totals: HashSet<_> = totals::look_at(reading).iter().map(place).collect();
            found.retain(|finding| !totals.contains(&place(finding)));
        }
        found.sort_by_key(|finding: &Finding| finding.frames.first().copied());
        findings.extend(found);
    }
}

/// Looks at pages of the same list: each by itself, and the shorter ones beside the longer ones.
fn look_at_pages(
    (reading, counted): (&Reading<'_>, &Counted),
    pages: &[Page<'_>],
    found: &mut Vec<Finding>,
    guesses: &mut Vec<Finding>,
) {
    let server = reading.server();
    let mut seen: Vec<Option<u64>> = Vec::new();
    for (position, page) in pages.iter().enumerate() {
        // Who asks for no item takes none for the whole.
        if seen.contains(&page.limit()) || page.limit() == Some(0) {
            continue;
        }
        seen.push(page.limit());
        let comparison = page.compare(&pages[position + 1..]);
        if is_whole(page, comparison.as_ref()) {
            continue;
        }
        let finding = contradiction(server, page).or_else(|| match &comparison {
            // The first call may yet be made again, and show that the data moved.
            Some(Comparison { again: None, longer, .. }) if !reading.sees_beyond(longer.exchange) => None,
            Some(comparison) => partial(server, page, comparison),
            None => lone_total(server, page).or_else(|| lines::look_at(server, page)),
        });
        match finding {
            Some(finding) => found.push(finding),
            None if comparison.is_none() => guesses.extend(looks_capped((reading, counted), page, pages)),
            None => {}
        }
    }
}

/// Whether a page says that what it holds is all, and a longer one says the same of as many.
fn is_whole(page: &Page<'_>, comparison: Option<&Comparison<'_, '_>>) -> bool {
    let all = whole::stated(page.payload);
    all.is_some() && comparison.is_none_or(|comparison| whole::stated(comparison.longer.payload) == all)
}

/// A page that is done at the top, while its own list says that items are missing.
fn contradiction(server: &str, page: &Page<'_>) -> Option<Finding> {
    let around = page.exchange.around()?;
    let (list, claims) = (around.list, around.claims().collect::<Vec<_>>());
    let parent = list.pointer.rsplit_once('/')?.0;
    let (done, _) = claims.iter().find(|(said, claim)| said.depth == 1 && *claim == Claim::Done)?;
    let beside_the_list =
        |said: &Statement<'_>| said.pointer.rsplit_once('/').is_some_and(|(object, _)| object == parent);
    let (missing, _) =
        claims.iter().find(|(said, _)| said.depth > 1 && said.flags_missing() && beside_the_list(said))?;
    if claims.iter().any(|(said, claim)| said.depth == 1 && *claim == Claim::More) {
        return None;
    }
    let at = page.payload.shown(&done.pointer);
    let finding = Finding::proven(&DOC, Severity::Error, server, page.call.name, at).saying(
        format!(
            "the top of the answer says `{}`, and only `{}` further down says that items are missing",
            shown(done, page.payload),
            shown(missing, page.payload)
        ),
        exactly(list.len),
        "say at the top that the answer is a part, how many match, and how to get the rest",
    );
    Some(page.finding(finding, &[], &list.pointer))
}

/// A page that a longer page proves partial.
fn partial(server: &str, page: &Page<'_>, comparison: &Comparison<'_, '_>) -> Option<Finding> {
    let growth = &comparison.growth;
    let lines = matches!(growth.shape, Shape::Lines { .. });
    let items = growth.items();
    let statements = page.payload.beside(growth);
    let claims = page.claims(&statements, items);
    let claiming = |wanted: Claim| claims.iter().find(|(_, claim)| *claim == wanted).map(|(said, _)| *said);
    let denied = claiming(Claim::NoMore);
    if denied.is_none() && (claiming(Claim::More).is_some() || makes_the_set(page)) {
        return None;
    }
    if let Some((said, total)) = total_of(&claims, items).filter(|_| denied.is_none()) {
        let finding = || only_a_total(server, page, said, items, total, &growth.pointer);
        return (!says_it_is_a_page(&claims)).then(finding);
    }
    let unclear = claims.iter().any(|(said, claim)| match claim {
        Claim::Unclear => !is_constant(said, page, comparison),
        Claim::Coordinate => true,
        Claim::Nothing => changes_with_the_page(said, page, comparison),
        _ => false,
    });
    // "There is no more" is false whatever else is said, and whatever the limit bounds.
    let beyond_doubt = denied.is_some() || (comparison.certain && !unclear);
    if !comparison.holds && !comparison.certain {
        return None;
    }
    let false_claim = denied.or(claiming(Claim::Count(items as u64)));
    let at = page.payload.shown(false_claim.map_or(growth.pointer.as_str(), |said| said.pointer.as_str()));
    let as_asked = false_claim.is_none() && page.limit().is_some_and(|limit| limit == items as u64 || lines);
    let severity = if as_asked { Severity::Warning } else { Severity::Error };
    let finding = if comparison.again.is_some() && comparison.holds && beyond_doubt {
        Finding::proven(&DOC, severity, server, page.call.name, at)
    } else {
        Finding::suspected(&DOC, server, page.call.name, at)
    };
    let others: Vec<_> = std::iter::once(comparison.longer).chain(comparison.again).collect();
    let finding = page.finding(told(finding, page, comparison, false_claim), &others, &growth.pointer);
    let (at, _) = comparison.longer.stated.as_ref()?;
    let limit = at.trim_start_matches('/');
    let mutation = if page.stated.is_some() { limit.to_owned() } else { format!("without {limit}") };
    Some(Finding { mutation, ..finding })
}

/// What was seen, what it reads as, and what would mend just this.
fn told(
    finding: Finding,
    page: &Page<'_>,
    comparison: &Comparison<'_, '_>,
    false_claim: Option<&Statement<'_>>,
) -> Finding {
    let growth = &comparison.growth;
    let (at, limit) = comparison.longer.stated.clone().unwrap_or_default();
    let claim =
        false_claim.map(|said| format!(" and says `{}`", shown(said, page.payload))).unwrap_or_default();
    let what = format!(
        "the answer holds {}{claim}; the same call with `{}: {limit}` holds {}, and nothing in the shorter answer \
         plainly says that there are more",
        counted(growth.short, growth.shape.noun()),
        at.trim_start_matches('/'),
        growth.long,
    );
    let lines = matches!(growth.shape, Shape::Lines { .. });
    let reads_as = if lines { "this is everything".to_owned() } else { exactly(growth.items()) };
    let next = match false_claim {
        _ if lines => REPAIR_OF_TEXT.to_owned(),
        Some(said) => format!("do not let `{}` pass for the whole: {REPAIR}", last_token(&said.pointer)),
        None if BARE.contains(&last_token(&growth.pointer)) => {
            format!("wrap the list in an object, and {REPAIR}")
        }
        None => REPAIR.to_owned(),
    };
    finding.saying(what, reads_as, next)
}

/// Whether a statement is the same on the longer page and a single word, or changes by itself: then it is not about
/// the page.
fn is_constant(said: &Statement<'_>, page: &Page<'_>, comparison: &Comparison<'_, '_>) -> bool {
    let here = page.payload.at(&said.pointer);
    let is_word =
        |value: &Value| value.as_str().is_some_and(|text| !text.trim().contains(char::is_whitespace));
    let same = here.is_some_and(is_word) && comparison.longer.payload.at(&said.pointer) == here;
    let changes = comparison.again.is_some_and(|again| again.payload.at(&said.pointer) != here);
    said.is_member() && (same || changes)
}

/// Whether something that is not understood differs on the longer page, or is missing there: it may say that there is
/// more. What repeats what was asked for says nothing, and neither does what changes by itself.
fn changes_with_the_page(said: &Statement<'_>, page: &Page<'_>, comparison: &Comparison<'_, '_>) -> bool {
    let at = |page: &Page<'_>| page.payload.at(&said.pointer).cloned();
    let (here, longer) = (at(page), at(comparison.longer));
    let is_still = comparison.again.is_none_or(|again| at(again) == here);
    let is_asked = |page: &Page<'_>, value: &Value| {
        page.limit().map(Value::from).as_ref() == Some(value)
            || page.call.arguments.into_iter().flatten().any(|(_, sent)| sent == value)
    };
    let repeats = longer.as_ref().is_some_and(|longer| is_asked(comparison.longer, longer));
    said.is_member() && here != longer && is_still && !repeats && !said.measures()
}

/// A list exactly as long as its cap, which says nothing of what lies beyond.
fn looks_capped(
    (reading, elsewhere): (&Reading<'_>, &Counted),
    page: &Page<'_>,
    pages: &[Page<'_>],
) -> Option<Finding> {
    let around = page.exchange.around()?;
    let list = around.list;
    let settled =
        |claim: Claim| matches!(claim, Claim::More | Claim::NoMore | Claim::Total(_) | Claim::Coordinate);
    let is_settled = around.claims().any(|(_, claim)| settled(claim));
    if page.stated.is_some() || is_settled || makes_the_set(page) {
        return None;
    }
    let limit = page.listed_limit();
    let cap = if limit.is_some_and(|limit| limit.default == Some(list.len as u64)) {
        "the default of its limit"
    } else if ROUND_CAPS.contains(&list.len) {
        "a usual cap"
    } else {
        return None;
    };
    // Asked for more, the tool gave no more: then this is all, if its schema says that it would have given more.
    let maximum = limit.and_then(|limit| limit.maximum);
    let is_all = pages.iter().any(|other| {
        let asked = other.limit().filter(|asked| *asked > list.len as u64);
        asked.zip(maximum).is_some_and(|(asked, maximum)| asked <= maximum)
            && other.payload.list().is_some_and(|other| other.len == list.len)
    });
    // What speaks against it may be out of sight.
    if is_all || !reading.sight.is_whole() || elsewhere.has(reading, page, list.len) {
        return None;
    }
    let at = page.payload.shown(&list.pointer);
    let finding = Finding::suspected(&DOC, reading.server(), page.call.name, at).saying(
        format!(
            "the answer holds {}, which is {cap}, and does not say whether there are more",
            counted(list.len, "item")
        ),
        exactly(list.len),
        format!("{REPAIR}; or, where this is all, say so (`truncated: false`)"),
    );
    Some(page.finding(finding, &[], &list.pointer))
}

/// A statement as it stands in the answer.
fn shown(said: &Statement<'_>, payload: &Payload) -> String {
    const CHARS: usize = 60;
    let text = match payload.at(&said.pointer) {
        Some(value) if said.is_member() => format!("{}: {value}", last_token(&said.pointer)),
        _ => said.text().to_owned(),
    };
    shorten(&text, CHARS)
}

fn exactly(items: usize) -> String {
    if items == 1 { "there is exactly 1".to_owned() } else { format!("there are exactly {items}") }
}

fn last_token(pointer: &str) -> &str {
    pointer.rsplit('/').next().unwrap_or_default()
}
