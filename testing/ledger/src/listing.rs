//! The pages on which the tools are listed: one, unless a fault makes two of it. What may not enter: what a tool does.

use std::sync::atomic::{AtomicUsize, Ordering};

use rmcp::ErrorData;
use rmcp::model::{ListToolsResult, Tool};

use crate::{Fault, Faults};

/// How many tools are on the first page with the fault, and the cursor of the second.
const FIRST: usize = 5;
const SECOND: &str = "page-2";

/// How the tools are listed.
pub(crate) struct Listing {
    shuffles: bool,
    repeats: bool,
    turns: AtomicUsize,
}

impl Listing {
    pub fn new(faults: &Faults) -> Self {
        Self {
            shuffles: faults.contains(Fault::ShuffledList),
            repeats: faults.contains(Fault::RepeatingList),
            turns: AtomicUsize::new(0),
        }
    }

    /// The page that this cursor leads to.
    pub fn page(&self, mut tools: Vec<Tool>, cursor: Option<&str>) -> Result<ListToolsResult, ErrorData> {
        match cursor {
            None => {}
            Some(SECOND) if self.repeats => {
                return Ok(ListToolsResult::with_all_items(tools.split_off(FIRST - 1)));
            }
            Some(_) => {
                let message = "no such cursor: all tools are on one page";
                return Err(ErrorData::invalid_params(message, None));
            }
        }
        if self.shuffles && !tools.is_empty() {
            let turn = self.turns.fetch_add(1, Ordering::Relaxed) % tools.len();
            tools.rotate_left(turn);
        }
        if self.repeats {
            tools.truncate(FIRST);
        }
        let mut page = ListToolsResult::with_all_items(tools);
        page.next_cursor = self.repeats.then(|| SECOND.to_owned());
        Ok(page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

    fn listed(listing: &Listing, cursor: Option<&str>) -> (String, Option<String>) {
        let tools = NAMES.map(|name| Tool::new(name, "", serde_json::Map::new())).to_vec();
        let page = listing.page(tools, cursor).unwrap();
        (page.tools.into_iter().map(|tool| tool.name).collect(), page.next_cursor)
    }

    #[test]
    fn all_tools_are_on_one_page_in_one_order() {
        let listing = Listing::new(&Faults::default());
        for _ in 0..3 {
            assert_eq!(listed(&listing, None), ("abcdefgh".to_owned(), None));
        }
        assert!(listing.page(vec![], Some(SECOND)).is_err());
    }

    #[test]
    fn with_a_fault_the_order_changes_or_a_tool_comes_twice() {
        let shuffled = Listing::new(&Faults::from_iter([Fault::ShuffledList]));
        assert_eq!(listed(&shuffled, None).0, "abcdefgh");
        assert_eq!(listed(&shuffled, None).0, "bcdefgha");
        let repeating = Listing::new(&Faults::from_iter([Fault::RepeatingList]));
        let (first, next) = listed(&repeating, None);
        assert_eq!((&*first, next.as_deref()), ("abcde", Some(SECOND)));
        assert_eq!(listed(&repeating, next.as_deref()), ("efgh".to_owned(), None));
    }
}
