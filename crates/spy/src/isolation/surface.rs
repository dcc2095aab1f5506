//! Where one tenant's data could come up before another. What may not enter: how it is read.

use std::fmt;

/// A place where data can be seen. The named ones have to be looked at for every tenant, or be declared absent.
///
/// ```
/// use frankly_spy::isolation::Surface;
///
/// assert_eq!(Surface::NAMED.map(|surface| surface.to_string()).join(" "), "output memory search cache spans events");
/// assert_eq!(Surface::Own("mails".to_owned()).to_string(), "mails");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Surface {
    /// What the agent answers.
    Output,
    /// What it remembers from one run to the next.
    Memory,
    /// What a search finds.
    Search,
    /// What a cache gives.
    Cache,
    /// What is traced.
    Spans,
    /// What is published to others, such as a webhook or a queue.
    Events,
    /// Another one, such as `mails`. Where it has the name of one of the others it is that one.
    Own(String),
}

impl Surface {
    /// Those that every suite asks for.
    pub const NAMED: [Self; 6] =
        [Self::Output, Self::Memory, Self::Search, Self::Cache, Self::Spans, Self::Events];

    /// The same surface under the name that every suite knows it by, where it has one.
    pub(super) fn named(self) -> Self {
        let Self::Own(name) = &self else { return self };
        let named = Self::NAMED.into_iter().find(|named| named.to_string().eq_ignore_ascii_case(name.trim()));
        named.unwrap_or(self)
    }
}

impl fmt::Display for Surface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Output => "output",
            Self::Memory => "memory",
            Self::Search => "search",
            Self::Cache => "cache",
            Self::Spans => "spans",
            Self::Events => "events",
            Self::Own(name) => name,
        })
    }
}
