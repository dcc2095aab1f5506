//! A page of a longer list that cannot pass for the whole list.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::ToolResult;

/// Where the next page starts. Opaque to callers: they hand it back as they got it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cursor(u64);

impl Cursor {
    /// The cursor of a page that starts at this row, counted from 0.
    #[must_use]
    pub fn at(offset: u64) -> Self {
        Self(offset)
    }

    /// The row, counted from 0, at which the page starts.
    #[must_use]
    pub fn offset(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row-{}", self.0)
    }
}

impl std::str::FromStr for Cursor {
    type Err = InvalidCursor;

    fn from_str(text: &str) -> Result<Self, InvalidCursor> {
        let row = text.strip_prefix("row-").ok_or(InvalidCursor)?;
        let canonical = row == "0" || row.starts_with(|c: char| ('1'..='9').contains(&c));
        if !canonical {
            return Err(InvalidCursor);
        }
        row.parse().map(Self).map_err(|_| InvalidCursor)
    }
}

impl Serialize for Cursor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The text is not a [`Cursor`] that a page gave out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a cursor from an earlier page")]
pub struct InvalidCursor;

/// Rows of a list, and the truth about how much of the list they are.
///
/// `truncated` is true exactly when fewer rows are here than matched, and a page that is truncated always
/// carries a hint: there is no way to build one without.
///
/// ```
/// use frankly_contract::Page;
///
/// let rows = vec!["lunch"; 50];
/// let page = Page::new(rows, 0, 50, || 262, "narrow the dates or total with run_sql");
/// assert_eq!((page.returned(), page.matched(), page.truncated()), (50, 262, true));
/// assert_eq!(
///     page.hint().as_deref(),
///     Some("Rows 1 to 50 of 262; do not add up or count these as if they were all. \
///           Next: narrow the dates or total with run_sql, or follow next_cursor.")
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    items: Vec<T>,
    offset: u64,
    matched: u64,
    next: String,
    has_cursor: bool,
    note: Option<String>,
}

impl<T> Page<T> {
    /// A page of the rows found from `offset` on, when at most `limit` were asked for.
    ///
    /// `count` says how many rows match in all. It is only called when `rows` alone cannot tell: when the
    /// page is full, or empty at an offset over 0. Call it after the rows were read: a row inserted in
    /// between then makes the page over-report, and the agent narrows for nothing; a count below what was
    /// already seen is raised to it, so that the page never claims to be complete when it is not.
    ///
    /// `next` is what to do to see the rest, a clause without a final full stop; following `next_cursor` is
    /// added to it where there is one. Rows beyond `limit` are dropped, and counted as matched.
    #[must_use]
    pub fn new(rows: Vec<T>, offset: u64, limit: u64, count: impl FnOnce() -> u64, next: &str) -> Self {
        match Self::try_new(rows, offset, limit, || Ok::<_, std::convert::Infallible>(count()), next) {
            Ok(page) => page,
            Err(never) => match never {},
        }
    }

    /// [`Page::new`] for a counter that can fail.
    ///
    /// # Errors
    ///
    /// The counter's own error. Without the count a full page cannot tell whether it is everything.
    pub fn try_new<E>(
        mut rows: Vec<T>,
        offset: u64,
        limit: u64,
        count: impl FnOnce() -> Result<u64, E>,
        next: &str,
    ) -> Result<Self, E> {
        let found = rows.len() as u64;
        let seen = if found == 0 { 0 } else { offset.saturating_add(found) };
        let full = found >= limit;
        let past_the_end = found == 0 && offset > 0;
        let matched = if full || past_the_end { count()?.max(seen) } else { seen };
        rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        let next = next.trim().trim_end_matches('.').to_owned();
        Ok(Self { items: rows, offset, matched, next, has_cursor: true, note: None })
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
        Self { items: rows, offset: 0, matched, next: String::new(), has_cursor: false, note: None }
    }

    /// Offers no cursor, for a tool that takes none.
    #[must_use]
    pub fn without_cursor(mut self) -> Self {
        self.has_cursor = false;
        self
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

    /// Where the next page starts, unless this one reaches the end.
    #[must_use]
    pub fn next_cursor(&self) -> Option<Cursor> {
        let end = self.offset.saturating_add(self.returned());
        (self.has_cursor && end < self.matched && self.returned() > 0).then_some(Cursor(end))
    }

    /// What this page is a part of and how to get the rest; always there when it is truncated.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let (first, last, matched) =
            (self.offset.saturating_add(1), self.offset.saturating_add(self.returned()), self.matched);
        let part = match self.returned() {
            _ if !self.truncated() => return None,
            0 => format!("No rows from row {first} on; {matched} match in all."),
            _ => format!(
                "Rows {first} to {last} of {matched}; do not add up or count these as if they were all."
            ),
        };
        let follow = self.next_cursor().map(|_| "follow next_cursor");
        let steps: Vec<&str> =
            Some(self.next.as_str()).filter(|next| !next.is_empty()).into_iter().chain(follow).collect();
        let next = if steps.is_empty() {
            "start at the first row, or ask for fewer".to_owned()
        } else {
            steps.join(", or ")
        };
        Some(format!("{part} Next: {next}."))
    }

    /// The note, if one was added.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }
}

impl<T: Serialize> Serialize for Page<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Written<'a, T> {
            returned: u64,
            matched: u64,
            truncated: bool,
            #[serde(skip_serializing_if = "Option::is_none")]
            hint: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            note: Option<&'a str>,
            items: &'a [T],
            #[serde(skip_serializing_if = "Option::is_none")]
            next_cursor: Option<Cursor>,
        }
        let written = Written {
            returned: self.returned(),
            matched: self.matched,
            truncated: self.truncated(),
            hint: self.hint(),
            note: self.note(),
            items: &self.items,
            next_cursor: self.next_cursor(),
        };
        written.serialize(serializer)
    }
}

impl<T: Serialize> TryFrom<Page<T>> for ToolResult {
    /// A row that has no JSON form, such as a map whose keys are no strings.
    type Error = serde_json::Error;

    fn try_from(page: Page<T>) -> Result<Self, serde_json::Error> {
        Self::json(&page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn no_count() -> u64 {
        panic!("the counter was called although the rows alone can tell")
    }

    #[test]
    fn a_full_page_of_a_longer_list_says_so() {
        let page = Page::new(vec![(); 200], 0, 200, || 847, "narrow the dates");
        assert_eq!((page.returned(), page.matched(), page.truncated()), (200, 847, true));
        assert_eq!(page.next_cursor(), Some(Cursor::at(200)));
        assert!(page.hint().unwrap().contains("1 to 200 of 847"));
    }

    #[test]
    fn a_short_page_is_complete_without_a_count_and_without_a_hint() {
        let page = Page::new(vec![(); 12], 0, 50, no_count, "narrow the dates");
        assert_eq!((page.returned(), page.matched(), page.truncated()), (12, 12, false));
        assert_eq!((page.hint(), page.next_cursor()), (None, None));
    }

    #[test]
    fn the_last_page_is_not_everything_but_has_no_next() {
        let page = Page::new(vec![(); 12], 250, 50, no_count, "start at the first page");
        assert_eq!((page.matched(), page.truncated(), page.next_cursor()), (262, true, None));
        assert!(page.hint().unwrap().starts_with("Rows 251 to 262 of 262"));
    }

    #[test]
    fn an_empty_page_past_the_end_counts_and_says_so() {
        let page = Page::new(Vec::<()>::new(), 300, 50, || 262, "start at the first page");
        assert_eq!((page.returned(), page.matched(), page.truncated()), (0, 262, true));
        assert_eq!(page.next_cursor(), None, "a cursor to the same place would never end");
        assert!(page.hint().unwrap().starts_with("No rows from row 301 on; 262 match in all."));
    }

    #[test]
    fn a_blank_next_step_still_leaves_a_way_on() {
        let page = Page::new(vec![1, 2], 0, 2, || 3, " ");
        assert!(page.hint().unwrap().ends_with("Next: follow next_cursor."));
        let page = page.without_cursor();
        assert_eq!(page.next_cursor(), None);
        assert!(page.hint().unwrap().ends_with("Next: start at the first row, or ask for fewer."));
    }

    #[test]
    fn what_a_page_is_stands_before_its_items() {
        let page = Page::new(vec![1], 0, 1, || 2, "ask for more").with_note("n");
        let text = serde_json::to_string(&page).unwrap();
        let order = ["returned", "matched", "truncated", "hint", "note", "items", "next_cursor"];
        let places: Vec<_> = order.iter().map(|key| text.find(&format!("\"{key}\":")).unwrap()).collect();
        assert!(places.is_sorted(), "{text}");
    }

    #[test]
    fn a_failing_counter_fails_the_page() {
        assert_eq!(
            Page::try_new(vec![1], 0, 1, || Err("the database is gone"), "x"),
            Err("the database is gone")
        );
    }

    #[test]
    fn a_cursor_is_read_only_in_the_form_it_was_written() {
        assert_eq!("row-50".parse(), Ok(Cursor::at(50)));
        for text in ["", "50", "row-", "row-+5", "row-05", "row--1", "row-5 ", "row-99999999999999999999"] {
            assert_eq!(text.parse::<Cursor>(), Err(InvalidCursor), "{text:?}");
        }
    }

    proptest! {
        /// Whatever the race between reading and counting, a page never claims more than it knows.
        #[test]
        fn a_page_never_claims_completeness_against_its_total(
            rows in 0usize..60, offset in 0u64..200, limit in 0u64..60, counted in 0u64..400, next in ".{0,12}",
        ) {
            let page = Page::new(vec![0u8; rows], offset, limit, || counted, &next);
            prop_assert_eq!(page.returned(), page.items().len() as u64);
            prop_assert!(page.returned() <= limit);
            prop_assert_eq!(page.truncated(), page.returned() < page.matched());
            prop_assert_eq!(page.truncated(), page.hint().is_some());
            prop_assert!(page.next_cursor().is_none() || page.truncated());
            if rows > 0 {
                prop_assert!(page.matched() >= offset + rows as u64);
            }
            if (rows as u64) >= limit {
                prop_assert!(page.matched() >= counted, "under-reported");
            }
        }
    }
}
