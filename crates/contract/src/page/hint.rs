//! What a page says about itself, in sentences. What may not enter: what is true, which the page knows.

use super::Page;

impl<T> Page<T> {
    /// What this page is a part of and how to get the rest; always there when it is truncated.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        if !self.truncated() {
            return None;
        }
        if let Some(told) = &self.told {
            return Some(told.clone());
        }
        let (part, advice) = self.part();
        let own = Some(self.next.as_str()).filter(|next| !next.is_empty());
        let steps: Vec<&str> =
            own.into_iter().chain(self.next_cursor().map(|_| "follow next_cursor")).collect();
        let next = if steps.is_empty() { advice.to_owned() } else { steps.join(", or ") };
        Some(format!("{part} Next: {next}."))
    }

    /// Which part of the matching rows this is, and what to do when nothing else is known to help.
    fn part(&self) -> (String, &'static str) {
        if self.returned() > 0 {
            return self.part_with_rows();
        }
        let (left_out, matched) = (self.left_out, self.matched);
        let Some(start) = self.start.filter(|_| left_out == 0) else {
            let were = if left_out == 1 { "was" } else { "were" };
            let part = format!(
                "No rows are here ({left_out} {were} left out to keep the answer short); {} in all.",
                match_in(matched)
            );
            return (part, "narrow the query");
        };
        let first = start.offset().saturating_add(1);
        if start.offset() >= matched {
            (format!("No rows from row {first} on; {} in all.", match_in(matched)), "start at the first row")
        } else if self.limit == 0 {
            (format!("No rows were asked for; {} in all.", match_in(matched)), "ask for at least one row")
        } else {
            // They came between the reading and the counting.
            (
                format!("No rows were found from row {first} on; {} by now.", match_in(matched)),
                "make the same call again",
            )
        }
    }

    fn part_with_rows(&self) -> (String, &'static str) {
        let matched = self.matched;
        let rows = match (self.start, self.end()) {
            (Some(start), Some(last)) if self.returned() == 1 && last > start.offset() => {
                format!("Row {last}")
            }
            (Some(start), Some(last)) => format!("Rows {} to {last}", start.offset().saturating_add(1)),
            _ if self.returned() == 1 => "1 row".to_owned(),
            _ => format!("{} rows", self.returned()),
        };
        let left_out = match self.left_out {
            0 => String::new(),
            1 => " (1 more was left out to keep the answer short)".to_owned(),
            rows => format!(" ({rows} more were left out to keep the answer short)"),
        };
        let warning = match self.returned() {
            1 => "do not take this one for all of them",
            _ => "do not add up or count these as if they were all",
        };
        let more = self.end().is_none_or(|end| end < matched);
        let last = if more { "" } else { ", the last page: the rows before are on earlier pages" };
        let part = format!("{rows} of {matched}{left_out}{last}; {warning}.");
        let advice = if more {
            "narrow the query until all that matches fits on one page"
        } else {
            "read the earlier rows too"
        };
        (part, advice)
    }
}

/// How many match, as the verb wants it.
fn match_in(matched: u64) -> String {
    if matched == 1 { "1 matches".to_owned() } else { format!("{matched} match") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cursor;
    use proptest::prelude::*;

    fn page(rows: usize, start: u64, limit: u64, matched: u64, next: &str) -> Page<()> {
        Page::new(vec![(); rows], Cursor::at(start), limit, || matched, next)
    }

    fn hint(page: &Page<()>) -> String {
        page.hint().unwrap()
    }

    #[test]
    fn an_empty_page_says_why_it_is_empty() {
        for (start, limit, matched, said) in [
            (300, 50, 262, "No rows from row 301 on; 262 match in all. Next: n."),
            (262, 50, 262, "No rows from row 263 on; 262 match in all. Next: n."),
            (262, 0, 262, "No rows from row 263 on; 262 match in all. Next: n."),
            (0, 0, 5, "No rows were asked for; 5 match in all. Next: n."),
            (4, 0, 5, "No rows were asked for; 5 match in all. Next: n."),
            (262, 50, 263, "No rows were found from row 263 on; 263 match by now. Next: n."),
        ] {
            let page = page(0, start, limit, matched, "n");
            assert_eq!((page.returned(), page.matched(), page.truncated()), (0, matched, true));
            assert_eq!(page.next_cursor(), None, "a cursor to the same place would never end");
            assert_eq!(hint(&page), said);
        }
        let nothing = page(0, 0, 0, 0, "n");
        assert_eq!((nothing.truncated(), nothing.hint()), (false, None));
    }

    #[test]
    fn one_row_is_spoken_of_as_one() {
        let one = |start, limit| hint(&page(2, start, limit, 5, "n").keep_first(1));
        assert!(
            one(1, 2)
                .starts_with("Row 2 of 5 (1 more was left out to keep the answer short); do not take this")
        );
        assert!(
            hint(&page(1, 0, 1, 2, "n")).starts_with("Row 1 of 2; do not take this one for all of them.")
        );
        assert_eq!(hint(&page(0, 0, 0, 1, "n")), "No rows were asked for; 1 matches in all. Next: n.");
    }

    #[test]
    fn the_last_page_of_several_says_that_it_is_the_last() {
        assert_eq!(
            hint(&page(2, 88, 22, 90, "n")),
            "Rows 89 to 90 of 90, the last page: the rows before are on earlier pages; do not add up or count these as \
             if they were all. Next: n."
        );
        assert!(hint(&page(1, 89, 22, 90, "n")).starts_with("Row 90 of 90, the last page: the rows before"));
        assert!(!hint(&page(2, 88, 22, 90, "n").keep_first(1)).contains("last page"));
    }

    #[test]
    fn a_blank_next_step_still_leaves_a_way_on() {
        let cut = page(2, 0, 2, 3, " . ");
        assert!(hint(&cut).ends_with("as if they were all. Next: follow next_cursor."));
        let without_cursor = cut.without_cursor();
        assert_eq!(without_cursor.next_cursor(), None);
        for (page, advice) in [
            (without_cursor, "narrow the query until all that matches fits on one page"),
            (page(1, 2, 2, 3, ""), "read the earlier rows too"),
            (page(0, 9, 2, 3, ""), "start at the first row"),
            (page(0, 0, 0, 3, ""), "ask for at least one row"),
            (page(0, 2, 2, 3, ""), "make the same call again"),
        ] {
            assert!(hint(&page).ends_with(&format!(" Next: {advice}.")), "{:?}", page.hint());
        }
    }

    #[test]
    fn a_next_step_is_a_clause_whoever_wrote_it() {
        let page = page(2, 0, 2, 3, " narrow the dates. ");
        assert!(hint(&page).ends_with("Next: narrow the dates, or follow next_cursor."));
        assert!(hint(&page.without_cursor()).ends_with("Next: narrow the dates."));
    }

    proptest! {
        /// Only a place at or past the end is said to have nothing from it on, and one full stop ends it all.
        #[test]
        fn a_hint_is_true_and_ends_once(
            rows in 0usize..3, start in 0u64..6, limit in 0u64..3, counted in 0u64..6, next in "[a. ]{0,4}",
        ) {
            let page = page(rows, start, limit, counted, &next);
            let Some(hint) = page.hint() else { return Ok(()) };
            let nothing_there = page.returned() == 0 && start >= page.matched();
            prop_assert_eq!(hint.starts_with("No rows from row"), nothing_there, "{}", hint);
            let some = hint.starts_with("Rows ") || hint.starts_with("Row ");
            prop_assert_eq!(some, page.returned() > 0, "{}", hint);
            let step = hint.split_once(" Next: ").unwrap().1.strip_suffix('.').unwrap();
            prop_assert!(!step.is_empty() && !step.ends_with(['.', ' ']), "{}", hint);
        }
    }
}
