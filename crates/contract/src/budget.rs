//! A limit on what one answer may cost its reader. What may not enter: a cut that does not say so, and JSON cut
//! in its middle.

mod json;
mod list;
mod text;

use std::fmt;
use std::sync::Arc;

/// The most that one answer may be: so many bytes, characters or tokens.
///
/// A text that does not fit loses its middle, a list its end, and both say how much is missing and how to get it.
///
/// ```
/// use frankly_contract::Budget;
///
/// let log: String = (1..=100).map(|line| format!("line {line}\n")).collect();
/// let budget = Budget::bytes(160);
/// assert_eq!(
///     budget.text(&log, |end| format!("call again with the cursor {end}")),
///     "line 1\nline 2\nline 3\n\
///      [… left out: 722 bytes on 91 lines; for them, call again with the cursor byte-21 …]\n\
///      line 95\nline 96\nline 97\nline 98\nline 99\nline 100\n"
/// );
/// assert_eq!(budget.text("short", |_| "call again"), "short");
/// ```
#[derive(Clone)]
pub struct Budget {
    limit: usize,
    unit: Unit,
}

#[derive(Clone)]
enum Unit {
    Bytes,
    Chars,
    Tokens(Arc<dyn Fn(&str) -> usize + Send + Sync>),
}

impl Budget {
    /// So many bytes of UTF-8.
    #[must_use]
    pub fn bytes(limit: usize) -> Self {
        Self { limit, unit: Unit::Bytes }
    }

    /// So many characters, which are Unicode scalar values.
    #[must_use]
    pub fn chars(limit: usize) -> Self {
        Self { limit, unit: Unit::Chars }
    }

    /// So many tokens, as the counter counts them. What is sent is counted again after it was put together, because
    /// the tokens of two texts need not add up to those of both.
    ///
    /// ```
    /// use frankly_contract::Budget;
    ///
    /// let words = |text: &str| text.split_whitespace().count();
    /// let (budget, text) = (Budget::tokens(40, words), "word ".repeat(1_000));
    /// let cut = budget.text(&text, |_| "ask for less");
    /// assert!(words(&cut) <= 40 && cut.contains("for them, ask for less"));
    /// ```
    #[must_use]
    pub fn tokens(limit: usize, counter: impl Fn(&str) -> usize + Send + Sync + 'static) -> Self {
        Self { limit, unit: Unit::Tokens(Arc::new(counter)) }
    }

    /// The limit, in the unit of this budget.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// What a text costs, in the unit of this budget.
    ///
    /// ```
    /// use frankly_contract::Budget;
    ///
    /// let (bytes, chars) = (Budget::bytes(4), Budget::chars(4));
    /// assert_eq!((bytes.cost("café"), chars.cost("café")), (5, 4));
    /// assert_eq!((bytes.allows("café"), chars.allows("café")), (false, true));
    /// ```
    #[must_use]
    pub fn cost(&self, text: &str) -> usize {
        match &self.unit {
            Unit::Bytes => text.len(),
            Unit::Chars => text.chars().count(),
            Unit::Tokens(counter) => counter(text),
        }
    }

    /// Whether a text may be sent as it is.
    #[must_use]
    pub fn allows(&self, text: &str) -> bool {
        self.cost(text) <= self.limit
    }
}

/// The limit with its unit, such as `4000 bytes`.
impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = match self.unit {
            Unit::Bytes => "byte",
            Unit::Chars => "character",
            Unit::Tokens(_) => "token",
        };
        let plural = if self.limit == 1 { "" } else { "s" };
        write!(f, "{} {unit}{plural}", self.limit)
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Budget({self})")
    }
}
