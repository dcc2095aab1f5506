//! What a caller sent, fit to be repeated in a message. What may not enter: what is wrong with it.

use serde_json::Value;

/// The longest text repeated in a message, in characters.
const SHOWN: usize = 60;

/// The longest name that is offered instead of another one, in characters.
const OFFERED: usize = 255;

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

/// Whether nothing of a text can be seen.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_invisible(c))
}

/// Whether a text can stand in a list without quotes and be told from what is around it.
pub(crate) fn is_plain(text: &str) -> bool {
    let usual = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | '.' | '/');
    !text.is_empty() && text.trim() == text && text.chars().all(usual) && text.chars().count() <= SHOWN
}

/// The first characters of a text, and a sign where more follow.
pub(crate) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A name that a caller sent, between backticks, on one line and cut like any other text.
pub(crate) fn named(name: &str) -> String {
    format!("`{}`", cut(&plain(name), SHOWN))
}

/// A name that the author of a tool gave, and that callers are to use: the same, and never cut, since half of a name
/// is one that does not exist.
#[cfg(feature = "registry")]
pub(crate) fn known_name(name: &str) -> String {
    format!("`{}`", plain(name))
}

/// A name to be offered instead of another one: as it is, or not at all where it is too long or cannot be written
/// between backticks.
pub(crate) fn offered(name: &str) -> Option<String> {
    (name.chars().count() <= OFFERED && plain(name) == name).then(|| format!("`{name}`"))
}

/// A name on one line, without what cannot be seen or would end its backticks.
pub(crate) fn plain(name: &str) -> String {
    name.chars().map(|c| if is_invisible(c) || c == '`' { '\u{fffd}' } else { c }).collect()
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

    #[test]
    fn what_is_offered_is_the_whole_name_or_nothing() {
        let long = "n".repeat(OFFERED);
        assert_eq!(offered(&long), Some(format!("`{long}`")));
        assert_eq!(offered(&format!("{long}n")), None);
        assert_eq!((offered("a`b"), offered("a\nb")), (None, None));
    }
}
