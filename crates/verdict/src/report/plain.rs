//! Text from tools, made harmless for terminals.

/// The text with every control and direction-changing character written out, line ends and tabs included.
///
/// ```
/// assert_eq!(frankly_verdict::report::plain("a\u{1b}[31mb\n"), "a\\u{1b}[31mb\\n");
/// ```
#[must_use]
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => plain.push_str("\\n"),
            '\t' => plain.push_str("\\t"),
            '\r' => plain.push_str("\\r"),
            c if c.is_control() || is_invisible(c) => plain.extend(c.escape_unicode()),
            c => plain.push(c),
        }
    }
    plain
}

/// At most this many characters, with a sign that something was cut.
#[must_use]
pub fn shorten(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A word as a shell reads it back.
#[must_use]
pub fn shell_word(word: &str) -> String {
    // A word with a NUL cannot be written for a shell at all; it is shown without it.
    shlex::try_quote(&word.replace('\0', "")).unwrap_or_default().into_owned()
}

/// Characters that change the direction of text, or are not seen at all.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}
