//! Values as they were sent, fit to be repeated. What may not enter: a value that is long or looks secret.

use serde_json::Value;

use super::expected::joined;
use crate::shown::{cut, named, shown};

/// The longest value repeated, in characters.
const SHOWN: usize = 60;

/// So many members of an object are named.
const MEMBERS: usize = 6;

/// What the name of an argument contains whose value is never repeated.
const SECRET_NAMES: [&str; 8] =
    ["password", "passwd", "passphrase", "secret", "apikey", "authorization", "credential", "privatekey"];

/// The same for what is too short to be looked for inside of words.
const SECRET_WORDS: [&str; 7] = ["pwd", "pass", "pin", "otp", "cvv", "cvc", "session"];

/// Words beside `token` in the name of an argument that counts tokens, or says where to read on.
const NO_SECRET_TOKENS: [&str; 9] =
    ["tokens", "page", "next", "continu", "cursor", "sync", "limit", "count", "budget"];

/// How the texts begin by which well-known services recognise their keys.
const SECRET_STARTS: [&str; 7] = ["sk-", "ghp_", "gho_", "github_pat_", "xox", "AKIA", "eyJ"];

/// Characters from which a text without spaces, of letters and digits, may be a key.
const LONG_WORD: usize = 24;

/// What was sent, such as `the string "5"`; `place` is where, as a JSON pointer.
pub(super) fn words(value: &Value, place: &str) -> String {
    match value {
        Value::String(text) if text.is_empty() => "an empty string".to_owned(),
        Value::String(text) if is_secret_place(place) || is_secret(text) => {
            format!("a string of {} characters", text.chars().count())
        }
        Value::String(text) => format!("the string {}", shown(text)),
        Value::Number(_) if is_secret_place(place) => "a number".to_owned(),
        Value::Array(items) if items.len() == 1 => "an array of 1 item".to_owned(),
        Value::Array(items) => format!("an array of {} items", items.len()),
        Value::Object(members) if members.is_empty() => "an empty object".to_owned(),
        Value::Object(members) => {
            let mut names: Vec<String> = members.keys().take(MEMBERS).map(|sent| name(sent)).collect();
            if members.len() > MEMBERS {
                names.push(format!("{} more", members.len() - MEMBERS));
            }
            format!("an object with {}", joined(&names, "and"))
        }
        number_or_word => number_or_word.to_string(),
    }
}

/// The value for programs: cut, and none at all for what is large or looks secret.
pub(super) fn value(value: &Value, place: &str) -> Option<Value> {
    match value {
        Value::String(text) if is_secret_place(place) || is_secret(text) => None,
        Value::String(text) => Some(Value::String(cut(text, SHOWN))),
        Value::Number(_) if is_secret_place(place) => None,
        Value::Array(_) | Value::Object(_) => None,
        number_or_word => Some(number_or_word.clone()),
    }
}

/// A name that a caller sent, fit to be repeated.
pub(super) fn name(name: &str) -> String {
    named(if is_known_key(name) { "…" } else { name })
}

/// A place without the names in it that are secrets themselves.
pub(super) fn place(place: &str) -> String {
    let names: Vec<&str> = place.split('/').map(|name| if is_known_key(name) { "…" } else { name }).collect();
    names.join("/")
}

/// Whether a text repeats a value that looks secret, of all that was sent.
pub(super) fn tells_secret(sent: &Value, text: &str) -> bool {
    fn tells(value: &Value, secret: bool, text: &str) -> bool {
        match value {
            Value::String(told) => {
                !told.is_empty() && (secret || is_secret(told)) && text.contains(told.as_str())
            }
            Value::Number(number) => secret && text.contains(&number.to_string()),
            Value::Array(items) => items.iter().any(|item| tells(item, secret, text)),
            Value::Object(members) => members.iter().any(|(name, member)| {
                is_known_key(name) && text.contains(name)
                    || tells(member, secret || is_secret_name(name), text)
            }),
            _ => false,
        }
    }
    tells(sent, false, text)
}

/// Whether any of the names that lead to a place says that what is there is secret.
fn is_secret_place(place: &str) -> bool {
    place.split('/').any(is_secret_name)
}

fn is_secret_name(name: &str) -> bool {
    let is_secret_word = |word: &str| SECRET_WORDS.contains(&&*word.to_lowercase());
    let letters: String = name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let token = letters.contains("token") && !NO_SECRET_TOKENS.iter().any(|word| letters.contains(word));
    token
        || SECRET_NAMES.iter().any(|secret| letters.contains(secret))
        || name.split(|c: char| !c.is_alphanumeric()).flat_map(words_of).any(is_secret_word)
}

/// The words of a name in which each begins with a capital.
fn words_of(name: &str) -> impl Iterator<Item = &str> {
    let starts: Vec<usize> = name
        .char_indices()
        .zip(std::iter::once('A').chain(name.chars()))
        .filter(|((_, c), before)| c.is_uppercase() && !before.is_uppercase())
        .map(|((start, _), _)| start)
        .collect();
    let ends: Vec<usize> = starts.iter().copied().chain([name.len()]).collect();
    std::iter::once(0).chain(starts).zip(ends).map(|(start, end)| &name[start..end])
}

fn is_secret(text: &str) -> bool {
    let authorizes = text.split_once(' ').is_some_and(|(scheme, key)| {
        !key.trim().is_empty() && ["bearer", "basic"].contains(&&*scheme.to_lowercase())
    });
    authorizes
        || text.contains("PRIVATE KEY-----")
        || text.split_whitespace().any(|word| is_known_key(word) || has_password(word))
        || is_long_word(text)
}

/// Whether a text begins like the keys of a well-known service.
fn is_known_key(text: &str) -> bool {
    SECRET_STARTS.iter().any(|start| text.starts_with(start) && text.len() > start.len() + 8)
}

/// Whether a URL has a password in it.
fn has_password(text: &str) -> bool {
    let authority =
        text.split_once("://").map(|(_, rest)| rest.split(['/', '?', '#']).next().unwrap_or(rest));
    authority.and_then(|authority| authority.rsplit_once('@')).is_some_and(|(user, _)| user.contains(':'))
}

fn is_long_word(text: &str) -> bool {
    let of_a_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '_' | '-');
    text.len() >= LONG_WORD
        && text.chars().all(of_a_key)
        && text.chars().filter(char::is_ascii_digit).count() >= 3
        && text.chars().any(|c| c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_value_is_named_with_its_type() {
        for (value, said) in [
            (json!("ten"), "the string \"ten\""),
            (json!("10"), "the string \"10\""),
            (json!(""), "an empty string"),
            (json!(-1), "-1"),
            (json!(1e300), "1e+300"),
            (json!(null), "null"),
            (json!([1]), "an array of 1 item"),
            (json!({}), "an empty object"),
            (json!({"b": 1, "a": 2}), "an object with `a` and `b`"),
        ] {
            assert_eq!(words(&value, "limit"), said);
        }
    }

    #[test]
    fn what_is_long_or_looks_secret_is_not_repeated() {
        let long = json!("word ".repeat(100));
        assert_eq!(words(&long, "text").chars().count(), "the string \"…\"".chars().count() + SHOWN);
        assert!(super::value(&long, "text").unwrap().as_str().unwrap().chars().count() <= SHOWN + 1);
        for (text, name) in [
            ("hunter2", "password"),
            ("hunter2", "db_Password"),
            ("abc", "api-key"),
            ("abc", "access_token"),
            ("abc", "authToken"),
            ("sk-abcdefghijk", "text"),
            ("8f14e45fceea167a5a36dedd4bea2543", "id"),
            ("hunter2", "/passwords/0"),
            ("hunter2", "/login/pwd"),
            ("4711", "userPin"),
            ("abc", "sessionId"),
            ("abc", "SESSION_ID"),
            ("postgres://bob:hunter2@db/x", "text"),
            ("-----BEGIN PRIVATE KEY-----\nabc", "text"),
            ("bearer abc", "text"),
            ("use ghp_0123456789ab", "text"),
        ] {
            assert!(!words(&json!(text), name).contains(text), "{text}");
            assert_eq!(super::value(&json!(text), name), None, "{text}");
        }
        assert_eq!(words(&json!(4711), "/pin"), "a number");
        assert_eq!(super::value(&json!(4711), "/pin"), None);
        for (text, name) in [
            ("2025-03-31T12:00:00Z", "from"),
            ("reports/first quarter/2025.csv", "path"),
            ("query_transactions", "q"),
            ("many", "max_tokens"),
            ("p2", "page_token"),
            ("p2", "nextPageToken"),
            ("fair", "opinion"),
            ("by sea", "shippingCompass"),
            ("https://example.com/@bob:1", "url"),
            ("Basic", "plan"),
        ] {
            assert!(words(&json!(text), name).contains(text), "{text}");
        }
    }
}
