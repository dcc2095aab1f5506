//! Failures beside calls that worked and differ from them in one thing only.

use std::collections::HashMap;

use super::DOC;
use crate::Finding;
use crate::check::ambiguous_empty::blank::WithoutBlanks;
use crate::check::beside::{Asked, asked};
use crate::check::failure::Failure;
use crate::check::reading::{Exchange, Reading};
use crate::check::wording;
use crate::report::shorten;

const SHOWN_CHARS: usize = 120;

/// The calls that worked, by tool and arguments.
pub(super) struct Worked<'r, 'a>(HashMap<(&'a str, Asked), &'r Exchange<'a>>);

impl<'r, 'a> Worked<'r, 'a> {
    pub fn of(reading: &'r Reading<'a>) -> Self {
        let worked = reading.exchanges.iter().filter(|one| one.success().is_some() && !one.is_malformed);
        Self(worked.map(|one| ((one.call.name, one.asked), one)).collect())
    }

    /// A failure that only a blank can have caused, and that does not name it.
    pub fn blamed(&self, failure: &Failure<'_, 'a>, server: &str) -> Option<Finding> {
        let exchange = failure.exchange;
        WithoutBlanks::of(exchange).into_iter().find_map(|without| {
            let other = self.0.get(&(exchange.call.name, asked(Some(&without.rest), None)))?;
            let name = *without.blank.first()?;
            if without.blank.iter().any(|name| wording::mentions(&failure.text, name, None)) {
                return None;
            }
            let at = failure.pointer.as_str();
            let finding = Finding::suspected(&DOC, server, exchange.call.name, at).saying(
                format!(
                    "a blank `{name}` makes the call fail, and the error does not name it: {:?}",
                    shorten(&failure.text, SHOWN_CHARS)
                ),
                "there is something wrong with the whole call, or with the tool",
                format!("take a blank `{name}` for none, as if it were left out; or refuse it and name it"),
            );
            Some(Finding { mutation: name.to_owned(), ..exchange.finding(finding, &[other]) })
        })
    }
}
