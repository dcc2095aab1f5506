//! Values that cannot exist: probes send them, and checks know that nothing real is called that.

/// Values that no real data has, the plainest first; an answer that takes one for something real is wrong.
///
/// ```
/// use frankly_verdict::nonsense::{UUID, VALUES, is_nonsense};
///
/// assert!(VALUES.iter().chain([&UUID]).all(|value| is_nonsense(value)));
/// assert!(is_nonsense("files/zz-no-such-value-7f3a.csv"));
/// assert!(!is_nonsense("Dining"));
/// ```
pub const VALUES: &[&str] = &[
    "zz-no-such-value-7f3a", "zz_no_such_value_7f3a", "zznosuchvalue", "ZZ-NO-SUCH-VALUE-7F3A",
    "ZZNOSUCHVALUE", "zzqx7f3a", "ZZQX7F3A", "zzqx", "ZZQX",
];

/// The same for what must be a UUID: version 4, and too regular to have been drawn.
pub const UUID: &str = "7f3a7f3a-7f3a-4f3a-8f3a-7f3a7f3a7f3a";

/// Whether a text is such a value, or holds one: in a path, with an ending.
#[must_use]
pub fn is_nonsense(text: &str) -> bool {
    text.contains(UUID) || VALUES.iter().any(|value| text.contains(value))
}
