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
    /// In bytes of the answer as it came.
    Bytes(u64),
    /// In tokens, as a model counts them.
    Tokens(u64),
}

impl SizeBudget {
    /// The budget in the header of a recording: an object with `bytes` or `tokens`. What is neither, or both, states
    /// no budget that this version understands.
    #[must_use]
    pub fn read(value: &Value) -> Option<Self> {
        let stated = |unit: &str| value.get(unit).and_then(Value::as_u64);
        match (stated("bytes"), stated("tokens")) {
            (Some(bytes), None) => Some(Self::Bytes(bytes)),
            (None, Some(tokens)) => Some(Self::Tokens(tokens)),
            _ => None,
        }
    }
}
