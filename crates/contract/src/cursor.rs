//! Places in a list and in a text. What may not enter: rows or text, and how much there is.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

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
        number(text, "row-").map(Self).ok_or(InvalidCursor)
    }
}

/// The text is not written as a page writes a [`Cursor`].
///
/// ```
/// use frankly_contract::{Cursor, InvalidCursor};
///
/// let read: Result<Cursor, InvalidCursor> = "row-50".parse();
/// assert_eq!(read.map(Cursor::offset), Ok(50));
/// assert_eq!("50".parse::<Cursor>().unwrap_err().to_string(), "not a cursor from an earlier page");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a cursor from an earlier page")]
#[non_exhaustive]
pub struct InvalidCursor;

/// Where a slice of a text starts, in bytes; by default at the beginning. A [`Cursor`] is not one.
///
/// ```
/// use frankly_contract::ByteCursor;
///
/// assert_eq!(ByteCursor::at(4000).to_string(), "byte-4000");
/// assert_eq!("byte-4000".parse(), Ok(ByteCursor::at(4000)));
/// assert_eq!(ByteCursor::default(), ByteCursor::at(0));
/// assert!("row-50".parse::<ByteCursor>().is_err(), "a row is no place in a text");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteCursor(u64);

impl ByteCursor {
    /// The cursor of a slice that starts at this byte, counted from 0.
    #[must_use]
    pub const fn at(offset: u64) -> Self {
        Self(offset)
    }

    /// The byte, counted from 0, at which the slice starts.
    #[must_use]
    pub const fn offset(self) -> u64 {
        self.0
    }
}

impl fmt::Display for ByteCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte-{}", self.0)
    }
}

impl std::str::FromStr for ByteCursor {
    type Err = InvalidByteCursor;

    fn from_str(text: &str) -> Result<Self, InvalidByteCursor> {
        number(text, "byte-").map(Self).ok_or(InvalidByteCursor)
    }
}

/// The text is not written as a slice writes a [`ByteCursor`].
///
/// ```
/// use frankly_contract::{ByteCursor, InvalidByteCursor};
///
/// let read: Result<ByteCursor, InvalidByteCursor> = "byte-50".parse();
/// assert_eq!(read.map(ByteCursor::offset), Ok(50));
/// assert!("row-50".parse::<ByteCursor>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a cursor from an earlier slice")]
#[non_exhaustive]
pub struct InvalidByteCursor;

/// The number after the prefix, in the one form in which it is written.
fn number(text: &str, prefix: &str) -> Option<u64> {
    let digits = text.strip_prefix(prefix)?;
    let canonical = digits == "0" || digits.starts_with(|c: char| ('1'..='9').contains(&c));
    canonical.then(|| digits.parse().ok())?
}

macro_rules! as_text {
    ($cursor:ty, $name:literal, $about:literal, $pattern:literal, $example:literal) => {
        impl Serialize for $cursor {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $cursor {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
                text.parse().map_err(de::Error::custom)
            }
        }

        #[cfg(feature = "registry")]
        impl schemars::JsonSchema for $cursor {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                $name.into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "type": "string",
                    "description": $about,
                    "pattern": $pattern,
                    "examples": [$example],
                })
            }
        }
    };
}

as_text!(
    Cursor,
    "Cursor",
    "The next_cursor of an earlier page, unchanged, such as row-50; row-0 is the first page.",
    "^row-(0|[1-9][0-9]{0,18})$",
    "row-50"
);
as_text!(
    ByteCursor,
    "ByteCursor",
    "The cursor of an earlier slice, unchanged, such as byte-4000; byte-0 is the beginning.",
    "^byte-(0|[1-9][0-9]{0,18})$",
    "byte-4000"
);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_cursor_is_read_only_in_the_form_it_was_written() {
        assert_eq!("row-50".parse(), Ok(Cursor::at(50)));
        assert_eq!("byte-50".parse(), Ok(ByteCursor::at(50)));
        for digits in ["", "+5", "05", "-1", "5 ", "99999999999999999999"] {
            assert_eq!(format!("row-{digits}").parse::<Cursor>(), Err(InvalidCursor), "{digits:?}");
            assert_eq!(format!("byte-{digits}").parse::<ByteCursor>(), Err(InvalidByteCursor), "{digits:?}");
        }
        for text in ["", "50", "byte-50", "Row-50"] {
            assert_eq!(text.parse::<Cursor>(), Err(InvalidCursor), "{text:?}");
        }
        for text in ["", "50", "row-50", "Byte-50"] {
            assert_eq!(text.parse::<ByteCursor>(), Err(InvalidByteCursor), "{text:?}");
        }
    }

    /// Whether it can be left out is for the `required` beside it to say.
    #[cfg(feature = "registry")]
    #[test]
    fn what_a_schema_says_of_a_cursor_is_true_whether_it_is_required_or_not() {
        let about =
            |schema: schemars::Schema| schema.get("description").unwrap().as_str().unwrap().to_owned();
        for (about, first) in [
            (about(schemars::schema_for!(Cursor)), Cursor::default().to_string()),
            (about(schemars::schema_for!(ByteCursor)), ByteCursor::default().to_string()),
        ] {
            assert!(!about.contains("left out") && about.contains(&first), "{about}");
        }
    }

    proptest! {
        #[test]
        fn every_cursor_is_read_back(offset: u64) {
            let (row, byte) = (Cursor::at(offset), ByteCursor::at(offset));
            prop_assert_eq!(row.to_string().parse(), Ok(row));
            prop_assert_eq!(byte.to_string().parse(), Ok(byte));
            prop_assert_eq!(serde_json::from_value::<Cursor>(serde_json::json!(row)).unwrap(), row);
            prop_assert_eq!(serde_json::from_value::<ByteCursor>(serde_json::json!(byte)).unwrap(), byte);
        }
    }
}
