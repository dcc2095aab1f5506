//! Errors of HTTP and of well-known interfaces, told by their own forms: a status line, a page, a body of theirs.

use serde_json::{Map, Value};

use super::shape::{is_error_list, is_text};

/// What a status of HTTP is called.
const REASONS: &[&str] = &[
    "bad gateway", "bad request", "conflict", "forbidden", "gateway timeout", "gone",
    "internal server error", "method not allowed", "not found", "payment required", "request timeout",
    "service unavailable", "too many requests", "unauthorized", "unprocessable content",
    "unprocessable entity",
];
/// What frameworks say alone, beside the reasons.
const ALONE: &[&str] = &[
    "could not validate credentials", "invalid credentials", "invalid token", "not authenticated",
    "permission denied", "request was throttled", "signature has expired",
];

/// Whether a text is the name of a status that is an error.
pub(super) fn is_reason(text: &str) -> bool {
    REASONS.contains(&text.trim().trim_end_matches(['.', '!']).to_lowercase().as_str())
}

/// Whether a number is a status that is an error.
fn is_code(word: &str) -> bool {
    word.len() == 3 && word.parse::<u16>().is_ok_and(|code| (400..600).contains(&code))
}

/// The member by which a body is an error of an interface that many know: GraphQL, FHIR, or a framework's `detail` alone.
pub(super) fn known_body(body: &Map<String, Value>) -> Option<&'static str> {
    let errors = body.get("errors").filter(|errors| is_error_list(errors));
    let is_graphql = body.contains_key("data")
        && body.keys().all(|name| matches!(name.as_str(), "data" | "errors" | "extensions"));
    let is_outcome = body.get("resourceType").is_some_and(|kind| kind == "OperationOutcome");
    let is_bad = |issue: &Value| {
        issue
            .get("severity")
            .and_then(Value::as_str)
            .is_some_and(|severity| matches!(severity, "error" | "fatal"))
    };
    let is_detail = |text: &str| {
        is_reason(text) || ALONE.contains(&text.trim().trim_end_matches('.').to_lowercase().as_str())
    };
    if errors.is_some() && is_graphql {
        Some("errors")
    } else if is_outcome
        && body.get("issue").and_then(Value::as_array).is_some_and(|all| all.iter().any(is_bad))
    {
        Some("issue")
    } else if body.len() == 1 && body.get("detail").and_then(Value::as_str).is_some_and(is_detail) {
        Some("detail")
    } else {
        None
    }
}

/// Whether a body names its status in words, as problem details do: `"title": "Not Found"`.
pub(super) fn has_title(named: &[(String, &Value)]) -> bool {
    named
        .iter()
        .any(|(name, value)| name == "title" && is_text(value) && value.as_str().is_some_and(is_reason))
}

/// The line of a text that as a whole is an error of HTTP: a status line, a page with such a title.
pub(super) fn error_of_http(text: &str) -> Option<&str> {
    let text = text.trim();
    let line = text.lines().next()?.trim();
    let lower = line.to_lowercase();
    let mut words = lower.split_whitespace();
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let is_status_line = first.starts_with("http/") && is_code(second);
    let is_alone = line.len() == text.len()
        && is_code(first)
        && lower.split_once(char::is_whitespace).is_some_and(|(_, reason)| is_reason(reason));
    if is_status_line || is_alone {
        return Some(line);
    }
    // Lower case of ASCII alone keeps the places.
    let ascii = text.to_ascii_lowercase();
    let is_page = ascii.starts_with("<html") || ascii.starts_with("<!doctype html");
    let begin = ascii.find("<title>").filter(|_| is_page)? + "<title>".len();
    let end = begin + ascii.get(begin..)?.find('<')?;
    let title = text.get(begin..end)?.trim();
    let named = title
        .split_once(char::is_whitespace)
        .filter(|(code, _)| is_code(code))
        .map_or(title, |(_, name)| name);
    is_reason(named).then_some(title)
}

/// Whether a text is what a program leaves that died: a panic of Rust, a stack of Java.
pub(super) fn is_crash(text: &str) -> bool {
    let mut lines = text.trim().lines();
    let (first, second) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let name = first.split([':', ' ']).next().unwrap_or_default();
    let is_java = name.contains('.')
        && (name.ends_with("Exception") || name.ends_with("Error"))
        && second.trim_start().starts_with("at ");
    is_java
        || first.starts_with("Exception in thread ")
        || (first.starts_with("thread '") && first.contains("' panicked at "))
        || (first.starts_with("thread '") && first.contains(") panicked at "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn errors_of_http_are_told_from_texts_about_them() {
        for text in [
            "HTTP/1.1 500 Internal Server Error\nServer: nginx",
            "401 Unauthorized",
            "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>",
            "<!DOCTYPE html>\n<html><head><title>Service Unavailable</title></head></html>",
        ] {
            assert!(error_of_http(text).is_some(), "{text}");
        }
        for text in [
            "HTTP/1.1 200 OK",
            "401 Unauthorized means that nobody logged in",
            "401 Unauthorized\n403 Forbidden\n404 Not Found",
            "404 boats found",
            "<html><head><title>What 502 Bad Gateway means</title></head></html>",
            "<p>502 Bad Gateway</p>",
        ] {
            assert_eq!(error_of_http(text), None, "{text}");
        }
    }

    #[test]
    fn crashes_are_told_from_talk_of_them() {
        assert!(is_crash("thread 'main' panicked at src/main.rs:3:5:\nboom"));
        assert!(is_crash("thread 'main' (4711) panicked at src/main.rs:3:5:\nboom"));
        assert!(is_crash("java.lang.NullPointerException\n\tat com.x.Boat.get(Boat.java:42)"));
        assert!(!is_crash("java.lang.NullPointerException is thrown by `get`"));
        assert!(!is_crash("the thread 'main' panicked at noon"));
    }

    #[test]
    fn bodies_of_known_interfaces_are_told_from_their_healthy_twins() {
        for (body, member) in [
            (
                json!({"data": {"boat": null}, "errors": [{"message": "boat service down", "path": ["boat"]}]}),
                Some("errors"),
            ),
            (json!({"data": {"boat": null}, "errors": []}), None),
            (json!({"data": {"errors": [{"message": "x"}]}}), None),
            (json!({"resourceType": "OperationOutcome", "issue": [{"severity": "error"}]}), Some("issue")),
            (json!({"resourceType": "OperationOutcome", "issue": [{"severity": "information"}]}), None),
            (json!({"detail": "Not authenticated"}), Some("detail")),
            (json!({"detail": "Tern, 12 m"}), None),
            (json!({"detail": "Not Found", "id": 3}), None),
        ] {
            assert_eq!(known_body(body.as_object().unwrap()), member, "{body}");
        }
    }
}
