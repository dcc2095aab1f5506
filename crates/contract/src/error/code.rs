//! What there is to do about an error. What may not enter: a fifth thing.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What the caller should do about an error. Four are enough, because there are four things to do; there will
/// be no fifth, so that a `match` may name them all.
///
/// ```
/// use frankly_contract::Code;
///
/// assert_eq!(Code::NotFound.to_string(), "NOT_FOUND");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Code {
    /// The arguments are wrong: fix them and retry once.
    InvalidArgs,
    /// What was asked for does not exist: ask, do not invent.
    NotFound,
    /// The caller may not do this: stop.
    Forbidden,
    /// It may work later: retry with backoff. It is a word that nothing was done: of a call that may have had an effect, such as one
    /// whose answer was lost, say so instead, as a failure without a code.
    Transient,
}

impl Code {
    /// Every code.
    ///
    /// ```
    /// use frankly_contract::Code;
    ///
    /// assert_eq!(Code::ALL.map(Code::as_str), ["INVALID_ARGS", "NOT_FOUND", "FORBIDDEN", "TRANSIENT"]);
    /// ```
    pub const ALL: [Self; 4] = [Self::InvalidArgs, Self::NotFound, Self::Forbidden, Self::Transient];

    /// The code as it is written on the wire.
    ///
    /// ```
    /// assert_eq!(frankly_contract::Code::InvalidArgs.as_str(), "INVALID_ARGS");
    /// ```
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidArgs => "INVALID_ARGS",
            Self::NotFound => "NOT_FOUND",
            Self::Forbidden => "FORBIDDEN",
            Self::Transient => "TRANSIENT",
        }
    }

    /// What happened, for an error that does not say.
    pub(super) fn default_what(self) -> &'static str {
        match self {
            Self::InvalidArgs => "the arguments do not fit",
            Self::NotFound => "what was asked for does not exist",
            Self::Forbidden => "this call is not allowed",
            Self::Transient => "the tool cannot answer at the moment",
        }
    }

    /// What to do, for an error that does not say.
    pub(super) fn default_next(self) -> &'static str {
        match self {
            Self::InvalidArgs => "fix the arguments as the tool describes them and retry once",
            Self::NotFound => "ask the user what is meant, and do not invent it",
            Self::Forbidden => "stop, and tell the user that it is not allowed",
            Self::Transient => "wait and retry; if it fails again, tell the user",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
