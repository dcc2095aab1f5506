//! What is limited, and what comes of going beyond it.

use std::fmt;

use super::{Target, titles, verb};
use crate::Severity;
use crate::report::grouped;

/// One limit of a target.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// Of what.
    pub what: What,
    /// What comes of going beyond it.
    pub beyond: Beyond,
    /// From where that is known, with the month.
    pub source: &'static str,
}

/// What is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The characters of a name other than ASCII letters and digits: these may stand in it.
    NamePunctuation(&'static str),
    /// The first character of a name: a letter or `_`.
    NameBegin,
    /// The most characters of a name, prefix included.
    NameLength(usize),
    /// The length of a tool's description.
    Description(Length),
    /// The length of a server's instructions.
    Instructions(Length),
    /// The most tools of a request.
    ToolCount(usize),
    /// Keywords that may not stand at the root of an input schema.
    Combined(&'static [&'static str]),
    /// An array in which nothing says what its items are.
    Array,
    /// An array without `items`, whatever else says what is in it.
    ArrayAtAll,
    /// The names of top-level parameters: `^[a-zA-Z0-9_.-]{1,64}$`.
    Key,
    /// What JSON Schema 2020-12 writes in another way than older drafts.
    Draft,
    /// The values of an enum: texts with something in them.
    EnumOfText,
    /// What stands beside a `$ref`: a description and a default.
    Neighbours,
    /// A reference from one parameter to another.
    PropertyReference,
    /// Regular expressions that look ahead or behind.
    Lookaround,
    /// A list of types where one is meant.
    TypeList,
    /// One value as a constant.
    Constant,
    /// A parameter of no type.
    Untyped,
    /// An input schema without `properties`.
    NoProperties,
    /// Open objects, optional properties, and keywords and formats outside of a subset of JSON Schema.
    Strict,
}

/// The most characters of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Length {
    /// How many.
    pub chars: usize,
    /// Whether they are counted as in UTF-16, where some characters count twice.
    pub in_utf16: bool,
}

/// What comes of going beyond a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beyond {
    /// The whole request is refused, with every tool in it.
    Refused,
    /// The tool is left out, and nobody is told.
    LeftOut,
    /// What is beyond is cut off, and nobody is told.
    Cut,
    /// That part is dropped, and nobody is told.
    Dropped,
    /// It is taken, but not everywhere or not always, as this clause says.
    Sometimes(&'static str),
}

impl Beyond {
    /// How much it weighs for somebody who hands definitions to this target.
    #[must_use]
    pub fn severity(self) -> Severity {
        match self {
            Self::Refused | Self::LeftOut => Severity::Error,
            Self::Cut | Self::Dropped | Self::Sometimes(_) => Severity::Warning,
        }
    }

    /// What these targets do of which it is true.
    pub(in super::super) fn told(self, targets: &[&Target]) -> String {
        let who = titles(targets);
        match self {
            Self::Refused => format!("{who} {} that", verb(targets, "refuses", "refuse")),
            Self::LeftOut => format!("{who} {} the tool out", verb(targets, "leaves", "leave")),
            Self::Cut => format!("{who} {} the rest off", verb(targets, "cuts", "cut")),
            Self::Dropped => format!("{who} {} that", verb(targets, "drops", "drop")),
            Self::Sometimes(clause) => clause.to_owned(),
        }
    }
}

impl What {
    /// The rule that holds definitions against it.
    ///
    /// ```
    /// use frankly_verdict::lint::What;
    ///
    /// assert_eq!(What::ToolCount(128).rule(), "definitions-over-budget");
    /// ```
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Self::NamePunctuation(_) | Self::NameBegin | Self::NameLength(_) => "name-not-portable",
            Self::Description(_) | Self::Instructions(_) => "description-too-long",
            Self::ToolCount(_) => "definitions-over-budget",
            _ => "not-portable-schema",
        }
    }
}

/// What is beyond it: `names over 64 characters`.
impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NamePunctuation(others) => write!(f, "names outside `[a-zA-Z0-9{others}]*`"),
            Self::NameBegin => f.write_str("names that begin with neither a letter nor `_`"),
            Self::NameLength(most) => write!(f, "names over {most} characters, prefix included"),
            Self::Description(most) => write!(f, "descriptions over {most}"),
            Self::Instructions(most) => write!(f, "a server's instructions over {most}"),
            Self::ToolCount(most) => write!(f, "more than {most} tools"),
            Self::Combined(keywords) => {
                let keywords: Vec<_> = keywords.iter().map(|keyword| format!("`{keyword}`")).collect();
                write!(f, "{} at the root of a schema", keywords.join(", "))
            }
            Self::Array => f.write_str("arrays of which nothing says what is in them"),
            Self::ArrayAtAll => f.write_str("arrays without `items`, `prefixItems` or not"),
            Self::Key => f.write_str("names of top-level parameters outside `[a-zA-Z0-9_.-]{1,64}`"),
            Self::Draft => f.write_str("lists as `items`, and exclusive bounds that are true or false"),
            Self::EnumOfText => f.write_str("enums with anything but texts, or with an empty one"),
            Self::Neighbours => f.write_str("a `$ref` beside anything but `description` and `default`"),
            Self::PropertyReference => f.write_str("references from one parameter to another"),
            Self::Lookaround => f.write_str("patterns that look ahead or behind"),
            Self::TypeList => f.write_str("lists of types"),
            Self::Constant => f.write_str("`const`"),
            Self::Untyped => f.write_str("parameters of no type"),
            Self::NoProperties => f.write_str("input schemas without `properties`, also for tools without parameters"),
            Self::Strict => f.write_str(
                "open objects, optional properties, keywords and formats outside its subset of JSON Schema, and schemas \
                 beyond its sizes",
            ),
        }
    }
}

impl Length {
    /// How long a text is.
    pub(in super::super) fn count(self, text: &str) -> usize {
        text.chars().map(|c| self.weight(c)).sum()
    }

    /// What of a text is beyond it.
    pub(in super::super) fn rest(self, text: &str) -> Option<&str> {
        let mut count = 0;
        let start = text.char_indices().find(|(_, c)| {
            count += self.weight(*c);
            count > self.chars
        });
        start.map(|(at, _)| &text[at..])
    }

    fn weight(self, c: char) -> usize {
        if self.in_utf16 { c.len_utf16() } else { 1 }
    }
}

/// `1,024 characters`.
impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = if self.in_utf16 { "characters in UTF-16" } else { "characters" };
        write!(f, "{} {unit}", grouped(self.chars as u64))
    }
}

/// What comes of it: `refused, with the whole request`.
impl fmt::Display for Beyond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused => f.write_str("refused, with the whole request"),
            Self::LeftOut => f.write_str("the tool is left out without a word"),
            Self::Cut => f.write_str("cut off without a word"),
            Self::Dropped => f.write_str("dropped without a word"),
            Self::Sometimes(clause) => write!(f, "taken; {clause}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_utf_16_some_characters_count_twice() {
        let rest = |chars, in_utf16| Length { chars, in_utf16 }.rest("aé😀b");
        assert_eq!((rest(5, true), rest(4, true), rest(3, true)), (None, Some("b"), Some("😀b")));
        assert_eq!((rest(4, false), rest(3, false)), (None, Some("b")));
    }
}
