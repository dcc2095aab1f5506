//! What a caller sent, fit to be repeated in a message. What may not enter: what is wrong with it.

use serde_json::Value;

/// The longest text repeated in a message, in characters.
const SHOWN: usize = 60;

/// A text as it was sent, quoted as JSON and cut after 60 characters, for use in a message. What cannot be seen in
/// it, such as a mark that turns the direction of writing, is written as its number.
///
/// ```
/// use frankly_contract::shown;
///
/// assert_eq!(shown("dining"), r#""dining""#);
/// assert_eq!(shown("two\nlines \u{202e}"), r#""two\nlines \u202e""#);
/// assert_eq!(shown(&"x".repeat(1_000)).chars().count(), 63);
/// ```
#[must_use]
pub fn shown(text: &str) -> String {
    let quoted = Value::String(cut(text, SHOWN)).to_string();
    quoted.chars().fold(String::new(), |mut shown, c| {
        match c {
            _ if is_invisible(c) && u32::from(c) > 0xffff => shown += &format!("\\u{{{:x}}}", u32::from(c)),
            _ if is_invisible(c) => shown += &format!("\\u{:04x}", u32::from(c)),
            _ => shown.push(c),
        }
        shown
    })
}

/// Characters that leave no mark of their own, or change how others look.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
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
        name.chars().map(|c| if is_invisible(c) || c == '`' { '\u{fffd}' } else { c }).collect();
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
    fn what_cannot_be_seen_is_written_as_a_number() {
        assert_eq!(shown("a\u{7f}b\u{e0041}"), r#""a\u007fb\u{e0041}""#);
        assert_eq!(shown("é🦀 日本"), "\"é🦀 日本\"");
    }

    #[test]
    fn a_name_cannot_leave_its_backticks() {
        assert_eq!(named("limit"), "`limit`");
        assert_eq!(named("a`b\nc\u{200b}"), "`a\u{fffd}b\u{fffd}c\u{fffd}`");
    }
}
