//! What others say, as Markdown that shows it and obeys nothing in it.

use frankly_verdict::report::{plain, shorten};

/// More of a message is not needed to find its place.
const LONGEST: usize = 300;

/// A text as Markdown shows it in a cell: letter for letter.
pub fn cell(text: &str) -> String {
    if text.is_empty() { String::new() } else { code(text).replace('|', "\\|") }
}

/// A text as code, whatever backticks it has.
pub fn code(text: &str) -> String {
    let text = shorten(&plain(text), LONGEST);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    if longest == 0 { format!("`{text}`") } else { format!("{fence} {text} {fence}") }
}

/// A message: what it has between backticks is code already, the rest must not be taken for Markdown.
pub fn words(what: &str) -> String {
    let what = shorten(&plain(what), LONGEST);
    let mut words = String::new();
    for (position, part) in what.split('`').enumerate() {
        if position > 0 {
            words.push('`');
        }
        let is_code = position % 2 == 1;
        for c in part.chars() {
            if !is_code && "\\<>[]*_|".contains(c) {
                words.push('\\');
            }
            words.push(c);
        }
    }
    // A backtick that nothing closes would run on into the next line.
    if what.matches('`').count() % 2 == 1 { words + "`" } else { words }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_says_is_shown_and_not_obeyed() {
        assert_eq!(code("a`b``c"), "``` a`b``c ```");
        assert_eq!(cell("a|b\n"), "`a\\|b\\n`");
        assert_eq!(words("`<b>` <b>"), "`<b>` \\<b\\>");
        assert_eq!(words("`open"), "`open`");
        assert_eq!(words("a\u{1b}[2J"), "a\\\\u{1b}\\[2J");
    }
}
