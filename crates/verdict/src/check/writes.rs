//! The calls of a transcript that may have changed something: what is compared over one of them may differ for its sake.

use std::collections::HashMap;

use super::effects::reads;
use super::reading::Exchange;

/// Positions of calls that do not only read, in order.
#[derive(Debug)]
pub(super) struct Writes<'a> {
    all: Vec<usize>,
    by_tool: HashMap<&'a str, Vec<usize>>,
}

impl<'a> Writes<'a> {
    /// Gathers them.
    pub fn of(exchanges: &[Exchange<'a>]) -> Self {
        let mut reading: HashMap<&str, bool> = HashMap::new();
        let (mut all, mut by_tool) = (Vec::new(), HashMap::<_, Vec<_>>::new());
        for one in exchanges {
            let name = one.call.name;
            if !*reading.entry(name).or_insert_with(|| reads(name, one.tool)) {
                all.push(one.call.index);
                by_tool.entry(name).or_default().push(one.call.index);
            }
        }
        Self { all, by_tool }
    }

    /// Whether one of them stands between two calls.
    pub fn between(&self, from: usize, to: usize) -> bool {
        count(&self.all, from, to) > 0
    }

    /// Whether one of another tool than this stands between two calls.
    pub fn of_others_between(&self, tool: &str, from: usize, to: usize) -> bool {
        let own = self.by_tool.get(tool).map(Vec::as_slice).unwrap_or_default();
        count(&self.all, from, to) > count(own, from, to)
    }
}

/// How many of these positions lie between two others.
fn count(positions: &[usize], from: usize, to: usize) -> usize {
    let before = positions.partition_point(|at| *at <= from);
    positions.partition_point(|at| *at < to).saturating_sub(before)
}
