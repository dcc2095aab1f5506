//! A page within a budget: fewer rows, and every signal of the page still true. What may not enter: a row cut in
//! its middle.

use serde::Serialize;

use super::Budget;
use crate::clause::clause;
use crate::{Code, Page, ToolError};

impl Budget {
    /// The page if its JSON fits, else as many of its first rows as fit, see [`Page::keep_first`]: it then says that it
    /// is truncated, and its cursor leads to the first row that was left out.
    ///
    /// What is counted is the page's JSON as one text, as [`ToolResult::json`](crate::ToolResult::json) sends it;
    /// the same data in `structuredContent` is for programs and is not counted again.
    ///
    /// # Errors
    ///
    /// `INVALID_ARGS` with the kind `over_budget` when not even the first row fits: an empty page would be no way
    /// on, since the next one would start at the same row.
    ///
    /// A page with a row that has no JSON form is handed back as it is: it fails where it is written, as it does
    /// without a budget.
    ///
    /// ```
    /// use frankly_contract::{Budget, Cursor, Page};
    ///
    /// let page = Page::new(vec!["a row of some length"; 50], Cursor::at(0), 50, || 262, "narrow the dates");
    /// let page = Budget::bytes(600).page(page)?;
    /// assert_eq!((page.returned(), page.matched(), page.next_cursor()), (15, 262, Some(Cursor::at(15))));
    /// assert!(serde_json::to_string(&page).is_ok_and(|json| json.len() <= 600));
    /// # Ok::<(), frankly_contract::ToolError>(())
    /// ```
    pub fn page<T: Serialize>(&self, page: Page<T>) -> Result<Page<T>, ToolError> {
        match written(&page) {
            Some(json) if !self.allows(&json) => {}
            _ => return Ok(page),
        }
        let rows = page.items().len();
        let fits = |rows| written(&page.first_of(rows)).is_some_and(|json| self.allows(&json));
        match most(rows, fits) {
            0 => Err(self.exceeded(
                if rows > 0 { "not even one row fits" } else { "the answer does not fit" },
                page.next_step(),
            )),
            rows => Ok(page.keep_first(rows)),
        }
    }

    /// The error of an answer that cannot be shortened any more.
    pub(super) fn exceeded(&self, what: &str, next: &str) -> ToolError {
        let next = if clause(next).is_empty() {
            "ask for less, or tell the user that the answer is too long"
        } else {
            next
        };
        ToolError::new(
            Code::InvalidArgs,
            format!("{what} into the {self} that this tool may answer with"),
            next,
        )
        .with_kind("over_budget")
    }
}

/// The greatest number below `all` that fits, if more cost more; where they do not, one that fits. 0 if none does.
pub(super) fn most(all: usize, fits: impl Fn(usize) -> bool) -> usize {
    let (mut fitting, mut beyond) = (0, all);
    while beyond - fitting > 1 {
        let middle = fitting.midpoint(beyond);
        if fits(middle) { fitting = middle } else { beyond = middle }
    }
    fitting
}

fn written(value: &impl Serialize) -> Option<String> {
    serde_json::to_string(value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cursor;
    use proptest::prelude::*;

    fn page(rows: usize, next: &str) -> Page<String> {
        Page::new(vec!["x".repeat(30); rows], Cursor::at(0), 50, || 262, next)
    }

    #[test]
    fn a_page_that_fits_is_unchanged() {
        let budget = Budget::bytes(serde_json::to_string(&page(50, "n")).unwrap().len());
        assert_eq!(budget.page(page(50, "n")), Ok(page(50, "n")));
        assert_ne!(Budget::bytes(budget.limit() - 1).page(page(50, "n")), Ok(page(50, "n")));
    }

    #[test]
    fn where_no_row_fits_there_is_an_error_instead_of_nothing() {
        let error = Budget::bytes(100).page(page(50, "leave `text` out")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "INVALID_ARGS: not even one row fits into the 100 bytes that this tool may answer with. \
             Next: leave `text` out."
        );
        assert_eq!(error.kind(), Some("over_budget"));
        let error = Budget::chars(1).page(page(0, "")).unwrap_err();
        assert!(error.to_string().contains("the answer does not fit into the 1 character that"), "{error}");
        assert!(error.next().starts_with("ask for less"));
    }

    #[test]
    fn a_row_without_a_json_form_fails_where_it_is_written() {
        let odd = Page::all(vec![std::collections::HashMap::from([((1, 2), 3)])]);
        let page = Budget::bytes(1).page(odd.clone()).unwrap();
        assert_eq!(page, odd);
        assert!(crate::ToolResult::try_from(page).is_err());
    }

    proptest! {
        #[test]
        fn a_page_within_a_budget_is_as_long_as_it_can_be_and_true(
            rows in prop::collection::vec(".{0,20}", 0..30), start in 0u64..5, limit in 0usize..900, counted in 0u64..60,
        ) {
            let page = Page::new(rows.clone(), Cursor::at(start), 30, || counted, "narrow");
            let budget = Budget::bytes(limit);
            match budget.page(page.clone()) {
                Ok(short) => {
                    let json = serde_json::to_string(&short).unwrap();
                    prop_assert!(budget.allows(&json), "{}", json);
                    prop_assert_eq!(short.matched(), page.matched());
                    prop_assert_eq!(short.items(), &page.items()[..short.items().len()]);
                    prop_assert!(short == page || short.truncated() && short.returned() > 0);
                    if short != page {
                        prop_assert_eq!(short.next_cursor(), Some(Cursor::at(start + short.returned())));
                        let more = page.first_of(short.items().len() + 1);
                        prop_assert!(!budget.allows(&serde_json::to_string(&more).unwrap()));
                    }
                }
                Err(_) => prop_assert!(!budget.allows(&serde_json::to_string(&page.first_of(1)).unwrap())),
            }
        }

        #[test]
        fn no_counter_makes_a_page_exceed_its_budget(limit in 0usize..300, seed: u64) {
            let counter = move |text: &str| text.bytes().fold(seed, |sum, byte| sum.rotate_left(5) ^ u64::from(byte)) as usize % 300;
            let budget = Budget::tokens(limit, counter);
            if let Ok(page) = budget.page(page(20, "n")) {
                prop_assert!(budget.allows(&serde_json::to_string(&page).unwrap()));
            }
        }
    }
}
