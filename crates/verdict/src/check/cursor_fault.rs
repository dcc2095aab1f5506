//! Pages that do not add up to the list.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

mod client;
mod doc;
mod whole;

use super::effects::reads;
use super::failure::Failure;
use super::reading::Reading;
use super::walks::{Step, Walks, identity};
use super::{Check, wording};
use crate::report::shorten;
use crate::transcript::{Role, Side};
use crate::{Doc, Finding, Severity};
use doc::DOC;

/// So many pages without an item, each with a way on, and there is no end to be seen.
const EMPTY_PAGES: usize = 3;
const SHOWN_CHARS: usize = 60;

/// See [`DOC`].
pub(super) struct CursorFault;

impl Check for CursorFault {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        look(reading, findings);
    }
}

fn look<'a>(reading: &'a Reading<'a>, findings: &mut Vec<Finding>) {
    let walks = Walks::of(reading);
    let still = Stillness::of(reading);
    let paths = walks.paths();
    let mut found: Vec<Finding> = Vec::new();
    for path in &paths {
        let fault = on_the_way(path, &still, reading.server());
        found.extend(fault.or_else(|| edges(path, &still, reading.server())));
    }
    let at_fault: HashSet<usize> =
        found.iter().filter_map(|finding| finding.frames.first().copied()).collect();
    let is_sound =
        |path: &&Vec<&Step<'a>>| !path.iter().any(|step| at_fault.contains(&step.response)) && !is_feed(path);
    let sound: Vec<_> = paths.iter().filter(is_sound).collect();
    let whole = whole::look_at(&walks, &sound, &still, reading.server());
    found.extend(whole);
    found.extend(refused(reading, &walks));
    match reading.transcript.role {
        Some(Role::Client) => found.extend(client::stopped_early(reading, &walks)),
        _ => found.extend(empty_text(&walks, reading)),
    }
    found.sort_by_key(|finding| finding.frames.first().copied());
    // What is wrong with one page is wrong with every walk over it.
    let mut seen = HashSet::new();
    found.retain(|finding| seen.insert((finding.frames.first().copied(), finding.pointer.clone())));
    findings.extend(found);
}

/// When a list may have changed.
pub(super) struct Stillness {
    /// Frames of the protocol's notices that a list has changed.
    notices: Vec<usize>,
    /// Frames of calls that may have changed something.
    calls: Vec<usize>,
}

impl Stillness {
    fn of(reading: &Reading<'_>) -> Self {
        let is_notice = |method: &str| method.ends_with("/list_changed");
        let wire = reading.transcript.wire().filter(|(_, frame)| frame.from() == Side::Server);
        let notices = wire.filter(|(_, frame)| frame.method().is_some_and(is_notice)).map(|(at, _)| at);
        let calls = reading.exchanges.iter().filter(|exchange| !reads(exchange.call.name, exchange.tool));
        Self { notices: notices.collect(), calls: calls.map(|exchange| exchange.call.request).collect() }
    }

    /// Whether nothing is known to have changed the list between two pages of it.
    pub fn holds(&self, from: &Step<'_>, to: &Step<'_>) -> bool {
        // Calls of the tool itself change nothing of its own list.
        let changes = if from.exchange.is_some() { &self.calls } else { &self.notices };
        let begin = changes.partition_point(|at| *at <= from.request);
        let own = |at: &usize| {
            from.exchange.is_some_and(|own| !reads(own.call.name, own.tool) && *at == to.request)
        };
        changes[begin..].iter().take_while(|at| **at < to.response).all(own)
    }
}

/// What goes wrong from one page to the next.
fn on_the_way(path: &[&Step<'_>], still: &Stillness, server: &str) -> Option<Finding> {
    let (mut whole, mut known) = (HashSet::new(), HashSet::new());
    let (mut ways, mut pages) = (HashMap::new(), HashMap::new());
    let mut empty = 0;
    let is_feed = is_feed(path);
    for (at, step) in path.iter().enumerate() {
        let earlier = &path[..at];
        if let Some(before) = earlier.last() {
            if !still.holds(before, step) {
                return None;
            }
            let led = step.next.as_ref().and_then(|(_, next)| ways.get(&next.to_string()).copied());
            let found = goes_back(step, led, server)
                .or_else(|| same_page(step, pages.get(&page_of(step)).copied(), server))
                .or_else(|| repeats(step, before, (&whole, &known), server));
            if found.is_some() {
                return found;
            }
        }
        let leads_on = step.items.is_empty() && step.next.is_some() && !is_feed;
        empty = if leads_on { empty + 1 } else { 0 };
        if empty == EMPTY_PAGES {
            return Some(no_end(step, earlier, server));
        }
        if let Some((_, next)) = &step.next {
            ways.entry(next.to_string()).or_insert(*step);
        }
        pages.entry(page_of(step)).or_insert(*step);
        for item in &step.items {
            // What changed once more is told of once more.
            known.extend(identity(item).filter(|_| !is_feed));
            whole.insert(item.to_string());
        }
    }
    None
}

/// Whether these are polls for what has changed, and not the pages of a list.
fn is_feed(path: &[&Step<'_>]) -> bool {
    path.iter().any(|step| step.stays() || step.is_of_a_feed())
}

/// A way on that leads to where it comes from.
fn goes_back(step: &Step<'_>, led: Option<&Step<'_>>, server: &str) -> Option<Finding> {
    let (at, next) = step.next.as_ref().filter(|_| !step.stays())?;
    let other = led?;
    let what = if step.cursor == Some(next) {
        format!("the page asked for with {} names the same cursor for the next page", shown(next))
    } else {
        format!("the cursor {} was given before, so the list goes in a circle", shown(next))
    };
    let finding = proven(server, step, at).saying(
        what,
        "there is more, and this is the way to it",
        "give each page a cursor of its own, and none with the last page",
    );
    Some(step.finding(finding.with_evidence(shown(next)), &[other]))
}

/// What a page holds, as a hash: two pages of so many items are the same by chance in no recording.
fn page_of(step: &Step<'_>) -> (usize, u64) {
    let mut hasher = DefaultHasher::new();
    step.items.iter().for_each(|item| item.hash(&mut hasher));
    (step.items.len(), hasher.finish())
}

/// The page before, once more.
fn same_page(step: &Step<'_>, earlier: Option<&Step<'_>>, server: &str) -> Option<Finding> {
    let is_telling = step.items.len() > 1
        || step.items.iter().any(|item| identity(item).is_some() || is_named(step, item));
    let other = earlier.filter(|_| is_telling)?;
    let cursor = step.cursor.map(shown).unwrap_or_default();
    let which = if other.is_first() { "the first page" } else { "an earlier page" };
    let finding = proven(server, step, &step.list).saying(
        format!("the page asked for with {cursor} is {which} once more"),
        "these are further items",
        "let the cursor choose the page, or refuse one that is not known",
    );
    Some(step.finding(finding, &[other]))
}

/// An item that an earlier page had.
fn repeats(
    step: &Step<'_>,
    before: &Step<'_>,
    (whole, known): (&HashSet<String>, &HashSet<String>),
    server: &str,
) -> Option<Finding> {
    let is_known = |item: &&&Value| {
        let is_whole = || whole.contains(&item.to_string());
        identity(item).is_some_and(|id| known.contains(&id) || is_whole())
            || (is_named(step, item) && is_whole())
    };
    let item = step.items.iter().find(is_known)?;
    let what = identity(item).unwrap_or_else(|| shown(item));
    let finding = proven(server, step, &step.list).saying(
        format!("an earlier page had the item `{}` too", shorten(&what, SHOWN_CHARS)),
        "these are further items, and all of them together are so many",
        "begin each page behind the last item of the one before, in an order that does not change",
    );
    Some(step.finding(finding.with_evidence(shown(item)), &[before]))
}

/// Rows without an id, of which the last of each page is the first of the next.
fn edges(path: &[&Step<'_>], still: &Stillness, server: &str) -> Option<Finding> {
    const ENOUGH: usize = 2;
    let turns: Vec<_> = path.windows(2).filter(|pair| !pair[1].items.is_empty()).collect();
    let is_repeated = |pair: &&&[&Step<'_>]| {
        let (last, first) = (pair[0].items.last(), pair[1].items.first());
        let is_row = first.is_some_and(|row| row.is_object() || row.is_array());
        // Where all rows are alike, so are these.
        is_row && last == first && pair[0].items.first() != last && still.holds(pair[0], pair[1])
    };
    if turns.len() < ENOUGH || !turns.iter().all(|pair| is_repeated(&pair)) {
        return None;
    }
    let [before, step] = turns.first()?[..] else { return None };
    let item = step.items.first()?;
    let finding = proven(server, step, &step.list).saying(
        format!("each page begins with the last row of the one before: {}", shown(item)),
        "these are further items, and all of them together are so many",
        "begin each page behind the last item of the one before",
    );
    Some(step.finding(finding.with_evidence(shown(item)), &[before]))
}

/// Whether the items of a list are told apart by their names: those of the protocol's own lists are.
fn is_named(step: &Step<'_>, item: &Value) -> bool {
    step.exchange.is_none() && item.get("name").is_some_and(Value::is_string)
}

fn no_end(step: &Step<'_>, earlier: &[&Step<'_>], server: &str) -> Finding {
    let at = step.next.as_ref().map(|(at, _)| at.as_str()).unwrap_or_default();
    let finding = proven(server, step, at).saying(
        format!("{EMPTY_PAGES} pages without an item each name a cursor for the next one"),
        "there is more",
        "give no cursor when there is nothing more",
    );
    let others = earlier.last().copied();
    step.finding(finding, &others.into_iter().collect::<Vec<_>>())
}

/// A cursor of the tool's own that it refuses.
fn refused<'a>(reading: &'a Reading<'a>, walks: &Walks<'a>) -> Vec<Finding> {
    let failures = reading.exchanges.iter().filter_map(Failure::of);
    let look = |failure: Failure<'a, 'a>| {
        let call = &failure.exchange.call;
        let text = failure.text.to_lowercase();
        if wording::is_about_else(&text.replace("token", "")) || text.contains("expire") {
            return None;
        }
        let (step, name, cursor) = walks.led_to(failure.exchange)?;
        let names_it = wording::mentions(&failure.text, name, Some(cursor)) || text.contains("cursor");
        names_it.then_some(())?;
        let finding =
            Finding::proven(&DOC, Severity::Error, reading.server(), call.name, failure.pointer.as_str())
                .saying(
                    format!(
                        "the cursor {} came with the page before, and is refused: {:?}",
                        shown(cursor),
                        shorten(&failure.text, SHOWN_CHARS)
                    ),
                    "the caller made up the cursor",
                    "take back every cursor that was given out, or say when it expires",
                );
        let others: Vec<_> = step.exchange.into_iter().collect();
        Some(Finding { mutation: name.to_owned(), ..failure.exchange.finding(finding, &others) })
    };
    failures.filter_map(look).collect()
}

/// A cursor without a character in it, which nobody followed: many clients take it for none.
fn empty_text(walks: &Walks<'_>, reading: &Reading<'_>) -> Vec<Finding> {
    let server = reading.server();
    let followed = walks.followed();
    let look = |(at, step): (usize, &Step<'_>)| {
        let (pointer, _) = step.next.as_ref().filter(|(_, next)| *next == "" && !followed[at])?;
        if !step.exchange.map_or(reading.sight.ends, |exchange| reading.sees_beyond(exchange)) {
            return None;
        }
        let finding = Finding::suspected(&DOC, server, tool(step), pointer.as_str()).saying(
            "the cursor for the next page is an empty text, and nobody asked for that page",
            "this is everything: many clients take an empty cursor for none",
            "give the cursor some characters, or leave `nextCursor` out with the last page",
        );
        Some(step.finding(finding, &[]))
    };
    walks.steps.iter().enumerate().filter_map(look).collect()
}

fn proven(server: &str, step: &Step<'_>, pointer: &str) -> Finding {
    Finding::proven(&DOC, Severity::Error, server, tool(step), pointer)
}

/// The tool that a list is of; none for those of the protocol.
fn tool<'a>(step: &Step<'a>) -> &'a str {
    if step.exchange.is_some() { step.name } else { "" }
}

fn shown(value: &Value) -> String {
    format!("`{}`", shorten(&value.to_string(), SHOWN_CHARS))
}
