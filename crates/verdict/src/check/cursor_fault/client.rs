//! Pages that a client never asked for.

use super::{DOC, shown};
use crate::check::reading::Reading;
use crate::check::walks::{Step, Walks};
use crate::{Finding, Severity};

/// First pages of the protocol's lists whose way on the client did not take, though it went on with other things or the
/// session ended.
pub(super) fn stopped_early(reading: &Reading<'_>, walks: &Walks<'_>) -> Vec<Finding> {
    // It may yet do so.
    if !reading.sight.ends {
        return Vec::new();
    }
    let followed = walks.followed();
    let last = reading.exchanges.last().map(|exchange| exchange.call.request);
    let is_over = reading.transcript.end().is_some();
    let goes_on = |step: &Step<'_>| is_over || last.is_some_and(|last| last > step.response);
    let look = |(at, step): (usize, &Step<'_>)| {
        let (pointer, next) = step.next.as_ref().filter(|_| step.exchange.is_none())?;
        if followed[at] || !goes_on(step) {
            return None;
        }
        let is_empty = next.as_str() == Some("");
        let finding = if is_empty {
            Finding::suspected(&DOC, reading.server(), "", pointer.as_str())
        } else {
            Finding::proven(&DOC, Severity::Error, reading.server(), "", pointer.as_str())
        };
        let finding = finding.saying(
            format!(
                "the answer names a cursor for the next page, {}, and the client never sent it",
                shown(next)
            ),
            "these are all there are",
            "send every `nextCursor` back until an answer has none, an empty text too",
        );
        Some(step.finding(finding, &[]))
    };
    walks.steps.iter().enumerate().filter_map(look).collect()
}
