//! What a credential may look like, and what stands in the place of one. What may not enter: the name of what holds it.

use super::names::first_of;

/// A credential is at least so long.
pub(super) const LEAST_CHARS: usize = 8;
/// Whether a text looks like a credential is seen from so many bytes of it.
const SEEN: usize = 256;
/// Signs between which a placeholder stands.
const BRACKETS: &[(char, char)] = &[('<', '>'), ('[', ']'), ('{', '}'), ('%', '%')];
/// What stands where a credential was left out, or is only an example.
const PLACEHOLDERS: &[&str] = &[
    "${", "$(", "{{", "***", "...", "changeme", "dummy", "masked", "none", "null", "placeholder", "redacted",
    "removed", "todo", "undefined", "xxxx", "your", "•", "…",
];
/// Signs that mask, and are no part of what anybody chose or drew.
const MASKS: &[&str] = &["${", "$(", "{{", "***", "...", "•", "…"];
/// Words of which an example is made as a whole.
const EXAMPLES: &[&str] = &[
    "api", "changeme", "dummy", "example", "here", "hidden", "key", "masked", "my", "none", "null",
    "omitted", "pass", "passwd", "password", "placeholder", "pw", "pwd", "redacted", "removed", "secret",
    "some", "the", "todo", "token", "undefined", "user", "your",
];
/// What is said of a credential instead of saying it.
const SAID_INSTEAD: &[&str] = &[
    "false", "filtered", "hidden", "masked", "none", "null", "omitted", "redacted", "removed", "true",
    "undefined",
];

/// Whether a value is long and mixed enough, and no placeholder: what the check takes for one by its name.
pub(super) fn is_secret_like(text: &str) -> bool {
    text.len() >= LEAST_CHARS
        && !text.contains(char::is_whitespace)
        && text.chars().any(|c| c.is_ascii_alphabetic())
        && text.chars().any(|c| c.is_ascii_digit() || c.is_ascii_punctuation())
        && !text.starts_with(['/', '.', '#'])
        && !text.contains("://")
        && !is_placeholder(text)
}

/// Whether a text looks like a credential and like nothing else: letters and digits mixed, and no name of anything.
pub(crate) fn looks_like_one(text: &str) -> bool {
    let seen = first_of(text, SEEN);
    text.len() >= LEAST_CHARS
        && seen.chars().all(|c| c.is_ascii_graphic() && !"()<>\"'`".contains(c))
        && seen.bytes().any(|byte| byte.is_ascii_alphabetic())
        && seen.bytes().any(|byte| byte.is_ascii_digit())
        && !seen.starts_with(['/', '.', '#', '{', '[', '$'])
        && !seen.contains("://")
        && !is_identifier(seen)
        && !is_time(seen)
        && !is_example(seen)
}

/// Whether a text may be a hash or a UUID, of which most are no secret.
pub(crate) fn is_hash(text: &str) -> bool {
    let text = text.rsplit_once(':').map_or(text, |(_, hash)| hash);
    text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// Whether what stands where a credential would says that it is none: nothing but signs, a variable, a placeholder.
pub(crate) fn is_left_out(text: &str) -> bool {
    let text = text.trim();
    let is_in_brackets = text.starts_with('<') && text.ends_with('>');
    let is_variable = ["${", "$(", "{{"].iter().any(|start| text.starts_with(start));
    let said = text.trim_matches(|c: char| !c.is_alphanumeric());
    is_in_brackets
        || is_variable
        || !text.chars().any(char::is_alphanumeric)
        || SAID_INSTEAD.iter().any(|word| said.eq_ignore_ascii_case(word))
}

/// Whether a word is made of plain words and plain numbers, as names of files are: `2026-11-weather.json`.
pub(super) fn is_slug(word: &str) -> bool {
    let mut parts = word.split(['-', '_', '.']).filter(|part| !part.is_empty()).peekable();
    word.contains(['-', '_', '.']) && parts.peek().is_some() && parts.all(is_plain)
}

/// A part of a name that is a word in one case, or a number.
fn is_plain(part: &str) -> bool {
    let all = |is: fn(&u8) -> bool| part.bytes().all(|byte| is(&byte));
    let behind = part.get(1..).unwrap_or_default();
    all(u8::is_ascii_digit)
        || all(u8::is_ascii_uppercase)
        || all(u8::is_ascii_lowercase)
        || (all(u8::is_ascii_alphabetic) && behind.bytes().all(|byte| byte.is_ascii_lowercase()))
}

/// Whether a text names something: words, numbers between them, and small numbers at their ends (`list_notes`, `tools/call`,
/// `user:42:profile`, `oauth2-client`).
fn is_identifier(text: &str) -> bool {
    let parts = || text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    let is_numbered = |part: &str| {
        let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
        !letters.is_empty() && part.len() - letters.len() <= 2 && letters.chars().all(char::is_alphabetic)
    };
    let is_pure =
        |part: &str| part.chars().all(char::is_alphabetic) || part.bytes().all(|byte| byte.is_ascii_digit());
    parts().all(is_pure) || parts().all(is_numbered)
}

/// Whether a text is a date, a time or a number.
fn is_time(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        && text.bytes().all(|byte| byte.is_ascii_digit() || b"-+:.,TZeE/".contains(&byte))
}

/// Whether a text may be a placeholder, for whoever would rather be silent.
pub(super) fn is_placeholder(text: &str) -> bool {
    let lower = text.to_lowercase();
    let is_in_brackets = BRACKETS
        .iter()
        .any(|(open, close)| lower.find(*open).is_some_and(|at| lower[at + 1..].contains(*close) || at == 0));
    is_in_brackets
        || is_variable(&lower)
        || PLACEHOLDERS.iter().any(|placeholder| lower.contains(placeholder))
        || is_one_sign(&lower)
}

/// Whether a text is an example as a whole: what was drawn by chance may have any word in it.
pub(super) fn is_example(text: &str) -> bool {
    let text = first_of(text, SEEN);
    let lower = text.to_lowercase();
    let is_in_brackets = BRACKETS
        .iter()
        .any(|(open, close)| lower.len() > 1 && lower.starts_with(*open) && lower.ends_with(*close));
    let is_word = |part: &str| is_one_sign(part) || is_spelled(part);
    let mut parts = lower.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).peekable();
    let has_a_word = lower.bytes().any(|byte| byte.is_ascii_alphabetic());
    is_in_brackets
        || is_variable(&lower)
        || is_one_sign(&lower)
        || MASKS.iter().any(|mask| lower.contains(mask))
        || (has_a_word && parts.peek().is_some() && parts.all(is_word))
}

/// Whether a part is made of words of examples and of numbers, as `yourkeyhere123` is.
fn is_spelled(part: &str) -> bool {
    let mut rest = part;
    while !rest.is_empty() {
        let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let word = EXAMPLES.iter().find_map(|word| behind.strip_prefix(word));
        rest = match word {
            Some(behind) => behind,
            None if behind.is_empty() => behind,
            None => return false,
        };
    }
    true
}

/// A sign in the middle may be one of the credential itself.
fn is_variable(lower: &str) -> bool {
    lower.strip_prefix('$').is_some_and(|name| {
        name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.chars().any(|c| c.is_ascii_digit())
    })
}

fn is_one_sign(text: &str) -> bool {
    let mut chars = text.chars();
    let first = chars.next();
    chars.all(|c| Some(c) == first)
}

/// Whether one character stands over and over in at least half of a text, as where somebody filled it up.
pub(super) fn is_one_char_over(text: &str) -> bool {
    let bytes = text.as_bytes();
    let same = bytes.windows(2).filter(|pair| pair[0] == pair[1]).count();
    same * 2 >= bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_something_looks_like_no_credential() {
        for text in [
            "tools/call", "list_notes", "get_user_v2", "required", "12345678", "oauth2-client",
            "users:42:profile", "PROJ-1234", "claude-5-20261101", "2026-11-30T10:00:00Z", "YOUR_API_KEY_1",
            "correct horse 1", "/home/ada/42x", "short1",
        ] {
            assert!(!looks_like_one(text), "{text}");
        }
        for text in
            ["hunter2-91", "s3cr3t-91", "q7Xk2mVw9TzB4nRp6LsD8fGh", "0f343b0931126a20f133d67c2b018a3b"]
        {
            assert!(looks_like_one(text), "{text}");
        }
    }

    #[test]
    fn an_example_is_one_as_a_whole() {
        for text in [
            "changeme", "YOUR_API_KEY_1", "xxxxxxxx", "your-secret-here", "<the password>", "***",
            "$PASSWORD",
        ] {
            assert!(is_example(text), "{text}");
        }
        for text in ["a1TodoB2c3", "xxxx9f3kq2", "nullQ7w8e9", "S3cr$t99x", "a[b9cde"] {
            assert!(!is_example(text), "{text}");
        }
    }
}
