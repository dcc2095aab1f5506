//! Which tools a fault is for, and how often it came about.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The tools that a fault is for: all of them unless some are named.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    only: Option<BTreeSet<String>>,
    struck: AtomicUsize,
}

impl Touched {
    pub(crate) fn only<N: Into<String>>(&mut self, tools: impl IntoIterator<Item = N>) {
        self.only = Some(tools.into_iter().map(Into::into).collect());
    }

    pub(crate) fn covers(&self, tool: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(tool))
    }

    /// Counts one more, and gives how many there were before.
    pub(crate) fn strike(&self) -> usize {
        self.struck.fetch_add(1, Ordering::Relaxed)
    }

    /// Counts one more unless there were so many; whether it did.
    pub(crate) fn strike_up_to(&self, most: usize) -> bool {
        let counted = self
            .struck
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |struck| (struck < most).then(|| struck + 1));
        counted.is_ok()
    }

    pub(crate) fn struck(&self) -> usize {
        self.struck.load(Ordering::Relaxed)
    }
}
