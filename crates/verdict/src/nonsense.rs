//! Values that cannot exist, told apart from any that may.

/// What every such value has in it, whatever stands around it.
const MARK: &str = "zznosuch";

/// A value that no real data has, of at most so many characters; `None` where that is too few.
///
/// ```
/// use frankly_verdict::nonsense::{is_nonsense, value};
///
/// assert!(is_nonsense(&value(40).unwrap()) && is_nonsense(&value(8).unwrap()));
/// assert_eq!(value(7), None);
/// assert!(!is_nonsense("Dining"));
/// ```
#[must_use]
pub fn value(max_chars: usize) -> Option<String> {
    ["zz-no-such-value", "zznosuch"].into_iter().find(|value| value.len() <= max_chars).map(str::to_owned)
}

/// Whether a text holds such a value.
#[must_use]
pub fn is_nonsense(text: &str) -> bool {
    let has_start = text.contains("zz") || text.contains("ZZ");
    has_start
        && text
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .collect::<String>()
            .to_ascii_lowercase()
            .contains(MARK)
}
