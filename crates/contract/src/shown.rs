//! What a caller sent, fit to be repeated in a message. What may not enter: what is wrong with it.

use serde_json::Value;

/// The longest text repeated in a message, in characters.
const SHOWN: usize = 60;

/// A text as it was sent, quoted as JSON and cut after 60 characters, for use in a message.
///
/// ```
/// use frankly_contract::shown;
///
/// assert_eq!(shown("dining"), r#""dining""#);
/// assert_eq!(shown("two\nlines"), r#""two\nlines""#);
/// assert_eq!(shown(&"x".repeat(1_000)).chars().count(), 63);
/// ```
#[must_use]
pub fn shown(text: &str) -> String {
    Value::String(cut(text, SHOWN)).to_string()
}

/// The first characters of a text, and a sign where more follow.
pub(crate) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A name between backticks, on one line and cut like any other text.
pub(crate) fn named(name: &str) -> String {
    let plain: String =
        name.chars().map(|c| if c.is_control() || c == '`' { '\u{fffd}' } else { c }).collect();
    format!("`{}`", cut(&plain, SHOWN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_and_says_so() {
        assert_eq!(shown("é\n"), "\"é\\n\"");
        assert_eq!(shown(&"é".repeat(SHOWN)), format!("\"{}\"", "é".repeat(SHOWN)));
        assert_eq!(shown(&"é".repeat(SHOWN + 1)), format!("\"{}…\"", "é".repeat(SHOWN)));
    }

    #[test]
    fn a_name_cannot_leave_its_backticks() {
        assert_eq!(named("limit"), "`limit`");
        assert_eq!(named("a`b\nc"), "`a\u{fffd}b\u{fffd}c`");
    }
}
