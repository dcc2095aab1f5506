//! Places in a list. What may not enter: rows, and how many there are.

use std::fmt;

use serde::{Serialize, Serializer};

/// Where a page starts; by default at the first row. Callers of a tool hand it back as they got it, and only
/// the tool looks inside.
///
/// ```
/// use frankly_contract::Cursor;
///
/// assert_eq!(Cursor::at(50).to_string(), "row-50");
/// assert_eq!("row-50".parse(), Ok(Cursor::at(50)));
/// assert_eq!(Cursor::default(), Cursor::at(0));
/// assert!("50".parse::<Cursor>().is_err(), "only what a page gave out is taken back");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cursor(u64);

impl Cursor {
    /// The cursor of a page that starts at this row, counted from 0.
    #[must_use]
    pub const fn at(offset: u64) -> Self {
        Self(offset)
    }

    /// The row, counted from 0, at which the page starts.
    #[must_use]
    pub const fn offset(self) -> u64 {
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

/// The text is not written as a page writes a [`Cursor`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a cursor from an earlier page")]
pub struct InvalidCursor;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_cursor_is_read_only_in_the_form_it_was_written() {
        assert_eq!("row-50".parse(), Ok(Cursor::at(50)));
        for text in ["", "50", "row-", "row-+5", "row-05", "row--1", "row-5 ", "row-99999999999999999999"] {
            assert_eq!(text.parse::<Cursor>(), Err(InvalidCursor), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn every_cursor_is_read_back(offset: u64) {
            prop_assert_eq!(Cursor::at(offset).to_string().parse(), Ok(Cursor::at(offset)));
        }
    }
}
