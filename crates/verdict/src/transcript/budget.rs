//! How large an answer may be, where whoever runs the tools has said so.

use serde_json::Value;

/// The most that one answer may hold.
///
/// ```
/// use frankly_verdict::transcript::SizeBudget;
/// use serde_json::json;
///
/// assert_eq!(SizeBudget::read(&json!({"bytes": 25000})), Some(SizeBudget::Bytes(25_000)));
/// assert_eq!(SizeBudget::read(&json!({"tokens": 8000})), Some(SizeBudget::Tokens(8_000)));
/// assert_eq!(SizeBudget::read(&json!({"pages": 3})), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SizeBudget {
    /// In bytes of what a model reads of an answer: its texts or its structured content, whichever is more.
    Bytes(u64),
    /// In tokens, which are estimated from those bytes.
    Tokens(u64),
}

impl SizeBudget {
    /// The budget in the header of a recording: an object with `bytes` or `tokens`. Where both are
    /// stated, the bytes count, which are exact; what is neither states no budget that this version understands.
    #[must_use]
    pub fn read(value: &Value) -> Option<Self> {
        let stated = |unit: &str| value.get(unit).and_then(Value::as_u64);
        match (stated("bytes"), stated("tokens")) {
            (Some(bytes), _) => Some(Self::Bytes(bytes)),
            (None, Some(tokens)) => Some(Self::Tokens(tokens)),
            _ => None,
        }
    }
}
