//! JSON bodies that are errors and nothing else.

use serde_json::{Map, Value};

use crate::names::words;

/// What a body says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ErrorBody {
    /// The member that says so.
    pub member: String,
    /// Whether nothing in the body speaks against it.
    pub certain: bool,
}

/// Names of members that belong to an error, in lower case without punctuation.
const ENVELOPE: &[&str] = &[
    "cause",
    "code",
    "description",
    "detail",
    "details",
    "documentationurl",
    "err",
    "error",
    "errorcode",
    "errordescription",
    "errormessage",
    "errors",
    "errortype",
    "exception",
    "fault",
    "help",
    "hint",
    "hints",
    "httpcode",
    "httpstatus",
    "instance",
    "iserror",
    "kind",
    "message",
    "msg",
    "name",
    "next",
    "nextsteps",
    "ok",
    "path",
    "reason",
    "requestid",
    "retryafter",
    "retryable",
    "stack",
    "stacktrace",
    "status",
    "statuscode",
    "statustext",
    "success",
    "suggestion",
    "suggestions",
    "timestamp",
    "title",
    "tool",
    "traceback",
    "traceid",
    "type",
];
/// Names under which an error says what it is about.
const ERRORS: &[&str] = &["err", "error", "errormessage", "exception", "fault", "traceback"];
/// Names of texts that explain an error.
const TEXTS: &[&str] = &[
    "description",
    "detail",
    "details",
    "err",
    "error",
    "errordescription",
    "errormessage",
    "errors",
    "exception",
    "message",
    "msg",
    "reason",
    "title",
    "traceback",
];
const FAILED: &[&str] = &["err", "error", "failed", "failure"];
/// Words in the name of a tool that reports on failures of something else.
const REPORTERS: &[&str] = &[
    "alert",
    "alerts",
    "build",
    "builds",
    "check",
    "diagnose",
    "error",
    "errors",
    "event",
    "events",
    "exception",
    "exceptions",
    "failure",
    "failures",
    "health",
    "history",
    "incident",
    "incidents",
    "job",
    "jobs",
    "lint",
    "log",
    "logs",
    "pipeline",
    "run",
    "runs",
    "status",
    "task",
    "tasks",
    "test",
    "tests",
    "trace",
    "traces",
    "validate",
    "verify",
    "workflow",
];

/// How a body says that it is an error, if it does.
///
/// A record about something that failed is data: it has members of its own, such as an id, and stands under its name.
pub(super) fn error_body(body: &Map<String, Value>, tool: &str, arguments: &[&Value]) -> Option<ErrorBody> {
    let named = || body.iter().map(|(name, value)| (words(name).concat(), name, value));
    let is_text = |value: &Value| value.as_str().is_some_and(|text| !text.trim().is_empty());
    let rest = || {
        named().filter(|(plain, _, value)| {
            !ENVELOPE.contains(&plain.as_str()) && !is_empty(value) && !arguments.contains(value)
        })
    };
    let is_only_an_error = rest().next().is_none();
    let has_data = rest().any(|(_, _, value)| value.is_array() || value.is_object());
    let explains =
        named().any(|(plain, _, value)| TEXTS.contains(&plain.as_str()) && (is_text(value) || holds(value)));
    let reports = words(tool).iter().any(|word| REPORTERS.contains(&word.as_str()));
    let found = named().find_map(|(plain, name, value)| {
        let plain = plain.as_str();
        let denies = match value {
            Value::Bool(false) => matches!(plain, "ok" | "success" | "succeeded"),
            Value::Bool(true) => matches!(plain, "error" | "iserror" | "failed"),
            _ => false,
        };
        let errs = ERRORS.contains(&plain) && (is_text(value) || holds(value));
        let fails = matches!(plain, "outcome" | "result" | "status")
            && value.as_str().is_some_and(|text| FAILED.contains(&text.to_lowercase().as_str()));
        let refused = matches!(plain, "code" | "httpcode" | "httpstatus" | "status" | "statuscode")
            && value.as_u64().is_some_and(|code| (400..600).contains(&code));
        let certain = match () {
            () if denies => (is_only_an_error && (explains || !reports))
                .then_some(!reports)
                .or_else(|| (explains && !has_data).then_some(false)),
            () if errs => (is_only_an_error || !has_data).then_some(is_only_an_error && !reports),
            () if fails || refused => (is_only_an_error && explains && !reports).then_some(true),
            () => None,
        }?;
        Some(ErrorBody { member: name.clone(), certain })
    });
    found
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// Whether this is an error's own object, such as `{"code": 404, "message": "…"}`.
fn holds(value: &Value) -> bool {
    value.as_object().is_some_and(|members| !members.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(tool: &str, body: Value) -> Option<(String, bool)> {
        let id = json!("p1");
        error_body(body.as_object().unwrap(), tool, &[&id]).map(|found| (found.member, found.certain))
    }

    #[test]
    fn a_body_that_is_only_an_error_is_one() {
        for (body, member) in [
            (json!({"status": "error", "message": "Paper not found"}), "status"),
            (json!({"success": false, "error_code": "SQL_ERROR", "error": "Table not found"}), "error"),
            (json!({"success": false}), "success"),
            (json!({"error": "401 invalid token", "data": null}), "error"),
            (json!({"error": {"code": 404, "message": "gone"}, "id": "p1"}), "error"),
            (json!({"statusCode": 404, "message": "gone"}), "statusCode"),
            (json!({"isError": true, "message": "gone"}), "isError"),
        ] {
            assert_eq!(found("get_paper", body.clone()), Some((member.to_owned(), true)), "{body}");
        }
    }

    #[test]
    fn records_batches_and_reports_are_data() {
        for (tool, body) in [
            ("get_job", json!({"id": "j7", "status": "error", "message": "disk full"})),
            ("get_job", json!({"status": "failed", "message": "disk full"})),
            ("get_order", json!({"order": 7, "status": "failed", "message": "card declined"})),
            ("http_get", json!({"status": 404, "headers": {"a": "b"}, "body": "no such page"})),
            ("search", json!({"results": [{"id": 1}], "error": "engine 2 did not answer"})),
            ("run_tests", json!({"success": false, "tests": [{"name": "a", "ok": false}]})),
            ("list", json!({"items": [], "error": null, "success": true})),
            ("lint", json!({"errors": [{"line": 1}], "warnings": []})),
        ] {
            assert_eq!(found(tool, body.clone()), None, "{tool}: {body}");
        }
    }

    #[test]
    fn what_has_something_beside_the_error_leaves_a_doubt() {
        let body = json!({"error": "quota", "used": 3});
        assert_eq!(found("send", body), Some(("error".to_owned(), false)));
        assert_eq!(found("get_last_error", json!({"error": "disk full"})), Some(("error".to_owned(), false)));
    }
}
