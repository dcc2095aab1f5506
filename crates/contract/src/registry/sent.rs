//! Values as they were sent, fit to be repeated. What may not enter: a value that is long or looks secret.

use serde_json::Value;

use super::expected::joined;
use crate::shown::{cut, named, shown};

/// The longest value repeated, in characters.
const SHOWN: usize = 60;

/// So many members of an object are named.
const MEMBERS: usize = 6;

/// Words in the name of an argument whose text is never repeated.
const SECRET_NAMES: [&str; 8] =
    ["password", "passwd", "passphrase", "secret", "apikey", "authorization", "credential", "privatekey"];

/// Words beside `token` in the name of an argument that counts tokens, or says where to read on.
const NO_SECRET_TOKENS: [&str; 9] =
    ["tokens", "page", "next", "continu", "cursor", "sync", "limit", "count", "budget"];

/// How the texts begin by which well-known services recognise their keys.
const SECRET_STARTS: [&str; 8] = ["sk-", "ghp_", "gho_", "github_pat_", "xox", "AKIA", "eyJ", "Bearer "];

/// Characters from which a text without spaces, of letters and digits, may be a key.
const LONG_WORD: usize = 24;

/// What was sent, such as `the string "5"`; `name` is the argument it was sent as.
pub(super) fn words(value: &Value, name: &str) -> String {
    match value {
        Value::String(text) if text.is_empty() => "an empty string".to_owned(),
        Value::String(text) if is_secret(text, name) => {
            format!("a string of {} characters", text.chars().count())
        }
        Value::String(text) => format!("the string {}", shown(text)),
        Value::Array(items) if items.len() == 1 => "an array of 1 item".to_owned(),
        Value::Array(items) => format!("an array of {} items", items.len()),
        Value::Object(members) if members.is_empty() => "an empty object".to_owned(),
        Value::Object(members) => {
            let mut names: Vec<String> = members.keys().take(MEMBERS).map(|name| named(name)).collect();
            if members.len() > MEMBERS {
                names.push(format!("{} more", members.len() - MEMBERS));
            }
            format!("an object with {}", joined(&names, "and"))
        }
        number_or_word => number_or_word.to_string(),
    }
}

/// The value for programs: cut, and none at all for what is large or looks secret.
pub(super) fn value(value: &Value, name: &str) -> Option<Value> {
    match value {
        Value::String(text) if is_secret(text, name) => None,
        Value::String(text) => Some(Value::String(cut(text, SHOWN))),
        Value::Array(_) | Value::Object(_) => None,
        number_or_word => Some(number_or_word.clone()),
    }
}

/// Whether a text repeats a value that looks secret, of all that was sent.
pub(super) fn tells_secret(sent: &Value, text: &str) -> bool {
    fn tells(value: &Value, name: &str, text: &str) -> bool {
        match value {
            Value::String(secret) => {
                !secret.is_empty() && is_secret(secret, name) && text.contains(secret.as_str())
            }
            Value::Array(items) => items.iter().any(|item| tells(item, name, text)),
            Value::Object(members) => members.iter().any(|(name, member)| tells(member, name, text)),
            _ => false,
        }
    }
    tells(sent, "", text)
}

fn is_secret(text: &str, name: &str) -> bool {
    let name: String = name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let token = name.contains("token") && !NO_SECRET_TOKENS.iter().any(|word| name.contains(word));
    token
        || SECRET_NAMES.iter().any(|secret| name.contains(secret))
        || SECRET_STARTS.iter().any(|start| text.starts_with(start) && text.len() > start.len() + 8)
        || is_long_word(text)
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
        ] {
            assert!(!words(&json!(text), name).contains(text), "{text}");
            assert_eq!(super::value(&json!(text), name), None, "{text}");
        }
        for (text, name) in [
            ("2025-03-31T12:00:00Z", "from"),
            ("reports/first quarter/2025.csv", "path"),
            ("query_transactions", "q"),
            ("many", "max_tokens"),
            ("p2", "page_token"),
            ("p2", "nextPageToken"),
        ] {
            assert!(words(&json!(text), name).contains(text), "{text}");
        }
    }
}
