//! Text from tools, made harmless for terminals.

/// The text with every control and direction-changing character written out, line ends and tabs included.
///
/// ```
/// assert_eq!(frankly_verdict::report::plain("a\u{1b}[31mb\n"), "a\\u{1b}[31mb\\n");
/// assert_eq!(frankly_verdict::report::plain("\u{180e}\u{fffb}"), "\\u{180e}\\u{fffb}");
/// ```
#[must_use]
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => plain.push_str("\\n"),
            '\t' => plain.push_str("\\t"),
            '\r' => plain.push_str("\\r"),
            c if is_unseen(c) => plain.extend(c.escape_unicode()),
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

/// A word as a shell reads it back; one with control or invisible characters is written so that they can be seen, as
/// bash and zsh read it.
///
/// ```
/// use frankly_verdict::report::shell_word;
///
/// assert_eq!(shell_word("list orders"), "'list orders'");
/// assert_eq!(shell_word("a\n'b"), r"$'a\u000a\'b'");
/// ```
#[must_use]
pub fn shell_word(word: &str) -> String {
    // A word with a NUL cannot be written for a shell at all; it is shown without it.
    let word = word.replace('\0', "");
    if !word.chars().any(is_unseen) {
        return shlex::try_quote(&word).unwrap_or_default().into_owned();
    }
    let mut quoted = "$'".to_owned();
    for c in word.chars() {
        match c {
            '\'' | '\\' => quoted.extend(['\\', c]),
            c if is_unseen(c) && u32::from(c) > 0xffff => quoted += &format!("\\U{:08x}", u32::from(c)),
            c if is_unseen(c) => quoted += &format!("\\u{:04x}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted + "'"
}

/// JSON text in which every character that a terminal could obey is written as an escape; it reads back the same.
#[must_use]
pub(super) fn plain_json(json: &str) -> String {
    let mut plain = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '\n' => plain.push(c),
            c if is_unseen(c) => {
                let mut units = [0; 2];
                plain.extend(c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
            }
            c => plain.push(c),
        }
    }
    plain
}

fn is_unseen(c: char) -> bool {
    // The last two of the basic plane are no characters, and XML cannot hold them.
    c.is_control() || is_invisible(c) || matches!(c, '\u{fffe}' | '\u{ffff}')
}

/// Characters that change the direction of text, or are not seen at all.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{3164}' | '\u{fff9}'..='\u{fffb}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}
