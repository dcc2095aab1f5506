//! A tool that says that it only reads, and after which something has changed: the proof of the rule of the same name.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

mod dispatched;
mod doc;

use super::Check;
use super::beside::{Asked, is_same};
use super::effects::reads;
use super::reading::{Exchange, Reading};
use crate::{Doc, Finding, Severity};
use doc::DOC;

/// So often something has to change with the call before it is no chance.
const TIMES: usize = 2;

/// See [`DOC`].
pub(super) struct FalseAnnotation;

impl Check for FalseAnnotation {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        let mut changes: HashMap<&str, Vec<Change<'_, '_>>> = HashMap::new();
        for change in changes_in(reading) {
            changes.entry(change.by.call.name).or_default().push(change);
        }
        let mut found: Vec<Finding> = changes
            .values()
            .filter(|changes| changes.len() >= TIMES)
            .filter_map(|changes| Some(finding(changes.first()?, reading.server())))
            .collect();
        found.extend(dispatched::look_at(reading));
        found.sort_by_key(|finding| finding.frames.first().copied());
        findings.extend(found);
    }
}

/// A state that was the same twice, then another one, the same twice again, with only calls of one tool in between.
struct Change<'r, 'a> {
    before: &'r Exchange<'a>,
    by: &'r Exchange<'a>,
    after: &'r Exchange<'a>,
}

fn changes_in<'r, 'a>(reading: &'r Reading<'a>) -> Vec<Change<'r, 'a>> {
    let mut looks: HashMap<(&str, Asked), Vec<&Exchange<'a>>> = HashMap::new();
    for one in
        reading.exchanges.iter().filter(|one| one.success().is_some() && reads(one.call.name, one.tool))
    {
        looks.entry((one.call.name, one.asked)).or_default().push(one);
    }
    let (mut found, mut known): (Vec<Change<'r, 'a>>, _) = (Vec::new(), HashSet::new());
    for looks in looks.values() {
        for four in looks.windows(4) {
            let [first, before, after, last] = four else { continue };
            let is_change = is_same(first, before) && is_same(after, last) && !is_same(before, after);
            if !is_change {
                continue;
            }
            let Some(by) = culprit(reading, [first, before, after, last]) else { continue };
            // Several readers may have seen the same change.
            if known.insert(by.call.index) {
                found.push(Change { before, by, after });
            }
        }
    }
    found.sort_by_key(|change| change.by.call.index);
    found
}

/// The one tool called between the second and the third look that is annotated as read-only. What was also called between
/// the two looks before, or the two after, changed nothing there, and is not to blame.
fn culprit<'r, 'a>(reading: &'r Reading<'a>, looks: [&Exchange<'a>; 4]) -> Option<&'r Exchange<'a>> {
    let [first, before, after, last] = looks;
    let between = |from: &Exchange<'a>, to: &Exchange<'a>| {
        reading.exchanges.get(from.call.index + 1..to.call.index).unwrap_or_default()
    };
    let says_it_reads =
        |one: &Exchange<'a>| one.tool.and_then(|tool| tool.annotation("readOnlyHint")) == Some(true);
    let suspects = between(before, after);
    let is_innocent = |one: &Exchange<'a>| {
        let calm = between(first, before).iter().chain(between(after, last));
        one.call.name == before.call.name
            || calm
                .into_iter()
                .any(|other| other.call.name == one.call.name && other.call.arguments == one.call.arguments)
    };
    if !suspects.iter().all(says_it_reads) {
        return None;
    }
    let mut suspects = suspects.iter().filter(|one| !is_innocent(one));
    let by = suspects.next()?;
    suspects.all(|other| other.call.name == by.call.name).then_some(by)
}

fn finding(change: &Change<'_, '_>, server: &str) -> Finding {
    const EVIDENCE_CHARS: usize = 160;
    let name = change.by.call.name;
    let (pointer, evidence) = change.after.success().map_or_else(Default::default, |(payload, _)| {
        let parts = ["/structuredContent", "/content/0/text", "/content"];
        let part =
            || parts.into_iter().find(|part| payload.at(part).is_some_and(|value| !Value::is_null(value)));
        let at = payload
            .list()
            .map(|list| list.pointer.clone())
            .or_else(|| part().map(str::to_owned))
            .unwrap_or_default();
        (payload.shown(&at), payload.outline(&at, EVIDENCE_CHARS))
    });
    let finding = Finding::proven(&DOC, Severity::Error, server, name, pointer).saying(
        format!(
            "the tool is annotated `readOnlyHint: true`, and each time it was called, what `{}` answers had changed",
            change.after.call.name
        ),
        "calling it changes nothing, so nobody has to be asked",
        "annotate it `readOnlyHint: false`, or let it change nothing",
    );
    change.after.finding(finding.with_evidence(evidence), &[change.before, change.by])
}
