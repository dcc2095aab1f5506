//! A page of a longer list that cannot pass for the whole list. What may not enter: where the rows come from, and
//! sentences, see `hint`.

mod hint;
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
    /// Rows that were found and left out again, see [`Page::keep_first`].
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
    /// `limit` is the bound with which the query really ran, and the rows are all that it found. If a query is
    /// capped at 50 while 200 is passed on here, 50 rows look like the end of the list; and so does what is filtered
    /// out of the rows afterwards. Rows beyond `limit` are dropped, and counted as matched. The first row is the one at
    /// `start`: where all rows are at hand, skip those before it (`rows.skip(start.offset())`), or the page shows the
    /// beginning again and claims more rows in all than there are.
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

    /// [`Page::new`] for a counter that is asynchronous, and can fail: it is polled only when the rows alone cannot
    /// tell.
    ///
    /// # Errors
    ///
    /// The counter's own error.
    ///
    /// ```
    /// use frankly_contract::{Cursor, Page};
    ///
    /// # pollster::block_on(async {
    /// let count = || async { Ok::<_, std::io::Error>(262) }; // pool.query_one("SELECT COUNT(*) …").await
    /// let page = Page::counted(vec!["lunch"; 50], Cursor::at(0), 50, count, "narrow the dates").await?;
    /// assert_eq!((page.matched(), page.truncated()), (262, true));
    /// # Ok::<(), std::io::Error>(())
    /// # }).unwrap();
    /// ```
    pub async fn counted<E, F>(
        rows: Vec<T>,
        start: Cursor,
        limit: u64,
        count: impl FnOnce() -> F,
        next: &str,
    ) -> Result<Self, E>
    where
        F: Future<Output = Result<u64, E>>,
    {
        let counted = match needs_count(rows.len() as u64, start, limit) {
            true => count().await?,
            false => 0,
        };
        Ok(Self::new(rows, start, limit, || counted, next))
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
        let matched = if needs_count(found, start, limit) { count()?.max(seen) } else { seen };
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
    /// let page = Page::new(vec!["lunch"; 50], Cursor::at(50), 50, || 262, "narrow the dates").keep_first(20);
    /// assert_eq!((page.returned(), page.matched(), page.truncated()), (20, 262, true));
    /// assert_eq!(page.next_cursor(), Some(Cursor::at(70)));
    /// assert_eq!(
    ///     page.hint().as_deref(),
    ///     Some("Rows 51 to 70 of 262 (30 more were left out to keep the answer short); do not add up or count \
    ///           these as if they were all. Next: narrow the dates, or follow next_cursor.")
    /// );
    /// ```
    #[must_use]
    pub fn keep_first(mut self, rows: usize) -> Self {
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
        page.keep_first(rows)
    }

    /// The same page with another step to see the rest.
    pub(crate) fn with_next(mut self, next: &str) -> Self {
        self.next = clause(next).to_owned();
        self.told = None;
        self
    }

    /// What the author said to do to see the rest; may be empty.
    pub(crate) fn next_step(&self) -> &str {
        &self.next
    }

    /// Adds a note about the whole answer, such as why it is empty.
    ///
    /// ```
    /// use frankly_contract::Page;
    ///
    /// let page = Page::<u8>::all(Vec::new()).with_note("no category is named `dining`");
    /// assert_eq!(page.note(), Some("no category is named `dining`"));
    /// ```
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

/// Whether the rows alone cannot tell how many match: the page is full, or empty at a start past the first row.
fn needs_count(found: u64, start: Cursor, limit: u64) -> bool {
    found >= limit || (found == 0 && start.offset() > 0)
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
    fn an_asynchronous_count_is_awaited_only_where_it_is_needed() {
        let counted = |rows: usize, start, limit, count: Result<u64, &'static str>| {
            let page = Page::counted(vec![(); rows], Cursor::at(start), limit, || async move { count }, "n");
            pollster::block_on(page)
        };
        assert_eq!(counted(50, 0, 50, Ok(262)), Ok(page(50, 0, 50, 262, "n")));
        assert_eq!(counted(50, 0, 50, Err("gone")), Err("gone"));
        assert_eq!(counted(12, 0, 50, Err("never asked")), Ok(page(12, 0, 50, 12, "n")));
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

        #[test]
        fn a_page_that_was_shortened_still_tells_the_truth(
            rows in 0usize..20, start in 0u64..30, counted in 0u64..60, first in prop::collection::vec(0usize..20, 0..3),
        ) {
            let whole = Page::new((0..rows).collect(), Cursor::at(start), 20, || counted, "narrow");
            let page = first.iter().fold(whole.clone(), |page, rows| page.keep_first(*rows));
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
