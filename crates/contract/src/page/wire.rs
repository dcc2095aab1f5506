//! A page as JSON, and back. What may not enter: repairs. A page that contradicts itself is refused.

use std::fmt;

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Page;
use crate::{Cursor, ToolResult};

/// Why JSON is no page.
///
/// ```
/// use frankly_contract::{InvalidPage, Page, ToolResult};
/// use serde_json::json;
///
/// let dump = ToolResult::json(&json!({"returned": 1, "matched": 262, "truncated": false, "items": ["lunch"]}))?;
/// let error = Page::<String>::from_result(&dump).unwrap_err();
/// assert_eq!(error.to_string(), "`truncated` is false, but 1 of 262 rows are here");
/// assert!(matches!(error, InvalidPage::Contradiction(_)));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidPage {
    /// The result is flagged as an error.
    #[error("the result is an error: {0}")]
    Failed(String),
    /// The result has neither structured content nor a text.
    #[error("the result is empty")]
    Empty,
    /// It is no JSON, a member is missing, or one has the wrong type.
    #[error("not a page: {0}")]
    Shape(String),
    /// Two of its members cannot both be true.
    #[error("{0}")]
    Contradiction(String),
}

impl<T: DeserializeOwned> Page<T> {
    /// Reads a page back from the result it was sent as: from its structured content, or where there is none
    /// from its first text. Members that no page has are passed over.
    ///
    /// # Errors
    ///
    /// An [`InvalidPage`] for what is no page, and for a page whose members contradict each other, such as one
    /// that claims to be complete against its own total.
    ///
    /// ```
    /// use frankly_contract::{Cursor, Page, ToolResult};
    ///
    /// let page = Page::new(vec![1, 2], Cursor::at(0), 2, || 3, "narrow the dates");
    /// let result = ToolResult::try_from(page.clone())?;
    /// assert_eq!(Page::from_result(&result)?, page);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_result(result: &ToolResult) -> Result<Self, InvalidPage> {
        let first = result.texts().next().map(|(_, text)| text);
        if result.is_error() {
            return Err(InvalidPage::Failed(first.unwrap_or("no text").to_owned()));
        }
        let read = match (result.structured(), first) {
            (Some(structured), _) => Read::deserialize(structured),
            (None, Some(text)) => serde_json::from_str(text),
            (None, None) => return Err(InvalidPage::Empty),
        };
        read.map_err(|error| InvalidPage::Shape(error.to_string()))?.page()
    }
}

/// A page's members as they came.
#[derive(Deserialize)]
struct Read<T> {
    returned: u64,
    matched: u64,
    truncated: bool,
    hint: Option<String>,
    note: Option<String>,
    items: Vec<T>,
    next_cursor: Option<Cursor>,
}

impl<T> Read<T> {
    fn page(self) -> Result<Page<T>, InvalidPage> {
        self.check()?;
        let returned = self.items.len() as u64;
        let whole = (!self.truncated).then_some(0);
        let start = self.next_cursor.map(|next| next.offset() - returned).or(whole);
        Ok(Page {
            items: self.items,
            start: start.map(Cursor::at),
            limit: u64::MAX,
            matched: self.matched,
            left_out: 0,
            next: String::new(),
            told: self.hint,
            has_cursor: self.next_cursor.is_some(),
            note: self.note,
        })
    }

    fn check(&self) -> Result<(), InvalidPage> {
        let Self { returned, matched, truncated, .. } = self;
        let (here, part) = (self.items.len() as u64, returned < matched);
        let hint = self.hint.as_deref().map(str::trim);
        let next = self.next_cursor.map(Cursor::offset);
        if *returned != here {
            return contradiction(format_args!("`returned` is {returned}, but {here} rows are here"));
        }
        if matched < returned {
            return contradiction(format_args!("`matched` is {matched}, but {here} rows are here"));
        }
        if *truncated != part {
            return contradiction(format_args!(
                "`truncated` is {truncated}, but {here} of {matched} rows are here"
            ));
        }
        if part && hint.is_none_or(str::is_empty) {
            return contradiction(format_args!("{here} of {matched} rows are here, but no `hint` says so"));
        }
        if !part && hint.is_some() {
            return contradiction(format_args!("there is a `hint` to more, but all {matched} rows are here"));
        }
        match next {
            Some(next) if !part || here == 0 || next < here || next >= *matched => {
                contradiction(format_args!(
                    "`next_cursor` leads to row {next}, where no page after these {here} of {matched} rows can start"
                ))
            }
            _ => Ok(()),
        }
    }
}

fn contradiction<T>(what: fmt::Arguments<'_>) -> Result<T, InvalidPage> {
    Err(InvalidPage::Contradiction(what.to_string()))
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Page<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Read::deserialize(deserializer)?.page().map_err(D::Error::custom)
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

#[cfg(feature = "registry")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Page<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("PageOf{}", T::schema_name()).into()
    }

    fn schema_id() -> std::borrow::Cow<'static, str> {
        format!("frankly_contract::Page<{}>", T::schema_id()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let count = |about: &str| serde_json::json!({"type": "integer", "minimum": 0, "description": about});
        let text = |about: &str| serde_json::json!({"type": "string", "description": about});
        schemars::json_schema!({
            "type": "object",
            "properties": {
                "returned": count("How many rows are here."),
                "matched": count("How many rows match in all."),
                "truncated": {"type": "boolean", "description": "Whether rows that match are not here."},
                "hint": text("What part this is, and how to get the rest."),
                "note": text("What to know about the whole answer."),
                "items": {"type": "array", "items": generator.subschema_for::<T>()},
                "next_cursor": text("Where the next page starts, such as row-50."),
            },
            "required": ["returned", "matched", "truncated", "items"],
            "additionalProperties": false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn read(page: Value) -> Result<Page<u8>, InvalidPage> {
        Page::from_result(&ToolResult::json(&page).unwrap())
    }

    /// An honest page with one member changed; null takes it out.
    fn honest_but(member: &str, value: Value) -> Value {
        let mut page = json!({
            "returned": 2, "matched": 5, "truncated": true, "hint": "h", "items": [1, 2], "next_cursor": "row-3"
        });
        page[member] = value;
        if page[member].is_null() {
            page.as_object_mut().unwrap().remove(member);
        }
        page
    }

    #[test]
    fn a_page_that_contradicts_itself_is_refused() {
        for (member, value, said) in [
            ("truncated", json!(false), "`truncated` is false, but 2 of 5 rows are here"),
            ("returned", json!(5), "`returned` is 5, but 2 rows are here"),
            ("matched", json!(1), "`matched` is 1, but 2 rows are here"),
            ("matched", json!(2), "`truncated` is true, but 2 of 2 rows are here"),
            ("hint", json!(null), "no `hint` says so"),
            ("hint", json!(" "), "no `hint` says so"),
            ("next_cursor", json!("row-1"), "leads to row 1"),
            ("next_cursor", json!("row-5"), "leads to row 5"),
        ] {
            let error = read(honest_but(member, value)).unwrap_err();
            assert!(matches!(&error, InvalidPage::Contradiction(what) if what.contains(said)), "{error}");
        }
        let whole = json!({"returned": 1, "matched": 1, "truncated": false, "items": [1]});
        for (member, value) in [("hint", "there is more"), ("next_cursor", "row-1")] {
            let mut page = whole.clone();
            page[member] = json!(value);
            assert!(matches!(read(page), Err(InvalidPage::Contradiction(_))), "{member}");
        }
        assert_eq!(read(whole).unwrap(), Page::all(vec![1]));
    }

    #[test]
    fn what_is_no_page_is_refused() {
        for (member, value) in [
            ("items", json!(null)),
            ("items", json!(["x"])),
            ("matched", json!("5")),
            ("next_cursor", json!("3")),
        ] {
            assert!(matches!(read(honest_but(member, value)), Err(InvalidPage::Shape(_))), "{member}");
        }
        assert_eq!(read(json!([])).unwrap_err().to_string().split(':').next(), Some("not a page"));
        let failed = Page::<u8>::from_result(&ToolResult::failure("it broke"));
        assert_eq!(failed, Err(InvalidPage::Failed("it broke".to_owned())));
        let empty = Page::<u8>::from_result(&ToolResult::try_from(json!({})).unwrap());
        assert_eq!(empty, Err(InvalidPage::Empty));
    }

    #[test]
    fn members_that_no_page_has_are_passed_over() {
        assert!(read(honest_but("since", json!(2))).is_ok());
        assert!(read(honest_but("next_cursor", json!(null))).is_ok());
    }

    #[test]
    fn a_text_alone_is_read_too() {
        let page = Page::new(vec![1, 2], Cursor::at(0), 2, || 3, "");
        let text = ToolResult::text(serde_json::to_string(&page).unwrap());
        assert_eq!(Page::from_result(&text), Ok(page));
    }

    #[test]
    fn a_page_that_was_read_can_be_shortened() {
        let said = |page: Value, rows| {
            let page = read(page).unwrap().keep_first(rows);
            (page.hint().unwrap(), page.next_cursor())
        };
        let (hint, next) = said(honest_but("since", json!(2)), 1);
        assert!(hint.starts_with("Row 2 of 5 (1 more was left out") && hint.ends_with("follow next_cursor."));
        assert_eq!(next, Some(Cursor::at(2)));
        let (hint, next) = said(honest_but("next_cursor", json!(null)), 1);
        assert!(hint.starts_with("1 row of 5 (1 more") && hint.ends_with("fits on one page."), "{hint}");
        assert_eq!(next, None);
        let whole = json!({"returned": 2, "matched": 2, "truncated": false, "items": [1, 2]});
        assert!(said(whole, 1).0.starts_with("Row 1 of 2 (1 more"));
        assert!(said(honest_but("since", json!(2)), 0).0.starts_with("No rows are here (2 were left out"));
    }

    proptest! {
        #[test]
        fn a_page_comes_back_from_its_result(
            rows in 0usize..9, start in 0u64..30, limit in 0u64..9, counted in 0u64..30, next in ".{0,12}",
            note in prop::option::of(".{0,9}"), with_cursor: bool, first in 0usize..9,
        ) {
            let mut page = Page::new((0..rows).collect(), Cursor::at(start), limit, || counted, &next).keep_first(first);
            if let Some(note) = note {
                page = page.with_note(note);
            }
            if !with_cursor {
                page = page.without_cursor();
            }
            let result = ToolResult::try_from(page.clone()).unwrap();
            let sent: Value = serde_json::from_str(&serde_json::to_string(&result).unwrap()).unwrap();
            let received = Page::from_result(&ToolResult::try_from(sent).unwrap()).unwrap();
            prop_assert_eq!(&received, &page);
            prop_assert_eq!(json!(received), json!(page));
        }

        /// Whoever wrote it: what is read as a page tells the truth about how much of the list it is.
        #[test]
        fn no_page_is_read_that_claims_completeness_against_its_total(
            returned in 0u64..4, matched in 0u64..4, truncated: bool, rows in 0usize..4,
            hint in prop::option::of("h?"), next in prop::option::of(0u64..4),
        ) {
            let page = json!({
                "returned": returned, "matched": matched, "truncated": truncated, "items": vec![0; rows],
                "hint": hint, "next_cursor": next.map(Cursor::at),
            });
            if let Ok(page) = read(page.clone()) {
                prop_assert_eq!(page.returned(), rows as u64);
                prop_assert_eq!(page.truncated(), page.returned() < page.matched());
                prop_assert_eq!(page.hint().is_some(), page.truncated());
                prop_assert_eq!(page.next_cursor(), next.map(Cursor::at));
            } else {
                let complete = returned == matched && !truncated && hint.is_none() && next.is_none();
                prop_assert!(!complete || rows as u64 != returned, "{page}");
            }
        }
    }
}
