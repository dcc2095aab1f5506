//! A page of a longer list that cannot pass for the whole list. What may not enter: where the rows come from.

mod wire;

use crate::Cursor;
use crate::clause::clause;

pub use wire::InvalidPage;

/// Rows of a list, and the truth about how much of the list they are.
///
/// `truncated` is true exactly when fewer rows are here than matched, and a page that is truncated always
/// carries a hint: there is no way to build one without, nor to read one back from a result
/// ([`Page::from_result`]).
///
/// ```
/// use frankly_contract::{Cursor, Page};
///
/// let rows = vec!["lunch"; 50];
/// let page = Page::new(rows, Cursor::at(0), 50, || 262, "narrow the dates or total with run_sql");
/// assert_eq!((page.returned(), page.matched(), page.truncated()), (50, 262, true));
/// assert_eq!(
///     page.hint().as_deref(),
///     Some("Rows 1 to 50 of 262; do not add up or count these as if they were all. \
///           Next: narrow the dates or total with run_sql, or follow next_cursor.")
/// );
/// ```
#[derive(Debug, Clone)]
pub struct Page<T> {
    items: Vec<T>,
    /// Unknown for a page that was read back and says nothing that tells it.
    start: Option<Cursor>,
    /// The most rows that were asked for.
    limit: u64,
    matched: u64,
    /// Rows that were found and left out again, see [`Page::first`].
    left_out: u64,
    next: String,
    /// The hint as it was read, true as long as the rows are the ones it came with.
    told: Option<String>,
    has_cursor: bool,
    note: Option<String>,
}

/// Pages that are written alike are equal.
impl<T: PartialEq> PartialEq for Page<T> {
    fn eq(&self, other: &Self) -> bool {
        self.items == other.items
            && self.matched == other.matched
            && self.note == other.note
            && self.next_cursor() == other.next_cursor()
            && self.hint() == other.hint()
    }
}

impl<T: Eq> Eq for Page<T> {}

impl<T> Page<T> {
    /// A page of the rows found from `start` on, when at most `limit` were asked for.
    ///
    /// The rows are all that such a query found: what is filtered out of them afterwards looks like the end
    /// of the list. Rows beyond `limit` are dropped, and counted as matched.
    ///
    /// `count` says how many rows match in all. It is only called when the rows alone cannot tell: when the
    /// page is full, or empty at a start past the first row. It has to count when it is called, after the
    /// rows were read: a row inserted in between then makes the page over-report, and the agent narrows for
    /// nothing. A count below what was already seen is raised to it. Where rows can also be deleted, read
    /// and count in one transaction: a row that is on the page and no longer counted hides one that is not
    /// on it.
    ///
    /// `next` is what to do to see the rest: a clause, whose final full stop is taken off. Following
    /// `next_cursor` is added to it where there is one, and takes its place when it is blank; where there is
    /// none either, a blank `next` gets a general piece of advice.
    ///
    /// ```
    /// use frankly_contract::{Cursor, Page};
    ///
    /// let whole = Page::new(vec!["Rent"; 12], Cursor::at(0), 50, || unreachable!("12 are fewer than 50"), "");
    /// assert_eq!((whole.matched(), whole.truncated(), whole.hint()), (12, false, None));
    ///
    /// let past = Page::new(Vec::<u8>::new(), Cursor::at(300), 50, || 262, "leave `cursor` out");
    /// assert_eq!(
    ///     past.hint().as_deref(),
    ///     Some("No rows from row 301 on; 262 match in all. Next: leave `cursor` out.")
    /// );
    /// ```
    #[must_use]
    pub fn new(rows: Vec<T>, start: Cursor, limit: u64, count: impl FnOnce() -> u64, next: &str) -> Self {
        match Self::try_new(rows, start, limit, || Ok::<_, std::convert::Infallible>(count()), next) {
            Ok(page) => page,
            Err(never) => match never {},
        }
    }

    /// [`Page::new`] for a counter that can fail.
    ///
    /// # Errors
    ///
    /// The counter's own error. Without the count a full page cannot tell whether it is everything.
    ///
    /// ```
    /// use frankly_contract::{Cursor, Page};
    ///
    /// let page = Page::try_new(vec!["lunch"], Cursor::at(0), 1, || Err("the database is gone"), "call again");
    /// assert_eq!(page, Err("the database is gone"));
    /// ```
    pub fn try_new<E>(
        mut rows: Vec<T>,
        start: Cursor,
        limit: u64,
        count: impl FnOnce() -> Result<u64, E>,
        next: &str,
    ) -> Result<Self, E> {
        let found = rows.len() as u64;
        let seen = if found == 0 { 0 } else { start.offset().saturating_add(found) };
        let full = found >= limit;
        let past_the_end = found == 0 && start.offset() > 0;
        let matched = if full || past_the_end { count()?.max(seen) } else { seen };
        rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        Ok(Self {
            items: rows,
            start: Some(start),
            limit,
            matched,
            left_out: 0,
            next: clause(next).to_owned(),
            told: None,
            has_cursor: true,
            note: None,
        })
    }

    /// A list that is here as a whole.
    ///
    /// ```
    /// let page = frankly_contract::Page::all(vec!["Dining", "Rent"]);
    /// assert_eq!((page.returned(), page.matched(), page.truncated()), (2, 2, false));
    /// ```
    #[must_use]
    pub fn all(rows: Vec<T>) -> Self {
        let matched = rows.len() as u64;
        Self {
            items: rows,
            start: Some(Cursor::default()),
            limit: u64::MAX,
            matched,
            left_out: 0,
            next: String::new(),
            told: None,
            has_cursor: false,
            note: None,
        }
    }

    /// Offers no cursor, for a tool that takes none.
    ///
    /// ```
    /// use frankly_contract::{Cursor, Page};
    ///
    /// let page = Page::new(vec![7; 100], Cursor::at(0), 100, || 703, "aggregate in SQL").without_cursor();
    /// assert_eq!(page.next_cursor(), None);
    /// assert!(page.hint().is_some_and(|hint| hint.ends_with("Next: aggregate in SQL.")));
    /// ```
    #[must_use]
    pub fn without_cursor(mut self) -> Self {
        if self.next_cursor().is_some() {
            self.told = None;
        }
        self.has_cursor = false;
        self
    }

    /// Leaves out all rows after the first `rows`, as a [`Budget`](crate::Budget) does: the page then says that it
    /// is truncated, that rows were left out to keep it short, and where the next page starts.
    ///
    /// ```
    /// use frankly_contract::{Cursor, Page};
    ///
    /// let page = Page::new(vec!["lunch"; 50], Cursor::at(50), 50, || 262, "narrow the dates").first(20);
    /// assert_eq!((page.returned(), page.matched(), page.truncated()), (20, 262, true));
    /// assert_eq!(page.next_cursor(), Some(Cursor::at(70)));
    /// assert_eq!(
    ///     page.hint().as_deref(),
    ///     Some("Rows 51 to 70 of 262 (30 more were left out to keep the answer short); do not add up or count \
    ///           these as if they were all. Next: narrow the dates, or follow next_cursor.")
    /// );
    /// ```
    #[must_use]
    pub fn first(mut self, rows: usize) -> Self {
        let left_out = self.items.len().saturating_sub(rows);
        if left_out > 0 {
            self.items.truncate(rows);
            self.left_out += left_out as u64;
            self.told = None;
        }
        self
    }

    /// The same page with only references to its first rows.
    pub(crate) fn first_of(&self, rows: usize) -> Page<&T> {
        let page = Page {
            items: self.items.iter().collect(),
            start: self.start,
            limit: self.limit,
            matched: self.matched,
            left_out: self.left_out,
            next: self.next.clone(),
            told: self.told.clone(),
            has_cursor: self.has_cursor,
            note: self.note.clone(),
        };
        page.first(rows)
    }

    /// What the author said to do to see the rest; may be empty.
    pub(crate) fn next_step(&self) -> &str {
        &self.next
    }

    /// Adds a note about the whole answer, such as why it is empty.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// The rows.
    #[must_use]
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// How many rows are in this page.
    #[must_use]
    pub fn returned(&self) -> u64 {
        self.items.len() as u64
    }

    /// How many rows match in all, at least.
    #[must_use]
    pub fn matched(&self) -> u64 {
        self.matched
    }

    /// Whether rows that match are not in this page, before or after it.
    #[must_use]
    pub fn truncated(&self) -> bool {
        self.returned() < self.matched
    }

    /// Where the next page starts, unless this one reaches the end, has no rows, or is
    /// [`without_cursor`](Self::without_cursor): a page after no rows would start at the same place again.
    #[must_use]
    pub fn next_cursor(&self) -> Option<Cursor> {
        let end = self.end()?;
        (self.has_cursor && end < self.matched && self.returned() > 0).then_some(Cursor::at(end))
    }

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
            let part = format!(
                "No rows are here ({left_out} were left out to keep the answer short); {matched} match in all."
            );
            return (part, "narrow the query");
        };
        let first = start.offset().saturating_add(1);
        if start.offset() >= matched {
            (format!("No rows from row {first} on; {matched} match in all."), "start at the first row")
        } else if self.limit == 0 {
            (format!("No rows were asked for; {matched} match in all."), "ask for at least one row")
        } else {
            // They came between the reading and the counting.
            (
                format!("No rows were found from row {first} on; {matched} match by now."),
                "make the same call again",
            )
        }
    }

    fn part_with_rows(&self) -> (String, &'static str) {
        let matched = self.matched;
        let rows = match (self.start, self.end()) {
            (Some(start), Some(last)) => format!("Rows {} to {last}", start.offset().saturating_add(1)),
            _ => format!("{} rows", self.returned()),
        };
        let left_out = match self.left_out {
            0 => String::new(),
            rows => format!(" ({rows} more were left out to keep the answer short)"),
        };
        let part =
            format!("{rows} of {matched}{left_out}; do not add up or count these as if they were all.");
        let more = self.end().is_none_or(|end| end < matched);
        let advice = if more {
            "narrow the query until all that matches fits on one page"
        } else {
            "read the earlier rows too"
        };
        (part, advice)
    }

    /// The row, counted from 0, after the last one of this page, if it is known.
    fn end(&self) -> Option<u64> {
        Some(self.start?.offset().saturating_add(self.returned()))
    }

    /// The note, if one was added.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn no_count() -> u64 {
        panic!("the counter was called although the rows alone can tell")
    }

    fn page(rows: usize, start: u64, limit: u64, matched: u64, next: &str) -> Page<()> {
        Page::new(vec![(); rows], Cursor::at(start), limit, || matched, next)
    }

    fn hint(page: &Page<()>) -> String {
        page.hint().unwrap()
    }

    #[test]
    fn a_full_page_of_a_longer_list_says_so() {
        let page = page(200, 0, 200, 847, "narrow the dates");
        assert_eq!((page.returned(), page.matched(), page.truncated()), (200, 847, true));
        assert_eq!(page.next_cursor(), Some(Cursor::at(200)));
        assert!(hint(&page).contains("1 to 200 of 847"));
    }

    #[test]
    fn a_short_page_is_complete_without_a_count_and_without_a_hint() {
        let page = Page::new(vec![(); 12], Cursor::at(0), 50, no_count, "narrow the dates");
        assert_eq!((page.returned(), page.matched(), page.truncated()), (12, 12, false));
        assert_eq!((page.hint(), page.next_cursor()), (None, None));
    }

    #[test]
    fn the_last_page_is_not_everything_but_has_no_next() {
        let page = Page::new(vec![(); 12], Cursor::at(250), 50, no_count, "start at the first page");
        assert_eq!((page.matched(), page.truncated(), page.next_cursor()), (262, true, None));
        assert!(hint(&page).starts_with("Rows 251 to 262 of 262"));
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

    #[test]
    fn what_a_page_is_stands_before_its_items() {
        let page = page(1, 0, 1, 2, "ask for more").with_note("n");
        let text = serde_json::to_string(&page).unwrap();
        let order = ["returned", "matched", "truncated", "hint", "note", "items", "next_cursor"];
        let places: Vec<_> = order.iter().map(|key| text.find(&format!("\"{key}\":")).unwrap()).collect();
        assert!(places.is_sorted(), "{text}");
    }

    fn anywhere() -> impl Strategy<Value = u64> {
        prop_oneof![0u64..200, any::<u64>()]
    }

    proptest! {
        /// Whatever the race between reading and counting, a page never claims more than it knows.
        #[test]
        fn a_page_never_claims_completeness_against_its_total(
            rows in 0usize..60, start in anywhere(), limit in 0u64..60, counted in anywhere(), next in ".{0,12}",
        ) {
            let asked = std::cell::Cell::new(false);
            let count = || { asked.set(true); counted };
            let page = Page::new(vec![(); rows], Cursor::at(start), limit, count, &next);
            let found = rows as u64;
            let seen = if found == 0 { 0 } else { start.saturating_add(found) };
            prop_assert_eq!(page.returned(), found.min(limit));
            prop_assert_eq!(asked.get(), found >= limit || (found == 0 && start > 0));
            prop_assert_eq!(page.matched(), if asked.get() { counted.max(seen) } else { seen });
            prop_assert_eq!(page.truncated(), found.min(limit) < page.matched());
            prop_assert_eq!(page.truncated(), page.hint().is_some());
            prop_assert!(page.next_cursor().is_none_or(|cursor| cursor > Cursor::at(start) && page.truncated()));
        }

        /// Only a place at or past the end is said to have nothing from it on, and one full stop ends it all.
        #[test]
        fn a_hint_is_true_and_ends_once(
            rows in 0usize..3, start in 0u64..6, limit in 0u64..3, counted in 0u64..6, next in "[a. ]{0,4}",
        ) {
            let page = page(rows, start, limit, counted, &next);
            let Some(hint) = page.hint() else { return Ok(()) };
            let nothing_there = page.returned() == 0 && start >= page.matched();
            prop_assert_eq!(hint.starts_with("No rows from row"), nothing_there, "{}", hint);
            prop_assert_eq!(hint.starts_with("Rows "), page.returned() > 0, "{}", hint);
            let step = hint.split_once(" Next: ").unwrap().1.strip_suffix('.').unwrap();
            prop_assert!(!step.is_empty() && !step.ends_with(['.', ' ']), "{}", hint);
        }

        #[test]
        fn a_page_that_was_shortened_still_tells_the_truth(
            rows in 0usize..20, start in 0u64..30, counted in 0u64..60, first in prop::collection::vec(0usize..20, 0..3),
        ) {
            let whole = Page::new((0..rows).collect(), Cursor::at(start), 20, || counted, "narrow");
            let page = first.iter().fold(whole.clone(), |page, rows| page.first(*rows));
            let least = first.into_iter().min().unwrap_or(rows).min(rows);
            prop_assert_eq!(page.items(), &whole.items()[..least]);
            prop_assert_eq!(page.matched(), whole.matched());
            prop_assert_eq!(page.truncated(), page.returned() < page.matched());
            prop_assert_eq!(page.hint().is_some(), page.truncated());
            if least < rows {
                prop_assert_eq!(page.next_cursor(), (least > 0).then_some(Cursor::at(start + least as u64)));
                let left_out = format!("({} ", rows - least);
                prop_assert!(page.hint().unwrap().contains(&left_out), "{:?}", page.hint());
            } else {
                prop_assert_eq!(page, whole);
            }
        }

        #[test]
        fn following_the_cursors_meets_every_row_once(total in 0usize..40, limit in 1u64..12) {
            let list: Vec<usize> = (0..total).collect();
            let (mut met, mut cursor) = (vec![], Some(Cursor::at(0)));
            while let Some(start) = cursor {
                let rows = list.iter().copied().skip(start.offset() as usize).take(limit as usize).collect();
                let page = Page::new(rows, start, limit, || total as u64, "");
                met.extend_from_slice(page.items());
                cursor = page.next_cursor();
            }
            prop_assert_eq!(met, list);
        }
    }
}
